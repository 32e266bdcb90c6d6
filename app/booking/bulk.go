package booking

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// BulkMax is the maximum number of bookings in one call.
const BulkMax = 200

// Row is the result of a bulk call for one of its items: exactly one of Done and Refusal is set.
type Row[T any] struct {
	BookingID uuid.UUID
	Done      *T
	Refusal   *fault.Error // reason why it is unchanged
}

// Rows are the rows of a bulk call, in the order of the request.
type Rows[T any] struct{ Rows []Row[T] }

// Effects returns all rows, for pg.Effective.
func (r Rows[T]) Effects() any { return r.Rows }

func (r *Rows[T]) add(id uuid.UUID, done T, err error) error {
	if err == nil {
		r.Rows = append(r.Rows, Row[T]{BookingID: id, Done: &done})
		return nil
	}
	f := fault.From(err)
	if f == nil || f.Kind == fault.Internal { // an outage is not the refusal of one row; it ends the whole call
		return err
	}
	r.Rows = append(r.Rows, Row[T]{BookingID: id, Refusal: f})
	return nil
}

func checkBulk(ids []uuid.UUID) error {
	var c fault.Checks
	sorted := slices.Clone(ids)
	slices.SortFunc(sorted, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	c.That(len(ids) >= 1 && len(ids) <= BulkMax, "bookingIds", "List 1 to 200 bookings.")
	c.That(len(slices.Compact(sorted)) == len(ids), "bookingIds", "List each booking once.")
	return c.Err()
}

// BulkCheckIn is CheckIn for many bookings: each is checked in or refused on its own, and Done is its new state. It
// needs booking.checkin at some location; a booking that the caller may not check in is refused in its row.
func (s *Service) BulkCheckIn(ctx context.Context, sc tenancy.Scope, ids []uuid.UUID) (Rows[State], error) {
	check := func() error { return checkBulk(ids) }
	return staff(ctx, s, sc, policy.BookingCheckin, check, nil, func(tx *pg.Tx) (Rows[State], error) {
		list, err := lockBookings(ctx, tx, sc.Person(), ids, false)
		if err != nil {
			return Rows[State]{}, err
		}
		var out Rows[State]
		var arrived []uuid.UUID
		for _, id := range ids {
			b, err := found(list, id)
			if err == nil {
				err = policy.RequireRow(sc, policy.BookingCheckin, b.LocationID, b.Own)
			}
			done := b.State
			if err == nil && !b.State.arrived() {
				done, err = CheckedIn, b.mayCheckIn(tx.Now(), b.Wall())
				if err == nil {
					arrived = append(arrived, id)
				}
			}
			if err := out.add(id, done, err); err != nil {
				return Rows[State]{}, err
			}
		}
		if len(arrived) == 0 {
			return out, nil
		}
		now := tx.Now()
		if err := markBookings(ctx, tx, arrived, CheckedIn, marks{checkedIn: &now}); err != nil {
			return Rows[State]{}, err
		}
		return out, record(ctx, tx, sc, TransitionCheckIn, "", leavingAll(arrived, Confirmed))
	})
}

// BulkCancel is Cancel for many bookings: each is cancelled or refused on its own. It needs booking.manage at some
// location, and booking.override to waive; a booking that the caller may not cancel is refused in its row. A course
// is cancelled as a whole in the row of its first date in the list; the rows of its other dates return the result of
// that cancellation.
func (s *Service) BulkCancel(ctx context.Context, sc tenancy.Scope, ids []uuid.UUID, in CancelInput) (Rows[Cancellation], error) {
	check := func() error {
		if err := checkBulk(ids); err != nil {
			return err
		}
		return in.Validate()
	}
	return staff(ctx, s, sc, policy.BookingManage, check, &in.Reason, func(tx *pg.Tx) (Rows[Cancellation], error) {
		list, err := lockCourses(ctx, tx, sc.Person(), ids, true)
		if err != nil {
			return Rows[Cancellation]{}, err
		}
		return s.bulkCancel(ctx, tx, sc, in, ids, list)
	})
}

// bulkCancel decides about each, ends those that can end together, and puts the rows in the order of ids.
func (s *Service) bulkCancel(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in CancelInput, ids []uuid.UUID, list map[uuid.UUID]subject) (Rows[Cancellation], error) {
	var ends []ending
	refused := map[uuid.UUID]error{}
	byID := map[uuid.UUID]Cancellation{}
	ended := map[uuid.UUID]bool{}
	parts := map[uuid.UUID][2]int{} // of ends: those that belong to a booking
	for _, id := range ids {
		if ended[id] {
			continue
		}
		in.BookingID = id
		list, err := in.decide(sc, list, tx.Now())
		if err == nil && ended[list[0].ID] {
			err = WrongState(list[0].Transition.To()) // it has just ended with its course
		}
		if err != nil {
			refused[id] = err
			continue
		}
		parts[id] = [2]int{len(ends), len(ends) + len(list)}
		for _, e := range list {
			ends, ended[e.ID] = append(ends, e), true
		}
	}
	done, err := s.cancelTx(ctx, tx, sc, ends)
	if err != nil {
		return Rows[Cancellation]{}, err
	}
	for _, d := range done {
		byID[d.BookingID] = d
	}
	for id, p := range parts {
		byID[id] = together(ends[p[0]:p[1]], done[p[0]:p[1]])
	}
	var out Rows[Cancellation]
	for _, id := range ids {
		if err := out.add(id, byID[id], refused[id]); err != nil {
			return Rows[Cancellation]{}, err
		}
	}
	return out, nil
}
