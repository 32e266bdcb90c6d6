package schedule

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// EditScope says which dates an edit of a series is about. Dates that have begun stay as they were, whatever it is.
type EditScope string

// The scopes. An edit of one date is EditDate.
const (
	ScopeAll       EditScope = "all"       // all dates to come
	ScopeFollowing EditScope = "following" // from a date on: the series is split there
)

// All lists them.
func (EditScope) All() []EditScope { return []EditScope{ScopeAll, ScopeFollowing} }

// OnBooked says what happens to the bookings of a date that an edit takes away.
type OnBooked string

// The choices.
const (
	RefuseBooked OnBooked = "refuse"            // the edit is refused; also when nothing is said
	CancelBooked OnBooked = "cancel_and_refund" // by the studio: everything is given back
	MoveBooked   OnBooked = "move"              // to the nearest date of the series that has room
)

// All lists them.
func (OnBooked) All() []OnBooked { return []OnBooked{RefuseBooked, CancelBooked, MoveBooked} }

// Valid tells whether o is a choice.
func (o OnBooked) Valid() bool { return o == "" || slices.Contains(o.All(), o) }

// EditSeriesInput changes a series.
type EditSeriesInput struct {
	OfferingID     uuid.UUID
	SeriesID       uuid.UUID
	Version        int64 // the version the caller has read
	Scope          EditScope
	From           *civil.Date // ScopeFollowing: the first date that changes
	Change         SeriesChange
	OnBooked       OnBooked
	AllowConflicts bool // people and spaces may be double-booked
	Silent         bool // customers are not notified
	Reason         string
}

// SeriesChange is what an edit changes; what is nil stays. A new pattern counts from its first date on.
type SeriesChange struct {
	Freq           *Freq
	Every          *int
	Weekdays       []time.Weekday
	MonthlyBy      *MonthlyBy
	Start          *civil.Date // the first date of the new pattern; nil: as soon as it gives one
	At             *civil.Clock
	Minutes        *int
	End            *SeriesEnd
	Except         *[]civil.Date // the whole list
	Extra          *[]civil.Date // the whole list
	MemberID       patch.Field[uuid.UUID]
	SpaceID        patch.Field[uuid.UUID]
	Capacity       *int
	OnlineCapacity *int
}

// SeriesEnd is how a series ends: on a date, after a number of dates, or, with neither, never.
type SeriesEnd struct {
	Until *civil.Date
	Count *int
}

// ReasonMax is the most characters of a reason.
const ReasonMax = 500

// Validate checks the input as far as it goes without the database.
func (in EditSeriesInput) Validate() error {
	var c fault.Checks
	c.That(in.Version >= 0, "version", "Send the version that you have read.")
	c.That(in.Scope == ScopeAll || in.Scope == ScopeFollowing, "scope", "Use all or following.")
	c.That((in.Scope == ScopeFollowing) == (in.From != nil), "from", "Say from which date on, with scope following only.")
	c.That(in.From == nil || in.From.Valid(), "from", "This date does not exist.")
	checkCarry(&c, in.OnBooked, in.Reason)
	return c.Err()
}

func checkCarry(c *fault.Checks, on OnBooked, reason string) {
	c.That(on.Valid(), "onBooked", "Use refuse, cancel_and_refund or move.")
	c.That(len([]rune(reason)) <= ReasonMax, "reason", "Use at most 500 characters.")
}

// Edited is what an edit of a series has done.
type Edited struct {
	Series // as it is now; of a split, the new one
	RecordedEdit
}

// RecordedEdit is an edit that was written down. UndoEdit takes it back for a day, by EditID.
type RecordedEdit struct {
	EditID    uuid.UUID
	UndoUntil time.Time
	Plan      Plan
}

// Effects is the plan: the whole of what a customer, an instructor or a cashier would notice.
func (e RecordedEdit) Effects() any { return e.Plan }

// Plan is what an edit does to dates, people and money. It has no ids of rows that the edit makes, so that the plan of a
// dry run is the plan of the edit.
type Plan struct {
	Added   []PlannedDate `json:"added"` // dates that there were not, and dates that come back
	Removed []PlannedDate `json:"removed"`
	Moved   []MovedDate   `json:"moved"`
	Kept    int           `json:"kept"`    // dates whose time stays
	Changed int           `json:"changed"` // of those, dates that get another instructor, space or number of seats
	Split   bool          `json:"split"`

	Instructors []Replaced         `json:"instructors,omitempty"` // who teaches instead, by who did
	Spaces      []Replaced         `json:"spaces,omitempty"`      // where it is instead, by where it was
	Seats       []ReplacedCapacity `json:"seats,omitempty"`       // how many there are instead

	Hit       []BookedDate           `json:"hit"`
	Conflicts []claim.ConflictDetail `json:"conflicts"` // double bookings that the edit makes
	Refunds   []Refunds              `json:"refunds"`
	Courses   int                    `json:"courses"` // bookings of courses that go on without the date: nothing is given back for them
	Waiting   int                    `json:"waiting"` // people whose place on a waitlist ends
	Notices   int                    `json:"notices"` // messages to customers
	Undoable  bool                   `json:"undoable"`
}

// Replaced is a name that dates have in place of another; empty where nobody or no space is named.
type Replaced struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Dates int    `json:"dates"`
}

// ReplacedCapacity is a number of seats that dates have in place of another.
type ReplacedCapacity struct {
	From       int `json:"from"`
	To         int `json:"to"`
	OnlineFrom int `json:"onlineFrom"`
	OnlineTo   int `json:"onlineTo"`
	Dates      int `json:"dates"`
}

// PlannedDate is a date that an edit adds or takes away. ID is Nil for one that is to be made.
type PlannedDate struct {
	ID       uuid.UUID `json:"id,omitzero"`
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt"`
}

// MovedDate is a date that takes place at another time.
type MovedDate struct {
	ID     uuid.UUID `json:"id,omitzero"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	ToEnds time.Time `json:"toEnds"`
}

// BookedDate is a date with bookings that an edit moves or takes away.
type BookedDate struct {
	ID       uuid.UUID `json:"id,omitzero"`
	StartsAt time.Time `json:"startsAt"` // before the edit
	Bookings int       `json:"bookings"`
	Outcome  string    `json:"outcome"` // "moved" with the date, "cancelled", "transferred" to other dates, or "refused"
}

// Refunds is what is given back, in one currency.
type Refunds struct {
	Currency money.Currency `json:"currency"`
	Amount   int64          `json:"amount"` // minor units
	Bookings int            `json:"bookings"`
}

// The refusals of edits.
var (
	// ErrDatesTooFull: a date has more people than seats. details.dates has the dates.
	ErrDatesTooFull = fault.New(fault.Conflict, "seats_taken", "On some dates more seats are taken than there would be.")
	// ErrNotUndoable: money has gone back, or people have been moved or sent away from a waitlist.
	ErrNotUndoable = fault.New(fault.Conflict, "not_undoable", "This edit has changed bookings and cannot be taken back.")
	// ErrEditedSince: something has happened to the dates of the edit.
	ErrEditedSince = fault.New(fault.Conflict, "edited_since", "These dates have changed since.")
	// ErrUndone: once is enough.
	ErrUndone = fault.New(fault.Conflict, "undone", "This edit has been taken back.")
	// ErrUndoExpired: a day has passed.
	ErrUndoExpired = fault.New(fault.Conflict, "undo_over", "An edit can be taken back for 24 hours.")
)

// EditSeries changes the dates of a series that have not begun: all of them, or those from a date on; then the series is
// split, and the later dates go to a new one under their own ids. Dates that the rule moves keep their ids and bookings
// (edit_match.go says how); fields that a date has of its own stay its own. It needs catalog.manage at the location.
//
// A date that goes while somebody is booked on it is ErrDatesBooked, unless OnBooked says what to do; a double booking is
// ErrStaffBusy or ErrSpaceBusy unless AllowConflicts; both carry the whole plan in details.plan. fault.ErrStale,
// ErrDatesTooFull, catalog.ErrArchived and catalog.ErrLocationArchived are the other conflicts.
func (s *Service) EditSeries(ctx context.Context, sc tenancy.Scope, in EditSeriesInput) (Edited, error) {
	of := seriesRef{in.OfferingID, in.SeriesID}
	return changeSeries(ctx, s, sc, in.Validate(), of, in.Reason, func(tx *pg.Tx, before Series) (Edited, error) {
		if err := fault.Stale(in.Version, before.Version); err != nil {
			return Edited{}, err
		}
		e, err := in.plan(ctx, tx, before)
		if err != nil {
			return Edited{}, err
		}
		return s.carryOut(ctx, tx, sc, e)
	})
}

// seriesRef names a series of an offering.
type seriesRef struct{ offering, series uuid.UUID }

// begin is how every change begins: with a feature somewhere, with what is wrong with the input, and in a transaction with
// the reason for the audit log.
func begin[T any](ctx context.Context, s *Service, sc tenancy.Scope, need tenancy.Feature, wrong error, reason string,
	do func(*pg.Tx) (T, error)) (out T, err error) {
	if err := policy.RequireAny(sc, need); err != nil {
		return out, err
	}
	if wrong != nil {
		return out, wrong
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (out T, err error) {
		if err := tx.Because(ctx, reason); err != nil {
			return out, err
		}
		return do(tx)
	})
}

// changeSeries is how every change of a series begins: with the series, whose row stays locked, for somebody who has
// catalog.manage at its location.
func changeSeries[T any](ctx context.Context, s *Service, sc tenancy.Scope, wrong error, of seriesRef, reason string,
	do func(*pg.Tx, Series) (T, error)) (T, error) {
	return begin(ctx, s, sc, policy.CatalogManage, wrong, reason, func(tx *pg.Tx) (out T, err error) {
		series, err := lockSeries(ctx, tx, of)
		if err != nil {
			return out, err
		}
		if err := policy.RequireAt(sc, policy.CatalogManage, series.LocationID); err != nil {
			return out, err
		}
		return do(tx, series)
	})
}

// plan works out the series as they will be.
func (in EditSeriesInput) plan(ctx context.Context, tx *pg.Tx, before Series) (edit, error) {
	loc, err := civil.LoadZone(before.Zone)
	if err != nil {
		return edit{}, err
	}
	g, err := groundOf(ctx, tx, in.Change.ground(before.OfferingID, before.SpaceID))
	if err != nil {
		return edit{}, err
	}
	if err := g.refusal(); err != nil {
		return edit{}, err
	}
	e := edit{before: before, cut: civil.LocalDate(tx.Now(), loc), whole: in.Scope == ScopeAll, onBooked: in.OnBooked, allow: in.AllowConflicts,
		why: Because{Reason: in.Reason, Silent: in.Silent}}
	if in.Scope == ScopeFollowing {
		if e.split, err = before.splitAt(*in.From, e.cut); err != nil {
			return edit{}, err
		}
		e.cut = *in.From
	}
	var c fault.Checks
	e.target = in.Change.apply(before, g, e.cut, e.split, &c)
	if c.Err() == nil {
		g.checkCourse(&c, e.target.Rule, e.cut)
	}
	if err := c.Err(); err != nil {
		return edit{}, err
	}
	e.settle(tx.Now(), loc, g.Course)
	return e, nil
}
