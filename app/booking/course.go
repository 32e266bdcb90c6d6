package booking

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// A course is booked with all dates that are upcoming at that time: a booking for each, in one group. They are held,
// confirmed, approved and cancelled together, and announced in one mail; attendance is marked for each date. The
// price, and the line of the order, are those of the first date, the lead; the others are free of charge.
//
// Lead time and booking window of the policy apply to the first date only. A cancellation is late by the next
// upcoming date. The price is refundable by the first date that was not cancelled: once a course has begun for a
// customer, it is not refunded.

// byStart puts bookings in the order of their start.
func byStart(a, b subject) int {
	return cmp.Or(a.StartsAt.Compare(b.StartsAt), bytes.Compare(a.ID[:], b.ID[:]))
}

// group lists the bookings that are of one course with b, in the order of their start; b alone when it is of none.
func (b subject) group(list map[uuid.UUID]subject) []subject {
	if !b.Course() {
		return []subject{b}
	}
	var out []subject
	for _, x := range list {
		if x.Course() && *x.GroupID == *b.GroupID {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, byStart)
	return out
}

// ahead lists the bookings of b's course that a transition ends, the next date first: the upcoming ones, or, if there
// are none, all those that allow the transition. Without a course it is b, in any state.
func (b subject) ahead(list map[uuid.UUID]subject, t Transition, now time.Time) []subject {
	all := b.group(list)
	if !b.Course() {
		return all
	}
	all = slices.DeleteFunc(all, func(x subject) bool {
		_, ok := x.State.After(t)
		return !ok
	})
	if i := slices.IndexFunc(all, func(x subject) bool { return x.StartsAt.After(now) }); i >= 0 {
		return all[i:]
	}
	return all
}

// lead is the booking of a group that has the price, and the line of the order.
func lead(group []Booking) uuid.UUID {
	for _, b := range group {
		if b.PriceAmount > 0 {
			return b.ID
		}
	}
	return group[0].ID
}

// endings has bookings that belong together end together: the first of them carries the money, the fee and the mail.
func endings(list map[uuid.UUID]subject, parts []subject, as ending) []ending {
	out := make([]ending, len(parts))
	for i, b := range parts {
		out[i] = as
		out[i].subject, out[i].whole = b, b.Course()
		if i == 0 {
			out[i].sold = lead(each(b.group(list), func(x subject) Booking { return x.Booking }))
			continue
		}
		out[i].FeeAmount, out[i].silent = 0, true
	}
	return out
}

// together sums up the cancellation of the bookings of one course, or of a single one: the first has the amounts and
// the fee.
func together(ends []ending, done []Cancellation) Cancellation {
	out := done[0]
	if ends[0].whole {
		for _, d := range done {
			out.Dates = append(out.Dates, d.StartsAt)
		}
	}
	return out
}

// keepCourses continues courses with some of their dates cancelled by the studio: these dates have no money. A course
// without any remaining date ends as a whole. The bookings of the courses are locked.
func keepCourses(ctx context.Context, tx *pg.Tx, ends []ending) error {
	gone := map[uuid.UUID]bool{}
	var ids []uuid.UUID
	for _, e := range ends {
		if gone[e.ID] = true; e.Course() && !slices.Contains(ids, *e.GroupID) {
			ids = append(ids, *e.GroupID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	groups, err := groupsOf(ctx, tx, ids)
	if err != nil {
		return err
	}
	told := map[uuid.UUID]bool{}
	for i := range ends {
		e := &ends[i]
		if !e.Course() {
			continue
		}
		group := groups[*e.GroupID]
		stays := func(b Booking) bool { return !gone[b.ID] && (TakesSeat(b.State) || b.State == Requested) }
		if e.sold = uuid.Nil; slices.ContainsFunc(group, stays) {
			e.goesOn, e.RefundsPrice, e.KeepsDeposit, e.Consequence.Whole = true, false, false, false
			continue
		}
		if e.whole = true; told[*e.GroupID] {
			e.silent = true
			continue
		}
		e.sold, told[*e.GroupID] = lead(group), true
	}
	return nil
}
