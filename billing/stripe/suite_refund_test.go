package stripe_test

import (
	"testing"

	"foyer/billing"
	"foyer/billing/billingtest"
	"foyer/billing/processor"
)

func (x target) refund(t *testing.T, payment string, amount int64) (processor.Refund, error) {
	t.Helper()
	return x.Processor.Refund(t.Context(), processor.NewRefund{
		Account: x.Account, Payment: payment, Amount: amount, Currency: x.Currency, ReturnFee: true,
		Metadata: map[string]string{"refund_id": "r1"}, Key: key("refund"),
	})
}

// feeRefund returns the part of the platform's fee refunded with a refund.
func (x target) feeRefund(t *testing.T, r processor.Refund) int64 {
	t.Helper()
	got, err := x.Processor.GetRefund(t.Context(), x.Account, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the refund's status", got.Status, processor.RefundSucceeded)
	if got.Settlement == nil {
		t.Fatal("the refund did nothing to the balance")
	}
	want(t, "the gross", got.Settlement.Gross, -got.Amount)
	want(t, "the net", got.Settlement.Net, got.Settlement.Gross-got.Settlement.ProcessorFee-got.Settlement.PlatformFee)
	return -got.Settlement.PlatformFee
}

func refundProRata(t *testing.T, x target) {
	in := x.paid(t, 2444, 49)
	var refunded, back int64
	for _, amount := range []int64{815, 815, 814} { // refunds 16, 17 and 16: the remainder is not lost
		r, err := x.refund(t, in.ID, amount)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "the amount", r.Amount, amount)
		want(t, "the payment", r.PaymentID, in.ID)
		want(t, "the charge", r.ChargeID, in.ChargeID)
		want(t, "the metadata", r.Metadata["refund_id"], "r1")
		refunded += amount
		back += x.feeRefund(t, r)
		want(t, "the fee returned so far", back, billing.FeeRefund(49, 2444, refunded))
	}
	want(t, "the fee returned in all", back, int64(49))
}

func refundInFull(t *testing.T, x target) {
	in := x.create(t, 2245, 45)
	x.Pay(t, in, billingtest.CardGood) // and at once: before its fees are known
	call := processor.NewRefund{Account: x.Account, Payment: in.ID, Amount: 2245, Currency: x.Currency, ReturnFee: true, Key: key("refund")}
	r, err := x.Processor.Refund(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the fee returned", x.feeRefund(t, r), int64(45))
	again, err := x.Processor.Refund(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the refund of the same key", again.ID, r.ID)
}

func overRefund(t *testing.T, x target) {
	in := x.paid(t, 2200, 44)
	_, err := x.refund(t, in.ID, 2201)
	wantErr(t, err, processor.ErrRefundTooLarge)
	if _, err := x.refund(t, in.ID, 1500); err != nil {
		t.Fatal(err)
	}
	_, err = x.refund(t, in.ID, 701)
	wantErr(t, err, processor.ErrRefundTooLarge)
	if _, err := x.refund(t, in.ID, 700); err != nil {
		t.Fatal(err)
	}
	_, err = x.refund(t, in.ID, 1)
	wantErr(t, err, processor.ErrRefundTooLarge)
	_, err = x.refund(t, in.ID, 0)
	wantErr(t, err, processor.ErrAmountRefused)

	open := x.create(t, 2200, 44)
	_, err = x.refund(t, open.ID, 100)
	wantErr(t, err, processor.ErrRefused)
}

func otherAccount(t *testing.T, x target) {
	in := x.paid(t, 2200, 44)
	r, err := x.refund(t, in.ID, 100)
	if err != nil {
		t.Fatal(err)
	}
	ctx, p := t.Context(), x.Processor
	_, err = p.GetPayment(ctx, x.Other, in.ID)
	wantErr(t, err, processor.ErrUnknownObject)
	_, err = p.CancelPayment(ctx, x.Other, in.ID, key("cancel"))
	wantErr(t, err, processor.ErrUnknownObject)
	_, err = p.GetRefund(ctx, x.Other, r.ID)
	wantErr(t, err, processor.ErrUnknownObject)
	_, err = p.Refund(ctx, processor.NewRefund{Account: x.Other, Payment: in.ID, Amount: 100, Currency: x.Currency, Key: key("refund")})
	wantErr(t, err, processor.ErrUnknownObject)
	_, err = p.GetPayment(ctx, x.Account, "pi_nonexistent")
	wantErr(t, err, processor.ErrUnknownObject)
}
