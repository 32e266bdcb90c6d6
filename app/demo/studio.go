package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/discount"
	"foyer/app/money"
	"foyer/app/patch"
	"foyer/app/plan"
	"foyer/app/product"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/till"
	"foyer/billing"
	"foyer/policy"
)

// studioPlan is the plan of one studio of the demo.
type studioPlan struct {
	name, domain, owner string
	zone                string
	currency            money.Currency
	country             string
	tax                 business.TaxRateInput
	look                business.Branding
	locations           []business.LocationInput
	spaces              []business.SpaceInput // at the first location
	instructors         []string
	classes             []classPlan
	course              *classPlan
	services            []servicePlan
	goods               []goodsPlan
	photos              []photoPlan
	online, counter     int   // days between bookings online, and at the desk
	refunds             []int // days of events in the history
	missed, late        []int
	disputed            []int
	company             string // at the accounting provider; empty: the studio is not connected
}

// classPlan is a class and when it takes place. Instructor and space count into the studio's lists.
type classPlan struct {
	name, about string
	price       int64
	minutes     int
	capacity    int
	regulars    int      // places among its regulars
	popular     float64  // share of its seats booked on a usual day, of 1
	children    []string // attendees instead of the customers who book
	location    int
	instructor  int
	space       int
	days        []time.Weekday
	at          civil.Clock
	count       *int // of its dates; nil without end
	settings    catalog.Settings
	category    string // its revenue category; empty: none
}

// seeding is a studio on its way.
type seeding struct {
	Demo
	plan        studioPlan
	zone        *time.Location
	owner       tenancy.Scope
	address     func(role string) string
	out         *Business
	locations   []business.Location
	spaces      []uuid.UUID
	instructors []uuid.UUID
	offerings   []uuid.UUID // the classes
	computed    []uuid.UUID // the appointments and rentals
	taxRate     uuid.UUID
	categories  map[string]*uuid.UUID // the revenue categories, by name

	first, end time.Time // the first day of the history, and when the demo is made
	dates      []*date
	habits     []*habit
	guests     []*guest
	regulars   []*guest           // customers who book online
	paid       []string           // payments by card, at the processor
	attended   int                // the last day with its evening done
	away       map[uuid.UUID]bool // bookings of no-shows
	missing    int                // number of no-shows so far
	waived     bool               // a fee of one was
	sorry      string             // customer of a late cancellation
	drawer     till.Of            // that is open
	drawers    int
	dropIns    int
	walkIns    int
	rented     int
	products   []uuid.UUID
	stocked    []product.Variant // the variants of the products
	purchases  int
	ofGoods    map[uuid.UUID]bool // orders of products, gift cards and plans
	offers     []plan.Plan        // on sale
	claude     connected          // the owner's assistant
}

// places creates the other locations, and sets for all of them the tax rate, branding, hours and spaces; the first
// has a stylesheet.
func (s *seeding) places(ctx context.Context) error {
	b := s.Business
	rate, err := b.CreateTaxRate(ctx, s.owner, s.plan.tax)
	if err != nil {
		return err
	}
	s.taxRate = rate.ID
	if _, err := s.Discount.Create(ctx, s.owner, discount.CreateInput{Name: "Welcome", Code: code, PPM: 200_000, Combines: true}); err != nil {
		return err
	}
	for _, in := range s.plan.locations[1:] {
		l, err := b.CreateLocation(ctx, s.owner, in)
		if err != nil {
			return err
		}
		s.locations = append(s.locations, l)
	}
	for i, l := range s.locations {
		s.out.Locations = append(s.out.Locations, Location{ID: l.ID.String(), Name: l.Name, Slug: l.Slug})
		if _, err := b.PutTheme(ctx, s.owner, business.Theme{LocationID: l.ID, Branding: s.plan.look, Version: l.Version}); err != nil {
			return err
		}
		hours := business.Hours{LocationID: l.ID}
		for day := time.Sunday; day <= time.Saturday; day++ {
			hours.Intervals = append(hours.Intervals, business.Interval{Weekday: day, Opens: 6 * 60, Closes: 22 * 60})
		}
		if _, err := b.PutHours(ctx, s.owner, hours); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		if _, err := b.SaveStylesheet(ctx, s.owner, business.SaveStylesheetInput{LocationID: l.ID, CSS: stylesheet}); err != nil {
			return err
		}
		for _, in := range s.plan.spaces {
			in.LocationID = l.ID
			space, err := b.CreateSpace(ctx, s.owner, in)
			if err != nil {
				return err
			}
			s.spaces = append(s.spaces, space.ID)
		}
	}
	return nil
}

// stylesheet is the stylesheet of the first location's embeds, beside their theme.
const stylesheet = `/* A little of the studio's own hand. */
svc-schedule, svc-classes, svc-appointments, svc-rentals, svc-listings, svc-times {
  --pf-gap: 0.9rem;

  [data-pf=day-name], [data-pf=name] {
    font-weight: 600;
    letter-spacing: 0.01em;
  }
  [data-pf=book] {
    text-underline-offset: 0.2em;
    &:hover { text-decoration-thickness: 2px }
  }
}

@media (max-width: 30rem) {
  svc-schedule [data-pf=duration] { display: none }
}
`

// team adds one person in every role, the limited ones at the first location, and the instructors.
func (s *seeding) team(ctx context.Context) error {
	for _, r := range Roles {
		if r.Role == "" || r.Name == "owner" {
			continue
		}
		at := business.RoleAt{Role: r.Role}
		switch r.Name {
		case "manager", "frontDesk", "viewer":
			at.LocationID = &s.locations[0].ID
		}
		in := business.AddMemberInput{
			Email: s.address(strings.ToLower(r.Name)), Name: "Demo " + strings.ReplaceAll(string(r.Role), "_", " "), Roles: []business.RoleAt{at},
		}
		if r.Role == policy.Instructor { // the person signed in as the instructor is the first instructor, with their own rosters
			in.Name, in.Bookable = s.plan.instructors[0], true
		}
		m, err := s.Business.AddMember(ctx, s.owner, in)
		if err != nil {
			return err
		}
		if in.Bookable {
			s.instructors = append(s.instructors, m.ID)
		}
		s.out.People[r.Name] = Person{Email: in.Email}
	}
	for _, name := range s.plan.instructors[1:] {
		front, _, _ := strings.Cut(strings.ToLower(name), " ")
		m, err := s.Business.AddMember(ctx, s.owner, business.AddMemberInput{
			Email: s.address(front), Name: name, Bookable: true, Roles: []business.RoleAt{{Role: policy.Instructor}},
		})
		if err != nil {
			return err
		}
		s.instructors = append(s.instructors, m.ID)
	}
	return nil
}

// cards connects a simulated account that takes cards at once.
func (s *seeding) cards(ctx context.Context) error {
	_, err := s.Billing.Onboard(ctx, s.owner, billing.OnboardInput{
		Country: s.plan.country, ReturnURL: s.BaseURL + "/", RefreshURL: s.BaseURL + "/",
	})
	if err != nil {
		return err
	}
	c, err := s.Billing.Connection(ctx, s.owner)
	if err != nil {
		return err
	}
	if err := s.Sim.Activate(c.AccountID); err != nil {
		return err
	}
	_, err = s.Billing.Refresh(ctx, s.owner)
	return err
}

// classes publishes every class with its weekly dates.
func (s *seeding) classes(ctx context.Context) error {
	start := s.today().AddDays(1)
	for i, c := range s.plan.classes {
		id, err := s.class(ctx, i, c, start)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		s.offerings = append(s.offerings, id)
	}
	return nil
}

// category returns a revenue category, created on first use; nil without a name.
func (s *seeding) category(ctx context.Context, name string) (*uuid.UUID, error) {
	if name == "" || s.categories[name] != nil {
		return s.categories[name], nil
	}
	c, err := s.Business.CreateRevenueCategory(ctx, s.owner, business.RevenueCategoryInput{Name: name})
	if err != nil {
		return nil, err
	}
	if s.categories == nil {
		s.categories = map[string]*uuid.UUID{}
	}
	s.categories[name] = &c.ID
	return &c.ID, nil
}

// class publishes one class, its dates from start on.
func (s *seeding) class(ctx context.Context, i int, c classPlan, start civil.Date) (uuid.UUID, error) {
	category, err := s.category(ctx, c.category)
	if err != nil {
		return uuid.Nil, err
	}
	o, err := s.Catalog.Create(ctx, s.owner, catalog.CreateInput{
		LocationID: s.locations[c.location].ID, Kind: catalog.Class, Name: c.name, Description: c.about,
		DurationMinutes: c.minutes, PriceAmount: &c.price, TaxRateID: patch.Some(s.taxRate),
		Capacity: c.capacity, Position: i, RevenueCategoryID: category, Settings: c.settings,
	})
	if err != nil {
		return uuid.Nil, err
	}
	in := schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &s.instructors[c.instructor],
		Rule: schedule.Rule{Weekdays: c.days, Start: start, Count: c.count, At: c.at, Minutes: c.minutes}}
	if c.location == 0 {
		in.SpaceID = &s.spaces[c.space]
	}
	if _, err := s.Schedule.CreateSeries(ctx, s.owner, in); err != nil {
		return uuid.Nil, err
	}
	_, err = s.Catalog.Publish(ctx, s.owner, o.ID)
	return o.ID, err
}

// key creates an API key with the permissions of its owner.
func (s *seeding) key(ctx context.Context) error {
	k, err := s.Business.CreateKey(ctx, s.owner, business.CreateKeyInput{Name: "Demo"})
	s.out.APIKey = k.Key
	return err
}
