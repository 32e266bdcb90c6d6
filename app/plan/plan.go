package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/names"
	"foyer/app/plan/rules"
)

// State is the state of a plan, as of an offering.
type State = catalog.State

// The states.
const (
	Draft     = catalog.Draft
	Published = catalog.Published
	Archived  = catalog.Archived
)

// Kind is the kind of a plan. It decides about the order in which plans pay, and about the accounts of its income.
type Kind string

// The kinds.
const (
	Pack  Kind = "pack"  // credits
	Pass  Kind = "pass"  // for a time, with any number of bookings or with credits
	Intro Kind = "intro" // an offer for new customers, once a person
	Comp  Kind = "comp"  // complimentary: given by the studio, and not for sale
)

// All returns the kinds.
func (Kind) All() []Kind { return []Kind{Pack, Pass, Intro, Comp} }

// Valid reports whether k is one of All.
func (k Kind) Valid() bool { return slices.Contains(k.All(), k) }

// Benefit is what a plan gives: credits, or any number of bookings of what it covers.
type Benefit struct {
	Credits *int `json:"credits"` // nil: any number
	// What it covers: these offerings, and those of these kinds; both empty: everything.
	OfferingIDs []uuid.UUID       `json:"offeringIds"`
	Kinds       []catalog.Kind    `json:"kinds"`
	LocationIDs []uuid.UUID       `json:"locationIds"` // empty: all of them
	ExcludedIDs []uuid.UUID       `json:"excludedIds"` // offerings
	Costs       map[uuid.UUID]int `json:"costs"`       // credits for a booking of an offering; of others 1
	ForGuests   bool              `json:"forGuests"`   // also for attendees other than the customer
	// At most so many bookings on a day, in a week from Monday, and at once; 0: any number.
	DayMax      int `json:"dayMax"`
	WeekMax     int `json:"weekMax"`
	UpcomingMax int `json:"upcomingMax"`
}

// Validity is the time for which a plan is valid. Without a count it has no end.
type Validity struct {
	Count int
	Unit  rules.Unit
	// FromFirstUse begins it with the first class, not with the purchase.
	FromFirstUse bool
}

// Plan is a plan of a business.
type Plan struct {
	ID          uuid.UUID
	Name        string
	Description string // plain text
	Kind        Kind
	State       State
	Currency    money.Currency
	PriceAmount int64       // 0 to 99999999 minor units
	TaxRateID   *uuid.UUID  // nil: untaxed
	SoldOnline  bool        // else at the desk alone
	LocationIDs []uuid.UUID `db:"location_ids"` // that sell it; empty: all of them
	Validity
	CustomerMax  int  // purchases by a customer; 0: any number
	NewCustomers bool // only for customers who have booked nothing before
	Position     int  // in lists
	Benefits     []Benefit
	Members      int // memberships that are active; not counted for customers
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// The limits of a plan.
const (
	NameMax        = 120 // characters
	DescriptionMax = 5000
	PriceMax       = 99_999_999
	BenefitsMax    = 10
	CreditsMax     = 10_000
	ValidMax       = 3660
	CoversMax      = 200 // offerings or locations of a benefit
)

// The errors of this package besides wrong input, a missing feature and an unknown id.
var (
	// ErrArchived refuses to change an archived plan.
	ErrArchived = fault.New(fault.Conflict, "plan_archived", "This plan is archived. Restore it first.")
	// ErrIncomplete refuses to publish a plan without a benefit.
	ErrIncomplete = fault.New(fault.Validation, "incomplete", "This plan is incomplete. Fix the listed fields first.")
	// ErrUnavailable refuses to sell a plan that is not for sale here: not published, at the desk alone, or at other
	// locations.
	ErrUnavailable = fault.New(fault.Conflict, "plan_unavailable", "This plan is not sold here any more.")
	// ErrOwned refuses a customer who has bought the plan as often as it allows.
	ErrOwned = fault.New(fault.Conflict, "plan_owned", "You have this plan already. It can be bought only so often.")
	// ErrNotNew refuses a plan for new customers to somebody who has booked before.
	ErrNotNew = fault.New(fault.Conflict, "plan_new_customers", "This plan is for new customers.")
	// ErrNotReturned means that a plan is to be returned as goods are.
	ErrNotReturned = fault.New(
		fault.Conflict, "plan_not_returned", "A plan cannot be returned. Refund its payment instead.",
	)
	// ErrNotPaid refuses to pay for a booking with a plan that does not: details.why is one of rules.Why, at the desk
	// also of package owed.
	ErrNotPaid = fault.New(fault.Conflict, "plan_does_not_pay", "This plan cannot pay for this booking.")
	// ErrEnded refuses to change a membership that has ended.
	ErrEnded = fault.New(fault.Conflict, "membership_ended", "This plan has ended.")
	// ErrShort refuses to take away more credits than are left: details.balance.
	ErrShort = fault.New(fault.Conflict, "credits_short", "There are not enough credits left.")
)

const unprintable = "This contains a character that cannot be printed. Remove it."

// check trims the texts and records every error.
func (p *Plan) check(c *fault.Checks) {
	p.Name = names.Clean(p.Name)
	c.That(p.Name != "", "name", "Give it a name.")
	c.That(utf8.RuneCountInString(p.Name) <= NameMax, "name", "This text is too long.")
	c.That(!strings.ContainsFunc(p.Name, unprinted), "name", unprintable)
	p.Description = strings.TrimSpace(p.Description)
	c.That(utf8.RuneCountInString(p.Description) <= DescriptionMax, "description", "Use at most 5000 characters.")
	c.That(!strings.ContainsFunc(p.Description, func(r rune) bool { return r != '\n' && unprinted(r) }), "description",
		unprintable)
	c.That(p.Kind.Valid(), "kind", "Use pack, pass, intro or comp.")
	_, known := money.Lookup(p.Currency)
	c.That(known, "currency", "This is not a currency that can be used here.")
	c.That(p.PriceAmount >= 0 && p.PriceAmount <= PriceMax, "priceAmount", "Use 0 to 99999999.")
	c.That(p.Kind != Comp || p.PriceAmount == 0, "priceAmount", "A complimentary plan has no price.")
	p.checkValidity(c)
	c.That(p.CustomerMax >= 0 && p.CustomerMax <= 1000, "customerMax", "Use 0 to 1000.")
	if p.Kind == Intro {
		p.CustomerMax, p.NewCustomers = 1, true
	}
	if p.Kind == Comp {
		p.SoldOnline = false
	}
	c.That(p.Position >= 0 && p.Position <= 10_000, "position", "Use 0 to 10000.")
	c.That(len(p.LocationIDs) <= CoversMax, "locationIds", "Use at most 200.")
	p.LocationIDs = distinct(p.LocationIDs)
	c.That(len(p.Benefits) <= BenefitsMax, "benefits", "Use at most 10.")
	if p.Benefits == nil {
		p.Benefits = []Benefit{}
	}
	for i := range p.Benefits {
		p.Benefits[i].check(c, fmt.Sprintf("benefits[%d].", i))
	}
	c.That(p.Kind != Pack || !slices.ContainsFunc(p.Benefits, Benefit.unlimited), "benefits",
		"A pack has a number of credits. For any number of bookings use a pass.")
	c.That(p.Count > 0 || !slices.ContainsFunc(p.Benefits, Benefit.unlimited), "validCount",
		"Give a plan for any number of bookings an end.")
}

func (p *Plan) checkValidity(c *fault.Checks) {
	c.That(p.Count >= 0 && p.Count <= ValidMax, "validCount", "Use 1 to 3660.")
	if p.Count == 0 {
		c.That(p.Unit == "", "validUnit", "Leave this out without a number.")
		c.That(!p.FromFirstUse, "fromFirstUse", "This needs a number of days, weeks, months or years.")
		return
	}
	c.That(slices.Contains(p.Unit.All(), p.Unit), "validUnit", "Use day, week, month or year.")
}

func (b Benefit) unlimited() bool { return b.Credits == nil }

func (b *Benefit) check(c *fault.Checks, field string) {
	c.That(b.Credits == nil || *b.Credits >= 1 && *b.Credits <= CreditsMax, field+"credits", "Use 1 to 10000.")
	for name, list := range map[string]*[]uuid.UUID{
		"offeringIds": &b.OfferingIDs, "locationIds": &b.LocationIDs, "excludedIds": &b.ExcludedIDs,
	} {
		c.That(len(*list) <= CoversMax, field+name, "Use at most 200.")
		*list = distinct(*list)
	}
	for _, k := range b.Kinds {
		c.That(k.Valid(), field+"kinds", "Use class, appointment or rental.")
	}
	b.Kinds = slices.Compact(slices.Sorted(slices.Values(b.Kinds)))
	if b.Kinds == nil {
		b.Kinds = []catalog.Kind{}
	}
	c.That(len(b.Costs) <= CoversMax, field+"costs", "Use at most 200.")
	for _, n := range b.Costs {
		c.That(n >= 1 && n <= 100, field+"costs", "Use 1 to 100 credits.")
	}
	if b.Costs == nil {
		b.Costs = map[uuid.UUID]int{}
	}
	c.That(b.DayMax >= 0 && b.DayMax <= 100, field+"dayMax", "Use 0 to 100.")
	c.That(b.WeekMax >= 0 && b.WeekMax <= 100, field+"weekMax", "Use 0 to 100.")
	c.That(b.UpcomingMax >= 0 && b.UpcomingMax <= 1000, field+"upcomingMax", "Use 0 to 1000.")
}

// named returns the offerings and locations that the plan names, each once.
func (p Plan) named() (offerings, locations []uuid.UUID) {
	locations = slices.Clone(p.LocationIDs)
	for _, b := range p.Benefits {
		offerings = append(append(offerings, b.OfferingIDs...), b.ExcludedIDs...)
		offerings = slices.AppendSeq(offerings, maps.Keys(b.Costs))
		locations = append(locations, b.LocationIDs...)
	}
	return distinct(offerings), distinct(locations)
}

// distinct returns ids, each once, in the order of their first place.
func distinct(ids []uuid.UUID) []uuid.UUID {
	out := []uuid.UUID{}
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func unprinted(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }

// incomplete returns ErrIncomplete if a published plan lacks a benefit.
func (p Plan) incomplete() error {
	if p.State == Published && len(p.Benefits) == 0 {
		return ErrIncomplete.And("benefits", "Add a benefit.")
	}
	return nil
}
