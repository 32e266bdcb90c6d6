package booking

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// courseMove is the rescheduling of a customer's course to another course of the location with as many dates.
type courseMove struct {
	sc       tenancy.Scope
	parts    []subject // bookings of the course, by start
	to       uuid.UUID // the other course
	override bool
	words    string
}

// moveCourse reschedules a course as a whole: each of its bookings keeps its id and goes to one date of the other
// course, the first to the first. A course with a date that has begun cannot be rescheduled. The new seats are
// occupied before the old ones are released, all or none.
func (s *Service) moveCourse(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in RescheduleInput) (Rescheduled, error) {
	list, b, err := lockCourse(ctx, tx, sc.Person(), in.BookingID)
	if err == nil {
		err = mayManage(sc, b.LocationID, b.Own, in.Override)
	}
	if err != nil {
		return Rescheduled{}, err
	}
	if !b.Course() {
		return Rescheduled{}, fault.Invalid("offeringId", "This is not a course. Name another date or another time.")
	}
	m := courseMove{sc: sc, to: in.Target.CourseID, override: in.Override, words: in.Reason}
	for _, x := range b.group(list) {
		switch {
		case x.State == StudioCancelled: // a cancelled date
		case x.State != TransitionReschedule.From():
			return Rescheduled{}, WrongState(x.State)
		case !tx.Now().Before(x.StartsAt):
			return Rescheduled{}, At(ErrStarted.WithMessage("The course has begun."), x.OccurrenceID)
		default:
			m.parts = append(m.parts, x)
		}
	}
	if len(m.parts) == 0 {
		return Rescheduled{}, WrongState(b.State)
	}
	return m.move(ctx, tx)
}

func (m courseMove) move(ctx context.Context, tx *pg.Tx) (Rescheduled, error) {
	places, err := m.lock(ctx, tx)
	if err != nil {
		return Rescheduled{}, err
	}
	first := m.parts[0]
	d := desk{sc: m.sc, customer: first.CustomerID, attendee: first.Attendee, party: first.Party, override: m.override}
	over, err := d.judgeCourse(ctx, tx, places)
	if err != nil {
		return Rescheduled{}, err
	}
	takes := make([]taking, len(places))
	for i, p := range places {
		takes[i] = taking{p.ID, m.parts[i].Party, m.parts[i].Online && p.room(m.parts[i].Party, true)}
	}
	if err := takePlaces(ctx, tx, takes, m.override); err != nil {
		return Rescheduled{}, err
	}
	if err := freePlaces(ctx, tx, m.parts); err != nil {
		return Rescheduled{}, err
	}
	for i, p := range places {
		if err := moveBooking(ctx, tx, m.parts[i].Booking, p.ID, p.StartsAt, p.EndsAt, takes[i].Online, false); err != nil {
			return Rescheduled{}, err
		}
	}
	if err := recordTimes(ctx, tx, m.sc, TransitionReschedule, m.words, m.parts, occurrencesOf(m.parts)...); err != nil {
		return Rescheduled{}, err
	}
	job := NoticeJob{Business: tx.Business(), Booking: first.ID, Notice: ToldRescheduled, StartsAt: places[0].StartsAt, Course: true}
	return m.done(places, over), jobs.EnqueueTx(ctx, tx, job)
}

// lock finds the dates of the other course, locks them together with the present ones, and returns the former by
// their start.
func (m courseMove) lock(ctx context.Context, tx *pg.Tx) ([]place, error) {
	first := m.parts[0]
	at, err := offeringSite(ctx, tx, m.sc.Person(), m.to, nil)
	switch {
	case err != nil:
		return nil, err
	case at.LocationID != first.LocationID:
		return nil, fault.Invalid("offeringId", "Name a course of the same location.")
	case m.to == first.OfferingID:
		return nil, At(ErrDuplicate.WithMessage("The booking is already for this course."), first.OccurrenceID)
	}
	dates, err := schedule.CourseOf(ctx, tx, m.to)
	if err != nil {
		return nil, err
	}
	ids := each(dates, func(s schedule.Detail) uuid.UUID { return s.ID })
	byID, err := lockPlaces(ctx, tx, m.sc.Person(), slices.Concat(ids, occurrencesOf(m.parts))...)
	if err != nil {
		return nil, err
	}
	out := make([]place, len(ids))
	for i, id := range ids {
		out[i] = byID[id]
		if err := policy.RequireRow(m.sc, policy.BookingManage, out[i].LocationID, out[i].Own); err != nil {
			return nil, err
		}
		if !out[i].Course() {
			return nil, fault.Invalid("offeringId", "This is not a course.")
		}
	}
	if len(out) != len(m.parts) {
		return nil, ErrCourseDiffers.With("dates", len(out)).With("booked", len(m.parts))
	}
	slices.SortFunc(out, func(a, b place) int { return a.StartsAt.Compare(b.StartsAt) })
	return out, nil
}

// done returns the result of rescheduling the course. The first of its bookings has the price.
func (m courseMove) done(places []place, over []string) Rescheduled {
	first, to := m.parts[0], places[0]
	price := int64(0)
	for _, b := range m.parts {
		price += b.PriceAmount
	}
	return Rescheduled{
		BookingID: first.ID, FromOccurrenceID: first.OccurrenceID, FromStartsAt: first.StartsAt, OccurrenceID: to.ID, StartsAt: to.StartsAt,
		EndsAt: to.EndsAt, Currency: first.Currency, PriceAmount: price,
		DifferenceAmount: priceOf(catalog.Class, to.PriceAmount, first.Party) - price, Overridden: over, Dates: freeDates(places),
	}
}
