package plans_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/console/consoletest"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/tenancy"
)

// studioTerms are the terms of a studio as its owner sets them, and what a year by them looks like.
type studioTerms struct {
	Name   string
	Policy []string // the form of its booking policy, in pairs; nil: the standard one
	Plans  []typed
	// Discount is the form of a discount for members; nil: none.
	Discount []string
	Plan     string // that the member joins
	// All sentences on its page: what it gives, how it is paid and ended, and how it is frozen.
	Gives, Pays, Freezing []string
	Joins                 string // the day
	Card                  string // that pays; empty: a good one
	Ends                  bool   // by itself
	Year                  []act
	// What the members paid, in the order of the days, and the last day of the membership; empty: it goes on.
	Charges []string
	Last    string
	Cannot  []string // what the studio's terms say, and cannot be set
}

// typed is a form of a plan as it is filled in, in pairs. The name of a plan or a class in braces stands for its id.
type typed struct {
	Edits string // the plan by its name; empty: a new one
	Kind  string
	Form  []string
}

// act is what happens on a day, after its charges.
type act struct {
	On string
	Do func(*testing.T, *member)
}

// country is a world with the studios of a country.
type country struct {
	w        *apptest.World
	code     string
	zone     *time.Location
	currency money.Currency
	first    *apptest.Sales
	served   *consoletest.Studio
}

func openCountry(t *testing.T, code, zone string, cur money.Currency) *country {
	t.Helper()
	z, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return &country{w: apptest.Open(t), code: code, zone: z, currency: cur}
}

// studio opens a studio in the country.
func (c *country) studio(t *testing.T, name string) (*apptest.Sales, *consoletest.Studio) {
	t.Helper()
	in := func(p *apptest.StudioPlan) {
		p.CreateInput.Name, p.CreateInput.Currency, p.Zone = name, c.currency, c.zone.String()
		p.Location.Name, p.Location.Address.Country = name, c.code
	}
	if c.first == nil {
		c.first = c.w.Sales(t, in)
		c.served = consoletest.Serve(t, c.w, c.first)
		return c.first, c.served
	}
	s := c.first.Beside(t, in)
	return s, c.served.Of(s)
}

// member is the member of a studio, and the studio.
type member struct {
	*apptest.Sales
	studioTerms
	country *country
	pages   *consoletest.Studio
	ids     map[string]uuid.UUID // of plans and classes, by their names
	class   apptest.OfferingRow
	who     tenancy.Scope
	friends map[string]*member
}

// opens opens a studio by its terms: its owner fills in the forms of the console, and a person joins in the shop, after
// they have read the terms.
func (c *country) opens(t *testing.T, terms studioTerms) *member {
	t.Helper()
	m := &member{studioTerms: terms, country: c, ids: map[string]uuid.UUID{}, friends: map[string]*member{}}
	m.Sales, m.pages = c.studio(t, terms.Name)
	m.class = m.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Capacity, o.Online = "Class", 40, 40 })
	workshop := m.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Workshop" })
	m.ids["Class"], m.ids["Workshop"] = m.class.ID, workshop.ID
	owner := m.owner(t)
	if terms.Policy != nil {
		owner.Send(owner.Get("/settings/policies/new").Form("/new"), append(terms.Policy, "name", "Ours")...).Is(t, 200)
		list, err := m.Services.Catalog.Policies(t.Context(), m.Owner, paging.In[uuid.UUID]{Limit: paging.Max})
		if err != nil || len(list.Items) != 1 {
			t.Fatalf("%d policies: %v", len(list.Items), err)
		}
		place := owner.Get("/settings/policies").Is(t, 200).Form("/places/" + m.Location.ID.String())
		owner.Send(place, "policyId", list.Items[0].ID.String()).Is(t, 200)
	}
	for _, f := range terms.Plans {
		m.types(t, owner, f)
	}
	if terms.Discount != nil {
		owner.Send(owner.Get("/catalog/discounts/new").Form("/new"), m.named(t, terms.Discount)...).Is(t, 200)
	}
	m.who = m.Customer(t, "Ada")
	return m
}

// owner returns the owner's browser. A session does not last for a year.
func (m *member) owner(t *testing.T) *consoletest.Client { return m.pages.SignedIn(t, m.Owner.Email) }

// phone returns the member's browser.
func (m *member) phone(t *testing.T) *consoletest.Client { return m.pages.SignedIn(t, m.who.Email) }

// named returns the pairs of a form with the ids of what is named in them.
func (m *member) named(t *testing.T, form []string) []string {
	t.Helper()
	pairs := slices.Clone(form)
	for i, text := range pairs {
		if name, found := strings.CutPrefix(text, "{"); found {
			id := m.ids[strings.TrimSuffix(name, "}")]
			if id == uuid.Nil {
				t.Fatalf("%s has no %s", m.Name, text)
			}
			pairs[i] = id.String()
		}
	}
	return pairs
}

// types fills in a form of a plan, and puts it on sale.
func (m *member) types(t *testing.T, owner *consoletest.Client, f typed) {
	t.Helper()
	pairs := m.named(t, f.Form)
	if f.Edits != "" {
		at := "/plans/" + m.ids[f.Edits].String()
		owner.Send(owner.Get(at).Is(t, 200).Form(at), pairs...).Is(t, 200).Shows(t, "Saved "+f.Edits)
		return
	}
	form := owner.Get("/plans/new?kind="+f.Kind).Is(t, 200).Form("/plans/new")
	page := owner.Send(form, append(pairs, "then", "publish")...)
	name := f.Form[slices.Index(f.Form, "name")+1]
	page.Is(t, 200).Shows(t, "Published "+name)
	list, err := m.Services.Plans.List(t.Context(), m.Owner, plan.ListInput{})
	for _, p := range list.Items {
		m.ids[p.Name] = p.ID
	}
	if err != nil || m.ids[name] == uuid.Nil {
		t.Fatalf("%s has no %s: %v", m.Name, name, err)
	}
}

// joins has the member read the terms of the plan, agree to them and pay.
func (m *member) joins(t *testing.T) {
	t.Helper()
	phone := m.phone(t)
	at := "/shop/" + m.Location.Slug + "/plans/" + m.ids[m.Plan].String()
	page := m.pages.Visitor(t).Get(at).Is(t, 200)
	same(t, m.Name+": the terms", page.Items("terms"), slices.Concat(m.Gives, m.Pays, m.Freezing))
	words := m.Name + " saves the card that you pay with, and charges it at the start of each billing period of " +
		m.Plan + ". " + strings.Join(m.Pays, " ") + " If several of your cards are saved with " + m.Name +
		", the one that you saved last is charged."
	if !m.Ends {
		words += " You can cancel under My plans at any time, in as few steps as it takes to join."
	}
	own := phone.Get(at).Is(t, 200)
	same(t, m.Name+": what is agreed to", []string{page.TextOf("consent-hint"), own.TextOf("consent-hint")},
		[]string{words, words})
	m.buys(t, m.Plan, m.Card)
	if m.mine(t).ConsentedAt == nil {
		t.Errorf("%s: no agreement is stored", m.Name)
	}
}

// buys has the member agree to the terms of a plan, and pay.
func (m *member) buys(t *testing.T, name, card string) {
	t.Helper()
	phone, id := m.phone(t), m.ids[name].String()
	page := phone.Get("/shop/"+m.Location.Slug+"/plans/"+id).Is(t, 200)
	cart := phone.Send(page.Form(id), "consent", page.Box("consent")).Is(t, 200)
	step := phone.Send(cart.Form(cart.URL.Path)).Is(t, 200)
	if strings.HasSuffix(step.URL.Path, "/details") {
		step = phone.Send(step.Form("/details"), "name", "Ada").Is(t, 200)
	}
	if card == "" {
		card = apptest.CardGood
	}
	phone.Send(step.Form("/pay/card"), "number", card, "exp", "12/34", "cvc", "123").Is(t, 200).Shows(t, "Paid, thank you")
	jobs(t, m.Sales)
}

// mine returns the membership of the member.
func (m *member) mine(t *testing.T) plan.Membership {
	t.Helper()
	list, err := m.Services.Plans.Mine(t.Context(), m.who.Principal)
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: %d memberships: %v", m.Name, len(list), err)
	}
	return list[0]
}

// charged returns what the customers of the studio paid and what they were refunded, a line each: the day and the
// amount.
func (m *member) charged(t *testing.T) []string {
	t.Helper()
	list := apptest.Values[string](t, m.country.w, `select day || ' ' || (amount / 100.0)::numeric(12, 2) || what from (
			select (captured_at at time zone $2)::date as day, captured_at as at, amount,
				case kind when 'card' then '' else ' by ' || kind end as what
			from order_tenders where business_id = $1 and captured_at is not null
			union all
			select (r.created_at at time zone $2)::date, r.created_at, -r.amount, ' refunded'
			from refunds r where r.business_id = $1 and r.state = 'succeeded'
		) x order by at, amount desc`, m.Business.ID, m.country.zone.String())
	return list
}

func jobs(t *testing.T, s *apptest.Sales) {
	t.Helper()
	for ran := []string{""}; len(ran) > 0; {
		var err error
		s.Sim.Flush(t.Context())
		if ran, err = s.RunJobs(t); err != nil {
			t.Fatal(err)
		}
	}
}

// goes lets the time go by until a day, with the sweeps of each day and with the acts on it. Each day has one time, in
// the morning after the hour at which declined cards are tried again.
func (c *country) goes(t *testing.T, until string, members []*member) {
	t.Helper()
	last := apptest.Day(until)
	for day := civil.LocalDate(c.w.Clock.Now(), c.zone); !day.After(last); day = day.AddDays(1) {
		at := time.Date(day.Year, day.Month, day.Day, 11, 0, 0, 0, c.zone)
		if at.Before(c.w.Clock.Now()) {
			continue
		}
		c.w.Clock.Set(at)
		s := c.first
		for _, sweep := range []func() error{
			func() error { return s.Booking.CompleteDue(t.Context()) },
			func() error { return s.Services.Plans.EarnDue(t.Context()) },
			func() error { return s.Services.Plans.ExpireDue(t.Context()) },
			func() error { return s.Owed.RenewDue(t.Context()) },
			func() error { return s.Services.Plans.ExpirePeriodsDue(t.Context()) },
		} {
			if err := sweep(); err != nil {
				t.Fatal(err)
			}
		}
		jobs(t, s)
		for _, m := range members {
			if m.Joins == day.String() {
				m.joins(t)
			}
			for _, a := range m.Year {
				if a.On == day.String() {
					c.w.Clock.Advance(time.Minute)
					a.Do(t, m)
					jobs(t, s)
				}
			}
		}
	}
}

// same fails when two lists differ, and shows both.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n\t%s\nwant\n\t%s", what, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
