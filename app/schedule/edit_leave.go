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

// leaving is removed dates with bookings to be handled.
type leaving struct {
	dates  []uuid.UUID
	booked []uuid.UUID // of these, those with bookings
	on     OnBooked
	why    Because
	to     func(from uuid.UUID) []uuid.UUID // dates that could take the bookings of one, the nearest first
}

// leave handles the bookings of removed dates, and writes the effects into the plan. A plan with a cancelled or
// transferred booking cannot be undone.
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

// sendAway cancels the bookings, or reschedules them to other dates, and returns their number.
func (s *Service) sendAway(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, l leaving, p *Plan) (int, error) {
	if l.on == RescheduleBooked {
		transfers := make([]Transfer, len(l.booked))
		for i, from := range l.booked {
			transfers[i] = Transfer{From: from, To: l.to(from)}
		}
		return s.bookings.RescheduleBookedTx(ctx, tx, sc, transfers, l.why)
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

// refundsOf sums the refunds by currency.
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

// nearest returns a function that lists the scheduled dates of the series after the edit, by their distance from a
// removed one: of two at the same distance the earlier comes first.
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
