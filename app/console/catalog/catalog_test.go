package catalog_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/console/consoletest"
	"foyer/app/discount"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/schedule"
	"foyer/policy"
)

// The catalog of an owner, from a template to weekly dates that customers can book.
func TestFromATemplateToAWeeklyClass(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	owner.Get("/catalog").Is(t, 200).Shows(t, "No classes yet", "Start from a template")
	owner.Get("/catalog/new").Is(t, 200).Shows(t, "Yoga or fitness class", "Dance course", "Climbing hall entry", "Room rental", "One-to-one coaching", "Salon treatment")
	page := owner.Get("/catalog/new?from=yoga").Is(t, 200)

	form := page.Form("/catalog/new")
	wrong := owner.Send(form, "name", "", "price", "abc", "weekdays", "1", "then", "publish").Is(t, 400)
	wrong.Shows(t, "Enter an amount such as 22.50.", "Enter a start time.")
	if again := wrong.Form("/catalog/new"); again.Values.Get("price") != "abc" || again.Values.Get("weekdays") != "1" {
		t.Errorf("typed is gone: %v", again.Values)
	}

	made := owner.Send(form, "weekdays", "1", "weekdays", "3", "time", "09:00", "then", "publish").Is(t, 200)
	made.Shows(t, "Published Morning flow to your booking page.", "Published", "Customer preview")
	list, err := s.Agenda.Offerings(t.Context(), s.Owner, agenda.OfferingsInput{})
	if err != nil || len(list) != 1 || list[0].State != catalog.Published || list[0].Dates < 50 || *list[0].PriceAmount != 2000 {
		t.Fatalf("%+v, %v", list, err)
	}
	owner.Get("/catalog").Shows(t, "Morning flow", "$20", "Published")
}

func TestWhatIsMissingStandsOnTheDraft(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/catalog/new?from=coaching").Is(t, 200)
	draft := owner.Send(page.Form("/catalog/new"), "name", "Tea", "teach", "", "hoursDays", "", "then", "publish").Is(t, 200)
	draft.Shows(t, "Saved Tea as a draft.", "Required before customers can book", "Add an instructor.", "Choose an instructor")
	refused := owner.Send(draft.Form("/publish")).Is(t, 400)
	refused.Shows(t, "Add an instructor.")
	archived := owner.Get(draft.Link("/archive")).Is(t, 200).Shows(t, "Archive Tea?")
	owner.Send(archived.Form("/archive")).Is(t, 200).Shows(t, "Archived Tea.")
	owner.Get("/catalog?tab=archived").Shows(t, "Tea", "Archived")
}

func TestEditingAnOffering(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	s.AddOccurrence(t, class, s.Clock.Now().Add(24*time.Hour))
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/catalog/"+class.ID.String()).Is(t, 200)
	form := page.Form("/catalog/" + class.ID.String())
	owner.Send(form, "name", "Evening Yoga", "price", "18.50", "capacity", "9", "onlineCapacity", "8").Is(t, 200).Shows(t, "Saved Evening Yoga.", "$18.50")
	o, err := s.Catalog.Get(t.Context(), s.Owner, class.ID)
	if err != nil || o.Name != "Evening Yoga" || *o.PriceAmount != 1850 || o.Capacity != 9 || o.OnlineCapacity != 8 || o.State != catalog.Published {
		t.Fatalf("%+v, %v", o, err)
	}
	owner.Send(form, "name", "Noon Yoga").Is(t, 409).Shows(t, "Another user changed this", "Current value:", "Evening Yoga")

	off := owner.Send(owner.Get("/catalog/"+class.ID.String()).Form("/unpublish")).Is(t, 200).Shows(t, "Draft", "Undo")
	owner.Send(off.Form("/publish")).Shows(t, "to your booking page.")
	owner.Send(owner.Get("/catalog/"+class.ID.String()).Form("/duplicate")).Is(t, 200).Shows(t, "This is the copy:", "Draft")
	owner.Get("/catalog/"+class.ID.String()+"/preview?name=Dawn&price=5&durationMinutes=45&capacity=3").Is(t, 200).Shows(t, "Dawn", "$5")
	owner.Get("/catalog/explain?offering="+class.ID.String()+"&day=2026-06-11&time=08:00").Is(t, 200).Shows(t, "The class has a date at this time.")
}

func TestWhoMayChangeTheCatalog(t *testing.T) {
	s := consoletest.Open(t)
	theirs := s.World.Studio(t)
	class := s.AddOffering(t)
	viewer := s.As(t, policy.Viewer)
	page := viewer.Get("/catalog/"+class.ID.String()).Is(t, 200).Shows(t, "Morning Yoga", "$22").Silent(t, "Save", "Archive…", "Duplicate")
	if page.Has("/unpublish") {
		t.Error("a viewer is shown what they may not do")
	}
	viewer.Get("/catalog/new").Is(t, 403)
	foreign := theirs.AddOffering(t)
	s.As(t, consoletest.Owner).Get("/catalog/"+foreign.ID.String()).Is(t, 404)
}

func TestSeries(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	path := "/catalog/" + class.ID.String() + "/series"
	owner := s.As(t, consoletest.Owner)
	owner.Get(path).Is(t, 200).Shows(t, "No dates yet")
	form := owner.Get(path + "/new").Form("/new")
	owner.Send(form, "weekdays", "1", "time", "").Is(t, 400).Shows(t, "Enter a start time.")
	owner.Send(form, "weekdays", "1", "weekdays", "3", "time", "09:00", "start", "2026-06-15", "until", "2026-07-15").Is(t, 200).
		Shows(t, "Added 10 dates: Every Monday and Wednesday", "until")
	one := seriesOf(t, s, class)[0]

	edit := owner.Get(path+"/"+one.ID.String()).Is(t, 200)
	plan := owner.Send(edit.Form("/plan"), "time", "10:00").Is(t, 200).Shows(t, "10 dates are rescheduled to another time", "You can undo this within a day")
	if now := seriesOf(t, s, class)[0]; now.At.String() != "09:00" {
		t.Error("looking at the plan has changed the series")
	}
	done := owner.Send(plan.Form("/plan")).Is(t, 200).Shows(t, "Changed: Every Monday and Wednesday")
	if now := seriesOf(t, s, class)[0]; now.At.String() != "10:00" || len(now.Weekdays) != 2 || now.Until == nil {
		t.Errorf("%+v", now)
	}
	owner.Send(done.Form("/undo")).Is(t, 200).Shows(t, "Undid the change to the series.")
	if now := seriesOf(t, s, class)[0]; now.At.String() != "09:00" {
		t.Error("it was not taken back")
	}
	end := owner.Get(path+"/"+one.ID.String()+"/end?endsOn=2026-06-30").Is(t, 200).Shows(t, "End series on", "dates are removed")
	owner.Send(end.Posts("/end")).Is(t, 200).Shows(t, "The series ends on")
	if now := seriesOf(t, s, class)[0]; now.EndedAt == nil {
		t.Error("it goes on")
	}
	owner.Get(path+"/"+one.ID.String()+"/plan?version=1&scope=following&weekdays=1&time=09:00").Is(t, 400).Shows(t, "Set the first date")
}

func TestPolicies(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	owner.Get("/settings/policies").Is(t, 200).Shows(t, "Standard", "Cancel at least 24 hours before the start and the price is refunded")
	form := owner.Get("/settings/policies/new").Form("/new")
	owner.Send(form, "name", "Strict", "cancel.lateFeeAmount", "x").Is(t, 400).Shows(t, "Enter an amount such as 22.50.")
	owner.Send(form, "name", "Strict", "cancel.freeUntilMinutes", "48", "cancel.lateFromMinutes", "1.5", "cancel.lateFeeAmount", "5").Is(t, 200).
		Shows(t, "Added Strict", "Cancel at least 2 days before the start", "Cancelling less than 1 hour 30 minutes before the start costs a late-cancellation fee of $5.00.")
	page, err := s.Catalog.Policies(t.Context(), s.Owner, paging.In[uuid.UUID]{})
	if err != nil || len(page.Items) != 1 || page.Items[0].Rules.Cancel.LateFeeAmount != 500 {
		t.Fatalf("%+v, %v", page, err)
	}
	strict := page.Items[0].ID.String()
	here := owner.Get("/settings/policies").Form("/places/" + s.Location.ID.String())
	owner.Send(here, "policyId", strict).Is(t, 200).Shows(t, "Strict applies to new bookings.")
	owner.Send(owner.Get("/settings/policies/"+strict).Form("/archive")).Is(t, 200).Shows(t, "use this policy")
	edit := owner.Get("/settings/policies/" + strict).Form("/policies/" + strict)
	owner.Send(edit, "noShow.feeAmount", "12").Is(t, 200).Shows(t, "If you miss a booking that you did not cancel, you pay a no-show fee of $12.00.")
	edit = owner.Get("/settings/policies/" + strict).Form("/policies/" + strict)
	owner.Send(edit, "deposit.percent", "30", "deposit.balanceMinutes", "x").Is(t, 400).Shows(t, "Enter hours such as 24 or 1.5.")
	owner.Send(edit, "deposit.percent", "30", "deposit.nonRefundable", "1", "deposit.balanceMinutes", "48").Is(t, 200).
		Shows(t, "You pay 30% of the price as a deposit", "The deposit is non-refundable, however early you cancel", "the balance due is charged to it 2 days before the start")
	if page, err = s.Catalog.Policies(t.Context(), s.Owner, paging.In[uuid.UUID]{}); err != nil ||
		page.Items[0].Rules.Deposit != (catalog.DepositRules{Percent: 30, NonRefundable: true, BalanceMinutes: 2880}) {
		t.Errorf("%+v, %v", page.Items[0].Rules.Deposit, err)
	}
	owner.Get("/settings/policies/preview?cancel.allowed=1&cancel.freeUntilMinutes=3").Is(t, 200).Shows(t, "Cancel at least 3 hours before the start")
}

func seriesOf(t *testing.T, s *consoletest.Studio, class apptest.OfferingRow) []schedule.Series {
	t.Helper()
	page, err := s.Schedule.SeriesOf(t.Context(), s.Owner, schedule.SeriesOfInput{OfferingID: class.ID})
	if err != nil || len(page.Items) == 0 {
		t.Fatalf("%+v, %v", page, err)
	}
	return page.Items
}

// TestDiscounts: a discount is created, shown with an example price, changed, archived and restored.
func TestDiscounts(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Sunrise Vinyasa" })
	owner := s.As(t, consoletest.Owner)
	owner.Get("/catalog").Is(t, 200).Shows(t, "Discounts")
	owner.Get("/catalog/discounts").Is(t, 200).Shows(t, "No discounts", "New discount")
	form := owner.Get("/catalog/discounts/new").Is(t, 200).Shows(t, "Sunrise Vinyasa").Form("/new")
	owner.Send(form, "name", "Spring offer", "ppm", "twenty").Is(t, 400).Shows(t, "Enter a percentage from 0 to 100, such as 8.25")
	owner.Send(form, "name", "Spring offer").Is(t, 400).Shows(t, "Enter either a percentage or an amount")
	owner.Send(form, "name", "Spring offer", "code", "spring20", "ppm", "20", "usesMax", "50", "offeringIds", class.ID.String(), "weekdays", "1").Is(t, 200).
		Shows(t, "Added Spring offer", "With promo code SPRING20.", "A $22.00 class costs $17.60.", "Not used yet.")
	page, err := s.Discount.List(t.Context(), s.Owner, discount.ListInput{})
	if err != nil || len(page.Items) != 1 || page.Items[0].PPM != 200_000 || page.Items[0].OfferingIDs[0] != class.ID || len(page.Items[0].Weekdays) != 1 {
		t.Fatalf("%+v, %v", page.Items, err)
	}
	at := "/catalog/discounts/" + page.Items[0].ID.String()
	owner.Send(owner.Get(at).Form(at), "ppm", "", "amount", "5").Is(t, 200).Shows(t, "Saved Spring offer", "A $22.00 class costs $17.00.")
	owner.Send(owner.Get("/catalog/discounts/new").Form("/new"), "name", "Other", "code", "SPRING20", "ppm", "1").Shows(t, "Another discount has this code.")
	owner.Send(owner.Get(at).Form(at), "appliesTo", "goods").Is(t, 200).Shows(t, "A $22.00 product costs $17.00.")
	owner.Send(owner.Get(at).Form(at), "appliesTo", "all").
		Shows(t, "A $22.00 class costs $17.00.", "Applies to bookings and products.")
	owner.Send(owner.Get(at).Form(at), "appliesTo", "fees").Is(t, 400).Shows(t, "Use bookings, goods or all.")
	owner.Send(owner.Get(at).Form("/archive")).Is(t, 200).Shows(t, "Archived Spring offer").Silent(t, "With promo code")
	owner.Get("/catalog/discounts?archived=1").Is(t, 200).Shows(t, "Spring offer")
	owner.Send(owner.Get(at).Form("/restore")).Is(t, 200).Shows(t, "Restored Spring offer. It applies from now on.", "With promo code SPRING20.")
}

// A discount for members names its plans: drafts, published ones, and an archived one that it names already.
func TestDiscountForMembers(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	owner.Get("/catalog/discounts/new").Is(t, 200).Silent(t, "Only for members of")
	var ids []string
	for _, name := range []string{"Gold", "Silver"} {
		p, err := s.Plans.Create(t.Context(), s.Owner, plan.CreateInput{Name: name, Kind: plan.Pack})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, p.ID.String())
	}
	form := owner.Get("/catalog/discounts/new?planIds="+ids[0]).Is(t, 200).
		Shows(t, "Only for members of", "Silver").Form("/new")
	if got := form.Values["planIds"]; !slices.Equal(got, ids[:1]) {
		t.Fatalf("%v are chosen", got)
	}
	owner.Send(form, "name", "Members", "ppm", "20").Is(t, 200).
		Shows(t, "Applied automatically.", "Only for members of Gold.").Silent(t, "Silver")
	page, err := s.Discount.List(t.Context(), s.Owner, discount.ListInput{})
	if err != nil || len(page.Items) != 1 || len(page.Items[0].PlanIDs) != 1 {
		t.Fatalf("%+v, %v", page.Items, err)
	}
	if _, err = s.Plans.Archive(t.Context(), s.Owner, page.Items[0].PlanIDs[0]); err != nil {
		t.Fatal(err)
	}
	at := "/catalog/discounts/" + page.Items[0].ID.String()
	form = owner.Get(at).Is(t, 200).Form(at)
	form.Values["planIds"] = ids
	owner.Send(form).Is(t, 200).Shows(t, "Saved Members", "Only for members of Silver and Gold.")
	form = owner.Get(at).Form(at)
	form.Values.Del("planIds")
	owner.Send(form).Is(t, 200).Shows(t, "Saved Members").Silent(t, "Only for members")
}

// The revenue category of an offering is chosen in its form, where its kind's is the default. An archived one stays
// until another is chosen.
func TestRevenueCategoryOfAnOffering(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	owner := s.As(t, consoletest.Owner)
	at := "/catalog/" + class.ID.String()
	owner.Get(at).Is(t, 200).Silent(t, "Revenue category")
	workshops := s.AddRevenueCategory(t, "Workshops").ID
	form := owner.Get(at).Shows(t, "Revenue category", "By kind: Class income", "Workshops").Form(at)
	owner.Send(form, "revenueCategoryId", workshops.String()).Is(t, 200)
	has := func() *uuid.UUID {
		o, err := s.Catalog.Get(t.Context(), s.Owner, class.ID)
		if err != nil {
			t.Fatal(err)
		}
		return o.RevenueCategoryID
	}
	if id := has(); id == nil || *id != workshops {
		t.Errorf("the category is %v", id)
	}
	s.SQL(t, "update revenue_categories set archived_at = now()")
	form = owner.Get(at).Shows(t, "Current category (archived)").Form(at)
	owner.Send(form, "name", "Clay").Is(t, 200)
	if id := has(); id == nil || *id != workshops {
		t.Errorf("with another name, the category is %v", id)
	}
	owner.Send(owner.Get(at).Form(at), "revenueCategoryId", "").Is(t, 200)
	if id := has(); id != nil {
		t.Errorf("by kind, the category is %v", id)
	}
}
