package billingtest

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"foyer/billing"
)

// Run holds an implementation against the suite. start is called once for each part.
func Run(t *testing.T, start func(t *testing.T) Target) {
	for _, part := range []struct {
		name string
		f    func(*testing.T, Target)
	}{
		{"an account is onboarded", onboarding},
		{"a disconnected account is data, and its payments fail", disconnected},
		{"A24 A30 a direct charge carries the platform fee", directCharge},
		{"A29 a charge without a fee", chargeWithoutFee},
		{"a decline is data and can be tried again", decline},
		{"the bank asks", bank},
		{"the same key is the same payment", sameKey},
		{"the same key at the same moment is one payment", sameKeyRace},
		{"the same key with another request clashes", keyClash},
		{"a payment is canceled", cancel},
		{"amounts that cannot be charged", badAmounts},
		{"a refund returns the fee pro rata", refundProRata},
		{"a refund in full returns all of the fee", refundInFull},
		{"no more is refunded than was paid", overRefund},
		{"another account's objects are unknown", otherAccount},
		{"events announce what happened", announced},
		{"events are proven", provenEvents},
		{"a duplicate event is the same event", duplicateEvents},
	} {
		t.Run(part.name, func(t *testing.T) { part.f(t, start(t)) })
	}
}

// key is a new idempotency key. It is new in every run, because the real processor remembers the keys of the last one.
func key(kind string) string { return kind + ":suite:" + rand.Text() }

func (x Target) create(t *testing.T, amount, fee int64) billing.Intent {
	t.Helper()
	in, err := x.Processor.CreatePayment(t.Context(), billing.NewPayment{
		Account: x.Account, Amount: amount, Currency: x.Currency, Fee: fee,
		Metadata: map[string]string{"kind": "order"}, Key: key("pi"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func (x Target) get(t *testing.T, id string) billing.Intent {
	t.Helper()
	in, err := x.Processor.GetPayment(t.Context(), x.Account, id)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// paid is a payment that succeeded and whose fees are known.
func (x Target) paid(t *testing.T, amount, fee int64) billing.Intent {
	t.Helper()
	in := x.create(t, amount, fee)
	x.Pay(t, in, CardGood)
	x.Wait(5 * time.Second)
	return x.get(t, in.ID)
}

func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func wantErr(t *testing.T, err, sentinel error) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Errorf("the error is %v, want %v", err, sentinel)
	}
	if err != nil && billing.Retryable(err) {
		t.Errorf("a refusal is called retryable: %v", err)
	}
}
