package sales_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/sales"
	"foyer/billing"
	"foyer/billing/processor"
)

// Issue 31, item 4. Staff refund amounts that are possible for a card: another amount is refused with the nearest
// two, lines are rounded, and the refundable amount then is the remainder to the fils, to the card and as credit.
func TestRefundInSteps(t *testing.T) {
	s := open(t, func(p *apptest.StudioPlan) { p.Currency = "BHD" })
	rate := s.AddTaxRate(t, "VAT", 100_000).ID
	class := func() apptest.OccurrenceRow {
		return s.class(t, 4250, func(o *apptest.OfferingRow) { o.TaxRate = &rate })
	}
	p := s.sold(t, class(), class())
	if p.Amount != 9350 || p.Lines[0].Total != 4675 {
		t.Fatalf("%+v", p)
	}
	for _, to := range []billing.Destination{billing.ToOriginal, billing.ToCredit} {
		_, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(333), Destination: to}))
		refused(t, "333", err, billing.ErrRefundStep)
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || f.Details["below"] != int64(330) || f.Details["above"] != int64(340) {
			t.Errorf("%+v", f)
		}
	}
	_, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(9351)}))
	refused(t, "more than there is", err, processor.ErrRefundTooLarge)
	give := func(in sales.RefundInput, want int64) {
		t.Helper()
		got, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, in))
		var lines int64
		for _, l := range must(t, got, err).Lines {
			lines += l.Amount
		}
		if got.Refund.Amount != want || lines != want {
			t.Errorf("%+v, want %d", got, want)
		}
	}
	give(sales.RefundInput{Amount: amount(330)}, 330)
	give(sales.RefundInput{Lines: []uuid.UUID{*p.Lines[0].ID}}, 4510) // 4675 - 165
	give(sales.RefundInput{Amount: amount(1000), Destination: billing.ToCredit}, 1000)
	give(sales.RefundInput{Lines: []uuid.UUID{*p.Lines[1].ID}}, 3510)
	s.check(t)
	if p = s.get(t, p.ID); p.Refundable != 0 || p.State != sales.Refunded {
		t.Errorf("%d is left, %s", p.Refundable, p.State)
	}
	if got := s.Refunded(t); got != 9350-1000 {
		t.Errorf("the processor gave %d back", got)
	}
}
