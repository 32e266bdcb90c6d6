package schedule

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// leaving is dates that do not take place any more, whose people have to go somewhere.
type leaving struct {
	dates  []uuid.UUID
	booked []uuid.UUID // of these, those with bookings
	on     OnBooked
	why    Because
	to     func(from uuid.UUID) []uuid.UUID // dates that could take the bookings of one, the nearest first
}

// leave sends the people of dates away, and writes into the plan what that came to. A plan in which somebody was sent away
// or moved to another date cannot be undone.
func (s *Service) leave(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, l leaving, p *Plan) error {
	p.Undoable = true
	if len(l.dates) == 0 {
		return nil
	}
	n, err := waitingFor(ctx, tx, l.dates)
	if err != nil {
		return err
	}
	p.Waiting, p.Undoable = n, n == 0
	if n > 0 {
		if err := s.bookings.CloseWaitlistTx(ctx, tx, sc, l.dates, l.why.Reason); err != nil {
			return err
		}
	}
	if len(l.booked) == 0 {
		return nil
	}
	p.Undoable = false
	told, err := s.sendAway(ctx, tx, sc, l, p)
	if err != nil {
		return err
	}
	if !l.why.Silent {
		p.Notices += told
	}
	return nil
}

// sendAway cancels the bookings, or moves them to other dates, and says how many there were.
func (s *Service) sendAway(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, l leaving, p *Plan) (int, error) {
	if l.on == MoveBooked {
		transfers := make([]Transfer, len(l.booked))
		for i, from := range l.booked {
			transfers[i] = Transfer{From: from, To: l.to(from)}
		}
		return s.bookings.MoveBookedTx(ctx, tx, sc, transfers, l.why)
	}
	list, err := s.bookings.CancelBookedTx(ctx, tx, sc, l.booked, l.why)
	p.Refunds = refundsOf(list)
	for _, b := range list {
		if b.CourseGoesOn {
			p.Courses++
		}
	}
	return len(list), err
}

// refundsOf sums what is given back, by currency.
func refundsOf(list []CancelledBooking) []Refunds {
	var out []Refunds
	for _, b := range list {
		if b.RefundAmount == 0 {
			continue
		}
		i := slices.IndexFunc(out, func(r Refunds) bool { return r.Currency == b.Currency })
		if i < 0 {
			i, out = len(out), append(out, Refunds{Currency: b.Currency})
		}
		out[i].Amount += b.RefundAmount
		out[i].Bookings++
	}
	slices.SortFunc(out, func(a, b Refunds) int { return strings.Compare(string(a.Currency), string(b.Currency)) })
	return out
}

// transferMax is how many dates a booking that has to leave its own is offered to.
const transferMax = 12

// nearest returns a function that lists the dates of the series that take place after the edit, by how far they are from
// one that does not: the earlier of two that are as far comes first.
func (w work) nearest() func(uuid.UUID) []uuid.UUID {
	type date struct {
		id uuid.UUID
		at time.Time
	}
	var dates []date
	was := map[uuid.UUID]time.Time{}
	for _, d := range w.staying {
		dates = append(dates, date{d.ID, d.StartsAt})
	}
	for _, st := range w.steps {
		was[st.was.ID] = st.was.StartsAt
		if st.is.State == Scheduled {
			dates = append(dates, date{st.is.ID, st.is.StartsAt})
		}
	}
	for _, d := range w.insert {
		dates = append(dates, date{d.id, d.StartsAt})
	}
	return func(from uuid.UUID) []uuid.UUID {
		near := slices.Clone(dates)
		far := func(d date) time.Duration { return d.at.Sub(was[from]).Abs().Truncate(time.Minute) }
		slices.SortStableFunc(near, func(a, b date) int { return cmp.Or(cmp.Compare(far(a), far(b)), a.at.Compare(b.at)) })
		var ids []uuid.UUID
		for _, d := range near[:min(len(near), transferMax)] {
			ids = append(ids, d.id)
		}
		return ids
	}
}
