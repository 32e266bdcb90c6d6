package demo

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"foyer/app/clock"
	"foyer/app/fees"
)

// days is how many days the demo has behind it; it opens a day before the first of them.
const (
	days = 56
	past = (days + 1) * day24
)

// part is a time of the day at which something happens, in UTC, so that it is day at both studios.
type part int

const (
	morning part = iota // 8 in New York, noon in Leeds
	noon
	evening
)

var hours = []time.Duration{12*time.Hour + 20*time.Minute, 16*time.Hour + 45*time.Minute, 21*time.Hour + 10*time.Minute}

// travel adjusts the clock, and records the offset.
type travel struct {
	clock *clock.Adjustable
	moved time.Duration
}

func (t *travel) by(d time.Duration) {
	t.clock.Advance(d)
	t.moved += d
}

// back has the clock show the time that it would show by itself.
func (t *travel) back() { t.by(-t.moved) }

// live lets the days of the history pass, one after the other, for all studios side by side.
func (d Demo) live(ctx context.Context, t *travel, first, end time.Time, all []*seeding) error {
	for day := 0; ; day++ {
		for p, hour := range hours {
			at := first.Add(time.Duration(day)*day24 + hour + time.Duration(day*7%23)*time.Minute)
			if !at.Before(end) {
				return nil
			}
			t.by(at.Sub(d.Clock.Now()))
			d.Sim.Pass()
			if err := together(all, func(s *seeding) error { return s.in(s.pass(ctx, day, part(p))) }); err != nil {
				return err
			}
		}
		if day%7 == 6 {
			if err := d.night(ctx, day); err != nil {
				return err
			}
		}
	}
}

// together does the same for all studios side by side.
func together(all []*seeding, do func(*seeding) error) error {
	var g errgroup.Group
	for _, s := range all {
		g.Go(func() error { return do(s) })
	}
	return g.Wait()
}

// night runs the nightly work of the product at the end of a week, as far as the demo shows it: bookings are
// completed, and every other week payments, payouts and disputes are fetched from the processor.
func (d Demo) night(ctx context.Context, day int) error {
	if day%14 == 6 {
		return d.Booking.CompleteDue(ctx)
	}
	if day == 13 {
		if err := d.Analyze(ctx); err != nil {
			return err
		}
	}
	return inOrder(ctx, d.Booking.CompleteDue, d.Owed.ChargeAll, d.Billing.Recheck, d.Balance.ListingsDue,
		d.Disputes.RemindDue)
}

// pass runs the events at a studio at a time of a day.
func (s *seeding) pass(ctx context.Context, day int, at part) error {
	every := func(n, on int, do func(context.Context) error) func(context.Context) error {
		if day%n != on {
			return func(context.Context) error { return nil }
		}
		return do
	}
	switch at {
	case morning:
		return inOrder(ctx, every(7, 1, s.openDrawer), func(ctx context.Context) error { return s.joinAll(ctx, day) }, every(7, 3, s.paidOut),
			every(s.plan.online, 0, func(ctx context.Context) error { return s.online(ctx, day) }))
	case noon:
		return inOrder(ctx, every(s.plan.counter, 1, s.dropIn), every(9, 4, s.walkIn), every(14, 9, s.rent),
			every(5, 2, s.purchase), every(28, 20, s.countShelf),
			s.on(day, s.plan.refunds, s.refund), s.on(day, s.plan.late, s.regret), s.on(day, assisted, s.assist))
	default:
		return inOrder(ctx, func(ctx context.Context) error { return s.noShows(ctx, day) },
			func(ctx context.Context) error { return s.attend(ctx, day) },
			every(7, 0, s.countDrawer), s.on(day, s.plan.disputed, s.dispute))
	}
}

// on does something on some days.
func (s *seeding) on(day int, when []int, do func(context.Context, int) error) func(context.Context) error {
	for n, d := range when {
		if d == day {
			return func(ctx context.Context) error { return do(ctx, n) }
		}
	}
	return func(context.Context) error { return nil }
}

// sinceMorning checks in the customers of today's classes, if the demo is made before the evening.
func (s *seeding) sinceMorning(ctx context.Context) error {
	day := int(s.end.Sub(s.first) / day24)
	if s.attended >= day {
		return nil
	}
	return s.attend(ctx, day)
}

// attend checks in the customers of the classes of a day: all but those that are marked otherwise.
func (s *seeding) attend(ctx context.Context, day int) error {
	s.attended = day
	ids := s.expected(day)
	if len(ids) == 0 {
		return nil
	}
	rows, err := s.Booking.BulkCheckIn(ctx, s.owner, ids)
	for _, r := range rows.Rows {
		if r.Refusal != nil {
			return r.Refusal
		}
	}
	return err
}

// noShows marks a customer as a no-show for each of the plan's days until today. On some weekdays no class has enough
// customers: then it is a later day.
func (s *seeding) noShows(ctx context.Context, day int) error {
	due := 0
	for _, d := range s.plan.missed {
		if d <= day {
			due++
		}
	}
	for s.missing < due {
		marked, err := s.noShow(ctx)
		if err != nil || !marked {
			return err
		}
		s.missing++
	}
	return nil
}

// noShow marks a customer of today as a no-show, if there is one. The studio waives the fee of the first one.
func (s *seeding) noShow(ctx context.Context) (marked bool, err error) {
	d, email := s.taken(func(d *date) bool {
		return d.StartsAt.Before(s.Clock.Now()) && d.StartsAt.After(s.Clock.Now().Add(-14*time.Hour))
	})
	if d == nil {
		return false, nil
	}
	b, err := s.Booking.NoShow(ctx, s.owner, d.bookings[email])
	if err != nil {
		return false, err
	}
	s.away[b.ID] = true
	if s.waived {
		return true, nil
	}
	feeList, err := s.Fees.List(ctx, s.owner, fees.ListInput{BookingID: b.ID})
	if err != nil || len(feeList.Items) == 0 || feeList.Items[0].State != fees.Due {
		return true, err
	}
	s.waived = true
	_, err = s.Fees.Waive(ctx, s.owner, fees.WaiveInput{
		FeeID: feeList.Items[0].ID, Version: feeList.Items[0].Version, Reason: "Her train was cancelled; she called from the platform.",
	})
	return true, err
}
