package catalog

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
)

// Kind is the kind of an offering. It decides about the source of its times.
type Kind string

// The kinds.
const (
	Class       Kind = "class"       // fixed dates, shared seats
	Appointment Kind = "appointment" // times computed from people's hours
	Rental      Kind = "rental"      // times computed from a space's hours
)

// All lists them.
func (Kind) All() []Kind { return []Kind{Class, Appointment, Rental} }

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(k.All(), k) }

// State is the state of an offering.
type State string

// The states; the picture is in the package comment.
const (
	Draft     State = "draft"
	Published State = "published"
	Archived  State = "archived"
)

// All lists them.
func (State) All() []State { return []State{Draft, Published, Archived} }

// Valid reports whether s is one of the states.
func (s State) Valid() bool { return slices.Contains(s.All(), s) }

// Offering is one thing that can be booked at one location.
type Offering struct {
	ID              uuid.UUID
	LocationID      uuid.UUID
	Kind            Kind
	Slug            string // its name in addresses, unique inside the location
	Name            string
	Description     string // plain text
	Heading         string // its own word; empty: the business's word for its kind
	Word            string // its group: Heading, or else the business's word
	State           State
	DurationMinutes int
	PriceAmount     *int64         // minor units of Currency; 0 is free, nil is not set yet
	Currency        money.Currency // the location's
	TaxRateID       *uuid.UUID     // nil: untaxed
	Capacity        int            // default for new series
	OnlineCapacity  int            // seats that the storefront may sell
	Position        int            // order in lists, before the name
	// RevenueCategoryID is the income category of its sales; nil: the one of its kind.
	RevenueCategoryID *uuid.UUID
	Settings
	MemberIDs   []uuid.UUID `db:"member_ids"` // its instructors, the first choice first
	SpaceIDs    []uuid.UUID `db:"space_ids"`  // its spaces, the first choice first
	PublishedAt *time.Time  // time of publishing; nil when it is not published
	Version     int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Listing is the public view of a published offering.
type Listing struct {
	ID              uuid.UUID
	LocationID      uuid.UUID
	Kind            Kind
	Slug            string
	Name            string
	Description     string // plain text
	Word            string // its group
	DurationMinutes int
	PriceAmount     int64 // minor units of Currency; 0 is free
	Currency        money.Currency
	Position        int
	Durations       []Duration // lengths to choose from, the first one is the default; none: the only length
	GridMinutes     *int
	Approval        bool // a booking is a request until the studio approves it
	Enrolment       Enrolment
	SoldAs          SoldAs
	NeedsMember     bool
	Walkins         bool
	Pricing
}

// PerHead reports whether every person pays, and shares the space with others.
func (l Listing) PerHead() bool { return l.Kind.ByTheHead(l.SoldAs) }

// Free reports whether it is free of charge at every length.
func (l Listing) Free() bool {
	return l.PriceAmount == 0 && !slices.ContainsFunc(l.Durations, func(d Duration) bool { return d.PriceAmount > 0 })
}

// Key is the end of a page of a list. Lists are in the storefront's order: position, name in any case, id.
type Key struct {
	Position int
	Name     string
	ID       uuid.UUID
}

// The errors of this package besides wrong input, a missing feature and an unknown id.
var (
	// ErrSlugTaken: another offering of the location has this slug. A74.
	ErrSlugTaken = fault.New(fault.Conflict, "slug_taken", "Another offering of this location has this address.")
	// ErrArchived refuses to change an archived offering.
	ErrArchived = fault.New(fault.Conflict, "offering_archived", "This offering is archived. Restore it first.")
	// ErrFutureBookings refuses to archive an offering with upcoming bookings.
	ErrFutureBookings = fault.New(fault.Conflict, "future_bookings",
		"There are upcoming bookings. Reschedule or cancel them first, or unpublish the offering to stop new ones.")
	// ErrLocationArchived refuses new and newly published offerings at an archived location. ErrIncomplete refuses to
	// publish an incomplete offering. Its fields are the missing parts.
	ErrIncomplete = fault.New(fault.Validation, "incomplete", "This offering is incomplete. Fix the listed fields first.")
	// ErrNoWayToPay refuses to sell an offering with a price without any way to pay it. Its field is price.
	ErrNoWayToPay = fault.New(fault.Validation, "no_way_to_pay", "There is no way to pay for this yet. Connect the payment account first, "+
		"or choose a policy that lets customers pay at the studio.")
	// ErrBelowCardMinimum refuses to sell an offering by card alone below the minimum of a card payment. It names the
	// field of the price, with details.least and details.currency.
	ErrBelowCardMinimum = fault.New(fault.Validation, "below_card_minimum", "The price is below the minimum of a card payment. Raise it, make it free, "+
		"or choose a policy that lets customers pay at the studio.")
	ErrLocationArchived = fault.New(fault.Conflict, "location_archived", "This location is archived.")
)

// missing lists the missing parts for publishing, as wrong fields; none when it is complete. hasTimes reports whether
// customers could choose a time.
func (o Offering) missing(hasTimes bool) []fault.Field {
	var checks []fault.Field
	that := func(ok bool, field, message string) {
		if !ok {
			checks = append(checks, fault.Field{Field: field, Message: message})
		}
	}
	that(o.PriceAmount != nil, "price", "Set a price; 0 means free.")
	staffed, placed := len(o.MemberIDs) > 0, len(o.SpaceIDs) > 0
	switch o.Kind {
	case Appointment:
		that(staffed, "staff", "Add an instructor.")
		that(hasTimes || !staffed, "hours", "None of its instructors can be booked and has hours at this location.")
	case Rental:
		that(placed, "spaces", "Add a space to rent.")
		that(staffed || !o.NeedsMember, "staff", "Add an attending staff member.")
		that(hasTimes || !placed || o.NeedsMember && !staffed, "hours", "The location needs opening hours, and whoever attends needs hours there.")
	default:
		that(hasTimes, "dates", "Add dates on which it takes place.")
	}
	that(o.OnlineCapacity > 0, "onlineCapacity", "Let at least one seat be sold online.")
	return checks
}

// priced reports whether it has a price at any length.
func (o Offering) priced() bool {
	return o.PriceAmount != nil && *o.PriceAmount > 0 || slices.ContainsFunc(o.Durations, func(d Duration) bool { return d.PriceAmount > 0 })
}

// sellable is the part of missing that an edit of a published offering could break.
func (o Offering) sellable() error {
	if o.State != Published {
		return nil
	}
	return incomplete(o.missing(true))
}

func incomplete(fields []fault.Field) error {
	if len(fields) == 0 {
		return nil
	}
	refusal := ErrIncomplete
	for _, f := range fields {
		refusal = refusal.And(f.Field, f.Message)
	}
	return refusal
}
