package order

import (
	"bytes"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/tender"
)

// ReasonCancelled is the reason of a refund for a booking that was cancelled or declined.
const ReasonCancelled billing.RefundReason = "cancelled"

// RefundTx returns the amounts paid for bookings, and refunds them as the caller requests: booking.Ports.RefundTx.
// The amount paid for a booking by card is its line of the order: the listed price less its discounts, and the tax on
// top of that; whole adds its part of the service fee, so that an order with all bookings refunded whole refunds
// every unit that was paid. There is one refund for each payment, within its refundable amount. A payment that is
// only authorized, because the studio has not decided, is released. A payment at the desk is refunded there by a
// staff member, later; a payment with credit is credit again at once, and one with a gift card is on it again. To
// credit, all of it becomes credit at once.
// All refunds of a call have the same destination. The credits of a plan that paid for a booking return to it.
func (s *Service) RefundTx(
	ctx context.Context, tx *pg.Tx, requests []booking.Refund,
) (map[uuid.UUID]booking.Refunded, error) {
	ids := make([]uuid.UUID, len(requests))
	for i, a := range requests {
		ids[i] = a.BookingID
	}
	sold, manual, planned, err := lockSold(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	back := refunds{kept: map[uuid.UUID]int64{}}
	if back.stepped, err = s.stepped(ctx, tx, requests, sold); err != nil {
		return nil, err
	}
	out := map[uuid.UUID]booking.Refunded{}
	for _, a := range requests {
		r := booking.Refunded{NonRefundableAmount: nonRefundable(a, sold[a.BookingID], manual)}
		back.keep = r.NonRefundableAmount
		for _, line := range sold[a.BookingID] {
			back.card(a, line, &r)
		}
		for _, row := range manual {
			if row.BookingID == a.BookingID {
				back.desk(a, row, &r)
			}
		}
		r.NonRefundableAmount -= back.keep // an unpaid amount is not kept
		if r != (booking.Refunded{}) {
			out[a.BookingID] = r
		}
	}
	if err := s.request(ctx, tx, back); err != nil {
		return nil, err
	}
	return out, s.returnPlans(ctx, tx, requests, planned, out)
}

// returnPlans returns the uses of plans by bookings that are refunded, of those that one pays.
func (s *Service) returnPlans(
	ctx context.Context, tx *pg.Tx, requests []booking.Refund, planned []uuid.UUID, out map[uuid.UUID]booking.Refunded,
) error {
	var ids []uuid.UUID
	for _, a := range requests {
		if a.Refunds && slices.Contains(planned, a.BookingID) {
			ids = append(ids, a.BookingID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	by, _ := tenancy.ActingFrom(ctx)
	back, err := s.Ports().PlansTx(ctx, tx, by, ids)
	for _, p := range back {
		r := out[p.BookingID]
		r.Plan, r.PlanCredits = p.Name, p.Credits
		out[p.BookingID] = r
	}
	return err
}

// CaptureTx captures the payments of bookings that were authorized until the studio approved:
// booking.Ports.ApprovedTx.
func (s *Service) CaptureTx(ctx context.Context, tx *pg.Tx, bookings []uuid.UUID) error {
	orders, err := authorizedOrders(ctx, tx, bookings)
	if err != nil || len(orders) == 0 {
		return err
	}
	return s.billing.CaptureTx(ctx, tx, orders)
}

// nonRefundable returns the non-refundable deposit of a booking; 0 if there is none, or the money is not refunded at
// all.
func nonRefundable(a booking.Refund, sold []soldLine, manual []manualPaidRow) (kept int64) {
	if !a.Refunds || !a.KeepsDeposit {
		return 0
	}
	for _, line := range sold {
		kept = max(kept, line.kept)
	}
	for _, row := range manual {
		if row.BookingID == a.BookingID {
			kept = max(kept, row.NonRefundableAmount)
		}
	}
	return kept
}

// refunds are the refunds to make now: of payments by card, and, as credit, of those at the studio.
type refunds struct {
	list []billing.RefundInput
	keep int64               // the amount still to keep of the payment for the booking that is being added
	kept map[uuid.UUID]int64 // the refundable amount of payments by it
	// stepped are the payments in currencies with refunds in steps, as they are after the requested refunds.
	stepped map[uuid.UUID]billing.Refundable
}

// stepped reads the locked payments with refunds in currencies with steps of more than a minor unit.
func (s *Service) stepped(
	ctx context.Context, tx *pg.Tx, requests []booking.Refund, sold map[uuid.UUID][]soldLine,
) (map[uuid.UUID]billing.Refundable, error) {
	out := map[uuid.UUID]billing.Refundable{}
	for _, a := range requests {
		for _, line := range sold[a.BookingID] {
			if _, read := out[line.payment]; read || !a.Refunds || line.currency.Step() == 1 {
				continue
			}
			r, err := s.billing.RefundableTx(ctx, tx, line.payment)
			if err != nil {
				return nil, err
			}
			out[line.payment] = r
		}
	}
	return out, nil
}

// without returns the part of an amount to refund, after subtracting the amount to keep.
func (b *refunds) without(amount int64) int64 {
	left := min(b.keep, amount)
	b.keep -= left
	return amount - left
}

// card adds a card's payment for a booking, and its refund.
func (b *refunds) card(a booking.Refund, line soldLine, r *booking.Refunded) {
	amount, kept := line.due, line.fee
	if a.Whole {
		amount, kept = amount+line.fee, 0
	}
	r.PaidAmount, r.ServiceFeeAmount = r.PaidAmount+amount, r.ServiceFeeAmount+kept
	if !a.Refunds {
		return
	}
	price := b.without(line.due)
	amount -= line.due - price
	b.kept[line.payment] += line.due - price
	in := b.of(line.payment)
	left := line.refundable - in.Amount
	p, stepped := b.stepped[line.payment]
	if stepped && line.refundable > 0 {
		left = tender.Sum(p.PartsAsMeant())
	}
	back := max(0, min(amount, left-b.kept[line.payment]))
	price = min(back, price)
	lines := []tender.LineRefund{{Line: line.id, Amount: price}, {Amount: back - price}}
	if stepped && back > 0 {
		sent := p.InSteps(billing.RefundInput{Amount: back, Lines: lines})
		b.stepped[line.payment] = p.Less(sent)
		if r.NonRefundableAmount > 0 {
			r.NonRefundableAmount = max(0, r.NonRefundableAmount+sent.Meant-sent.Amount)
		}
		if sent.Amount == tender.Sum(p.Parts()) {
			r.ServiceFeeAmount -= kept // all of it is refunded
		}
		back, in.Meant = sent.Amount, in.Meant+sent.Meant
	}
	in.Amount += back
	in.Lines = append(in.Lines, lines...)
	if a.ToCredit {
		in.CreditTo = &line.customer
		r.CreditAmount += back
	} else {
		r.RefundAmount += back
		r.Held = r.Held || line.authorized && back > 0
	}
}

// desk adds the payment at the desk for a booking, and the part of it that becomes credit or is to be refunded there.
func (b *refunds) desk(a booking.Refund, row manualPaidRow, r *booking.Refunded) {
	r.PaidAmount += row.Amount
	if !a.Refunds {
		return
	}
	if row.Amount = b.without(row.Amount); row.Amount == 0 {
		return
	}
	in := b.of(row.TenderID)
	switch {
	case a.ToCredit || row.Method == tender.AccountCredit:
		r.CreditAmount += row.Amount
		in.CreditTo = &row.CustomerID
	case row.Method == tender.GiftCard:
		r.GiftCardAmount += row.Amount
	default:
		r.DeskAmount += row.Amount
		return
	}
	in.Amount += row.Amount
	in.Lines = append(in.Lines, tender.LineRefund{Line: row.LineID, Amount: row.Amount})
}

// of returns the refund of a payment.
func (b *refunds) of(payment uuid.UUID) *billing.RefundInput {
	i := slices.IndexFunc(b.list, func(in billing.RefundInput) bool { return in.PaymentID == payment })
	if i < 0 {
		i = len(b.list)
		b.list = append(b.list, billing.RefundInput{PaymentID: payment, Reason: ReasonCancelled})
	}
	return &b.list[i]
}

// request requests the refunds, in the order of the ids. Their payments are locked.
func (s *Service) request(ctx context.Context, tx *pg.Tx, b refunds) error {
	slices.SortFunc(b.list, func(x, y billing.RefundInput) int { return bytes.Compare(x.PaymentID[:], y.PaymentID[:]) })
	for _, in := range b.list {
		if in.Amount == 0 {
			continue
		}
		if _, err := s.billing.RefundTx(ctx, tx, in); err != nil {
			return err
		}
	}
	return nil
}

// soldLine is a card's payment for one booking with a line, and the refundable amount of the payment.
type soldLine struct {
	id         uuid.UUID
	payment    uuid.UUID
	currency   money.Currency
	customer   uuid.UUID // of the order
	due, fee   int64     // the line, and its part of the service fee
	kept       int64     // not refunded if its customer cancels in time
	refundable int64     // refundable amount of the payment
	authorized bool      // authorized, not captured yet
}

// manualPaidRow is the standing amount of a manual payment for the line of a booking.
type manualPaidRow struct {
	TenderID, LineID, BookingID, CustomerID uuid.UUID
	Method                                  tender.Kind
	Amount                                  int64
	NonRefundableAmount                     int64 // of the line: not refunded if its customer cancels in time
}

// soldRow is a line of an order that was paid by card.
type soldRow struct {
	OrderID, LineID, PaymentID, CustomerID uuid.UUID
	BookingID                              uuid.UUID `db:",null"` // of a seat

	Currency            money.Currency
	GroupID             *uuid.UUID // of the booking
	ServiceFeeAmount    int64
	NonRefundableAmount int64 // of the line: not refunded if its customer cancels in time
	CardAmount          int64 // of the line
	Refundable          int64
	Authorized          bool
}

// shares spreads the service fees of orders over their lines, by booking. The rows of an order are all of its lines.
func shares(rows []soldRow) map[uuid.UUID][]soldLine {
	out := map[uuid.UUID][]soldLine{}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].OrderID == rows[0].OrderID {
			n++
		}
		dues := make([]int64, n)
		for i, r := range rows[:n] {
			dues[i] = r.CardAmount
		}
		for i, s := range ShareFee(rows[0].ServiceFeeAmount, dues) {
			r := rows[i]
			out[r.BookingID] = append(out[r.BookingID], soldLine{
				id: r.LineID, payment: r.PaymentID, currency: r.Currency, customer: r.CustomerID, due: s.PriceAmount,
				kept: r.NonRefundableAmount, fee: s.FeeAmount, refundable: r.Refundable, authorized: r.Authorized,
			})
		}
		rows = rows[n:]
	}
	return out
}
