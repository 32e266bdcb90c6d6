package checkout

import (
	"bytes"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/pg"
	"foyer/billing"
)

// ReasonCancelled is why money goes back for a booking that was cancelled or declined.
const ReasonCancelled billing.RefundReason = "cancelled"

// RefundTx tells what was paid by card for bookings, and has it go back to the card where the caller says so:
// booking.Options.RefundTx. What was paid for a booking is its line of the order: the listed price without what was taken
// off it, and the tax on top of that; whole adds its part of the service fee, so that an order whose bookings all go back whole gives back every unit that
// was paid. There is one refund for each payment, and never more than is left of it.
func (s *Service) RefundTx(ctx context.Context, tx *pg.Tx, asks []booking.Refund) (map[uuid.UUID]booking.Refunded, error) {
	ids := make([]uuid.UUID, len(asks))
	for i, a := range asks {
		ids[i] = a.BookingID
	}
	sold, err := lockSold(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	out := map[uuid.UUID]booking.Refunded{}
	back := map[uuid.UUID]int64{}
	lines := map[uuid.UUID][]billing.LineBack{}
	var payments []uuid.UUID
	for _, a := range asks {
		line, paid := sold[a.BookingID]
		if !paid {
			continue
		}
		amount, kept := line.due, line.fee
		if a.Whole {
			amount, kept = amount+line.fee, 0
		}
		r := booking.Refunded{PaidAmount: amount, ServiceFeeAmount: kept}
		if a.Back {
			if _, known := back[line.payment]; !known {
				payments = append(payments, line.payment)
			}
			r.BackAmount = min(amount, line.left-back[line.payment])
			back[line.payment] += r.BackAmount
			price := min(r.BackAmount, line.due)
			lines[line.payment] = append(lines[line.payment], billing.LineBack{Line: line.id, Amount: price},
				billing.LineBack{Amount: r.BackAmount - price})
		}
		out[a.BookingID] = r
	}
	slices.SortFunc(payments, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	for _, p := range payments {
		if back[p] == 0 {
			continue
		}
		in := billing.RefundInput{PaymentID: p, Amount: back[p], Reason: ReasonCancelled, Lines: lines[p]}
		if _, err := s.billing.RequestRefundTx(ctx, tx, in); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// soldLine is what was paid for one booking, and what is left of the payment.
type soldLine struct {
	id       uuid.UUID // of the line
	payment  uuid.UUID
	due, fee int64 // the line, and its part of the service fee
	left     int64 // of the payment: what has not gone back
}

// soldRow is a line of an order that was paid by card.
type soldRow struct {
	OrderID, LineID, BookingID, PaymentID uuid.UUID
	GroupID                               *uuid.UUID // of the booking
	TaxMode                               business.TaxMode
	ServiceFeeAmount                      int64
	ListedAmount, DiscountAmount          int64
	TaxAmount                             int64
	Left                                  int64
}

// shares spreads the service fees of orders over their lines. The rows of an order are all of its lines.
func shares(rows []soldRow) map[uuid.UUID]soldLine {
	out := map[uuid.UUID]soldLine{}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].OrderID == rows[0].OrderID {
			n++
		}
		dues := make([]int64, n)
		for i, r := range rows[:n] {
			dues[i] = due(r.TaxMode, r.ListedAmount-r.DiscountAmount, r.TaxAmount)
		}
		for i, s := range stakes(rows[0].ServiceFeeAmount, dues) {
			r := rows[i]
			out[r.BookingID] = soldLine{id: r.LineID, payment: r.PaymentID, due: s.PriceAmount, fee: s.FeeAmount, left: r.Left}
		}
		rows = rows[n:]
	}
	return out
}
