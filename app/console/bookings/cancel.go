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

// askCancel says exactly what cancelling does, by whom and with which fee the address asks for.
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
		Title: c.UI.T("Cancel the booking"), Lead: when(c, b), Area: "bookings", Up: up(c, b), Body: cancelBody(c, b, in, done.Done, refused), Sheet: true,
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
	said := c.UI.T("The booking of {name} is cancelled.", "name", who(c.UI, got.Booking))
	if n > 1 {
		said = c.UI.N(n, "Cancelled {n} booking.", "Cancelled {n} bookings.")
	}
	m := amounts(got.Done)
	if m.Refund > 0 {
		said = view.Joined(" ", said, c.UI.T("{amount} goes back.", "amount", c.UI.Cash(m.Refund, got.Done.Currency)))
	}
	if m.Credit > 0 {
		said = view.Joined(" ", said, c.UI.T("{amount} is account credit.", "amount", c.UI.Cash(m.Credit, got.Done.Currency)))
	}
	if m.Desk > 0 {
		said = view.Joined(" ", said, c.UI.T("{amount} is to be handed back at the desk.", "amount", c.UI.Cash(m.Desk, got.Done.Currency)))
	}
	return desk.Done{To: c.To(path(got.Booking, "")), Said: said}, nil
}

// feeOf is the fee that is asked for; one that is waived or forgiven is none.
func feeOf(d booking.Cancellation) int64 {
	if d.Fee == fees.Due {
		return d.FeeAmount
	}
	return 0
}

// moved is what cancelling does with money, in minor units.
type moved struct{ Refund, Credit, Desk, Fee int64 }

func (m moved) plus(d booking.Cancellation) moved {
	return moved{m.Refund + d.RefundAmount, m.Credit + d.CreditAmount, m.Desk + d.DeskAmount, m.Fee + feeOf(d)}
}

// amounts are what goes back and what is charged, with all that end with it.
func amounts(d booking.Cancellation) moved {
	m := moved{}.plus(d)
	for _, o := range d.Others {
		m = m.plus(o)
	}
	return m
}

// ending is what becomes of the booking, in one or two words.
func ending(sh ui.Shell, d booking.Cancellation) string {
	text, _ := ui.State(sh, d.State)
	return text
}

// outcomes are all that cancelling does.
func outcomes(c *desk.Call, b booking.StudioBooking, d booking.Cancellation) []ui.Outcome {
	sh := c.UI
	w := wordsAt(c, b.Zone)
	var out []ui.Outcome
	switch {
	case len(d.Dates) > 1:
		out = append(out, ui.Outcome{Text: sh.N(len(d.Dates), "{n} date of the course ends", "{n} dates of the course end")})
	case d.Late:
		out = append(out, ui.Outcome{Text: sh.T("{name} gives up the seat, late by the policy", "name", who(sh, b)), Bad: true})
	default:
		out = append(out, ui.Outcome{Text: sh.T("{name} gives up the seat", "name", who(sh, b))})
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
		out = append(out, ui.Outcome{Text: sh.T("{name} is told by mail", "name", called(sh, b))})
	} else {
		out = append(out, ui.Outcome{Text: sh.T("Nobody is told: there is no e-mail address")})
	}
	return out
}

// moneyOf is what one cancellation does with money.
func moneyOf(sh ui.Shell, before string, e booking.Cancellation) []ui.Outcome {
	var out []ui.Outcome
	add := func(minor int64, text string, bad bool) {
		if minor > 0 {
			out = append(out, ui.Outcome{Text: before + text, Amount: sh.Cash(minor, e.Currency), Bad: bad})
		}
	}
	add(e.RefundAmount, sh.T("Goes back to the card"), false)
	add(e.CreditAmount, sh.T("Becomes account credit"), false)
	add(e.DeskAmount, sh.T("Was paid at the desk: hand it back there, from Sales"), false)
	add(e.ForfeitedAmount, sh.T("Was paid and stays with the studio"), false)
	add(e.ServiceFeeAmount, sh.T("Service fee, which stays paid"), false)
	switch e.Fee {
	case fees.Due:
		add(e.FeeAmount, sh.T("Fee for cancelling late"), true)
	case fees.Waived:
		add(e.FeeAmount, sh.T("Fee that is waived"), false)
	case fees.Forgiven:
		add(e.FeeAmount, sh.T("Fee that the policy lets pass this time"), false)
	}
	return out
}

// cancelButton names what pressing it does.
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

// cancelOne is the same of one booking.
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
	return sh.T("Cancel the booking")
}

// total writes sums of several currencies side by side.
func total(sh ui.Shell, by map[money.Currency]int64) string {
	out := ""
	for cur, minor := range by {
		out = view.Joined(" + ", out, sh.Some(minor, cur))
	}
	return out
}
