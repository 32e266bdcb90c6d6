package stripe_test

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"foyer/app/money"
	"foyer/billing/billingtest"
	"foyer/billing/processor"
	"foyer/billing/stripesim"
)

// The suite for every implementation of processor.Processor. It uses the port only; acts of a person and the passage of
// time are hooks of the target, so it can be pointed at the simulator and at the real processor's test mode alike.

// The other cards of the suite.
const (
	cardDeclined billingtest.Card = "4000 0000 0000 0002"
	cardNoFunds  billingtest.Card = "4000 0000 0000 9995"
	cardExpired  billingtest.Card = "4000 0000 0000 0069"
	cardAsksBank billingtest.Card = "4000 0027 6000 3184" // the bank checks every time

	cardIsDisputed billingtest.Card = "4000 0000 0000 0259"

	// the bank checks, but not off session once the card is saved
	cardAsksOnce      billingtest.Card = "4000 0025 0000 3155"
	cardDeclinesSaved billingtest.Card = "4000 0000 0000 0341" // can be kept, and pays nothing after that
)

// target is an implementation under test, with two accounts that accept cards and hooks for acts outside the program.
type target struct {
	Processor processor.Processor
	Currency  money.Currency // of both accounts
	Account   string
	Other     string

	// Onboard opens an account link as the studio and completes the account.
	Onboard func(t testing.TB, link string)
	// Pay types a card as the customer in the browser. It returns the address of the redirect: the bank's page for a
	// check.
	Pay func(t testing.TB, in processor.Intent, card billingtest.Card) string
	// Bank answers the bank's page.
	Bank func(t testing.TB, page string, authorise bool)
	// Disconnect takes the platform's access to an account away.
	Disconnect func(t testing.TB, account string)
	// ByHand gives money of a payment back as the studio does on the processor's own site.
	ByHand func(t testing.TB, payment string, amount int64)
	// Dispute has the customer's bank take a payment back and returns the dispute; EndDispute decides it.
	Dispute    func(t testing.TB, payment string) string
	EndDispute func(t testing.TB, id string, won bool)
	// PayOut pays out the available balance and returns the payout; FailPayout has the bank return it.
	PayOut     func(t testing.TB) string
	FailPayout func(t testing.TB, id string)
	// Wait lets time pass.
	Wait func(d time.Duration)
	// Deliveries returns every event that was sent so far, in the order it came.
	Deliveries func(t testing.TB) []billingtest.Delivery
	// Now is the processor's time.
	Now func() time.Time
	// Sign signs a body as the processor would at a time, with one of the secrets the Processor was given (0 or 1).
	Sign func(body []byte, secret int, at time.Time) string
}

// simulated makes the simulator a target of the suite.
func simulated(t *testing.T) target {
	t.Helper()
	s := billingtest.NewSim(t)
	x := target{
		Processor: s.Processor,
		Currency:  "USD",
		Account:   s.Account(t, "one", "US"),
		Other:     s.Account(t, "two", "US"),
		Onboard:   s.Onboard,
		Pay:       s.Pay,
		Bank:      s.Bank,
		Disconnect: func(t testing.TB, account string) {
			t.Helper()
			if err := s.Server.Disconnect(account); err != nil {
				t.Fatal(err)
			}
		},
		Wait: func(d time.Duration) { s.Clock.Advance(d) },
		Deliveries: func(t testing.TB) []billingtest.Delivery {
			s.Server.Flush(t.Context())
			return s.Inbox.All()
		},
		Now: s.Clock.Now,
		Sign: func(body []byte, secret int, at time.Time) string {
			return stripesim.Sign(body, []string{stripesim.DefaultWebhookSecret, billingtest.SecondSecret}[secret], at)
		},
	}
	done := func(t testing.TB, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	x.ByHand = func(t testing.TB, payment string, amount int64) {
		t.Helper()
		_, err := s.Server.DashboardRefund(x.Account, payment, amount)
		done(t, err)
	}
	x.Dispute = func(t testing.TB, payment string) string {
		t.Helper()
		id, err := s.Server.Dispute(x.Account, payment, "fraudulent")
		done(t, err)
		return id
	}
	x.EndDispute = func(t testing.TB, id string, won bool) {
		t.Helper()
		if won {
			done(t, s.Server.WinDispute(x.Account, id))
			return
		}
		done(t, s.Server.LoseDispute(x.Account, id))
	}
	x.PayOut = func(t testing.TB) string {
		t.Helper()
		ids, err := s.Server.PayOut(x.Account)
		done(t, err)
		if len(ids) != 1 {
			t.Fatalf("%d payouts", len(ids))
		}
		return ids[0]
	}
	x.FailPayout = func(t testing.TB, id string) {
		t.Helper()
		done(t, s.Server.FailPayout(x.Account, id))
	}
	return x
}

// TestProcessorSuite holds the adapter on the simulator against the suite.
func TestProcessorSuite(t *testing.T) {
	holds(t, simulated)
}

// holds runs the suite on an implementation. start is called once for each part.
func holds(t *testing.T, start func(t *testing.T) target) {
	for _, part := range []struct {
		name string
		f    func(*testing.T, target)
	}{
		{"an account is onboarded", onboarding},
		{"a disconnected account is data, and its payments fail", disconnected},
		{"A24 a direct charge carries the platform fee", directCharge},
		{"a charge without a fee", chargeWithoutFee},
		{"a decline is data and can be tried again", decline},
		{"the bank asks", bank},
		{"the same key is the same payment", sameKey},
		{"the same key at the same moment is one payment", sameKeyRace},
		{"the same key with another request clashes", keyClash},
		{"a payment is canceled", cancel},
		{"money is held and taken", capture},
		{"money is held and let go", letGo},
		{"amounts that cannot be charged", badAmounts},
		{"a refund returns the fee pro rata", refundProRata},
		{"a refund in full returns all of the fee", refundInFull},
		{"no more is refunded than was paid", overRefund},
		{"another account's objects are unknown", otherAccount},
		{"A30 what a sale and its refund did to the balance", balanceOfASale},
		{"a refund made by hand", refundByHand},
		{"a list of more than one page", manyPages},
		{"disputes won and lost", disputed},
		{"a card whose payments are disputed", disputeByItself},
		{"a payout, and what it paid out", paidOut},
		{"a card is kept and pays again", savedCard},
		{"a card is kept only when that was asked for", notSaved},
		{"the bank asks about a kept card", savedCardAsksBank},
		{"a kept card pays without the customer, where the bank lets it", offSession},
		{"a kept card is forgotten", forgotten},
		{"cards are not shared between accounts", savedElsewhere},
		{"events announce what happened", announced},
		{"events are proven", provenEvents},
		{"a duplicate event is the same event", duplicateEvents},
	} {
		t.Run(part.name, func(t *testing.T) { part.f(t, start(t)) })
	}
}

// key is a new idempotency key. It is new in every run, because the real processor remembers the keys of the last one.
func key(kind string) string { return kind + ":suite:" + rand.Text() }

func (x target) create(t *testing.T, amount, fee int64) processor.Intent {
	t.Helper()
	in, err := x.Processor.CreatePayment(t.Context(), processor.NewPayment{
		Account: x.Account, Amount: amount, Currency: x.Currency, Fee: fee,
		Metadata: map[string]string{"kind": "order"}, Key: key("pi"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func (x target) get(t *testing.T, id string) processor.Intent {
	t.Helper()
	in, err := x.Processor.GetPayment(t.Context(), x.Account, id)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// paid is a payment that succeeded and whose fees are known.
func (x target) paid(t *testing.T, amount, fee int64) processor.Intent {
	t.Helper()
	in := x.create(t, amount, fee)
	x.Pay(t, in, billingtest.CardGood)
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
	if err != nil && processor.Retryable(err) {
		t.Errorf("a refusal is called retryable: %v", err)
	}
}
