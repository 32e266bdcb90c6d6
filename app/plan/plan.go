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
	"foyer/app/civil"
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
	// Renewing is a membership that is paid by the billing period, until it is canceled or ends.
	Renewing Kind = "membership"
)

// All returns the kinds.
func (Kind) All() []Kind { return []Kind{Pack, Pass, Renewing, Intro, Comp} }

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
	GuestsOnly  bool              `json:"guestsOnly"`  // for these alone: its credits are guest passes
	// At most so many bookings on a day, in a week from Monday, and at once; 0: any number.
	DayMax      int `json:"dayMax"`
	WeekMax     int `json:"weekMax"`
	UpcomingMax int `json:"upcomingMax"`
	// RolloverMax is the number of credits that go on into the next billing period at most, if they are not used. Those
	// that have gone on once do not again.
	RolloverMax int `json:"rolloverMax"`
}

// Validity is the time for which a plan is valid. Without a count it has no end.
type Validity struct {
	Count int
	Unit  rules.Unit
	// FromFirstUse begins it with the first class, not with the purchase.
	FromFirstUse bool
}

// Renewal is how a plan of the kind membership is paid by the billing period. The period is its Validity.
type Renewal struct {
	IntroAmount  int64 `json:"introAmount"`  // the price of each of the first periods
	IntroPeriods int   `json:"introPeriods"` // their number; 0: all have the same price
	MinPeriods   int   `json:"minPeriods"`   // it cannot be ended before so many; 0: any time
	Ends         bool  `json:"ends"`         // by itself, after MinPeriods
	NoticeDays   int   `json:"noticeDays"`   // between a cancellation and the end of the period that it is for
	// BillingDay is the day of the month on which periods begin, 1 to 28; 0: that of joining. With another one the first
	// period is a part of a whole one, and costs as much of its price. It counts for no number of periods.
	BillingDay int `json:"billingDay"`
	// DowngradePeriods is the number of paid periods before a customer changes to a plan with a lower price.
	DowngradePeriods int `json:"downgradePeriods"`
}

// Plan is a plan of a business.
type Plan struct {
	ID          uuid.UUID
	Name        string
	Description string // plain text
	Kind        Kind
	State       State
	Currency    money.Currency
	PriceAmount int64       // 0 to 99999999 minor units; of a membership, of each period
	TaxRateID   *uuid.UUID  // nil: untaxed
	SoldOnline  bool        // else at the desk alone
	LocationIDs []uuid.UUID `db:"location_ids"` // that sell it; empty: all of them
	Validity                // of a membership, its billing period
	Renewal
	Freeze       rules.Freeze
	ChangeIDs    []uuid.UUID `db:"change_ids"` // plans that a customer of a membership can change to
	CustomerMax  int         // purchases by a customer; 0: any number
	NewCustomers bool        // only for customers who have booked nothing before
	Position     int         // in lists
	Benefits     []Benefit
	Members      int         // memberships that are active; not counted for customers
	Today        *civil.Date // at the location that offers it; nil: it was read for the studio
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
	IntroMax       = 60  // periods at another price
	MinPeriodsMax  = 120
	NoticeMax      = 366 // days
	FreezeMax      = 366 // days
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
	// ErrConsent refuses to sell a membership online to somebody who has not agreed to its renewals.
	ErrConsent = fault.New(fault.Conflict, "renewal_consent", "Agree to the renewals of this membership first.")
	// ErrNoPeriod refuses to pay a billing period that is not due.
	ErrNoPeriod = fault.New(fault.Conflict, "period_not_due", "This billing period is not due.")
	// ErrCanceled refuses to cancel a membership that ends anyway.
	ErrCanceled = fault.New(fault.Conflict, "membership_canceled", "This membership already has an end.")
	// ErrRenews refuses to set the end of a membership that renews.
	ErrRenews = fault.New(fault.Conflict, "plan_renews", "This membership renews. Cancel it instead.")
	// ErrNotRenewing refuses a verb of memberships for another plan.
	ErrNotRenewing = fault.New(fault.Conflict, "plan_does_not_renew", "This plan does not renew.")
	// ErrBooked refuses to cancel a membership that pays for bookings after its end: details.bookings is their number.
	ErrBooked = fault.New(fault.Conflict, "membership_booked",
		"This membership pays for bookings after its end. Cancel them first.")
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
	c.That(p.Kind.Valid(), "kind", "Use pack, pass, membership, intro or comp.")
	_, known := money.Lookup(p.Currency)
	c.That(known, "currency", "This is not a currency that can be used here.")
	c.That(p.PriceAmount >= 0 && p.PriceAmount <= PriceMax, "priceAmount", "Use 0 to 99999999.")
	c.That(p.Kind != Comp || p.PriceAmount == 0, "priceAmount", "A complimentary plan has no price.")
	p.checkValidity(c)
	p.checkRenewal(c)
	p.checkFreeze(c)
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
	c.That(len(p.ChangeIDs) <= CoversMax, "changeIds", "Use at most 200.")
	c.That(p.Kind == Renewing || len(p.ChangeIDs) == 0, "changeIds", "Only a membership is changed to another one.")
	c.That(!slices.Contains(p.ChangeIDs, p.ID), "changeIds", "Choose other plans.")
	p.ChangeIDs = distinct(p.ChangeIDs)
	c.That(len(p.Benefits) <= BenefitsMax, "benefits", "Use at most 10.")
	if p.Benefits == nil {
		p.Benefits = []Benefit{}
	}
	for i := range p.Benefits {
		p.Benefits[i].check(c, fmt.Sprintf("benefits[%d].", i))
		c.That(p.Kind == Renewing || p.Benefits[i].RolloverMax == 0, fmt.Sprintf("benefits[%d].rolloverMax", i),
			"Only a membership has a next billing period.")
	}
	c.That(p.Kind != Pack || !slices.ContainsFunc(p.Benefits, Benefit.unlimited), "benefits",
		"A pack has a number of credits. For any number of bookings use a pass.")
	c.That(p.Count > 0 || p.Kind == Renewing || !slices.ContainsFunc(p.Benefits, Benefit.unlimited), "validCount",
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

func (p *Plan) checkRenewal(c *fault.Checks) {
	r := p.Renewal
	if p.Kind != Renewing {
		c.That(r == Renewal{}, "renewal", "Only a membership renews.")
		return
	}
	c.That(p.Count > 0, "validCount", "Enter the length of a billing period.")
	c.That(!p.FromFirstUse, "fromFirstUse", "A membership begins on the day of its purchase.")
	c.That(r.IntroPeriods >= 0 && r.IntroPeriods <= IntroMax, "renewal.introPeriods", "Use 0 to 60.")
	c.That(r.IntroAmount >= 0 && r.IntroAmount <= PriceMax, "renewal.introAmount", "Use 0 to 99999999.")
	c.That(r.IntroPeriods > 0 || r.IntroAmount == 0, "renewal.introAmount", "This needs a number of periods.")
	c.That(r.MinPeriods >= 0 && r.MinPeriods <= MinPeriodsMax, "renewal.minPeriods", "Use 0 to 120.")
	c.That(r.MinPeriods > 0 || !r.Ends, "renewal.minPeriods", "Enter the number of periods after which it ends.")
	c.That(r.NoticeDays >= 0 && r.NoticeDays <= NoticeMax, "renewal.noticeDays", "Use 0 to 366.")
	c.That(r.BillingDay >= 0 && r.BillingDay <= 28, "renewal.billingDay", "Use 1 to 28.")
	c.That(r.BillingDay == 0 || p.Unit == rules.Month || p.Unit == rules.Year, "renewal.billingDay",
		"Only a membership by the month or the year is billed on a day of the month.")
	c.That(r.DowngradePeriods >= 0 && r.DowngradePeriods <= MinPeriodsMax, "renewal.downgradePeriods", "Use 0 to 120.")
}

func (p *Plan) checkFreeze(c *fault.Checks) {
	f := p.Freeze
	if !f.Allowed {
		c.That(f == rules.Freeze{}, "freeze.allowed", "Allow customers to freeze it, or leave out the rules.")
		return
	}
	for field, n := range map[string]int{
		"minDays": f.MinDays, "maxDays": f.MaxDays, "apart": f.Apart, "noticeDays": f.NoticeDays,
	} {
		c.That(n >= 0 && n <= FreezeMax, "freeze."+field, "Use 0 to 366.")
	}
	c.That(f.MaxDays == 0 || f.MinDays <= f.MaxDays, "freeze.maxDays", "Use at least the minimum.")
	c.That(f.PerYear >= 0 && f.PerYear <= 12, "freeze.perYear", "Use 0 to 12.")
	c.That(f.PaidPeriods >= 0 && f.PaidPeriods <= MinPeriodsMax, "freeze.paidPeriods", "Use 0 to 120.")
	c.That(p.Kind == Renewing || !f.WholePeriods && f.PaidPeriods == 0, "freeze.wholePeriods",
		"Only a membership has billing periods.")
	c.That(p.Kind == Renewing || p.Count > 0, "freeze.allowed", "A plan without an end needs no freeze.")
	c.That(p.BillingDay == 0 || f.WholePeriods, "freeze.wholePeriods",
		"A membership that is billed on a day of the month is frozen for whole billing periods.")
}

// FirstAmount returns the price that is paid at a purchase today: of a membership that of its first period, or of the
// part of it until its billing day.
func (p Plan) FirstAmount() int64 {
	price := p.WholeAmount()
	if p.BillingDay == 0 || p.Today == nil {
		return price
	}
	return p.Validity.schedule(*p.Today, p.BillingDay).Period(0).Share(price)
}

// WholeAmount returns the price of the first whole period.
func (p Plan) WholeAmount() int64 { return p.Renewal.amount(1, p.PriceAmount) }

// schedule returns the billing periods of a membership that begins on a day.
func (v Validity) schedule(start civil.Date, day int) rules.Schedule {
	return rules.Schedule{Start: start, Every: rules.Interval{Count: v.Count, Unit: v.Unit}, Day: day}
}

// amount returns the price of a billing period by its number, from 1; 0: of the part of one before it, which has the
// price of the first one.
func (r Renewal) amount(number int, price int64) int64 {
	if max(1, number) <= r.IntroPeriods {
		return r.IntroAmount
	}
	return price
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
	c.That(!b.GuestsOnly || b.Credits != nil, field+"guestsOnly", "Guest passes need a number of credits.")
	c.That(!b.GuestsOnly || !b.ForGuests, field+"guestsOnly", "Guest passes are for guests only.")
	c.That(b.DayMax >= 0 && b.DayMax <= 100, field+"dayMax", "Use 0 to 100.")
	c.That(b.WeekMax >= 0 && b.WeekMax <= 100, field+"weekMax", "Use 0 to 100.")
	c.That(b.UpcomingMax >= 0 && b.UpcomingMax <= 1000, field+"upcomingMax", "Use 0 to 1000.")
	c.That(b.RolloverMax >= 0 && b.RolloverMax <= CreditsMax, field+"rolloverMax", "Use 0 to 10000.")
	c.That(b.RolloverMax == 0 || !b.unlimited(), field+"rolloverMax", "Any number of bookings leaves no credits.")
	c.That(b.RolloverMax == 0 || !b.GuestsOnly, field+"rolloverMax", "Guest passes end with their billing period.")
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
