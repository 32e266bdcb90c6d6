package bookings

import (
	"context"

	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/view"
)

// askCancel shows the exact effects of a cancellation, by the actor and the fee in the address.
func (s *screens) askCancel(c *desk.Call) (ui.Screen, error) {
	c.Apart("reason")
	b, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	in := terms(c)
	in.BookingID = b.ID
	done, err := desk.Quote(c, "cancelBooking", func(ctx context.Context) (booking.Did[booking.Cancellation], error) {
		return s.Booking.Cancel(ctx, c.Scope, supposed(in))
	})
	refused := ""
	if err != nil {
		if refused, err = c.Cannot(err); err != nil {
			return ui.Screen{}, err
		}
	}
	return ui.Screen{
		Title: c.UI.T("Cancel booking"), Lead: when(c, b), Area: "bookings", Up: up(c, b), Body: cancelBody(c, b, in, done.Done, refused), Sheet: true,
	}, nil
}

func (s *screens) cancel(c *desk.Call, ctx context.Context) (desk.Done, error) {
	c.Apart("reason")
	id, err := c.ID("booking")
	if err != nil {
		return desk.Done{}, err
	}
	in := terms(c)
	in.BookingID = id
	got, err := desk.Redeem(c, ctx, "cancelBooking", func(ctx context.Context) (booking.Did[booking.Cancellation], error) {
		return s.Booking.Cancel(ctx, c.Scope, in)
	})
	if err != nil {
		return desk.Done{}, err
	}
	n := 1 + len(got.Done.Others)
	said := c.UI.T("Cancelled the booking of {name}.", "name", who(c.UI, got.Booking))
	if n > 1 {
		said = c.UI.N(n, "Cancelled {n} booking.", "Cancelled {n} bookings.")
	}
	m := amounts(got.Done)
	if m.Refund > 0 {
		said = view.Joined(" ", said, c.UI.T("Refunded {amount}.", "amount", c.UI.Cash(m.Refund, got.Done.Currency)))
	}
	if m.Credit > 0 {
		said = view.Joined(" ", said, c.UI.T("Added {amount} to account credit.", "amount", c.UI.Cash(m.Credit, got.Done.Currency)))
	}
	if m.Gift > 0 {
		said = view.Joined(" ", said, c.UI.T("Refunded {amount} to the gift card.", "amount",
			c.UI.Cash(m.Gift, got.Done.Currency)))
	}
	if back := planBack(c.UI, got.Done.Together()); back != "" {
		said = view.Joined(" ", said, back+".")
	}
	if m.Desk > 0 {
		said = view.Joined(" ", said, c.UI.T("Refund {amount} at the desk.", "amount", c.UI.Cash(m.Desk, got.Done.Currency)))
	}
	return desk.Done{To: c.To(path(got.Booking, "")), Said: said}, nil
}

// feeOf returns the fee charged; 0 if it is waived, also by the grace rule.
func feeOf(d booking.Cancellation) int64 {
	if d.Fee == fees.Due {
		return d.FeeAmount
	}
	return 0
}

// moved holds the amounts of a cancellation, in minor units.
type moved struct{ Refund, Credit, Gift, Desk, Fee int64 }

func (m moved) plus(d booking.Cancellation) moved {
	return moved{m.Refund + d.RefundAmount, m.Credit + d.CreditAmount, m.Gift + d.GiftCardAmount, m.Desk + d.DeskAmount,
		m.Fee + feeOf(d)}
}

// amounts returns the refunds and charges, with those of all bookings that end with it.
func amounts(d booking.Cancellation) moved {
	m := moved{}.plus(d)
	for _, o := range d.Others {
		m = m.plus(o)
	}
	return m
}

// ending renders the new state of the booking, in one or two words.
func ending(sh ui.Shell, d booking.Cancellation) string {
	text, _ := ui.State(sh, d.State)
	return text
}

// outcomes returns all effects of cancelling.
func outcomes(c *desk.Call, b booking.StudioBooking, d booking.Cancellation) []ui.Outcome {
	sh := c.UI
	w := wordsAt(c, b.Zone)
	var out []ui.Outcome
	switch {
	case len(d.Dates) > 1:
		out = append(out, ui.Outcome{Text: sh.N(len(d.Dates), "{n} course date is cancelled", "{n} course dates are cancelled")})
	case d.Late:
		out = append(out, ui.Outcome{Text: sh.T("{name} is no longer booked (late cancellation)", "name", who(sh, b)), Bad: true})
	default:
		out = append(out, ui.Outcome{Text: sh.T("{name} is no longer booked", "name", who(sh, b))})
	}
	all := append([]booking.Cancellation{d}, d.Others...)
	for i, e := range all {
		before := ""
		if len(all) > 1 {
			before = w.ShortWhen(e.StartsAt) + ": "
			if i > 0 {
				out = append(out, ui.Outcome{Text: before + ending(sh, e)})
			}
		}
		out = append(out, moneyOf(sh, before, e)...)
	}
	if d.Mail {
		out = append(out, ui.Outcome{Text: sh.T("{name} is notified by e-mail", "name", called(sh, b))})
	} else {
		out = append(out, ui.Outcome{Text: sh.T("Not notified: no e-mail address")})
	}
	return out
}

// moneyOf returns the amounts of one cancellation.
func moneyOf(sh ui.Shell, before string, e booking.Cancellation) []ui.Outcome {
	var out []ui.Outcome
	add := func(minor int64, text string, bad bool) {
		if minor > 0 {
			out = append(out, ui.Outcome{Text: before + text, Amount: sh.Cash(minor, e.Currency), Bad: bad})
		}
	}
	add(e.RefundAmount, sh.T("Refund to card"), false)
	add(e.CreditAmount, sh.T("Added to account credit"), false)
	add(e.GiftCardAmount, sh.T("Refunded to the gift card"), false)
	if back := planBack(sh, e); back != "" {
		out = append(out, ui.Outcome{Text: before + back})
	}
	add(e.DeskAmount, sh.T("Paid at the desk: refund it from Sales"), false)
	add(e.ForfeitedAmount, sh.T("Paid and not refunded"), false)
	add(e.ServiceFeeAmount, sh.T("Service fee, not refunded"), false)
	switch e.Fee {
	case fees.Due:
		add(e.FeeAmount, sh.T("Late-cancellation fee"), true)
	case fees.Waived:
		add(e.FeeAmount, sh.T("Late-cancellation fee, waived"), false)
	case fees.GraceWaived:
		add(e.FeeAmount, sh.T("Late-cancellation fee, waived (grace rule)"), false)
	}
	return out
}

// planBack renders the return of a booking to the plan that paid for it; empty without one.
func planBack(sh ui.Shell, e booking.Cancellation) string {
	switch {
	case e.Plan == "":
		return ""
	case e.PlanCredits == 0:
		return sh.T("Returned to the plan: {plan}", "plan", e.Plan)
	}
	return sh.N(e.PlanCredits, "Returned to the plan: {n} credit of {plan}", "Returned to the plan: {n} credits of {plan}",
		"plan", e.Plan)
}

// cancelButton returns the label of the button.
func cancelButton(sh ui.Shell, n int, back, credit, fee string) string {
	switch {
	case back != "" && credit != "" && fee != "":
		return sh.N(n, "Cancel {n}, refund {back}, credit {credit}, fee {fee}", "Cancel {n}, refund {back}, credit {credit}, fees {fee}", "back", back, "credit", credit, "fee", fee)
	case back != "" && credit != "":
		return sh.N(n, "Cancel {n}, refund {back}, credit {credit}", "Cancel {n}, refund {back}, credit {credit}", "back", back, "credit", credit)
	case credit != "" && fee != "":
		return sh.N(n, "Cancel {n}, credit {credit}, fee {fee}", "Cancel {n}, credit {credit}, fees {fee}", "credit", credit, "fee", fee)
	case credit != "":
		return sh.N(n, "Cancel {n} and credit {credit}", "Cancel {n} and credit {credit}", "credit", credit)
	case back != "" && fee != "":
		return sh.N(n, "Cancel {n}, refund {back}, fee {fee}", "Cancel {n}, refund {back}, fees {fee}", "back", back, "fee", fee)
	case back != "":
		return sh.N(n, "Cancel {n} and refund {back}", "Cancel {n} and refund {back}", "back", back)
	case fee != "":
		return sh.N(n, "Cancel {n}, fee {fee}", "Cancel {n}, fees {fee}", "fee", fee)
	}
	return sh.N(n, "Cancel {n} booking", "Cancel {n} bookings")
}

// cancelOne is the same for one booking.
func cancelOne(sh ui.Shell, back, credit, fee string) string {
	switch {
	case back != "" && credit != "" && fee != "":
		return sh.T("Cancel, refund {back}, credit {credit}, fee {fee}", "back", back, "credit", credit, "fee", fee)
	case back != "" && credit != "":
		return sh.T("Cancel, refund {back}, credit {credit}", "back", back, "credit", credit)
	case credit != "" && fee != "":
		return sh.T("Cancel, credit {credit}, fee {fee}", "credit", credit, "fee", fee)
	case credit != "":
		return sh.T("Cancel and credit {credit}", "credit", credit)
	case back != "" && fee != "":
		return sh.T("Cancel, refund {back}, fee {fee}", "back", back, "fee", fee)
	case back != "":
		return sh.T("Cancel and refund {back}", "back", back)
	case fee != "":
		return sh.T("Cancel with a fee of {fee}", "fee", fee)
	}
	return sh.T("Cancel booking")
}

// total renders sums of several currencies side by side.
func total(sh ui.Shell, by map[money.Currency]int64) string {
	out := ""
	for cur, minor := range by {
		out = view.Joined(" + ", out, sh.Some(minor, cur))
	}
	return out
}
