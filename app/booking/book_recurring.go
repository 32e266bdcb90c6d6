package booking

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Validate trims the input and checks it. The error names every wrong field.
func (in *RecurringInput) Validate() error {
	var c fault.Checks
	in.Customer.check(&c)
	if in.OnClash == "" {
		in.OnClash = ClashRefuse
	}
	c.That(in.OnClash == ClashRefuse || in.OnClash == ClashSkip, "onClash", "Use refuse or skip.")
	rule := !in.From.IsZero() || !in.Until.IsZero()
	if in.Times != nil {
		in.checkTimes(&c)
	} else {
		c.That(rule != (len(in.OccurrenceIDs) > 0), "occurrenceIds", "List the dates, or set from and until.")
		c.That(!rule || !in.From.IsZero() && !in.Until.Before(in.From), "until", "The last day must not be before the first.")
	}
	c.That(len(in.OccurrenceIDs) <= RecurringMax, "occurrenceIds", "Use at most 200 dates.")
	checkBooking(&c, &in.Party, &in.Attendee, &in.Note)
	CheckReason(&c, &in.Reason, in.Override)
	return c.Err()
}

// Clash is a date that cannot be booked, with the reason.
type Clash struct {
	OccurrenceID *uuid.UUID `json:"occurrenceId"` // null: a time of an appointment or a rental, or no date at all
	StartsAt     time.Time  `json:"startsAt"`
	Reason       string     `json:"reason"` // a code of Reasons, or of availability
}

// Recurring is a recurring booking: the bookings made and the dates that could not be booked. Its effects are the
// same in a dry run.
type Recurring struct {
	GroupID  uuid.UUID
	Bookings []Booked
	Clashes  []Clash
}

// Effects omits the new ids, for pg.Effective.
func (r Recurring) Effects() any {
	return struct {
		Bookings []Made
		Clashes  []Clash
	}{each(r.Bookings, func(b Booked) Made { return b.Made }), r.Clashes}
}

// BookRecurring books one customer at once into many dates of a class, or many times of an appointment or a rental:
// all of them, or the available ones, according to OnClash. Each is checked under its lock. Each is a booking of its
// own; together they are a group, and the customer is notified once.
//
// It needs the same grants as Book.
//
// Errors:
//   - Validation, also when the rule yields no date or more than RecurringMax
//   - not found, also for a date of another offering
//   - ErrCourse for dates of a course
//   - ErrClashes with details.clashes and details.free
func (s *Service) BookRecurring(ctx context.Context, sc tenancy.Scope, in RecurringInput) (Recurring, error) {
	return staff(ctx, s, sc, policy.BookingManage, in.Validate, &in.Reason, func(tx *pg.Tx) (Recurring, error) {
		var member *uuid.UUID
		if in.Times != nil {
			member = in.Times.MemberID
		}
		at, err := offeringSite(ctx, tx, sc.Person(), in.OfferingID, member)
		if err != nil {
			return Recurring{}, err
		}
		own := sc.Grants.Own.Has(policy.BookingManage)
		if in.Times != nil {
			own = at.Own
		}
		if err := mayManage(sc, at.LocationID, own, in.Override); err != nil {
			return Recurring{}, err
		}
		if err := business.OpenTx(ctx, tx); err != nil {
			return Recurring{}, err
		}
		customer, err := in.Customer.Lock(ctx, tx)
		if err != nil {
			return Recurring{}, err
		}
		d := desk{sc: sc, customer: customer, group: pg.NewID(), silent: true, party: in.Party, attendee: in.Attendee, note: in.Note,
			override: in.Override, words: in.Reason}
		out, err := in.bookAll(ctx, tx, d, at)
		if err != nil {
			return Recurring{}, err
		}
		return out, jobs.EnqueueTx(ctx, tx, NoticeJob{
			Business: tx.Business(), Booking: out.Bookings[0].BookingID, Notice: ToldBooked,
			Bookings: each(out.Bookings, func(b Booked) uuid.UUID { return b.BookingID }),
		})
	})
}

func (in RecurringInput) bookAll(ctx context.Context, tx *pg.Tx, d desk, at site) (Recurring, error) {
	if in.Times != nil {
		if at.Kind == catalog.Class {
			return Recurring{}, fault.Invalid("offeringId", "A class has fixed dates: list dates, or set a rule for them.")
		}
		return in.bookTimes(ctx, tx, d, civil.ZoneOrUTC(at.Zone))
	}
	places, err := in.places(ctx, tx, d.sc)
	if err != nil {
		return Recurring{}, err
	}
	return in.book(ctx, tx, d, places)
}

// places locks the dates of the input and returns them by their start.
func (in RecurringInput) places(ctx context.Context, tx *pg.Tx, sc tenancy.Scope) ([]place, error) {
	ids := in.OccurrenceIDs
	if len(ids) == 0 {
		var err error
		if ids, err = datesOf(ctx, tx, in); err != nil {
			return nil, err
		}
		switch {
		case len(ids) == 0:
			return nil, fault.Invalid("until", "There is no date in this period.")
		case len(ids) > RecurringMax:
			return nil, fault.Invalid("until", "This would be more than 200 dates.")
		}
	}
	byID, err := lockPlaces(ctx, tx, sc.Person(), ids...)
	if err != nil {
		return nil, err
	}
	var out []place
	for _, id := range ids {
		p, found := byID[id]
		if !found || p.OfferingID != in.OfferingID || p.Kind != catalog.Class {
			return nil, fault.Missing()
		}
		if err := policy.RequireRow(sc, policy.BookingManage, p.LocationID, p.Own); err != nil {
			return nil, err
		}
		if p.Course() {
			return nil, about(NotCourse(p.OfferingID), p.ID)
		}
		out = append(out, p)
		delete(byID, id)
	}
	slices.SortFunc(out, func(a, b place) int { return a.StartsAt.Compare(b.StartsAt) })
	return out, nil
}

// book sorts the dates into those that are free and those that clash, and books the former.
func (in RecurringInput) book(ctx context.Context, tx *pg.Tx, d desk, places []place) (Recurring, error) {
	ids := each(places, func(p place) uuid.UUID { return p.ID })
	has, err := hasSeat(ctx, tx, d.customer, d.attendee, ids...)
	if err != nil {
		return Recurring{}, err
	}
	out := Recurring{GroupID: d.group, Bookings: []Booked{}, Clashes: []Clash{}}
	var free []place
	var over [][]string
	for _, p := range places {
		aside, err := d.judge(p, slices.Contains(has, p.ID), tx.Now())
		if refusal := fault.From(err); refusal != nil {
			out.Clashes = append(out.Clashes, Clash{&p.ID, p.StartsAt, refusal.Reason})
			continue
		}
		if err != nil {
			return Recurring{}, err
		}
		free, over = append(free, p), append(over, aside)
	}
	if len(out.Clashes) > 0 && in.OnClash == ClashRefuse || len(free) == 0 {
		return Recurring{}, ErrClashes.With("clashes", out.Clashes).With("free", freeDates(free))
	}
	out.Bookings, err = d.seat(ctx, tx, free, over)
	return out, err
}
