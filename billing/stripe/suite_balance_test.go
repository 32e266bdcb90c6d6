package stripe_test

import (
	"testing"
	"time"

	"foyer/billing/processor"
)

// every reads all pages of a list.
func every[T any](t *testing.T, id func(T) string, read func(after string) (processor.Listed[T], error)) (all []T, pages int) {
	t.Helper()
	after := ""
	for {
		page, err := read(after)
		if err != nil {
			t.Fatal(err)
		}
		all, pages = append(all, page.Items...), pages+1
		if !page.More {
			return all, pages
		}
		after = id(page.Items[len(page.Items)-1])
	}
}

func (x target) transactions(t *testing.T, in processor.BalanceList) ([]processor.Transaction, int) {
	t.Helper()
	in.Account = x.Account
	return every(t, func(b processor.Transaction) string { return b.ID }, func(after string) (processor.Listed[processor.Transaction], error) {
		in.After = after
		return x.Processor.ListBalance(t.Context(), in)
	})
}

// balance returns the account's balance in the currency of the suite.
func (x target) balance(t *testing.T) processor.Balance {
	t.Helper()
	all, err := x.Processor.Balance(t.Context(), x.Account)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range all {
		if h.Currency == x.Currency {
			return h
		}
	}
	return processor.Balance{Currency: x.Currency}
}

func balanceOfASale(t *testing.T, x target) {
	begun := x.Now()
	in := x.paid(t, 2245, 45)
	r, err := x.refund(t, in.ID, 1000)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := x.transactions(t, processor.BalanceList{List: processor.List{Since: begun.Add(-time.Minute)}})
	want(t, "how much is listed", len(all), 2)
	back, sale := all[0], all[1] // the newest first
	want(t, "the sale's category", sale.Category, processor.CategoryCharge)
	want(t, "its source", sale.Source, in.ChargeID)
	want(t, "its payment", sale.PaymentID, in.ID)
	want(t, "its metadata", sale.Metadata["kind"], "order")
	want(t, "what it did", sale.Settlement, *in.Settlement)
	want(t, "the refund's category", back.Category, processor.CategoryRefund)
	want(t, "its source", back.Source, r.ID)
	want(t, "its payment", back.PaymentID, in.ID)
	want(t, "its metadata", back.Metadata["refund_id"], "r1")
	want(t, "its amount", back.Gross, int64(-1000))
	if sale.CreatedAt.Before(begun.Add(-time.Second)) || !sale.AvailableOn.After(sale.CreatedAt) {
		t.Errorf("made at %s, available at %s", sale.CreatedAt, sale.AvailableOn)
	}
	h := x.balance(t)
	want(t, "what the account has", h.Available+h.Pending, sale.Net+back.Net)
	none, _ := x.transactions(t, processor.BalanceList{List: processor.List{Since: x.Now().Add(time.Hour)}})
	want(t, "what is listed of the future", len(none), 0)
	refunds, err := x.Processor.ListRefunds(t.Context(), x.Account, in.ID)
	if err != nil || len(refunds) != 1 || refunds[0].ID != r.ID || refunds[0].Settlement == nil {
		t.Errorf("the payment's refunds: %+v, %v", refunds, err)
	}
}

func refundByHand(t *testing.T, x target) {
	in := x.paid(t, 2245, 45)
	x.ByHand(t, in.ID, 500)
	refunds, err := x.Processor.ListRefunds(t.Context(), x.Account, in.ID)
	if err != nil || len(refunds) != 1 {
		t.Fatalf("%+v, %v", refunds, err)
	}
	r := refunds[0]
	want(t, "the amount", r.Amount, int64(500))
	want(t, "the payment", r.PaymentID, in.ID)
	want(t, "what it returned of the fee", r.Settlement.PlatformFee, int64(0))
	if len(r.Metadata) != 0 {
		t.Errorf("metadata: %v", r.Metadata)
	}
	e, _ := x.find(t, "refund.created", in.ID)
	want(t, "the object", e.ObjectID, r.ID)
}

func manyPages(t *testing.T, x target) {
	in := x.paid(t, 22000, 44)
	for range 105 {
		x.ByHand(t, in.ID, 100)
	}
	all, pages := x.transactions(t, processor.BalanceList{})
	ids := map[string]bool{}
	var net int64
	for i, b := range all {
		ids[b.ID] = true
		net += b.Net
		if i > 0 && b.CreatedAt.After(all[i-1].CreatedAt) {
			t.Errorf("%d is newer than the one before", i)
		}
	}
	want(t, "how many there are", len(ids), 106)
	want(t, "how many are listed", len(all), 106)
	want(t, "the pages", pages, 2)
	h := x.balance(t)
	want(t, "what the account has", h.Available+h.Pending, net)
}

func disputed(t *testing.T, x target) {
	won, lost := x.paid(t, 2245, 45), x.paid(t, 1100, 22)
	for payment, end := range map[string]bool{won.ID: true, lost.ID: false} {
		id := x.Dispute(t, payment)
		d, err := x.Processor.GetDispute(t.Context(), x.Account, id)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "the status", d.Status, processor.DisputeNeedsResponse)
		want(t, "the payment", d.PaymentID, payment)
		if !d.EvidenceDueBy.After(x.Now()) || d.ChargeID == "" || d.Reason == "" || d.Currency != x.Currency || len(d.Settlements) != 1 {
			t.Fatalf("%+v", d)
		}
		want(t, "what it took", d.Settlements[0].Gross, -d.Amount)
		if d.Settlements[0].ProcessorFee <= 0 {
			t.Errorf("a dispute costs %d", d.Settlements[0].ProcessorFee)
		}
		want(t, "something was handed in", d.EvidenceSubmitted, false)
		x.submitEvidence(t, id)
		_, err = x.refund(t, payment, 100)
		wantErr(t, err, processor.ErrRefundDisputed)
		e, _ := x.find(t, "charge.dispute.created", payment)
		want(t, "the object", e.ObjectID, id)
		want(t, "its kind", e.ObjectKind, "dispute")
		x.EndDispute(t, id, end)
		if d, err = x.Processor.GetDispute(t.Context(), x.Account, id); err != nil {
			t.Fatal(err)
		}
		want(t, "it is over", d.Status.Over(), true)
		if end {
			want(t, "the status", d.Status, processor.DisputeWon)
			want(t, "what came back", d.Settlements[1].Gross, d.Amount)
			x.find(t, "charge.dispute.funds_reinstated", payment)
		} else {
			want(t, "the status", d.Status, processor.DisputeLost)
			want(t, "what moved", len(d.Settlements), 1)
		}
		x.find(t, "charge.dispute.closed", payment)
		_, err = x.Processor.GetDispute(t.Context(), x.Other, id)
		wantErr(t, err, processor.ErrUnknownObject)
	}
	all, _ := every(t, func(d processor.Dispute) string { return d.ID }, func(after string) (processor.Listed[processor.Dispute], error) {
		return x.Processor.ListDisputes(t.Context(), processor.List{Account: x.Account, After: after})
	})
	want(t, "how many are listed", len(all), 2)
	moved, _ := x.transactions(t, processor.BalanceList{})
	kinds := map[processor.Category]int{}
	for _, m := range moved {
		kinds[m.Category]++
	}
	want(t, "withdrawals", kinds[processor.CategoryDispute], 2)
	want(t, "reversals", kinds[processor.CategoryDisputeReversal], 1)
}

// submitEvidence hands an answer in: once, on the account that has the dispute, and again under its key.
func (x target) submitEvidence(t *testing.T, id string) {
	t.Helper()
	in := processor.EvidenceSubmission{Account: x.Other, Dispute: id, Key: "answer:" + id, Words: processor.Evidence{Product: "Yoga", Attendance: "Came at nine"}}
	_, err := x.Processor.SubmitEvidence(t.Context(), in)
	wantErr(t, err, processor.ErrUnknownObject)
	in.Account, in.Key = x.Account, "answer:own:"+id
	for range 2 {
		d, err := x.Processor.SubmitEvidence(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "the status", d.Status, processor.DisputeUnderReview)
		want(t, "something was handed in", d.EvidenceSubmitted, true)
	}
	in.Key = "answer:again:" + id
	_, err = x.Processor.SubmitEvidence(t.Context(), in)
	if err == nil || processor.Retryable(err) {
		t.Errorf("a second answer: %v", err)
	}
}

func disputeByItself(t *testing.T, x target) {
	in := x.create(t, 2200, 44)
	x.Pay(t, in, cardIsDisputed)
	x.Wait(6 * time.Second)
	x.get(t, in.ID)
	e, _ := x.find(t, "charge.dispute.created", in.ID)
	d, err := x.Processor.GetDispute(t.Context(), x.Account, e.ObjectID)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the amount", d.Amount, int64(2200))
}

func paidOut(t *testing.T, x target) {
	in := x.paid(t, 2245, 45)
	want(t, "what is pending", x.balance(t).Pending, in.Settlement.Net)
	x.Wait(50 * time.Hour)
	want(t, "what is available", x.balance(t).Available, in.Settlement.Net)
	id := x.PayOut(t)
	p, err := x.Processor.GetPayout(t.Context(), x.Account, id)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the amount", p.Amount, in.Settlement.Net)
	want(t, "it is on a schedule", p.Automatic, true)
	if !p.ArrivesOn.Equal(p.ArrivesOn.Truncate(24*time.Hour)) || p.ArrivesOn.Before(x.Now().Add(-24*time.Hour)) {
		t.Errorf("it arrives on %s", p.ArrivesOn)
	}
	want(t, "what is left", x.balance(t).Available, int64(0))
	x.Wait(25 * time.Hour)
	e, _ := x.find(t, "payout.paid", "")
	want(t, "the object", e.ObjectID, id)
	x.find(t, "payout.reconciliation_completed", "")
	all, _ := every(t, func(p processor.Payout) string { return p.ID }, func(after string) (processor.Listed[processor.Payout], error) {
		return x.Processor.ListPayouts(t.Context(), processor.List{Account: x.Account, After: after})
	})
	if len(all) != 1 || all[0].Status != processor.PayoutPaid || !all[0].Complete {
		t.Fatalf("%+v", all)
	}
	lines, _ := x.transactions(t, processor.BalanceList{Payout: id})
	want(t, "its lines", len(lines), 2) // the sale and the payout itself
	var sum int64
	for _, l := range lines {
		sum += l.Net
	}
	want(t, "their sum", sum, int64(0))
	x.FailPayout(t, id)
	if p, err = x.Processor.GetPayout(t.Context(), x.Account, id); err != nil {
		t.Fatal(err)
	}
	want(t, "the status", p.Status, processor.PayoutFailed)
	if p.FailureCode == "" || p.FailureMessage == "" {
		t.Errorf("it failed for no reason: %+v", p)
	}
	want(t, "what is available again", x.balance(t).Available, in.Settlement.Net)
	_, err = x.Processor.GetPayout(t.Context(), x.Other, id)
	wantErr(t, err, processor.ErrUnknownObject)
}
