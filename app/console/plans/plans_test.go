package plans_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/console/consoletest"
	"foyer/app/discount"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/policy"
)

func TestMain(m *testing.M) { os.Exit(browser.Share(m)) }

// opens opens each link of a page to another page of the console.
func opens(t *testing.T, s *consoletest.Studio, c *consoletest.Client, p *consoletest.Page) {
	t.Helper()
	root := "/manage/" + s.Studio.Business.Slug
	for _, at := range p.Links() {
		if strings.HasPrefix(at, root) && !strings.Contains(at, "at=") && c.Get(at).Status == http.StatusForbidden {
			t.Errorf("%s offers %s, which is forbidden", p.URL.Path, at)
		}
	}
}

// only returns the only plan of the studio.
func only(t *testing.T, s *consoletest.Studio) plan.Plan {
	t.Helper()
	page, err := s.Plans.List(t.Context(), s.Owner, plan.ListInput{})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d plans: %v", len(page.Items), err)
	}
	return page.Items[0]
}

// TestAddPlan: the kind is chosen first; a form with errors keeps its values; it is published by the same form, and
// the list has it.
func TestAddPlan(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Reformer" })
	owner := s.As(t, consoletest.Owner)
	list := owner.Get("/plans").Is(t, 200).Shows(t, "No plans yet", "Add plan")
	kinds := owner.Get(list.Link("/plans/new")).Is(t, 200).Shows(t, "Pack", "Pass", "Intro offer", "Complimentary")
	opens(t, s, owner, kinds)
	form := owner.Get("/plans/new?kind=pack").Is(t, 200).
		Shows(t, "10 credits for all bookings, valid for 6 months from the purchase.").Form("/plans/new")
	wrong := owner.Send(form, "name", "", "priceAmount", "abc").Is(t, 400).Shows(t, "Enter an amount such as 22.50.")
	if again := wrong.Form("/plans/new"); again.Values.Get("priceAmount") != "abc" {
		t.Errorf("typed is gone: %v", again.Values)
	}
	owner.Send(form, "name", "Ten").Is(t, 400).Shows(t, "Enter a price. 0 is free.")
	owner.Send(form, "name", "", "priceAmount", "180").Is(t, 400).Shows(t, "Give it a name.")
	owner.Send(form, "name", "Ten", "priceAmount", "180", "benefits[0].credits", "").Is(t, 400).
		Shows(t, "Enter the number of credits.")
	owner.Send(form, "name", "Ten", "priceAmount", "180", "benefits[0].credits", "10001").Is(t, 400).
		Shows(t, "Use 1 to 10000.")
	owner.Send(form, "name", "Ten", "priceAmount", "180", "benefits[0].gives", "unlimited").Is(t, 400).
		Shows(t, "A pack has a number of credits.")
	made := owner.Send(form, "name", "10-class pack", "priceAmount", "180", "description", "For a friend,\r\ntoo.",
		"validCount", "3", "fromFirstUse", "1", "benefits[0].kinds", "class", "benefits[0].dayMax", "1",
		"benefits[0].cost."+class.ID.String(), "2", "benefits[0].guestsOnly", "too", "customerMax", "2", "then", "publish")
	made.Is(t, 200).Shows(t, "Published 10-class pack. It is on sale now.", "Unpublish",
		"10 credits for all classes, valid for 3 months from the first class.", "At most 1 booking a day.",
		"Reformer costs 2 credits.", "Pays for guests too.", "At most 2 purchases per customer.")
	p := only(t, s)
	b := p.Benefits[0]
	if p.State != plan.Published || p.PriceAmount != 18000 || p.Description != "For a friend,\ntoo." || !p.SoldOnline ||
		p.Validity != (plan.Validity{Count: 3, Unit: rules.Month, FromFirstUse: true}) || p.CustomerMax != 2 ||
		*b.Credits != 10 || b.Costs[class.ID] != 2 || !b.ForGuests || b.DayMax != 1 || string(b.Kinds[0]) != "class" {
		t.Fatalf("%+v", p)
	}
	owner.Get("/plans").Shows(t, "10-class pack", "Pack", "$180", "3 months", "Published")
	owner.Get("/plans?state=draft").Is(t, 200).Shows(t, "No plans match.", "Clear filters")
	owner.Get("/plans?state=published").Is(t, 200).Shows(t, "10-class pack")
}

// TestGuestPasses: a benefit is for the customer, for guests too, or a number of guest passes; an error stands at that
// choice.
func TestGuestPasses(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/plans/new?kind=pass").Is(t, 200).
		Shows(t, "Attendees", "Guests only (guest passes)").Form("/plans/new")
	owner.Send(form, "name", "Friends", "priceAmount", "20", "benefits[0].guestsOnly", "only").Is(t, 400).
		Shows(t, "Guest passes need a number of credits.")
	owner.Send(form, "name", "Friends", "priceAmount", "20", "benefits[0].guestsOnly", "only",
		"benefits[0].gives", "credits", "benefits[0].credits", "2").Is(t, 200).
		Shows(t, "2 guest passes for all bookings, valid for 1 month from the purchase.")
	p := only(t, s)
	if b := p.Benefits[0]; !b.GuestsOnly || b.ForGuests || *b.Credits != 2 {
		t.Fatalf("%+v", b)
	}
	form = owner.Get("/plans/" + p.ID.String()).Form(p.ID.String())
	if got := form.Values.Get("benefits[0].guestsOnly"); got != "only" {
		t.Errorf("%q is chosen", got)
	}
	owner.Send(form, "benefits[0].guestsOnly", "").Is(t, 200).
		Shows(t, "2 credits for all bookings").Silent(t, "guest passes for")
	if b := only(t, s).Benefits[0]; b.GuestsOnly || b.ForGuests {
		t.Errorf("%+v", b)
	}
}

// TestBenefits: benefits are added and removed without script, and the preview follows; an error stands at its
// benefit, whatever its place in the form.
func TestBenefits(t *testing.T) {
	s := consoletest.Open(t)
	s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Reformer" })
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/plans/new?kind=pass").Is(t, 200).Silent(t, "Remove benefit").Form("/plans/new")
	page := owner.Send(form, "name", "Everything", "priceAmount", "99", "benefits[0].kinds", "class", "then", "add")
	page.Is(t, 422).Shows(t, "Benefit 2", "Remove benefit",
		"Unlimited bookings for all classes.", "1 credit for all bookings.")
	form = page.Form("/plans/new")
	if got := form.Values["benefit"]; !slices.Equal(got, []string{"0", "1"}) || form.Values.Get("name") != "Everything" {
		t.Fatalf("%v", form.Values)
	}
	page = owner.Send(form, "benefits[1].kinds", "appointment", "then", "preview").Is(t, 422).
		Shows(t, "1 credit for all appointments.", "Valid for 1 month from the purchase.")
	form = owner.Send(page.Form("/plans/new"), "then", "remove-0").Is(t, 422).
		Shows(t, "1 credit for all appointments, valid for 1 month from the purchase.").
		Silent(t, "Remove benefit").Form("/plans/new")
	page = owner.Send(form, "benefits[1].credits", "0").Is(t, 400).Shows(t, "Use 1 to 10000.")
	if page.Form("/plans/new").Values.Get("benefits[1].credits") != "0" {
		t.Error("typed is gone")
	}
	owner.Send(form, "then", "draft").Is(t, 200).Shows(t, "Saved Everything as a draft.", "Draft")
	if p := only(t, s); len(p.Benefits) != 1 || string(p.Benefits[0].Kinds[0]) != "appointment" {
		t.Errorf("%+v", p.Benefits)
	}
}

// TestEditPlan: every field is saved, a plan changed meanwhile is not overwritten unseen, and it is published,
// archived and restored.
func TestEditPlan(t *testing.T) {
	s := consoletest.Open(t)
	rate := s.AddTaxRate(t, "Sales tax", 88_750)
	river := s.AddLocation(t, "Riverside")
	p := add(t, s, plan.CreateInput{Name: "Month", Kind: plan.Pass, PriceAmount: 9900,
		Validity: plan.Validity{Count: 1, Unit: rules.Month}, Benefits: []plan.Benefit{{}}})
	at := "/plans/" + p.ID.String()
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at).Is(t, 200).Shows(t, "Draft: not for sale until you publish it.")
	form := page.Form(at)
	owner.Send(form, "validCount", "").Is(t, 400).Shows(t, "Give a plan for any number of bookings an end.")
	owner.Send(form, "name", "30 days", "priceAmount", "95", "taxRateId", rate.ID.String(), "validCount", "30",
		"validUnit", "day", "locationIds", river.ID.String(), "benefits[0].locationIds", river.ID.String(),
		"benefits[0].weekMax", "3", "newCustomers", "1").Is(t, 200).
		Shows(t, "Saved 30 days. Customers keep what they bought.", "valid for 30 days from the purchase",
			"Valid at Riverside.", "At most 3 bookings a week.", "For new customers.")
	got := only(t, s)
	if got.PriceAmount != 9500 || *got.TaxRateID != rate.ID || got.Count != 30 || got.Unit != rules.Day ||
		!slices.Equal(got.LocationIDs, []uuid.UUID{river.ID}) || !got.NewCustomers || got.SoldOnline {
		t.Errorf("%+v", got)
	}
	stale := owner.Send(form, "name", "Other").Is(t, 409).
		Shows(t, "Another user changed this", "Current value:", "30 days")
	owner.Send(stale.Form(at)).Is(t, 200).Shows(t, "Saved Other.")
	page = owner.Send(owner.Get(at).Form("/publish")).Is(t, 200).Shows(t, "Published Other. It is on sale now.", "Undo")
	page = owner.Send(page.Form("/unpublish")).Is(t, 200).Shows(t, "Unpublished Other.", "Undo")
	owner.Send(page.Form("/publish")).Is(t, 200)
	ask := owner.Get(at+"/archive").Is(t, 200).Shows(t, "Archive Other?", "Customers keep theirs")
	owner.Send(ask.Form("/archive")).Is(t, 200).Shows(t, "Archived Other.", "Restore")
	owner.Get("/plans").Shows(t, "No plans yet")
	owner.Get("/plans?state=archived").Shows(t, "Other", "Archived")
	page = owner.Get(at).Is(t, 200).Shows(t, "Archived: not for sale.").Silent(t, "Save")
	owner.Send(page.Form("/restore")).Is(t, 200).Shows(t, "Restored Other as a draft.")
}

// TestDiscountsOfPlan: the page of a plan has the discounts for its members, and leads to a new one; who may not see
// discounts does not see them there.
func TestDiscountsOfPlan(t *testing.T) {
	s := consoletest.Open(t)
	p := add(t, s, plan.CreateInput{Name: "Gold", Kind: plan.Pack, Benefits: []plan.Benefit{{Credits: new(3)}}})
	other := add(t, s, plan.CreateInput{Name: "Silver", Kind: plan.Pack})
	at := "/plans/" + p.ID.String()
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at).Is(t, 200).Shows(t, "Discounts for members", "None. A discount for members takes")
	form := owner.Get(page.Link("/catalog/discounts/new")).Is(t, 200).Form("/new")
	owner.Send(form, "name", "Workshops", "ppm", "20").Is(t, 200)
	owner.Send(owner.Get("/catalog/discounts/new").Form("/new"), "name", "Spring", "ppm", "5").Is(t, 200)
	page = owner.Get(at).Is(t, 200).Shows(t, "Workshops: 20% off bookings.").Silent(t, "Spring", "None.")
	owner.Get(page.Link(discountOf(t, s))).Is(t, 200).Shows(t, "Only for members of Gold.")
	owner.Get("/plans/"+other.ID.String()).Is(t, 200).Silent(t, "Workshops")
	front := s.As(t, policy.FrontDesk)
	front.Get(at).Is(t, 200).Silent(t, "Discounts for members", "Workshops")
}

// TestKinds: an intro offer is for new customers, and a complimentary plan has no price.
func TestKinds(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/plans/new?kind=intro").Is(t, 200).
		Shows(t, "For new customers.", "At most 1 purchase per customer.").Silent(t, "Purchases per customer").Form("/new")
	owner.Send(form, "name", "First 3 classes", "priceAmount", "30").Is(t, 200)
	form = owner.Get("/plans/new?kind=comp").Is(t, 200).Silent(t, "Price", "Sold online").Form("/new")
	owner.Send(form, "name", "Free class", "then", "publish").Is(t, 200).
		Shows(t, "Published Free class. You can give it to customers now.")
	owner.Get("/plans").Shows(t, "First 3 classes", "Intro offer", "Free class", "Complimentary", "Not for sale")
	form = owner.Get("/plans/new?kind=pack").Form("/new")
	form.Values.Del("benefit")
	owner.Send(form, "name", "Nothing", "priceAmount", "1", "then", "publish").Is(t, 400).Shows(t, "Add a benefit.")
}

// TestAddMembership: the form of a membership has its billing period, its introductory price and its least number of
// periods; errors stand at these fields, and the list and the plan's page have its terms as sentences.
func TestAddMembership(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	owner.Get("/plans/new").Is(t, 200).Shows(t, "Membership", "Renews with a payment for each billing period")
	owner.Get("/plans/new?kind=pass").Is(t, 200).Silent(t, "Billing period", "Introductory price", "Days of notice")
	page := owner.Get("/plans/new?kind=membership").Is(t, 200).
		Shows(t, "Billing period", "Price of each billing period", "It renews until it is cancelled.").
		Silent(t, "The price is", "Valid from the first class", "Leave empty for no end.")
	form := page.Form("/plans/new")
	named := func(typed ...string) []string {
		return append([]string{"name", "Monthly", "priceAmount", "80"}, typed...)
	}
	for _, x := range []struct {
		shows string
		typed []string
	}{
		{"Enter the length of a billing period.", []string{"validCount", ""}},
		{"There is a problem Enter the length of a billing period. Save", []string{"validCount", "0"}},
		{"Use 1 to 3660.", []string{"validCount", "3661"}},
		{"Enter a whole number.", []string{"renewal.noticeDays", "a week"}},
		{"Enter a price. 0 is free.", []string{"renewal.introPeriods", "2"}},
		{"This needs a number of periods.", []string{"renewal.introAmount", "40"}},
		{"Enter an amount such as 22.50.", []string{"renewal.introAmount", "half", "renewal.introPeriods", "2"}},
		{"Use 0 to 60.", []string{"renewal.introAmount", "40", "renewal.introPeriods", "61"}},
		{"Use 0 to 120.", []string{"renewal.minPeriods", "121"}},
		{"Use 0 to 366.", []string{"renewal.noticeDays", "367"}},
		{"Enter the number of periods after which it ends.", []string{"renewal.ends", "1"}},
		{"The price is $80.00 a month.", []string{"then", "preview"}},
		{"The price is $80.00 every 4 weeks.", []string{"validCount", "4", "validUnit", "week", "then", "preview"}},
		{"The price is $40.00 a year for 2 years, then $80.00 a year.", []string{
			"validUnit", "year", "renewal.introAmount", "40", "renewal.introPeriods", "2", "then", "preview",
		}},
		{"It runs for at least 3 months and renews until it is", []string{"renewal.minPeriods", "3", "then", "preview"}},
	} {
		again := owner.Send(form, named(x.typed...)...).Shows(t, x.shows)
		if again.Status != 400 && again.Status != 422 {
			t.Errorf("%q answers %d", x.typed, again.Status)
		}
		if got := again.Form("/plans/new").Values.Get(x.typed[0]); x.typed[0] != "then" && got != x.typed[1] {
			t.Errorf("%s is %q again, and was typed as %q", x.typed[0], got, x.typed[1])
		}
	}
	owner.Send(form, named("renewal.introAmount", "40", "renewal.introPeriods", "2", "renewal.minPeriods", "3",
		"renewal.noticeDays", "7", "benefits[0].gives", "credits", "benefits[0].credits", "8", "then", "publish")...).
		Is(t, 200).Shows(t, "Published Monthly. It is on sale now.", "8 credits for all bookings in each billing period.",
		"The price is $40.00 a month for 2 months, then $80.00 a month.",
		"It runs for at least 3 months and renews until it is cancelled.", "A cancellation needs 7 days of notice.")
	p := only(t, s)
	month := plan.Validity{Count: 1, Unit: rules.Month}
	if p.Kind != plan.Renewing || p.State != plan.Published || p.PriceAmount != 8000 || p.Validity != month ||
		p.Renewal != (plan.Renewal{IntroAmount: 4000, IntroPeriods: 2, MinPeriods: 3, NoticeDays: 7}) {
		t.Fatalf("%+v", p)
	}
	owner.Get("/plans").Is(t, 200).Shows(t, "Monthly", "Membership", "$80.00 a month",
		"The price is $40.00 a month for 2 months, then $80.00 a month.", "A cancellation needs 7 days of notice.")

	at := "/plans/" + p.ID.String()
	form = owner.Get(at).Is(t, 200).Form(at)
	if v := form.Values; v.Get("renewal.introAmount") != "40.00" || v.Get("renewal.minPeriods") != "3" {
		t.Errorf("%v", v)
	}
	owner.Send(form, "renewal.introAmount", "", "renewal.introPeriods", "", "renewal.minPeriods", "12",
		"renewal.ends", "1", "renewal.noticeDays", "", "benefits[0].gives", "unlimited").Is(t, 200).
		Shows(t, "Unlimited bookings.", "The price is $80.00 a month.", "It ends after 12 months.").
		Silent(t, "It renews until", "day of notice", "days of notice.")
	if got := only(t, s); got.Renewal != (plan.Renewal{MinPeriods: 12, Ends: true}) || got.Validity != month {
		t.Errorf("%+v", got)
	}
	owner.Get("/plans").Shows(t, "$80.00 a month", "It ends after 12 months.").Silent(t, "The price is")
	stale := owner.Send(form, "renewal.noticeDays", "14").Is(t, 409).
		Shows(t, "Another user changed this", "Current value:")
	owner.Send(stale.Form(at), "renewal.ends", "").Is(t, 200)
	front := s.As(t, policy.FrontDesk)
	front.Get(at).Is(t, 200).Shows(t, "The price is $", "$80.00 a month").Silent(t, "Save", "Introductory price")
}

// TestRoles: a role at one location sees plans, and cannot change them.
func TestRoles(t *testing.T) {
	s := consoletest.Open(t)
	s.AddLocation(t, "Riverside")
	p := add(t, s, plan.CreateInput{Name: "Ten", Kind: plan.Pack, PriceAmount: 18000,
		Benefits: []plan.Benefit{{Credits: new(10)}}})
	at := "/plans/" + p.ID.String()
	owner := s.As(t, consoletest.Owner)
	form := owner.Get(at).Form(at)
	for _, role := range []policy.Role{policy.Manager, policy.FrontDesk, policy.Viewer} {
		c := s.Member(t, string(role)+"@team.example.com", apptest.At(role, s.Location.ID))
		opens(t, s, c, c.Get("/plans").Is(t, 200).Shows(t, "Ten").Silent(t, "Add plan"))
		page := c.Get(at).Is(t, 200).
			Shows(t, "10 credits for all bookings, without an end date.", "At the desk only", "$180").
			Silent(t, "Save", "Publish", "Archive")
		opens(t, s, c, page)
		c.Get("/plans/new").Is(t, 403)
		c.Get(at+"/archive").Is(t, 403)
		c.Send(form, "name", "Mine").Is(t, 403)
	}
	if name := only(t, s).Name; name != "Ten" {
		t.Errorf("it is called %s", name)
	}
}

func add(t *testing.T, s *consoletest.Studio, in plan.CreateInput) plan.Plan {
	t.Helper()
	p, err := s.Plans.Create(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// discountOf returns the end of the address of the first discount of the studio.
func discountOf(t *testing.T, s *consoletest.Studio) string {
	t.Helper()
	page, err := s.Discount.List(t.Context(), s.Owner, discount.ListInput{})
	if err != nil || len(page.Items) == 0 {
		t.Fatalf("%d discounts: %v", len(page.Items), err)
	}
	return "/catalog/discounts/" + page.Items[0].ID.String()
}
