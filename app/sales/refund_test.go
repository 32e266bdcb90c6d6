package sales_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/sales"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/policy"
)

func back(p uuid.UUID, in sales.RefundInput) sales.RefundInput {
	in.PaymentID, in.Reason, in.Note = p, billing.ReasonRequested, " she was ill "
	return in
}

// two is a payment for a taxed class of 22.00 and one of 9.00, with the service fee on top of both.
func (s till) two(t testing.TB) sales.Detail {
	t.Helper()
	s.feeMode(t, billing.ModeCustomer)
	rate := s.AddTaxRate(t, "Sales tax", 88_750).ID
	return s.sold(t, s.class(t, 2200, func(o *apptest.OfferingRow) { o.TaxRate = &rate }), s.class(t, 900))
}

// A payment shows its lines, to the cent.
func TestA30_PaymentWithItsFees(t *testing.T) {
	s := open(t)
	p := s.two(t)
	if p.ProcessorFee != nil || p.Net != nil {
		t.Errorf("before the processor has said what it cost: %v, %v", p.ProcessorFee, p.Net)
	}
	s.check(t)
	trips := s.w.Statements(func() { p = s.get(t, p.ID) })
	if trips != 2 {
		t.Errorf("%d trips", trips)
	}
	var total, left int64
	for _, l := range p.Lines {
		total, left = total+l.Total, left+l.Refundable
	}
	if p.State != sales.Paid || p.Method != sales.ByCard || total != p.Amount || left != p.Amount || p.Refundable != p.Amount || !p.Test || p.Receipt == "" {
		t.Errorf("%+v", p)
	}
	if len(p.Lines) != 3 || p.Lines[0].Total != 2395 || p.Lines[0].TaxAmount != 195 || p.Lines[0].Listed != 2200 || p.Lines[1].Total != 900 || p.Lines[1].Tax != nil {
		t.Errorf("%+v", p.Lines)
	}
	if fee := p.Lines[2]; fee.ID != nil || fee.Total != p.Amount-3295 || fee.Total != p.FeeAmount || p.FeePPM != 20_000 {
		t.Errorf("a service fee of %+v, the platform's is %d", fee, p.FeeAmount)
	}
	if len(p.Taxes) != 1 || p.Taxes[0].Amount != 195 || p.Taxes[0].Name != "Sales tax" || p.Taxes[0].PPM != 88_750 || p.Taxes[0].Refunded != 0 {
		t.Errorf("%+v", p.Taxes)
	}
	if p.ProcessorFee == nil || *p.ProcessorFee == 0 || *p.Net != p.Amount-p.FeeAmount-*p.ProcessorFee {
		t.Errorf("processor's fee %v, net %v", p.ProcessorFee, p.Net)
	}
	if p.CardBrand != "visa" || p.CardLast4 != "4242" || p.CustomerName != "" || p.PaidAt == nil ||
		p.Lines[0].BookingID == nil {
		t.Errorf("%+v", p)
	}
}

// One line is refunded: its own accounts and its own tax, the same share of the platform fee, and no booking changes.
func TestRefundByLine(t *testing.T) {
	s := open(t)
	p := s.two(t)
	s.check(t)
	var got sales.RefundResult
	var err error
	if trips := s.w.Statements(func() {
		got, err = s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Lines: []uuid.UUID{*p.Lines[0].ID}}))
	}); trips != 6 { // one of them the commit
		t.Errorf("%d trips", trips)
	}
	if must(t, got, err).Refund.Amount != 2395 || got.TaxAmount != 195 || got.RefundableAmount != p.Amount-2395 || got.Currency != "USD" || got.CardLast4 != "4242" {
		t.Fatalf("%+v", got)
	}
	if len(got.Lines) != 1 || *got.Lines[0].LineID != *p.Lines[0].ID || got.Lines[0].Amount != 2395 || got.Lines[0].TaxAmount != 195 {
		t.Errorf("%+v", got.Lines)
	}
	if want := billing.FeeRefund(p.FeeAmount, p.Amount, 2395); got.Refund.FeeAmount != want || want == 0 {
		t.Errorf("%d of the platform fee comes back, want %d", got.Refund.FeeAmount, want)
	}
	s.check(t)
	p = s.get(t, p.ID)
	if p.State != sales.PartlyRefunded || p.Refunded != 2395 || p.Refundable != p.Amount-2395 || p.Lines[0].Refundable != 0 || p.Lines[1].Refundable != 900 || p.Taxes[0].Refunded != 195 {
		t.Errorf("%+v", p)
	}
	if len(p.Refunds) != 1 || p.Refunds[0].State != billing.RequestSucceeded || p.Refunds[0].Note != "she was ill" || p.Refunds[0].Reason != billing.ReasonRequested {
		t.Errorf("%+v", p.Refunds)
	}
	if *p.Net != p.Refundable-p.FeeAmount+p.FeeRefunded-*p.ProcessorFee || p.FeeRefunded != got.Refund.FeeAmount {
		t.Errorf("net %d", *p.Net)
	}
	if n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), ledger.IncomeClass, "USD"); err != nil || n != -900 {
		t.Errorf("the books say %d (%v)", n, err)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from bookings where state = 'confirmed'"); n != 2 {
		t.Errorf("%d bookings stand", n)
	}
	_, err = s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Lines: []uuid.UUID{*p.Lines[0].ID}}))
	refused(t, "the same line", err, sales.ErrNothingRefundable)
	got, err = s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Lines: []uuid.UUID{*p.Lines[1].ID}, ServiceFee: true}))
	if must(t, got, err).RefundableAmount != 0 || got.Lines[1].LineID != nil || got.Lines[1].Amount != p.Lines[2].Total {
		t.Errorf("%+v", got)
	}
	s.check(t)
	p = s.get(t, p.ID)
	if p.State != sales.Refunded || p.FeeRefunded != p.FeeAmount || *p.Net != -*p.ProcessorFee {
		t.Errorf("all of it back: %+v", p.Payment)
	}
}

// Amounts are spread over the refundable amounts, after any earlier refunds, and refund them to the cent.
func TestRefundByAmount(t *testing.T) {
	s := open(t)
	p := s.two(t)
	for _, n := range []int64{1, 1000, 333} {
		got, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(n)}))
		var sum int64
		for _, l := range must(t, got, err).Lines {
			sum += l.Amount
		}
		if sum != n || got.Refund.Amount != n {
			t.Errorf("%+v", got)
		}
	}
	left := p.Amount - 1334
	_, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(left + 1)}))
	refused(t, "a cent more than is left", err, processor.ErrRefundTooLarge)
	if f := fault.From(err); f == nil || f.Details["refundable"] != left {
		t.Errorf("%+v", f)
	}
	if _, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(left)})); err != nil {
		t.Fatal(err)
	}
	s.check(t)
	p = s.get(t, p.ID)
	if p.State != sales.Refunded || p.FeeRefunded != p.FeeAmount || slices.ContainsFunc(p.Lines, func(l sales.Line) bool { return l.Refundable != 0 }) {
		t.Errorf("%+v", p)
	}
}

// Concurrent requests: the refunds never exceed the payment, and every refund is one at the processor.
func TestRefundRace(t *testing.T) {
	s := open(t)
	p := s.two(t)
	var wg sync.WaitGroup
	errs := make([]error, 12)
	for i := range errs {
		wg.Go(func() {
			in := sales.RefundInput{Lines: []uuid.UUID{*p.Lines[0].ID}}
			if i%3 > 0 {
				in = sales.RefundInput{Amount: amount(1200)}
			}
			_, errs[i] = s.Money.Refund(context.WithoutCancel(t.Context()), s.Owner, back(p.ID, in))
		})
	}
	wg.Wait()
	done := 0
	for _, err := range errs {
		if err == nil {
			done++
		} else if !errors.Is(err, processor.ErrRefundTooLarge) && !errors.Is(err, sales.ErrNothingRefundable) {
			t.Error(err)
		}
	}
	s.check(t)
	if back := s.Refunded(t); back > p.Amount || done == 0 || back == 0 {
		t.Errorf("%d of %d went back in %d refunds", back, p.Amount, done)
	}
	if after := s.get(t, p.ID); after.Refunded != s.Refunded(t) {
		t.Errorf("%d by the rows, %d at the processor", after.Refunded, s.Refunded(t))
	}
}

// The front desk refunds up to the cap of the location, all refunds of a payment together; the full form has no cap.
func TestRefundCap(t *testing.T) {
	s := open(t)
	p := s.sold(t, s.class(t, 2200))
	desk := s.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	manager := s.Join(t, "manager@example.com", apptest.At(policy.Manager, s.Location.ID))
	give := func(n int64) error {
		_, err := s.Money.Refund(t.Context(), desk, back(p.ID, sales.RefundInput{Amount: amount(n)}))
		return err
	}
	refused(t, "as it is at first", give(1), sales.ErrCap)
	s.w.SQL(t, "update locations set refund_cap_amount = 1000")
	if err := give(600); err != nil {
		t.Fatal(err)
	}
	err := give(401)
	refused(t, "more in all", err, sales.ErrCap)
	if f := fault.From(err); f.Details["cap"] != int64(1000) || f.Details["refunded"] != int64(600) {
		t.Errorf("%+v", f.Details)
	}
	if err := give(400); err != nil {
		t.Error(err)
	}
	if _, err := s.Money.Refund(t.Context(), manager, back(p.ID, sales.RefundInput{Amount: amount(1000)})); err != nil {
		t.Error(err)
	}
	s.check(t)
}

// The input is checked, and payments of others look like unknown ones.
func TestRefundRefuses(t *testing.T) {
	s := open(t)
	other := openIn(t, s.w)
	p, theirs := s.sold(t, s.class(t, 2200)), other.sold(t, other.class(t, 2200))
	ask := func(in sales.RefundInput) error {
		_, err := s.Money.Refund(t.Context(), s.Owner, in)
		return err
	}
	some := sales.RefundInput{Amount: amount(1)}
	foreign, unknown := ask(back(theirs.ID, some)), ask(back(uuid.New(), some))
	if !fault.IsKind(foreign, fault.NotFound) || foreign.Error() != unknown.Error() {
		t.Errorf("foreign: %v, unknown: %v", foreign, unknown)
	}
	for what, in := range map[string]sales.RefundInput{
		"nothing":        back(p.ID, sales.RefundInput{}),
		"both":           back(p.ID, sales.RefundInput{ServiceFee: true, Amount: amount(1)}),
		"zero":           back(p.ID, sales.RefundInput{Amount: amount(0)}),
		"twice":          back(p.ID, sales.RefundInput{Lines: []uuid.UUID{*p.Lines[0].ID, *p.Lines[0].ID}}),
		"nobody's":       back(p.ID, sales.RefundInput{Lines: []uuid.UUID{uuid.New()}}),
		"nil":            back(p.ID, sales.RefundInput{Lines: []uuid.UUID{uuid.Nil}}),
		"a long note":    {PaymentID: p.ID, Amount: amount(1), Note: strings.Repeat("a", money.NoteMost+1)},
		"no such reason": {PaymentID: p.ID, Amount: amount(1), Reason: "whim"},
		"ours alone":     {PaymentID: p.ID, Amount: amount(1), Note: "so", Reason: billing.ReasonLatePayment},
		"another's":      back(p.ID, sales.RefundInput{Lines: []uuid.UUID{*theirs.Lines[0].ID}}),
		"of no fee":      {},
	} {
		if err := ask(in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused(t, "a service fee that there is none of", ask(back(p.ID, sales.RefundInput{ServiceFee: true})), sales.ErrNothingRefundable)
	for what, sc := range map[string]policy.Role{"accountant": policy.Accountant, "instructor": policy.Instructor} {
		_, err := s.Money.Refund(t.Context(), s.Join(t, what+"@example.com", apptest.Everywhere(sc)), back(p.ID, some))
		refused(t, what, err, policy.ErrMissingFeature)
	}
	s.begin(t, s.Customer(t, "Bob"), s.class(t, 2200))
	refused(t, "not paid yet", ask(back(s.list(t, s.Owner, sales.ListInput{State: sales.Open})[0].ID, some)), sales.ErrNothingRefundable)
	if n := apptest.Value[int](t, s.w, "select count(*) from refunds"); n != 0 {
		t.Errorf("%d refunds", n)
	}
}

// A refund that the card's bank refuses is refundable again, and shown with the next step.
func TestRefundThatFails(t *testing.T) {
	s := open(t)
	p := s.sold(t, s.class(t, 2200))
	got, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(500)}))
	must(t, got, err)
	s.w.SQL(t, "update refunds set state = 'failed', due_at = null")
	after := s.get(t, p.ID)
	if after.State != sales.Paid || after.Refundable != 2200 || len(after.Refunds) != 1 || after.Refunds[0].State != billing.RequestFailed || after.Lines[0].Refundable != 2200 {
		t.Errorf("%+v", after)
	}
}

// A payment that the studio has refunded as credit, and then once more by hand in its own dashboard, has refunds
// above its amount. It shows so, and nothing of it is refundable, by amount or by line.
func TestRefundedMoreThanWasPaid(t *testing.T) {
	s := open(t)
	p := s.sold(t, s.class(t, 2200))
	got, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(2200), Destination: billing.ToCredit}))
	must(t, got, err)
	s.jobs(t)
	intent := apptest.Value[string](t, s.w, "select intent from payments where id = $1", p.ID)
	refund, err := s.Sim.DashboardRefund(s.Account, intent, 2000)
	must(t, refund, err)
	s.jobs(t)
	after := s.get(t, p.ID)
	if after.Refunded != 4200 || after.Refundable != 0 || after.Lines[0].Refunded != 4200 || after.Lines[0].Refundable != 0 {
		t.Errorf("%+v", after)
	}
	for what, in := range map[string]sales.RefundInput{"an amount": {Amount: amount(1)}, "a line": {Lines: []uuid.UUID{*p.Lines[0].ID}}} {
		_, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, in))
		refused(t, what, err, sales.ErrNothingRefundable)
	}
}

// A quote returns the effects of the refund, does nothing, and holds only as long as they stay the same; the repeated
// call is the same refund.
func TestRefundIsQuoted(t *testing.T) {
	s := open(t)
	p := s.two(t)
	ask := pg.QuoteKey{Credential: [32]byte{1}, Request: [32]byte{2}}
	verb := func(ctx context.Context) (sales.RefundResult, error) {
		return s.Money.Refund(ctx, s.Owner, back(p.ID, sales.RefundInput{Lines: []uuid.UUID{*p.Lines[0].ID}}))
	}
	told, quote, err := pg.DryRun(t.Context(), ask, verb)
	if must(t, told, err).Refund.Amount != 2395 || s.get(t, p.ID).Refunded != 0 {
		t.Fatalf("%+v", told)
	}
	did, err := pg.Redeem(t.Context(), ask, quote.ID, verb)
	same, err2 := pg.Redeem(t.Context(), ask, quote.ID, verb)
	if must(t, did, err).Refund.ID != must(t, same, err2).Refund.ID || s.get(t, p.ID).Refunded != 2395 {
		t.Errorf("%+v, again %+v", did, same)
	}
	a, _ := json.Marshal(did)
	b, _ := json.Marshal(same)
	if string(a) != string(b) {
		t.Errorf("%s and %s", a, b)
	}
	verb = func(ctx context.Context) (sales.RefundResult, error) {
		return s.Money.Refund(ctx, s.Owner, back(p.ID, sales.RefundInput{Amount: amount(500)}))
	}
	_, quote, err = pg.DryRun(t.Context(), ask, verb)
	must(t, quote, err)
	if _, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(100)})); err != nil {
		t.Fatal(err)
	}
	_, err = pg.Redeem(t.Context(), ask, quote.ID, verb)
	refused(t, "somebody else gave some back meanwhile", err, pg.ErrQuoteChanged)
	s.check(t)
}
