package billing_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/billing"
	"foyer/billing/ledger"
)

// TestTripsFromEventToBooks: from the event of a card payment to the confirmed booking and the booked sale there are
// no more than five trips to Postgres, and no more for its fees, whose event comes later.
func TestTripsFromEventToBooks(t *testing.T) {
	s := openTill(t)
	for range 2 { // the second uses the prepared statements of the connections
		_, _, p, secret := s.waiting(t)
		s.PayCard(t, secret, apptest.CardGood)
		had := apptest.Value[int](t, s.w, "select count(*) from webhook_events")
		taken := s.w.Statements(func() { s.Sim.Flush(t.Context()) })
		events := apptest.Value[int](t, s.w, "select count(*) from webhook_events") - had
		if events < 2 || taken%events != 0 {
			t.Fatalf("%d trips take %d events in", taken, events)
		}
		process := func(kind string) int {
			event := apptest.Value[string](t, s.w, "select id from webhook_events where type = $1 and processed_at is null order by received_at desc, id limit 1", kind)
			return taken/events + s.w.Statements(func() {
				none(t, s.Billing.ProcessWebhook(t.Context(), billing.WebhookJob{Env: s.Billing.Env(), Event: event}))
			})
		}
		before := s.account(t, ledger.IncomeClass)
		n := process("payment_intent.succeeded")
		if n > 5 {
			t.Errorf("%d trips from the event of a success to the books", n)
		}
		if now := s.payment(t, p.ID); now.Outcome != billing.OutcomeFulfilled || s.account(t, ledger.IncomeClass) != before-2200 {
			t.Fatalf("it is not in the books: %+v", now)
		}
		s.w.Clock.Advance(3 * time.Second)
		s.Sim.Flush(t.Context())
		n = process("charge.updated")
		if n > 5 {
			t.Errorf("%d trips from the event of its cost to the books", n)
		}
		if now := s.payment(t, p.ID); now.BalanceTransaction == "" || now.ProcessorFee == 0 {
			t.Fatalf("what it cost is not in the books: %+v", now)
		}
	}
}

// TestIntentThatNamesAnotherPayment: metadata on an intent of another account fulfils nothing: the row of the payment
// decides.
func TestIntentThatNamesAnotherPayment(t *testing.T) {
	s := openTill(t)
	_, _, open, _ := s.waiting(t)
	paid := s.paid(t)
	// a payment of the studio's own, with the words of the one that is open
	s.Instead = func(r *http.Request) (int, string) {
		if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/v1/payment_intents/") {
			return http.StatusOK, `{"id":"pi_own","object":"payment_intent","status":"succeeded","amount":2200,"currency":"usd","application_fee_amount":44,
				"metadata":{"payment_id":"` + open.ID.String() + `","order_id":"` + open.OrderID.String() + `"}}`
		}
		return 0, ""
	}
	for range 3 {
		s.Sim.Flush(t.Context())
		if _, err := s.RunJobs(t); err != nil {
			t.Fatal(err)
		}
	}
	if now := s.payment(t, open.ID); now.Status != open.Status || now.Outcome != "" {
		t.Errorf("an intent of another payment settled it: %+v", now)
	}
	if left := apptest.Value[int](t, s.w, "select count(*) from webhook_events where processed_at is null"); left != 0 {
		t.Errorf("%d events are left", left)
	}
	if now := s.payment(t, paid.ID); now.Outcome != billing.OutcomeFulfilled {
		t.Errorf("the paid one is %+v", now)
	}
	s.Instead = nil
	s.check(t)
}
