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

// A course is booked with all the dates that are still to come when it is booked: a booking for each, in one group. They
// are held, confirmed, approved and cancelled together, and told of in one mail; who comes is marked date by date. The
// price, and the line of the order, are those of the first of them, the lead; the others cost nothing.
//
// Notice and window of the policy are asked of the first date only. A cancellation is late by the next date that is to come;
// the price comes back by the first date that took or takes place: once a course has begun for somebody, it does not.

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

// ahead lists which bookings of b's course a transition ends, the next date first: those that are to come, or, when none is,
// all that it is possible for. Without a course it is b, whatever its state.
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

// together is what ending the bookings of one course, or a single one, came to: the first has the money and the fee.
func together(ends []ending, done []Cancellation) Cancellation {
	out := done[0]
	if ends[0].whole {
		for _, d := range done {
			out.Dates = append(out.Dates, d.StartsAt)
		}
	}
	return out
}

// keepCourses lets courses go on of which the studio cancels some dates: there is no money in these. A course of which no
// date takes or took place is over, and ends as a whole. The bookings of the courses are locked.
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
