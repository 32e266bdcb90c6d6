package sales

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/order"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/tender"
)

// found is a payment, and whether it was made today on the wall clock of its location.
type found struct {
	row
	Today bool
}

// readPayment reads a payment of either kind. It returns a not found error for an unknown id.
func readPayment(ctx context.Context, r pg.Reader, id uuid.UUID) (Payment, bool, error) {
	f, err := pg.Found(pg.One[found](ctx, r, `with x as (`+cardColumns+` and p.id = $2 union all `+manualPaymentColumns+` and t.id = $2), y as (`+beside+`)
		select y.*, coalesce(y.paid_at, y.created_at)
			>= date_trunc('day', $3::timestamptz at time zone y.zone) at time zone y.zone as today from y`,
		r.Business(), id, r.Now()))
	return f.payment(), f.Today, err
}

// lineRow is a line of an order; the zero row stands for the service fee.
type lineRow struct {
	ID             uuid.UUID
	BookingID      *uuid.UUID
	Kind           order.Kind
	Subject        uuid.UUID `db:"subject_id,null"`
	Quantity       int
	Label          string
	StartsAt       *time.Time
	Attendee       string `db:",null"`
	Party          int    `db:",null"`
	Returned       int
	ListedAmount   int64
	DiscountAmount int64
	TaxRateID      *uuid.UUID
	TaxName        string
	TaxPpm         int64
}

// queueLines queues the reading of an order's lines.
func queueLines(b *pg.Batch, r pg.Reader, orderID uuid.UUID) *[]lineRow {
	rows := new([]lineRow)
	pg.QueueAll(b, rows, `select i.id, k.id as booking_id, coalesce(o.kind, i.kind) as kind, i.subject_id,
		i.quantity, i.label,
		k.starts_at, k.attendee, k.party, `+order.ReturnedSQL("i")+` as returned, i.listed_amount, i.discount_amount,
		i.tax_rate_id, i.tax_name, i.tax_ppm
		from order_lines i
		left join fees f on f.business_id = $1 and f.id = i.fee_id
		left join bookings k on k.business_id = $1 and k.id = coalesce(i.booking_id, f.booking_id)
		left join offerings o on o.business_id = $1 and o.id = k.offering_id
		where i.business_id = $1 and i.order_id = $2 order by i.position`, r.Business(), orderID)
	return rows
}

func (r lineRow) line() Line {
	if r.ID == uuid.Nil {
		return Line{}
	}
	l := Line{
		ID: &r.ID, BookingID: r.BookingID, Kind: r.Kind, Subject: r.Subject, Quantity: r.Quantity, Returned: r.Returned,
		Label:    r.Label,
		StartsAt: r.StartsAt, Attendee: r.Attendee, Party: r.Party,
		Listed: r.ListedAmount, Discount: r.DiscountAmount,
	}
	if r.TaxRateID != nil {
		l.Tax = &Tax{RateID: *r.TaxRateID, Name: r.TaxName, PPM: r.TaxPpm}
	}
	return l
}

// refundRow is a refund with its parts; nil from before there were books.
type refundRow struct {
	Refund
	Parts []tender.Part
}

// queueParts queues the reading of a payment's parts and refunds. The returned function gives both once the batch is
// sent, each refunded part once, and the refunds.
func queueParts(b *pg.Batch, r pg.Reader, p Payment) func() (sold, back []tender.Part, refunds []Refund, err error) {
	if p.Method != ByCard {
		return queueStudioParts(b, r, p.ID)
	}
	all := order.QueueSold(b, r, p.OrderID)
	var rows []refundRow
	pg.QueueAll(b, &rows, `select id, amount, fee_amount + fee_later_amount as fee_amount, state, reason, destination, note, parts, created_at, updated_at from refunds
		where business_id = $1 and payment_id = $2 order by created_at, id`, r.Business(), p.ID)
	return func() (sold, back []tender.Part, refunds []Refund, err error) {
		if sold, err = all(); err != nil {
			return nil, nil, nil, err
		}
		asked := make([]billing.RefundRequest, len(rows))
		for i, r := range rows {
			refunds = append(refunds, r.Refund)
			asked[i] = billing.RefundRequest{ID: r.ID, Amount: r.Amount, State: r.State, Parts: r.Parts}
		}
		left := billing.RefundableParts(sold, asked)
		for i, s := range sold {
			s.Amount -= left[i].Amount
			back = append(back, s)
		}
		return sold, back, refunds, nil
	}
}

// queueStudioParts is queueParts of a payment at the desk. A void one has no refundable part.
func queueStudioParts(
	b *pg.Batch, r pg.Reader, id uuid.UUID,
) func() (sold, back []tender.Part, refunds []Refund, err error) {
	parts := tender.PartsOf(b, r, id)
	var rows []refundRow
	pg.QueueAll(b, &rows, `select id, amount, fee_amount, state, reason, destination, note, parts, created_at, updated_at
		from refunds where business_id = $1 and tender_id = $2 order by created_at, id`, r.Business(), id)
	return func() (sold, back []tender.Part, refunds []Refund, err error) {
		for _, g := range rows {
			back, refunds = append(back, g.Parts...), append(refunds, g.Refund)
		}
		return *parts, back, refunds, nil
	}
}
