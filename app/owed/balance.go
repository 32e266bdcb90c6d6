package owed

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// A balanceDue is the unpaid part of the prices of bookings at one location, as one order without a cart that a card
// pays. It sells the part that is in no order yet; an order's part that is due at the studio is not sold a second
// time: the order's line pays that order's line (order_lines.of_line_id), with the remainder of its tax. It is open
// until it is paid. If a part of it is no longer due by then it is void, and its payment is refunded.
//
// The lock order: the payment, the bookings, the orders with an amount due, the order itself.

// balanceDue is such an order that is about to be charged. Its bookings are locked.
type balanceDue struct {
	bookings []uuid.UUID // of courses all dates
	sale     order.Draft
}

// lines returns the charged lines, as Collect returns them.
func (d balanceDue) lines() (out []SaleLine) {
	for _, l := range d.sale.Lines {
		out = append(out, SaleLine{BookingID: l.BookingID, Label: l.Label, Amount: order.LineDue(d.sale.Totals.TaxMode, l.Net(), l.TaxAmount)})
	}
	return out
}

// lockCharging locks the open payments of a charge, and returns their orders.
func lockCharging(ctx context.Context, tx *pg.Tx, of amountsDue) ([]uuid.UUID, error) {
	orders, err := openFeeOrders(ctx, tx, of.fees)
	if err != nil {
		return nil, err
	}
	for _, at := range of.bookings {
		balances, err := openBalances(ctx, tx, at.Bookings)
		if err != nil {
			return nil, err
		}
		for _, d := range balances {
			orders = append(orders, d.ID)
		}
	}
	return orders, billing.LockPaymentsTx(ctx, tx, orders)
}

// lockBalances locks bookings, which are by location, and reads the amounts due of their prices; none if nothing is
// due.
func (s *Service) lockBalances(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, of []atLocation,
) ([]balanceDue, error) {
	var out []balanceDue
	for _, at := range of {
		desk, err := lockDesk(ctx, tx, PaymentInput{BookingIDs: at.Bookings})
		if err != nil {
			return nil, err
		}
		if err := policy.RequireAt(sc, policy.PaymentTake, desk.place.LocationID); err != nil {
			return nil, err
		}
		d, err := s.balanceOf(ctx, tx, desk)
		if err != nil {
			return nil, err
		}
		if len(d.sale.Lines) > 0 {
			out = append(out, d)
		}
	}
	return out, nil
}

// balanceOf returns the order of all amounts due: the part that is in no order yet, as the desk sells it, and the
// balances of lines of orders.
func (s *Service) balanceOf(ctx context.Context, tx *pg.Tx, desk deskDue) (balanceDue, error) {
	d := balanceDue{bookings: desk.bookings, sale: desk.sale()}
	d.sale.State, d.sale.DueAmount = order.Open, 0
	var parts []billing.Part
	for i, l := range desk.unpaid {
		if i == 0 || l.OrderID != desk.unpaid[i-1].OrderID {
			var err error
			if parts, err = order.UnpaidParts(ctx, tx, l.OrderID, nil); err != nil {
				return balanceDue{}, err
			}
		}
		payLine(&d.sale, l, parts)
	}
	inSteps(&d.sale)
	return d, nil
}

// inSteps makes the total one that a card can pay: the service fee rounds it up to a step of the currency, as in a
// cart.
func inSteps(o *order.Draft) {
	t := &o.Totals
	missing := t.Currency.Ceil(t.TotalAmount) - t.TotalAmount
	t.ServiceFeeAmount, t.TotalAmount = t.ServiceFeeAmount+missing, t.TotalAmount+missing
}

// payLine adds a line that pays the balance of another order's line; parts is the amount due of that order.
func payLine(o *order.Draft, l deskLine, parts []billing.Part) {
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
	o.Lines = append(o.Lines, order.DraftLine{
		BookingID: l.BookingID, Of: &l.LineID, Kind: l.Kind, Label: l.Label, TaxAmount: tax,
		Item: order.Item{
			ListedAmount: listed, Tax: taxOf(l.TaxRateID, l.TaxName, l.TaxPpm), RevenueCategoryID: l.RevenueCategoryID,
		},
	})
	t.SubtotalAmount, t.TaxAmount, t.TotalAmount = t.SubtotalAmount+listed, t.TaxAmount+tax, t.TotalAmount+net+tax
}

// chargeBalance charges balances to a saved card. locked are the orders with locked payments. An open order for the
// very same is charged; one for something else is given up, unless its payment is in progress.
func (s *Service) chargeBalance(
	ctx context.Context, tx *pg.Tx, d balanceDue, locked []uuid.UUID, card billing.SavedCard,
) error {
	open, err := openBalances(ctx, tx, d.bookings)
	if err != nil {
		return err
	}
	orderID, err := s.balanceOrder(ctx, tx, d, open, locked)
	if err != nil {
		return err
	}
	p, err := s.balancePayment(ctx, tx, orderID)
	if err != nil {
		return err
	}
	if _, err := s.billing.ChooseTx(ctx, tx, p, billing.Choice{CustomerID: d.sale.Customer, CardID: card.ID}); err != nil {
		return err
	}
	if _, err := order.SetChargeFailed(ctx, tx, orderID, ""); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ChargeJob{Business: tx.Business(), Order: orderID})
}

// balanceOrder returns the open order of balances: the one of open, those of its bookings, that is for the very same,
// or a new one in their place.
func (s *Service) balanceOrder(
	ctx context.Context, tx *pg.Tx, d balanceDue, open []openBalance, locked []uuid.UUID,
) (uuid.UUID, error) {
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
		case o.InTransit:
			return uuid.Nil, checkout.ErrPaymentPending
		}
	}
	if err := s.dropBalances(ctx, tx, d.bookings); err != nil {
		return uuid.Nil, err
	}
	d.sale.ID = pg.NewID()
	d.sale.Receipt = s.order.ReceiptHash(d.sale.ID)
	return d.sale.ID, order.Insert(ctx, tx, d.sale)
}

// same reports whether an open order is for exactly this.
func (d balanceDue) same(lines []balanceLine) bool {
	return slices.EqualFunc(d.sale.Lines, lines, func(l order.DraftLine, o balanceLine) bool {
		sameOf := l.Of == nil && o.OfLineID == nil || l.Of != nil && o.OfLineID != nil && *l.Of == *o.OfLineID
		return sameOf && l.BookingID == o.BookingID && l.ListedAmount == o.ListedAmount && l.TaxAmount == o.TaxAmount
	})
}

// balancePayment returns the payment of balances whose order is written.
func (s *Service) balancePayment(ctx context.Context, tx *pg.Tx, orderID uuid.UUID) (billing.Payment, error) {
	o, err := readBalance(ctx, tx, orderID)
	if err != nil {
		return billing.Payment{}, err
	}
	return s.billing.StartTx(ctx, tx, billing.StartInput{
		LocationID: o.LocationID, OrderID: orderID, Amount: o.TotalAmount, Currency: o.Currency,
		FeeAmount: order.Terms{Currency: o.Currency, FeePPM: o.FeePpm}.PlatformFee(o.TotalAmount), FeePPM: o.FeePpm,
	})
}

// dropBalances gives up the open orders of amounts due of locked bookings, with their payments. One that succeeds all
// the same is refunded.
func (s *Service) dropBalances(ctx context.Context, tx *pg.Tx, bookings []uuid.UUID) error {
	if len(bookings) == 0 {
		return nil
	}
	open, err := openBalances(ctx, tx, bookings)
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
func (s *Service) drop(ctx context.Context, tx *pg.Tx, orderID uuid.UUID) error {
	if _, err := order.End(ctx, tx, orderID, order.Void); err != nil {
		return err
	}
	return s.billing.CancelTx(ctx, tx, orderID)
}

// Charge is a charge of a booking's price to a saved card, in progress or failed. An order that its customer has only
// viewed is none.
type Charge struct {
	OrderID uuid.UUID
	Amount  int64  // minor units of the booking's currency, with other amounts charged at once
	Failed  string // the code of the failure: the customer has a link to pay; empty: it is in progress
}

// ChargeOf returns the charge of the price of a booking; of a date of a course, of all of it. found is false if there
// is none. The caller may see the booking.
func (s *Service) ChargeOf(ctx context.Context, sc tenancy.Scope, b booking.Booking) (c Charge, found bool, err error) {
	return chargeOf(ctx, s.db.View(sc.Tenant), b.ID)
}
