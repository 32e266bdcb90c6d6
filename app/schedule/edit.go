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

// EditScope selects the dates of an edit of a series. Dates that have begun stay as they were in every scope.
type EditScope string

// The scopes. An edit of one date is EditDate.
const (
	ScopeAll       EditScope = "all"       // all upcoming dates
	ScopeFollowing EditScope = "following" // from a date on: the series is split there
)

// All lists them.
func (EditScope) All() []EditScope { return []EditScope{ScopeAll, ScopeFollowing} }

// OnBooked is the handling of the bookings of a date that an edit removes.
type OnBooked string

// The values of OnBooked.
const (
	RefuseBooked     OnBooked = "refuse"            // the edit is refused; also the default
	CancelBooked     OnBooked = "cancel_and_refund" // by the studio, with full refunds
	RescheduleBooked OnBooked = "reschedule"        // to the nearest date of the series with room
)

// All lists them.
func (OnBooked) All() []OnBooked { return []OnBooked{RefuseBooked, CancelBooked, RescheduleBooked} }

// Valid reports whether o is a choice.
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

// SeriesChange has the new values of an edit; nil leaves a field unchanged. A new pattern counts from its first date
// on.
type SeriesChange struct {
	Freq           *Freq
	Every          *int
	Weekdays       []time.Weekday
	MonthlyBy      *MonthlyBy
	Start          *civil.Date // the first date of the new pattern; nil: as soon as possible
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

// SeriesEnd is the end of a series: on a date, after a number of dates, or, with neither, none.
type SeriesEnd struct {
	Until *civil.Date
	Count *int
}

// ReasonMax is the maximum length of a reason, in characters.
const ReasonMax = 500

// Validate checks the input without the database.
func (in EditSeriesInput) Validate() error {
	var c fault.Checks
	c.That(in.Version >= 0, "version", "Send the version that you have read.")
	c.That(in.Scope == ScopeAll || in.Scope == ScopeFollowing, "scope", "Use all or following.")
	c.That((in.Scope == ScopeFollowing) == (in.From != nil), "from", "Set the first date with scope following, and only then.")
	c.That(in.From == nil || in.From.Valid(), "from", "This date does not exist.")
	checkCarry(&c, in.OnBooked, in.Reason)
	return c.Err()
}

func checkCarry(c *fault.Checks, on OnBooked, reason string) {
	c.That(on.Valid(), "onBooked", "Use refuse, cancel_and_refund or reschedule.")
	c.That(len([]rune(reason)) <= ReasonMax, "reason", "Use at most 500 characters.")
}

// Edited is the result of an edit of a series.
type Edited struct {
	Series // as it is now; of a split, the new one
	RecordedEdit
}

// RecordedEdit is a recorded edit. UndoEdit undoes it for a day, by EditID.
type RecordedEdit struct {
	EditID    uuid.UUID
	UndoUntil time.Time
	Plan      Plan
}

// Effects returns the plan: everything that customers, instructors or the cashier would notice.
func (e RecordedEdit) Effects() any { return e.Plan }

// Plan has the effects of an edit on dates, people and money. It has no ids of rows that the edit makes, so that the
// plan of a dry run is the plan of the edit.
type Plan struct {
	Added     []PlannedDate `json:"added"` // new dates, and dates that come back
	Removed   []PlannedDate `json:"removed"`
	Moved     []MovedDate   `json:"moved"`
	Unchanged int           `json:"unchanged"` // dates at the same time as before
	Changed   int           `json:"changed"`   // of those, dates with another instructor, space or number of seats
	Split     bool          `json:"split"`

	Instructors []Replaced         `json:"instructors,omitempty"` // new instructors, by former instructor
	Spaces      []Replaced         `json:"spaces,omitempty"`      // new spaces, by former space
	Seats       []ReplacedCapacity `json:"seats,omitempty"`       // how many there are instead

	Hit       []BookedDate           `json:"hit"`
	Conflicts []claim.ConflictDetail `json:"conflicts"` // double bookings that the edit makes
	Refunds   []Refunds              `json:"refunds"`
	Courses   int                    `json:"courses"` // bookings of courses that continue without the date: no refund
	Waiting   int                    `json:"waiting"` // waitlist entries that end
	Notices   int                    `json:"notices"` // messages to customers
	Undoable  bool                   `json:"undoable"`
}

// Replaced is a name that replaces another on dates; empty where no instructor or space is named.
type Replaced struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Dates int    `json:"dates"`
}

// ReplacedCapacity is a number of seats that replaces another on dates.
type ReplacedCapacity struct {
	From       int `json:"from"`
	To         int `json:"to"`
	OnlineFrom int `json:"onlineFrom"`
	OnlineTo   int `json:"onlineTo"`
	Dates      int `json:"dates"`
}

// PlannedDate is a date that an edit adds or removes. ID is Nil for one that is to be made.
type PlannedDate struct {
	ID       uuid.UUID `json:"id,omitzero"`
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt"`
}

// MovedDate is a rescheduled date.
type MovedDate struct {
	ID     uuid.UUID `json:"id,omitzero"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	ToEnds time.Time `json:"toEnds"`
}

// BookedDate is a date with bookings that an edit reschedules or removes.
type BookedDate struct {
	ID       uuid.UUID `json:"id,omitzero"`
	StartsAt time.Time `json:"startsAt"` // before the edit
	Bookings int       `json:"bookings"`
	Outcome  string    `json:"outcome"` // "moved" with its date, "cancelled", "rescheduled" to other dates, or "refused"
}

// Refunds is the amount refunded in one currency.
type Refunds struct {
	Currency money.Currency `json:"currency"`
	Amount   int64          `json:"amount"` // minor units
	Bookings int            `json:"bookings"`
}

// The errors of edits.
var (
	// ErrDatesTooFull: a date has more people than seats. details.dates has the dates.
	ErrDatesTooFull = fault.New(fault.Conflict, "seats_taken", "Some dates have more bookings than the new capacity.")
	// ErrNotUndoable: the edit has refunded payments, rescheduled bookings or ended waitlist entries.
	ErrNotUndoable = fault.New(fault.Conflict, "not_undoable", "This edit has changed bookings and cannot be undone.")
	// ErrEditedSince: the dates of the edit have been changed since.
	ErrEditedSince = fault.New(fault.Conflict, "edited_since", "These dates have changed since.")
	// ErrUndone: the edit has been undone already.
	ErrUndone = fault.New(fault.Conflict, "undone", "This edit has been undone already.")
	// ErrUndoExpired: a day has passed.
	ErrUndoExpired = fault.New(fault.Conflict, "undo_expired", "An edit can be undone for 24 hours only.")
)

// EditSeries changes the dates of a series that have not begun: all of them, or those from a date on; then the series
// is split, and the later dates go to a new one under their own ids. Dates that the rule reschedules keep their ids
// and bookings (see edit_match.go); fields that a date has of its own stay its own. It needs catalog.manage at the
// location.
//
// Conflicts:
//   - ErrDatesBooked when a date with bookings is removed, unless OnBooked handles it; with the whole plan in
//     details.plan
//   - ErrStaffBusy or ErrSpaceBusy for a double booking, unless AllowConflicts; with the whole plan in details.plan
//   - fault.ErrStale
//   - ErrDatesTooFull
//   - catalog.ErrArchived, catalog.ErrLocationArchived
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

// begin begins every change: it checks a feature at some location and the input, and runs in a transaction with the
// reason for the audit log.
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

// changeSeries begins every change of a series: it locks the row of the series and checks catalog.manage at its
// location.
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
