package letters

import (
	"fmt"
	"slices"
	"time"

	"foyer/app/booking"
	"foyer/app/order"
	"foyer/app/view"
)

// bought is the time and the way of a booking's purchase: the first change that made it the customer's.
func bought(b booking.Story) (booking.Change, bool) {
	at := slices.IndexFunc(b.Changes, func(c booking.Change) bool { return c.To == booking.Confirmed || c.To == booking.Requested })
	if at < 0 {
		return booking.Change{}, false
	}
	return b.Changes[at], true
}

// policy is the cancellation policy shown to the customer when they booked.
func (p evidenceText) policy() string {
	if p.untold() {
		return ""
	}
	var out []string
	stakes := p.then().CostBases()
	for i, l := range p.Receipt.Lines {
		at := slices.IndexFunc(p.Bookings, func(b booking.Story) bool { return b.ID == l.BookingID })
		if at < 0 || l.Fee != "" {
			continue
		}
		told, when := p.told(l, p.Bookings[at], stakes[i])
		if told != "" {
			out = append(out, fmt.Sprintf("%s: when the customer booked, on %s, the page said, in its language: “%s”", l.Label, p.clock(when), told))
		}
	}
	return lines(out...)
}

// then is the receipt at the time of the sale: without refunds and cancellations.
func (p evidenceText) then() order.Receipt {
	r := p.Receipt
	r.Lines = slices.Clone(r.Lines)
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.State, l.NetAmount = booking.Confirmed, l.PaidAmount; r.Totals.DueLaterAmount > 0 { // it was charged later
			l.NetAmount = 0
		}
	}
	r.WaivedAt = slices.DeleteFunc(slices.Clone(r.WaivedAt), func(at time.Time) bool { return at.After(r.CreatedAt) })
	return r
}

// untold reports whether no page showed the cost of cancelling, because the studio sold it, or whether its text is
// unknown: a deposit paid with credit, too, does not record its line.
func (p evidenceText) untold() bool {
	return p.Receipt.Desk || p.Receipt.Totals.DueLaterAmount > 0 && p.Receipt.Totals.PrepaidAmount() > 0
}

// byThemselves are the transitions to a booking that show its customer the cost of cancelling.
var byThemselves = []booking.Transition{booking.TransitionConfirm, booking.TransitionRequest, booking.TransitionRetake}

// told is the sentence shown to the customer of a line, and its time. Empty: the studio booked it for them, or it is
// not known.
func (p evidenceText) told(l order.ReceiptLine, s booking.Story, stake booking.CostBasis) (string, time.Time) {
	first, found := bought(s)
	if !found || !slices.Contains(byThemselves, first.Transition) {
		return "", time.Time{}
	}
	b := booking.Booking{State: first.To, Rules: l.Rules, StartsAt: l.StartsAt, Currency: p.Receipt.Totals.Currency}
	moved := slices.IndexFunc(s.Changes, func(c booking.Change) bool { return c.FromStart != nil })
	if moved >= 0 {
		b.StartsAt = *s.Changes[moved].FromStart
	}
	if len(l.Dates) > 0 {
		if moved >= 0 {
			return "", time.Time{}
		}
		dates := slices.Clone(l.Dates)
		for i := range dates {
			dates[i].State = booking.Confirmed
		}
		b.CourseFrom, b.StartsAt = booking.PaidFrom(dates), booking.CourseListing(dates, first.At).StartsAt
	}
	w := p.words
	w.Now = first.At
	return view.CancelTerms(w, b, stake), first.At
}
