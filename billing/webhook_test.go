package billing_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
)

// body is an event as the processor would send it.
func body(id, kind, account string, live bool, object map[string]any) []byte {
	raw, err := json.Marshal(map[string]any{
		"id": id, "object": "event", "type": kind, "account": account, "livemode": live, "created": apptest.Start.Unix(),
		"api_version": stripesim.APIVersion, "data": map[string]any{"object": object},
	})
	if err != nil {
		panic(err)
	}
	return raw
}

func (s till) receive(t *testing.T, raw []byte) error {
	t.Helper()
	return s.Billing.ReceiveWebhook(t.Context(), processor.EndpointConnect, raw, stripesim.Sign(raw, stripesim.DefaultWebhookSecret, s.w.Clock.Now()))
}

func (s till) kept(t *testing.T) int {
	t.Helper()
	return apptest.Value[int](t, s.w, "select count(*) from webhook_events where id like 'evt_test%'")
}

// Nothing that the processor has not signed lately gets in, and nothing of another world.
func TestWebhookRefuses(t *testing.T) {
	s := openTill(t)
	_, _, p, _ := s.waiting(t)
	raw := body("evt_test", "payment_intent.succeeded", s.Account, false, map[string]any{"id": p.IntentID, "object": "payment_intent"})
	secret, now := stripesim.DefaultWebhookSecret, s.w.Clock.Now()
	for name, signature := range map[string]string{
		"none":            "",
		"another secret":  stripesim.Sign(raw, "whsec_other", now),
		"the other door":  stripesim.Sign(raw, apptest.PlatformSecret, now),
		"old":             stripesim.Sign(raw, secret, now.Add(-301*time.Second)),
		"from the future": stripesim.Sign(raw, secret, now.Add(301*time.Second)),
		"of another body": stripesim.Sign(append(slices.Clone(raw), ' '), secret, now),
	} {
		wants(t, name, s.Billing.ReceiveWebhook(t.Context(), processor.EndpointConnect, raw, signature), processor.ErrEventSignature)
	}
	wants(t, "too large", s.receive(t, bytes.Repeat([]byte(" "), stripe.MaxEventBody+1)), processor.ErrEventTooLarge)
	wants(t, "another version", s.receive(t, bytes.ReplaceAll(raw, []byte(stripesim.APIVersion), []byte("2020-01-01"))), processor.ErrEventVersion)
	nobodys := bytes.ReplaceAll(raw, []byte(s.Account), nil)
	wants(t, "of no studio", s.receive(t, nobodys), processor.ErrEventEndpoint)
	wants(t, "of a studio, at the platform's door", s.Billing.ReceiveWebhook(t.Context(), processor.EndpointPlatform, raw,
		stripesim.Sign(raw, apptest.PlatformSecret, now)), processor.ErrEventEndpoint)
	wants(t, "signed for the studios' door", s.Billing.ReceiveWebhook(t.Context(), processor.EndpointPlatform, nobodys,
		stripesim.Sign(nobodys, secret, now)), processor.ErrEventSignature)
	wants(t, "no event", s.receive(t, []byte(`{"id":"x"}`)), processor.ErrEventMalformed)
	if err := s.receive(t, body("evt_test", "payment_intent.succeeded", s.Account, true, map[string]any{"id": p.IntentID, "object": "payment_intent"})); err != nil {
		t.Errorf("a live event is dropped without a word: %v", err)
	}
	if n := s.kept(t); n != 0 {
		t.Errorf("%d events were kept", n)
	}
	s.settle(t)
	if got := s.payment(t, p.ID); got.Status != processor.StatusAwaitingMethod {
		t.Errorf("%+v", got)
	}
}

// While a secret is rotated both are valid, at each endpoint; and events of the platform's own account are stored and
// processed.
func TestWebhookSecretsChange(t *testing.T) {
	s := openTill(t)
	_, _, p, _ := s.waiting(t)
	for i, c := range []struct {
		at      processor.Endpoint
		account string
		secret  string
	}{
		{processor.EndpointConnect, s.Account, stripesim.DefaultWebhookSecret},
		{processor.EndpointConnect, s.Account, apptest.NextWebhookSecret},
		{processor.EndpointPlatform, "", apptest.PlatformSecret},
	} {
		raw := body(fmt.Sprintf("evt_test%d", i), "application_fee.created", c.account, false, map[string]any{"id": p.IntentID, "object": "application_fee"})
		if err := s.Billing.ReceiveWebhook(t.Context(), c.at, raw, stripesim.Sign(raw, c.secret, s.w.Clock.Now())); err != nil {
			t.Errorf("%s, signed with %s: %v", c.at, c.secret, err)
		}
	}
	s.settle(t)
	if n := apptest.Value[int](t, s.w, "select count(*) from webhook_events where id like 'evt_test%' and processed_at is not null"); n != 3 {
		t.Errorf("%d of 3 events are done", n)
	}
}

// The same event twenty times at once: kept once, one job.
func TestWebhookTwice(t *testing.T) {
	s := openTill(t)
	_, _, p, _ := s.waiting(t)
	raw := body("evt_test", "payment_intent.succeeded", s.Account, false, map[string]any{"id": p.IntentID, "object": "payment_intent"})
	var done sync.WaitGroup
	for range 20 {
		done.Go(func() {
			if err := s.receive(t, raw); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	jobs := apptest.Value[int](t, s.w, "select count(*) from river.river_job where args->>'event' = 'evt_test'")
	if s.kept(t) != 1 || jobs != 1 {
		t.Errorf("kept %d times, %d jobs", s.kept(t), jobs)
	}
}

// An event is not trusted: it reports success, the processor a failure.
func TestWebhookIsOnlyAWakeUp(t *testing.T) {
	s := openTill(t)
	_, _, p, _ := s.waiting(t)
	for i, kind := range []string{"payment_intent.succeeded", "payment_intent.canceled", "charge.succeeded"} {
		object := map[string]any{"id": p.IntentID, "object": "payment_intent", "status": "succeeded", "amount": 1}
		if strings.HasPrefix(kind, "charge") {
			object = map[string]any{"id": "ch_sim_x", "object": "charge", "payment_intent": p.IntentID, "paid": true}
		}
		if err := s.receive(t, body(fmt.Sprintf("evt_test%d", i), kind, s.Account, false, object)); err != nil {
			t.Fatal(err)
		}
	}
	s.settle(t)
	if got := s.payment(t, p.ID); got.Status != processor.StatusAwaitingMethod || got.Outcome != billing.OutcomeNone {
		t.Errorf("%+v", got)
	}
}

// Events about other objects are stored, processed and dropped.
func TestWebhookOfOthers(t *testing.T) {
	s := openTill(t)
	_, _, p, secret := s.waiting(t)
	s.PayCard(t, secret, apptest.CardGood)
	other := s.w.Sales(t) // with a simulator of its own
	for i, e := range []struct {
		kind, account string
		object        map[string]any
	}{
		{"payment_intent.succeeded", "acct_sim_nobody", map[string]any{"id": p.IntentID, "object": "payment_intent"}},
		{"payment_intent.succeeded", other.Account, map[string]any{"id": p.IntentID, "object": "payment_intent"}},
		{"payment_intent.succeeded", s.Account, map[string]any{"id": "pi_sim_unknown", "object": "payment_intent"}},
		{"refund.updated", s.Account, map[string]any{"id": "re_sim_unknown", "object": "refund"}},
		{"account.updated", "acct_sim_nobody", map[string]any{"id": "acct_sim_nobody", "object": "account"}},
		{"payout.paid", s.Account, map[string]any{"id": "po_1", "object": "payout"}},
		{"charge.dispute.created", s.Account, map[string]any{"id": "dp_1", "object": "dispute", "payment_intent": p.IntentID}},
		{"charge.succeeded", s.Account, map[string]any{"id": "ch_1", "object": "charge"}}, // of no payment
	} {
		id := fmt.Sprintf("evt_test%d", i)
		if err := s.receive(t, body(id, e.kind, e.account, false, e.object)); err != nil {
			t.Errorf("%s of %q: %v", e.kind, e.account, err)
		}
		if err := s.Billing.ProcessWebhook(t.Context(), billing.WebhookJob{Env: processor.EnvSimulated, Event: id}); err != nil {
			t.Errorf("%s of %q: %v", e.kind, e.account, err)
		}
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from webhook_events where id like 'evt_test%' and processed_at is null"); n != 0 || s.kept(t) != 8 {
		t.Errorf("%d of %d events are not done", n, s.kept(t))
	}
	if got := s.payment(t, p.ID); got.Status != processor.StatusAwaitingMethod {
		t.Errorf("somebody else's event changed it: %+v", got)
	}
	if err := s.Billing.ProcessWebhook(t.Context(), billing.WebhookJob{Env: processor.EnvLive, Event: "evt_test0"}); err != nil {
		t.Errorf("another world's job: %v", err)
	}
	if err := s.Billing.ProcessWebhook(t.Context(), billing.WebhookJob{Env: processor.EnvSimulated, Event: "evt_unknown"}); err != nil {
		t.Errorf("an event that was tidied away: %v", err)
	}
}

// The answer to making the payment was lost for good: its event finds it by the id we gave it.
func TestWebhookFindsAnUnansweredPayment(t *testing.T) {
	s := openTill(t)
	who, token, p, secret := s.waiting(t)
	s.w.SQL(t, "update payments set intent = null, status = 'new'")
	s.PayCard(t, secret, apptest.CardGood)
	s.settle(t)
	if got := s.payment(t, p.ID); got.Outcome != billing.OutcomeFulfilled || got.IntentID != p.IntentID {
		t.Errorf("%+v", got)
	}
	if _, err := s.Checkout.Confirm(t.Context(), who, token); err != nil {
		t.Error(err)
	}
	s.check(t)
}

// The processor does not answer: the job fails, the event stays open, and the next run does it.
func TestWebhookTriesAgain(t *testing.T) {
	s := openTill(t)
	_, _, p, secret := s.waiting(t)
	s.PayCard(t, secret, apptest.CardGood)
	s.Sim.Flush(t.Context())
	s.Call = cut("/v1/payment_intents")
	if _, err := s.RunJobs(t); err == nil {
		t.Error("the job does not tell that it failed")
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from webhook_events where processed_at is null"); n == 0 {
		t.Error("a failed event is marked done")
	}
	s.Call = nil
	s.settle(t)
	if got := s.payment(t, p.ID); got.Outcome != billing.OutcomeFulfilled {
		t.Errorf("%+v", got)
	}
}

// Doubled, late and shuffled: a day of one studio comes out the same.
func TestWebhooksInAnyOrder(t *testing.T) {
	t.Setenv("SIM_WEBHOOK_DUPLICATE", "1")
	t.Setenv("SIM_WEBHOOK_SHUFFLE", "1")
	s := openTill(t)
	for i := range 12 {
		who, token, _, secret := s.waiting(t)
		switch i % 4 {
		case 0:
			s.PayCard(t, secret, apptest.CardGood)
		case 1:
			s.PayCard(t, secret, apptest.CardDeclined)
			s.PayCard(t, secret, apptest.CardGood)
		case 2:
			s.PayCard(t, secret, apptest.CardChecked)
			s.PassCheck(t, secret)
		case 3:
			if err := s.Checkout.Release(t.Context(), who, token); err != nil {
				t.Fatal(err)
			}
			s.PayCard(t, secret, apptest.CardGood)
		}
	}
	for range 5 {
		s.settle(t)
		s.w.Clock.Advance(time.Second)
	}
	if got := apptest.Value[string](t, s.w, `select count(*) filter (where outcome = 'fulfilled') || ' settled, '
		|| count(*) filter (where outcome = 'refunded') || ' refunded, ' || (select count(*) from refunds) || ' refunds' from payments`); got != "9 settled, 3 refunded, 3 refunds" {
		t.Error(got)
	}
	s.check(t)
}

func TestTidy(t *testing.T) {
	s := openTill(t)
	raw := body("evt_test", "payout.paid", s.Account, false, map[string]any{"id": "po_1", "object": "payout"})
	if err := s.receive(t, raw); err != nil {
		t.Fatal(err)
	}
	s.settle(t)
	s.w.Clock.Advance(29 * 24 * time.Hour)
	if err := s.Billing.Tidy(t.Context()); err != nil || s.kept(t) != 1 {
		t.Errorf("%v, %d kept", err, s.kept(t))
	}
	s.w.Clock.Advance(2 * 24 * time.Hour)
	if err := s.Billing.Tidy(t.Context()); err != nil || s.kept(t) != 0 {
		t.Errorf("%v, %d kept", err, s.kept(t))
	}
}

// The check before a card payment: one that the studio cannot accept is not started.
func TestStartRefuses(t *testing.T) {
	s := openTill(t)
	who := s.Customer(t, "Ada")
	token := s.Fill(t, s.AddOccurrence(t, s.AddOffering(t), s.w.Clock.Now().Add(48*time.Hour)))
	if _, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{}); err != nil {
		t.Fatal(err)
	}
	s.w.SQL(t, "update processor_accounts set state = 'disconnected'")
	_, err := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: 2200})
	wants(t, "a disconnected account", err, processor.ErrCardUnavailable)
	if n := apptest.Value[int](t, s.w, "select count(*) from orders"); n != 0 {
		t.Errorf("%d orders", n)
	}
}
