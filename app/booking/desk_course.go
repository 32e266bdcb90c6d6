package booking

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

// bookCourse books all dates of a course that are to come, or none. The first of them has the price.
func (d desk) bookCourse(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (Booked, error) {
	places, err := d.lockCourse(ctx, tx, offering)
	if err != nil {
		return Booked{}, err
	}
	over, err := d.judgeCourse(ctx, tx, places)
	if err != nil {
		return Booked{}, err
	}
	each := make([][]string, len(places))
	for i := range places {
		if each[i] = []string{}; i > 0 {
			places[i].PriceAmount = nil
		}
	}
	d.course, d.group = true, pg.NewID()
	made, err := d.seat(ctx, tx, places, each)
	if err != nil {
		return Booked{}, err
	}
	out := made[0]
	out.Overridden = over
	for _, b := range made {
		out.Dates = append(out.Dates, FreeDate{b.OccurrenceID, b.StartsAt})
	}
	return out, nil
}

// lockCourse locks the dates of a course that are to come, and returns them in the order of their start.
func (d desk) lockCourse(ctx context.Context, tx *pg.Tx, offering uuid.UUID) ([]place, error) {
	slots, err := schedule.CourseOf(ctx, tx, offering)
	if err != nil {
		return nil, err
	}
	if len(slots) == 0 || len(slots) > schedule.CourseMax {
		return nil, ErrNotBookable.Say("This has no dates to come that can be booked together.").With("offeringId", offering.String())
	}
	ids := make([]uuid.UUID, len(slots))
	for i, s := range slots {
		ids[i] = s.ID
	}
	byID, err := lockPlaces(ctx, tx, d.sc.Person(), ids)
	if err != nil {
		return nil, err
	}
	out := make([]place, len(ids))
	for i, id := range ids {
		p := byID[id]
		if !p.Course() {
			return nil, fault.Invalid("offeringId", "This is no course. Name one of its dates.")
		}
		if err := policy.RequireRow(d.sc, policy.BookingManage, p.LocationID, p.Own); err != nil {
			return nil, err
		}
		out[i] = p
	}
	slices.SortFunc(out, func(a, b place) int { return a.StartsAt.Compare(b.StartsAt) })
	return out, nil
}

// judgeCourse tells whether the desk may book all of these dates, and what it sets aside for it. Notice and window are asked
// of the first.
func (d desk) judgeCourse(ctx context.Context, tx *pg.Tx, places []place) (over []string, err error) {
	ids := make([]uuid.UUID, len(places))
	for i, p := range places {
		ids[i] = p.ID
	}
	has, err := hasSeat(ctx, tx, d.customer, d.attendee, ids)
	if err != nil {
		return nil, err
	}
	if len(has) > 0 {
		return nil, At(ErrDuplicate, has[0])
	}
	over = []string{}
	var full []FreeDate
	for i, p := range places {
		if err := p.takesPlace(); err != nil {
			return nil, err
		}
		if i == 0 {
			if over, err = d.early(p, tx.Now()); err != nil {
				return nil, err
			}
		}
		if !p.room(d.party, false) {
			full = append(full, FreeDate{p.ID, p.StartsAt})
		}
	}
	switch {
	case len(full) > 0 && !d.override:
		return nil, fullDates(full)
	case len(full) > 0:
		over = append(over, OverCapacity)
	}
	return over, nil
}
