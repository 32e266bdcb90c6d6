package checkout

import (
	"github.com/google/uuid"

	"foyer/app/order"
	"foyer/app/pg"
)

// sale returns the order of a held cart.
func (l loaded) sale(orderID uuid.UUID, receiptHash []byte, state order.State) order.Draft {
	s := order.Draft{
		ID: orderID, LocationID: l.LocationID, Customer: l.Hold.CustomerID, Cart: &l.ID,
		Receipt: receiptHash, State: state, Totals: l.Totals,
		DueAmount: l.dueAmount + l.Totals.DueLaterAmount, Lines: make([]order.DraftLine, len(l.Lines)),
	}
	if state == order.Open && len(s.Totals.Prepaid) > 0 {
		s.PrepaidUntil = &l.Hold.ExpiresAt
	}
	for i, line := range l.Lines {
		s.Lines[i] = order.DraftLine{
			Kind: line.Kind, Quantity: line.Quantity, Label: line.Name, TaxAmount: line.TaxAmount,
			NonRefundableAmount: line.NonRefundableAmount,
			Item: order.Item{
				ListedAmount: line.ListedAmount, DiscountedAmount: line.DiscountAmount, Tax: l.items[i].Tax,
				Income: l.items[i].Income, Cover: l.items[i].Cover,
			},
		}
		if d := &s.Lines[i]; line.Kind.Seat() {
			d.BookingID = *line.BookingID
		} else {
			d.ID, d.CartItem, d.Subject = pg.NewID(), line.ItemID, line.Subject
		}
	}
	if l.Totals.DueLaterAmount > 0 {
		card, prepaid := order.PaidNow(priced(l.Lines), l.Totals.Prepaid)
		for i := range s.Lines {
			s.Lines[i].CardAmount = card[i]
			for _, by := range prepaid {
				s.Lines[i].PrepaidAmounts = append(s.Lines[i].PrepaidAmounts, by[i])
			}
		}
	}
	return s
}

func priced(lines []Line) []order.Priced {
	out := make([]order.Priced, len(lines))
	for i, l := range lines {
		out[i] = l.Priced
	}
	return out
}
