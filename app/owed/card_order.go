package owed

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/fees"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/tender"
)

// A card pays amounts due by an order without a cart. It sells the part of a price that is in no order yet, and a fee;
// a part of another order that is due at the studio is not sold a second time: the order's line pays that order's line
// (order_lines.of_line_id), with the remainder of its tax. It is open until it is paid. If a part of it is no longer
// due by then it is void, and its payment is refunded. At most one open order pays an amount.
//
// The lock order: the payment, the bookings, the orders with an amount due, the fees, the order itself.

// cardOrder is such an order that is about to be paid, and what it pays, which is locked.
type cardOrder struct {
	desk  deskDue
	order order.Draft
}

// lines returns the amounts that it pays, as Collect returns them.
func (d cardOrder) lines() []SaleLine { return d.desk.linesOf(d.order) }

// cardOrders returns the orders by which a card pays amounts due: one of all prices, and one of each fee.
func cardOrders(ctx context.Context, tx *pg.Tx, desk deskDue) (out []cardOrder, err error) {
	if len(desk.prices)+len(desk.unpaid) > 0 {
		d, err := pricesOf(ctx, tx, desk)
		if err != nil {
			return nil, err
		}
		if len(d.order.Lines) > 0 {
			out = append(out, d)
		}
	}
	for _, f := range desk.fees {
		one := deskDue{place: desk.place, fees: []fees.Fee{f}, booked: desk.booked}
		out = append(out, one.byCard())
	}
	return out, nil
}

// byCard returns the order of the amounts that are in none yet, to be paid by card.
func (d deskDue) byCard() cardOrder {
	o := cardOrder{desk: d, order: d.sale()}
	o.order.State, o.order.DueAmount = order.Open, 0
	return o
}

// pricesOf returns the order of all prices due: the part that is in no order yet, as the desk sells it, and the
// balances of lines of orders. It has no lines if nothing is due.
func pricesOf(ctx context.Context, tx *pg.Tx, desk deskDue) (cardOrder, error) {
	desk.fees = nil
	return allOf(ctx, tx, desk)
}

// allOf is pricesOf with the fees and goods.
func allOf(ctx context.Context, tx *pg.Tx, desk deskDue) (cardOrder, error) {
	d := desk.byCard()
	var parts []tender.Part
	for i, l := range desk.unpaid {
		if i == 0 || l.OrderID != desk.unpaid[i-1].OrderID {
			var err error
			if parts, err = order.UnpaidParts(ctx, tx, l.OrderID, nil); err != nil {
				return cardOrder{}, err
			}
		}
		payLine(&d.order, l, parts)
	}
	inSteps(&d.order)
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
func payLine(o *order.Draft, l deskLine, parts []tender.Part) {
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
			ListedAmount: listed, Tax: taxOf(l.TaxRateID, l.TaxName, l.TaxPpm), Income: l.IncomeAccount,
		},
	})
	t.SubtotalAmount, t.TaxAmount, t.TotalAmount = t.SubtotalAmount+listed, t.TaxAmount+tax, t.TotalAmount+net+tax
}

// lockCharging locks the open payments of a charge, and returns their orders.
func lockCharging(ctx context.Context, tx *pg.Tx, bookings, feeList []uuid.UUID) ([]uuid.UUID, error) {
	open, err := openDue(ctx, tx, bookings, feeList)
	if err != nil {
		return nil, err
	}
	orders := make([]uuid.UUID, len(open))
	for i, o := range open {
		orders[i] = o.ID
	}
	return orders, billing.LockPaymentsTx(ctx, tx, orders)
}

// charge charges an order to a saved card, and returns its payment. locked are the orders with locked payments. An open
// order for the very same is charged; one for something else is given up, unless its payment is in progress.
func (s *Service) charge(
	ctx context.Context, tx *pg.Tx, d cardOrder, locked []uuid.UUID, card billing.SavedCard,
) (p billing.Payment, err error) {
	open, err := openDue(ctx, tx, d.desk.bookings, idsOf(d.desk.fees))
	if err != nil {
		return p, err
	}
	orderID, err := s.openOrder(ctx, tx, d, open, locked)
	if err != nil {
		return p, err
	}
	if p, err = s.payment(ctx, tx, orderID); err != nil {
		return p, err
	}
	by := billing.Choice{CustomerID: d.order.Customer, CardID: card.ID}
	if p, err = s.billing.ChooseTx(ctx, tx, p, by); err != nil {
		return p, err
	}
	if _, err := order.SetChargeFailed(ctx, tx, orderID, ""); err != nil {
		return p, err
	}
	return p, jobs.EnqueueTx(ctx, tx, ChargeJob{Business: tx.Business(), Order: orderID})
}

// openOrder returns the written order: the one of open, those of its amounts, that is for the very same, or a new one
// in their place. It returns pg.ErrUnmet if a concurrent call has made one, so that its payment is not locked.
func (s *Service) openOrder(
	ctx context.Context, tx *pg.Tx, d cardOrder, open []openOrder, locked []uuid.UUID,
) (uuid.UUID, error) {
	t := d.order.Totals
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
	if err := s.dropOpen(ctx, tx, d.desk); err != nil {
		return uuid.Nil, err
	}
	d.order.ID = pg.NewID()
	d.order.Receipt = s.order.ReceiptHash(d.order.ID)
	if err := order.Insert(ctx, tx, d.order); err != nil {
		return uuid.Nil, err
	}
	return d.order.ID, s.reserve(ctx, tx, d.order)
}

// same reports whether an open order is for exactly this.
func (d cardOrder) same(lines []openLine) bool {
	id := func(of *uuid.UUID) (id uuid.UUID) {
		if of != nil {
			id = *of
		}
		return id
	}
	return slices.EqualFunc(d.order.Lines, lines, func(l order.DraftLine, o openLine) bool {
		return o == openLine{
			l.BookingID, id(l.Fee), id(l.Of), l.Subject, max(1, l.Quantity), l.ListedAmount, l.TaxAmount,
		}
	})
}

// payment returns the payment of an order that is written.
func (s *Service) payment(ctx context.Context, tx *pg.Tx, orderID uuid.UUID) (billing.Payment, error) {
	o, err := readAmount(ctx, tx, orderID)
	if err != nil {
		return billing.Payment{}, err
	}
	return s.billing.StartTx(ctx, tx, billing.StartInput{
		LocationID: o.LocationID, OrderID: orderID, Amount: o.TotalAmount, Currency: o.Currency,
		FeeAmount: order.Terms{Currency: o.Currency, FeePPM: o.FeePpm}.PlatformFee(o.TotalAmount), FeePPM: o.FeePpm,
	})
}

// dropOpen gives up the open orders of amounts that were locked, and are paid otherwise or no longer due, with their
// payments. One that succeeds all the same is refunded.
func (s *Service) dropOpen(ctx context.Context, tx *pg.Tx, d deskDue) error {
	open, err := openDue(ctx, tx, d.bookings, idsOf(d.fees))
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

// drop gives up an open order without a cart, with its payment; what it has reserved is released.
func (s *Service) drop(ctx context.Context, tx *pg.Tx, orderID uuid.UUID) error {
	open, err := order.End(ctx, tx, orderID, order.Void)
	if err != nil {
		return err
	}
	if open {
		if err := s.order.ReleaseTx(ctx, tx, orderID); err != nil {
			return err
		}
	}
	return s.billing.CancelTx(ctx, tx, orderID)
}

func idsOf(list []fees.Fee) []uuid.UUID {
	out := make([]uuid.UUID, len(list))
	for i, f := range list {
		out[i] = f.ID
	}
	return out
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
