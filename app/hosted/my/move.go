package my

import (
	"context"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/page"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/app/web/op"
)

// fieldTo names the new time of a booking: a date of its class by the id, another time by its instant.
const fieldTo = "to"

// askMove shows the times to reschedule a booking to; with ?to= it shows the effects of that time, and a form to
// confirm.
func (h *site) askMove(c *fiber.Ctx, b *myBooking) error {
	to, chosen := b.target(c.Query)
	if chosen {
		return b.askMove(c, to, nil)
	}
	return b.moveTimes(c, nil)
}

// target is the new time of the booking. ok is false without a valid choice.
func (b *myBooking) target(value func(name string, fallback ...string) string) (to booking.Target, ok bool) {
	if b.Kind == catalog.Class {
		to.OccurrenceID, _ = uuid.Parse(value(fieldTo))
		return to, to.OccurrenceID != uuid.Nil
	}
	w := kit.WishOf(value)
	to.StartsAt, to.MemberID, to.SpaceID = kit.Instant(value(fieldTo)), w.MemberID, w.SpaceID
	return to, !to.StartsAt.IsZero()
}

// params are the target as an address and a form carry it.
func (b *myBooking) params(to booking.Target) []view.Param {
	if b.Kind == catalog.Class {
		return []view.Param{{Name: fieldTo, Value: to.OccurrenceID.String()}}
	}
	w := kit.Wish{MemberID: to.MemberID, SpaceID: to.SpaceID}
	return append(w.Params(), view.Param{Name: fieldTo, Value: to.StartsAt.Format(time.RFC3339)})
}

func (b *myBooking) moveAsk(to booking.Target) pg.QuoteKey {
	parts := []string{b.ID.String()}
	for _, p := range b.params(to) {
		parts = append(parts, p.Name, p.Value)
	}
	return op.QuoteKey(b.Scope, "rescheduleMyBooking", parts...)
}

func (b *myBooking) moveVerb(to booking.Target) func(ctx context.Context) (booking.DidMine[booking.Rescheduled], error) {
	return func(ctx context.Context) (booking.DidMine[booking.Rescheduled], error) {
		return b.Site.Booking.RescheduleMine(ctx, b.Scope, b.ID, to)
	}
}

// askMove runs the rescheduling dry and shows its effects.
func (b *myBooking) askMove(c *fiber.Ctx, to booking.Target, tr *view.Trouble) error {
	after, q, err := pg.DryRun(c.UserContext(), b.moveAsk(to), b.moveVerb(to))
	if err != nil {
		return b.notMoved(c, err)
	}
	stake, err := b.stake(c)
	if err != nil {
		return err
	}
	moved := view.LineOf(b.Shell.Words, after.Booking)
	w := b.Shell.Words
	v := Change{
		Title: w.T("Reschedule your booking?"), Line: view.LineOf(b.Shell.Words, b.CustomerBooking), To: &moved, Points: b.moveOutcomes(after.Done, stake),
		Form:   kit.FormTo(b.path("/move"), append(b.params(to), view.Param{Name: fieldQuote, Value: q.ID.String()})...),
		Button: w.T("Reschedule to {when}", "when", w.ShortWhen(moved.Start)), Keep: view.Link{Text: w.T("Choose another time"), Href: b.path("/move")}, Trouble: tr,
	}
	return kit.Show(kit.Troubled(c, tr), b.Shell, ChangePage(b.Shell, v))
}

// moveOutcomes are the effects of rescheduling: nothing is charged or refunded, and the deadlines follow the new
// time.
func (b *myBooking) moveOutcomes(does booking.Rescheduled, stake booking.CostBasis) []Outcome {
	w := b.Shell.Words
	cost := Outcome{Label: w.C("what it costs", "Cost"), Text: w.T("Nothing. Your payment carries over to the new time.")}
	if does.DifferenceAmount < 0 {
		less := view.Price{Minor: -does.DifferenceAmount, Currency: does.Currency}
		cost.Text = w.T("Nothing. The new time costs {price} less, and the difference is not refunded.", "price", w.Money(less))
	}
	moved := b.CustomerBooking.Booking
	moved.StartsAt, moved.EndsAt, moved.Reschedules = does.StartsAt, does.EndsAt, b.Reschedules+1
	out := []Outcome{cost}
	if terms := view.Deadlines(w, moved, stake); len(terms) > 0 {
		out = append(out, Outcome{Label: w.C("after moving", "New terms"), Text: terms[0], More: terms[1:]})
	}
	return out
}

// reschedule does exactly as the page has shown.
func (h *site) reschedule(c *fiber.Ctx, b *myBooking) error {
	to, chosen := b.target(c.FormValue)
	if !chosen {
		return b.moveTimes(c, kit.NotOffered.In(b.Shell.Words))
	}
	err := h.Once(c, func(ctx context.Context) error {
		_, err := page.Redeem(ctx, c, b.moveAsk(to), fieldQuote, b.moveVerb(to))
		return err
	})
	if tr, again := page.QuoteChanged(b.Shell.Words, err); again {
		return b.askMove(c, to, tr)
	}
	if err != nil {
		return b.notMoved(c, err)
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneMoved))
}

// notMoved shows the reason: beside the other times when the chosen one is unavailable, on the booking's page when it
// cannot be rescheduled at all.
func (b *myBooking) notMoved(c *fiber.Ctx, err error) error {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Conflict && f.Kind != fault.Validation && f.Kind != fault.NotFound {
		return err
	}
	if !b.movable() {
		return b.cannotMove(c, err)
	}
	if tr, ok := kit.RefusedTime(err); ok {
		return b.moveTimes(c, tr.In(b.Shell.Words))
	}
	return b.moveTimes(c, &view.Trouble{Title: b.Shell.T("This cannot be rescheduled here"), Text: b.Shell.Refusal(f)})
}

// cannotMove shows the booking with the reason that it cannot be rescheduled, and the deadline for that.
func (b *myBooking) cannotMove(c *fiber.Ctx, err error) error {
	if errors.Is(err, booking.ErrTooLate) {
		err = booking.ErrTooLate.WithMessage(b.Shell.T("Rescheduling was possible until {when}.", "when", b.Shell.ShortWhen(b.Rules.RescheduleUntil(b.StartsAt))))
	}
	return b.refused(c, b.Shell.T("This cannot be rescheduled here"), err)
}

// movable reports whether the customer can reschedule the booking at all.
func (b *myBooking) movable() bool { return b.MayReschedule(b.Shell.Now) == nil }

// moveTimes shows the times that are free for the booking: dates of its class with a seat, or times of the same
// length.
func (b *myBooking) moveTimes(c *fiber.Ctx, tr *view.Trouble) error {
	if err := b.MayReschedule(b.Shell.Now); err != nil {
		return b.cannotMove(c, err)
	}
	in := schedule.TimesInput{OfferingID: b.OfferingID, After: kit.Instant(c.Query("after"))}
	in.From, _ = civil.ParseDate(c.Query("from"))
	var (
		p catalog.Page
		t schedule.Times
	)
	w := kit.WishOf(c.Query)
	w.Minutes, w.Party = view.Minutes(b.StartsAt, b.EndsAt), b.Party
	if b.Kind != catalog.Class {
		in.ExcludeOccurrence = b.OccurrenceID
	}
	err := kit.Together(
		func() (err error) {
			t, err = b.Availability.Times(c.UserContext(), b.BusinessID, w.Times(in))
			return err
		},
		func() (err error) {
			p, err = catalog.PageOf(c.UserContext(), b.DB.View(b.BusinessID), b.LocationID, b.OfferingSlug)
			return err
		},
	)
	if fault.IsKind(err, fault.NotFound) || fault.IsKind(err, fault.Validation) {
		return b.cannotMove(c, booking.ErrNotAllowed.WithMessage(b.Shell.T("It is no longer offered in this way. Ask the studio.")))
	}
	if err != nil {
		return err
	}
	return kit.Show(kit.Troubled(c, tr), b.Shell, ReschedulePage(b.Shell, b.moveView(p, w, t, in, tr)))
}
