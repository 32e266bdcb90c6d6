package desk

import (
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/console/ui"
	"foyer/app/order"
	"foyer/app/view"
)

// Money returns the amounts paid and due of bookings, by booking, in one statement. A booking of a course is left
// out: its money is that of the whole course.
func (c *Call) Money(list []booking.StudioBooking) (map[uuid.UUID]order.Money, error) {
	ids := make([]uuid.UUID, len(list))
	for i, b := range list {
		ids[i] = b.ID
	}
	return c.Desk.Orders.MoneyOfAll(c.Context(), c.Scope.Tenant, ids)
}

// BalanceDue returns the payment status of a booking in a list, with the link to take a payment.
func (c *Call) BalanceDue(b booking.StudioBooking, all map[uuid.UUID]order.Money) (o ui.Due) {
	m, known := all[b.ID]
	price := func(minor int64) string { return c.UI.Money(view.Price{Minor: minor, Currency: b.Currency}) }
	switch {
	case !known:
		return o
	case m.FeesDue > 0:
		o.Text, o.Tone = c.UI.T("{amount} fee due", "amount", price(m.FeesDue)), "bad"
	case m.Due > 0:
		o.Text, o.Tone = c.UI.T("{amount} due", "amount", price(m.Due)), "warn"
	case m.Paid+m.PaidAtStudio > 0:
		o.Text = c.UI.T("Paid {amount}", "amount", price(m.Paid+m.PaidAtStudio))
	}
	if m.FeesDue+m.Due > 0 && c.MayAt("createSale", b.LocationID) {
		o.Href = c.To("/bookings/" + b.ID.String() + "/take")
	}
	return o
}
