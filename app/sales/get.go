package sales

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/tender"
	"foyer/policy"
)

// Get returns a payment, in any state, with its lines and its refunds. It needs payment.view at its location; with
// the limited form there, only payments of today are found. It returns a not found error and
// policy.ErrMissingFeature.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Detail, error) {
	if err := policy.RequireAny(sc, policy.PaymentView); err != nil {
		return Detail{}, err
	}
	v := s.o.DB.View(sc.Tenant)
	p, today, err := readPayment(ctx, v, id)
	if err != nil {
		return Detail{}, err
	}
	if err := seen(sc, p.LocationID, today); err != nil {
		return Detail{}, err
	}
	s.receipt(&p)
	return readDetail(ctx, s.o.Billing, v, p)
}

// seen refuses a caller who may not see a payment of a location; today reports whether it was made today.
func seen(sc tenancy.Scope, location uuid.UUID, today bool) error {
	if err := policy.RequireAt(sc, policy.PaymentView, location); err != nil {
		return err
	}
	if !today && !policy.WhereFull(sc, policy.PaymentView).At(location) {
		return fault.Missing()
	}
	return nil
}

// readDetail reads the parts of a payment and their refunds, in one trip.
func readDetail(ctx context.Context, of *billing.Service, v *pg.View, p Payment) (Detail, error) {
	out := Detail{Payment: p}
	b := v.Batch()
	lines := queueLines(b, v, p.OrderID)
	parts := queueParts(b, v, p)
	gifts := of.RefundableIn(b, v, p.OrderID)
	if err := b.Send(ctx); err != nil {
		return Detail{}, err
	}
	sold, back, refunds, err := parts()
	if err != nil {
		return Detail{}, err
	}
	out.Refunds = refunds
	out.Lines, out.Taxes = linesOf(*lines, sold, back)
	shareFee(out.Lines, p.FeeAmount)
	out.within(gifts())
	return out, nil
}

// within lowers the refundable amounts to what the gift cards that the payment sold have left, by line.
func (d *Detail) within(gifts map[uuid.UUID]int64) {
	for i, l := range d.Lines {
		if l.ID == nil {
			continue
		}
		if left, sold := gifts[*l.ID]; sold && left < l.Refundable {
			d.Refundable -= l.Refundable - left
			d.Lines[i].Refundable = left
		}
	}
	d.Refundable = max(0, d.Refundable)
	if d.Method == ByCard {
		d.Refundable = d.Currency.Floor(d.Refundable)
	}
}

// linesOf combines the sold parts with the refunded ones. rows are the lines of the order; a line without a part in
// this payment is left out. back has each part once.
func linesOf(rows []lineRow, sold, back []tender.Part) (lines []Line, taxes []TaxTotal) {
	rates := map[ledger.Account]Tax{}
	for _, r := range rows {
		if r.TaxRateID != nil {
			rates[ledger.Tax(*r.TaxRateID)] = Tax{RateID: *r.TaxRateID, Name: r.TaxName, PPM: r.TaxPpm}
		}
	}
	total := map[ledger.Account]*TaxTotal{}
	for _, p := range sold {
		rate, isTax := rates[p.Account]
		if !isTax {
			continue
		}
		if total[p.Account] == nil {
			total[p.Account] = &TaxTotal{Tax: rate}
		}
		total[p.Account].Amount += p.Amount
		total[p.Account].Refunded += of(back, func(q tender.Part) bool { return q.Line == p.Line && q.Account == p.Account })
	}
	for _, t := range total {
		taxes = append(taxes, *t)
	}
	slices.SortFunc(taxes, func(a, b TaxTotal) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.PPM, b.PPM), cmp.Compare(a.RateID.String(), b.RateID.String()))
	})
	for _, r := range append(rows, lineRow{}) { // the last is the service fee
		l := r.line()
		ofLine := func(p tender.Part) bool { return p.Line == r.ID }
		l.Total, l.Refunded = of(sold, ofLine), of(back, ofLine)
		l.Refundable = max(0, l.Total-l.Refunded)
		l.TaxAmount = of(sold, func(p tender.Part) bool { _, isTax := rates[p.Account]; return isTax && p.Line == r.ID })
		if r.ID == uuid.Nil {
			l.Listed = l.Total - l.TaxAmount
		}
		if l.Total > 0 || r.ID != uuid.Nil && len(sold) == 0 {
			lines = append(lines, l)
		}
	}
	return lines, taxes
}

// shareFee allocates the platform fee of a payment to its bookings, by the customer's price of each: the service fee,
// paid for all together, is no booking. A224.
func shareFee(lines []Line, fee int64) {
	weights, paid := make([]int64, len(lines)), int64(0)
	for i, l := range lines {
		if l.ID != nil {
			weights[i] = l.Total
			paid += l.Total
		}
	}
	if paid == 0 {
		return
	}
	for i, n := range money.Alloc(fee, weights) {
		lines[i].FeeShare = n
	}
}

// of adds up the parts that are meant.
func of(parts []tender.Part, meant func(tender.Part) bool) (sum int64) {
	for _, p := range parts {
		if meant(p) {
			sum += p.Amount
		}
	}
	return sum
}
