package checkout

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// A debt is what of the prices of bookings is to be paid at one location, as one order without a cart that a card pays. It sells what is
// in no order yet; what an order has sold that is due at the studio it sells no second time: its line pays that order's line
// (order_lines.of_line_id), with the rest of its tax. It is open until it is paid. Whatever of it is not owed any more by then makes it
// void, and its money goes back.
//
// The locks are taken in this order: the payment, the bookings, the orders of which something is due, the order itself.

// debt is such an order that is about to be charged. Its bookings are locked.
type debt struct {
	bookings []uuid.UUID // of courses all dates
	sale     sale
}

// lines are what is charged, as Collect tells it.
func (d debt) lines() (out []SaleLine) {
	for _, l := range d.sale.Lines {
		out = append(out, SaleLine{BookingID: l.BookingID, Label: l.Label, Amount: due(d.sale.Totals.TaxMode, l.net(), l.TaxAmount)})
	}
	return out
}

// lockCharging locks the open payments of what is to be charged, and returns their orders.
func lockCharging(ctx context.Context, tx *pg.Tx, of owedBy) ([]uuid.UUID, error) {
	orders, err := openFeeOrders(ctx, tx, of.fees)
	if err != nil {
		return nil, err
	}
	for _, at := range of.bookings {
		debts, err := openDebts(ctx, tx, at.Bookings)
		if err != nil {
			return nil, err
		}
		for _, d := range debts {
			orders = append(orders, d.ID)
		}
	}
	return orders, billing.LockPaymentsTx(ctx, tx, orders)
}

// lockDebts locks bookings, which are by location, and reads what is due of their prices; none where nothing is.
func (s *Service) lockDebts(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, of []atLocation) ([]debt, error) {
	var out []debt
	for _, at := range of {
		desk, err := lockDesk(ctx, tx, PaymentInput{BookingIDs: at.Bookings})
		if err != nil {
			return nil, err
		}
		if err := policy.RequireAt(sc, policy.PaymentTake, desk.place.LocationID); err != nil {
			return nil, err
		}
		d, err := s.debtOf(ctx, tx, desk)
		if err != nil {
			return nil, err
		}
		if len(d.sale.Lines) > 0 {
			out = append(out, d)
		}
	}
	return out, nil
}

// debtOf is the order of all that is due: what is in no order yet, as the desk sells it, and the rest of lines of orders.
func (s *Service) debtOf(ctx context.Context, tx *pg.Tx, desk deskDue) (debt, error) {
	d := debt{bookings: desk.bookings, sale: desk.sale()}
	d.sale.State, d.sale.DueAmount = OrderOpen, 0
	var parts []billing.Part
	for i, l := range desk.unpaid {
		if i == 0 || l.OrderID != desk.unpaid[i-1].OrderID {
			var err error
			if parts, err = s.partsFor(ctx, tx, orderDue{id: l.OrderID}); err != nil {
				return debt{}, err
			}
		}
		d.sale.pay(l, parts)
	}
	d.sale.inSteps()
	return d, nil
}

// inSteps makes the total one that a card can pay: what is missing to a step of the currency is the service fee, as in a cart.
func (o *sale) inSteps() {
	t := &o.Totals
	missing := t.Currency.Ceil(t.TotalAmount) - t.TotalAmount
	t.ServiceFeeAmount, t.TotalAmount = t.ServiceFeeAmount+missing, t.TotalAmount+missing
}

// pay adds a line that pays the rest of another order's line, of whose order parts is what is due.
func (o *sale) pay(l deskLine, parts []billing.Part) {
	var net, tax int64
	for _, p := range parts {
		switch {
		case p.Line != l.LineID:
		case p.Account.Taxes():
			tax += p.Amount
		default:
			net += p.Amount
		}
	}
	if net+tax == 0 {
		return
	}
	t := &o.Totals
	listed := net
	if t.TaxMode == business.TaxInclusive {
		listed += tax
	}
	o.Lines = append(o.Lines, saleLine{
		BookingID: l.BookingID, Of: &l.LineID, Kind: l.Kind, Label: l.Label, TaxAmount: tax,
		Item: Item{ListedAmount: listed, Tax: taxOf(l.TaxRateID, l.TaxName, l.TaxPpm)},
	})
	t.SubtotalAmount, t.TaxAmount, t.TotalAmount = t.SubtotalAmount+listed, t.TaxAmount+tax, t.TotalAmount+net+tax
}

// chargeDebt has a debt charged to a saved card. locked are the orders whose payments are locked. The order that is open for the very same is
// charged on; one for something else is given up, unless its money is on its way.
func (s *Service) chargeDebt(ctx context.Context, tx *pg.Tx, d debt, locked []uuid.UUID, card billing.SavedCard) error {
	open, err := openDebts(ctx, tx, d.bookings)
	if err != nil {
		return err
	}
	order, err := s.debtOrder(ctx, tx, d, open, locked)
	if err != nil {
		return err
	}
	p, err := s.debtPayment(ctx, tx, order)
	if err != nil {
		return err
	}
	if _, err := s.billing.ChooseTx(ctx, tx, p, billing.Choice{CustomerID: d.sale.Customer, CardID: card.ID}); err != nil {
		return err
	}
	if _, err := setChargeFailed(ctx, tx, order, ""); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ChargeFeeJob{Business: tx.Business(), Order: order})
}

// debtOrder is the open order of a debt: the one of open, those of its bookings, that is for the very same, or a new one in their place.
func (s *Service) debtOrder(ctx context.Context, tx *pg.Tx, d debt, open []openDebt, locked []uuid.UUID) (uuid.UUID, error) {
	t := d.sale.Totals
	if err := billing.Chargeable(t.TotalAmount, t.Currency); err != nil {
		return uuid.Nil, err
	}
	for _, o := range open {
		switch {
		case !slices.Contains(locked, o.ID):
			return uuid.Nil, pg.ErrUnmet
		case d.same(o.Lines):
			return o.ID, nil
		case o.Moving:
			return uuid.Nil, ErrPaymentPending
		}
	}
	if err := s.dropDebts(ctx, tx, d.bookings); err != nil {
		return uuid.Nil, err
	}
	d.sale.ID = pg.NewID()
	d.sale.Receipt = s.receiptHash(d.sale.ID)
	return d.sale.ID, insertOrder(ctx, tx, d.sale)
}

// same tells whether an open order is of exactly this.
func (d debt) same(lines []debtLine) bool {
	return slices.EqualFunc(d.sale.Lines, lines, func(l saleLine, o debtLine) bool {
		sameOf := l.Of == nil && o.OfLineID == nil || l.Of != nil && o.OfLineID != nil && *l.Of == *o.OfLineID
		return sameOf && l.BookingID == o.BookingID && l.ListedAmount == o.ListedAmount && l.TaxAmount == o.TaxAmount
	})
}

// debtPayment is the payment of a debt whose order is written.
func (s *Service) debtPayment(ctx context.Context, tx *pg.Tx, order uuid.UUID) (billing.Payment, error) {
	o, err := readDebt(ctx, tx, order)
	if err != nil {
		return billing.Payment{}, err
	}
	return s.billing.StartTx(ctx, tx, billing.StartInput{
		LocationID: o.LocationID, OrderID: order, Amount: o.TotalAmount, Currency: o.Currency,
		FeeAmount: Terms{Currency: o.Currency, FeePPM: o.FeePpm}.platformFee(o.TotalAmount), FeePPM: o.FeePpm,
	})
}

// dropDebts gives up the open orders of what is due of locked bookings, with their payments. One that succeeds all the same goes back.
func (s *Service) dropDebts(ctx context.Context, tx *pg.Tx, bookings []uuid.UUID) error {
	if len(bookings) == 0 {
		return nil
	}
	open, err := openDebts(ctx, tx, bookings)
	if err != nil {
		return err
	}
	for _, o := range open {
		if err := s.drop(ctx, tx, o.ID); err != nil {
			return err
		}
	}
	return nil
}

// drop gives up an open order without a cart, with its payment.
func (s *Service) drop(ctx context.Context, tx *pg.Tx, order uuid.UUID) error {
	if _, err := endOrder(ctx, tx, order, OrderVoid); err != nil {
		return err
	}
	return s.billing.CancelTx(ctx, tx, order)
}

// Charge is what of a booking's price is being charged to a saved card, or could not be. An order that its customer has only looked at is none.
type Charge struct {
	OrderID uuid.UUID
	Amount  int64  // minor units of the booking's currency, with what else is charged at once
	Failed  string // why it could not be charged, by its code: the customer has a link to pay; empty: it is being charged
}

// ChargeOf tells what of the price of a booking is being charged; of a date of a course, of all of it. found is false when nothing is. The
// caller may see the booking.
func (s *Service) ChargeOf(ctx context.Context, sc tenancy.Scope, b booking.Booking) (c Charge, found bool, err error) {
	return chargeOf(ctx, s.db.View(sc.Tenant), b.ID)
}
