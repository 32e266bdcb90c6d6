package stripe_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/billing/billingtest"
	"foyer/billing/processor"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
)

// answering is a transport that answers every request the same and keeps them.
type answering struct {
	status int
	body   string
	err    error
	sent   []*http.Request
	bodies []string
}

func (a *answering) RoundTrip(r *http.Request) (*http.Response, error) {
	a.sent = append(a.sent, r)
	body := []byte{}
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	a.bodies = append(a.bodies, string(body))
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{
		StatusCode: a.status, Header: http.Header{"Request-Id": {"req_1"}}, Body: io.NopCloser(strings.NewReader(a.body)), Request: r,
	}, nil
}

func adapter(t *testing.T, transport http.RoundTripper) *stripe.Adapter {
	t.Helper()
	s, err := stripe.New(stripe.Config{
		SecretKey: "sk_test_1", BaseURL: "http://processor.example/", Clock: clock.NewFixed(billingtest.Start),
		HTTPClient: &http.Client{Transport: transport}, NoRetry: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEnvOf(t *testing.T) {
	for _, c := range []struct {
		key, base string
		want      processor.Env
	}{
		{"sk_live_x", "", processor.EnvLive},
		{"rk_live_x", "https://api.stripe.com", processor.EnvLive},
		{"sk_test_x", "", processor.EnvTest},
		{"rk_test_x", "https://api.stripe.com/", processor.EnvTest},
		{"sk_test_x", "http://127.0.0.1:12111", processor.EnvSimulated},
		{"sk_sim_x", "http://stripe.sim", processor.EnvSimulated},
	} {
		if got, err := stripe.EnvOf(c.key, c.base); err != nil || got != c.want {
			t.Errorf("EnvOf(%s, %s) = %s, %v; want %s", c.key, c.base, got, err, c.want)
		}
	}
	for _, c := range []struct{ key, base string }{
		{"", ""},
		{"pk_live_x", ""},
		{"sk_sim_x", ""},
		{"sk_sim_x", "https://api.stripe.com"},
		{"sk_live_x", "http://127.0.0.1:12111"},
		{"sk_live_x", "https://api.stripe.com.evil.example"},
		{"sk_test_x", "127.0.0.1:12111"},
		{"sk_test_x", "ftp://x"},
	} {
		if got, err := stripe.EnvOf(c.key, c.base); err == nil {
			t.Errorf("EnvOf(%s, %s) = %s, want a refusal", c.key, c.base, got)
		}
	}
}

// Every call carries the version, and every change the account and a key of ours.
func TestHeadersOfADirectCharge(t *testing.T) {
	a := &answering{status: 200, body: `{"id":"pi_1","object":"payment_intent","amount":2245,"currency":"usd","status":"requires_payment_method"}`}
	in := processor.NewPayment{Account: "acct_1", Amount: 2245, Currency: "USD", Fee: 45, Metadata: map[string]string{"order_id": "o"}, Key: "pi:1:1"}
	if _, err := adapter(t, a).CreatePayment(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	r := a.sent[0]
	for header, want := range map[string]string{
		"Stripe-Account": "acct_1", "Idempotency-Key": "pi:1:1", "Stripe-Version": "2024-06-20", "Authorization": "Bearer sk_test_1",
	} {
		if got := r.Header.Get(header); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
	if got := r.URL.String(); got != "http://processor.example/v1/payment_intents" {
		t.Errorf("sent to %s", got)
	}
	want := "amount=2245&application_fee_amount=45&currency=usd&metadata[order_id]=o&payment_method_types[0]=card"
	if a.bodies[0] != want {
		t.Errorf("the body is\n%s, want\n%s", a.bodies[0], want)
	}

	in.Fee, in.Key = 0, "pi:2:1"
	if _, err := adapter(t, a).CreatePayment(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(a.bodies[1], "application_fee_amount") {
		t.Errorf("a fee of 0 was sent: %s", a.bodies[1])
	}
}

func TestACallWithoutAUsableKeyIsNotSent(t *testing.T) {
	a := &answering{status: 200, body: `{}`}
	p := adapter(t, a)
	for _, key := range []string{"", " padded ", strings.Repeat("k", 256)} {
		_, err1 := p.CreateAccount(t.Context(), processor.NewAccount{Country: "US", Key: key})
		_, err2 := p.CreatePayment(t.Context(), processor.NewPayment{Account: "acct_1", Amount: 100, Currency: "USD", Key: key})
		_, err3 := p.CancelPayment(t.Context(), "acct_1", "pi_1", key)
		_, err4 := p.Refund(t.Context(), processor.NewRefund{Account: "acct_1", Payment: "pi_1", Amount: 100, Currency: "USD", Key: key})
		_, err5 := p.CreateCustomer(t.Context(), processor.NewCustomer{Account: "acct_1", Key: key})
		_, err6 := p.PreparePayment(t.Context(), processor.Preparation{Account: "acct_1", Payment: "pi_1", Customer: "cus_1", Key: key})
		_, err7 := p.ConfirmPayment(t.Context(), processor.Confirmation{Account: "acct_1", Payment: "pi_1", Method: "pm_1", Key: key})
		err8 := p.DetachMethod(t.Context(), "acct_1", "pm_1", key)
		for _, err := range []error{err1, err2, err3, err4, err5, err6, err7, err8} {
			if !errors.Is(err, processor.ErrRefused) {
				t.Errorf("key %q: %v", key, err)
			}
		}
	}
	if len(a.sent) != 0 {
		t.Errorf("%d requests were sent", len(a.sent))
	}
}

// Amounts are multiplied where Stripe's unit is not the currency's minor unit, and are read back unchanged.
func TestUnitsOfOtherCurrencies(t *testing.T) {
	for _, c := range []struct {
		country            string
		currency           money.Currency
		amount, fee, half  int64
		stripe, halfStripe string
	}{
		{"US", "USD", 2200, 44, 1100, "amount=2200", "amount=1100"},
		{"JP", "JPY", 2200, 44, 1100, "amount=2200", "amount=1100"},
		{"IS", "ISK", 2200, 44, 1100, "amount=220000", "amount=110000"},
		{"UG", "UGX", 22000, 440, 11000, "amount=2200000", "amount=1100000"},
		{"KW", "KWD", 22000, 440, 11000, "amount=22000", "amount=11000"},
		{"MG", "MGA", 2200000, 44000, 1100000, "amount=22000", "amount=11000"},
	} {
		t.Run(string(c.currency), func(t *testing.T) {
			sim := billingtest.NewSim(t)
			account := sim.Account(t, "a", c.country)
			in, err := sim.Processor.CreatePayment(t.Context(), processor.NewPayment{
				Account: account, Amount: c.amount, Currency: c.currency, Fee: c.fee, Key: "pi:1",
			})
			if err != nil {
				t.Fatal(err)
			}
			sim.Pay(t, in, billingtest.CardGood)
			sim.Clock.Advance(3e9)
			got, err := sim.Processor.GetPayment(t.Context(), account, in.ID)
			if err != nil {
				t.Fatal(err)
			}
			if got.Amount != c.amount || got.Fee != c.fee || got.Currency != c.currency || got.Settlement.Gross != c.amount || got.Settlement.PlatformFee != c.fee {
				t.Errorf("came back as %+v with %+v", got, got.Settlement)
			}
			r, err := sim.Processor.Refund(t.Context(), processor.NewRefund{
				Account: account, Payment: in.ID, Amount: c.half, Currency: c.currency, ReturnFee: true, Key: "refund:1",
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Amount != c.half || r.Settlement.PlatformFee != -c.fee/2 {
				t.Errorf("the refund came back as %+v with %+v", r, r.Settlement)
			}

			a := &answering{status: 500, body: `{}`}
			p := adapter(t, a)
			_, _ = p.CreatePayment(t.Context(), processor.NewPayment{Account: account, Amount: c.amount, Currency: c.currency, Key: "k"})
			_, _ = p.Refund(t.Context(), processor.NewRefund{Account: account, Payment: "pi_1", Amount: c.half, Currency: c.currency, Key: "k"})
			if len(a.bodies) != 2 || !strings.HasPrefix(a.bodies[0], c.stripe+"&") || !strings.HasPrefix(a.bodies[1], c.halfStripe+"&") {
				t.Errorf("sent %q, want %s and %s", a.bodies, c.stripe, c.halfStripe)
			}
		})
	}
}

func TestAccountStates(t *testing.T) {
	const up = `"details_submitted":true,"charges_enabled":true`
	for name, c := range map[string]struct {
		body  string
		state processor.State
		cards bool
		due   []string
	}{
		"new":                 {`"requirements":{"currently_due":["external_account"]}`, processor.StateOnboarding, false, []string{"external_account"}},
		"being checked":       {`"details_submitted":true,"requirements":{"disabled_reason":"requirements.pending_verification"}`, processor.StatePending, false, nil},
		"no reason given":     {`"details_submitted":true`, processor.StatePending, false, nil},
		"something is due":    {`"details_submitted":true,"requirements":{"currently_due":["a","b"],"past_due":["b"]}`, processor.StateRestricted, false, []string{"b", "a"}},
		"rejected":            {`"details_submitted":true,"requirements":{"disabled_reason":"rejected.fraud"}`, processor.StateRestricted, false, nil},
		"cards not yet on":    {up + `,"payouts_enabled":true,"capabilities":{"card_payments":"pending"}`, processor.StatePending, false, nil},
		"cards want more":     {up + `,"capabilities":{"card_payments":"inactive"},"requirements":{"currently_due":["a"]}`, processor.StateRestricted, false, []string{"a"}},
		"active":              {up + `,"payouts_enabled":true,"capabilities":{"card_payments":"active"}`, processor.StateActive, true, nil},
		"active, due by then": {up + `,"payouts_enabled":true,"capabilities":{"card_payments":"active"},"requirements":{"currently_due":["a"],"current_deadline":1773478800}`, processor.StateActive, true, []string{"a"}},
		"payouts are paused":  {up + `,"capabilities":{"card_payments":"active"}`, processor.StatePaused, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := &answering{status: 200, body: `{"id":"acct_1","object":"account","default_currency":"eur","country":"DE",` + c.body + `}`}
			got, err := adapter(t, a).GetAccount(t.Context(), "acct_1")
			if err != nil {
				t.Fatal(err)
			}
			if got.State != c.state || got.State.TakesCards() != c.cards {
				t.Errorf("state %s (cards %v), want %s (%v)", got.State, got.State.TakesCards(), c.state, c.cards)
			}
			if diff := cmp.Diff(c.due, got.Due); diff != "" {
				t.Errorf("due (-want +got):\n%s", diff)
			}
			if got.DefaultCurrency != "EUR" || got.Country != "DE" || got.Env != processor.EnvSimulated {
				t.Errorf("got %+v", got)
			}
			if name == "active, due by then" && !got.DueBy.Equal(billingtest.Start) {
				t.Errorf("due by %v", got.DueBy)
			}
		})
	}
}

// The states as the simulator plays them.
func TestAccountStatesOnTheSimulator(t *testing.T) {
	sim := billingtest.NewSim(t)
	id := sim.Account(t, "a", "US")
	for _, c := range []struct {
		step func() error
		want processor.State
	}{
		{func() error { return sim.Server.Restrict(id, "external_account") }, processor.StateRestricted},
		{func() error { return sim.Server.Verify(id) }, processor.StatePending},
		{func() error { return sim.Server.Activate(id) }, processor.StateActive},
		{func() error {
			return sim.Server.PausePayouts(id, billingtest.Start.AddDate(0, 0, 7), "external_account")
		}, processor.StatePaused},
		{func() error { return sim.Server.Disconnect(id) }, processor.StateDisconnected},
	} {
		if err := c.step(); err != nil {
			t.Fatal(err)
		}
		got, err := sim.Processor.GetAccount(t.Context(), id)
		if err != nil || got.State != c.want {
			t.Errorf("state %s, %v; want %s", got.State, err, c.want)
		}
	}
	if _, err := sim.Processor.AccountLink(t.Context(), processor.NewLink{Account: id, ReturnURL: billingtest.AppURL, RefreshURL: billingtest.AppURL}); !errors.Is(err, processor.ErrAccountDisconnected) {
		t.Errorf("a link for a disconnected account: %v", err)
	}
	if got, err := sim.Processor.GetAccount(t.Context(), "acct_nobody"); err != nil || got.State != processor.StateDisconnected {
		t.Errorf("an unknown account is %s, %v", got.State, err)
	}
}

func TestCountriesWithoutAFeeAreRefused(t *testing.T) {
	a := &answering{}
	_, err := adapter(t, a).CreateAccount(t.Context(), processor.NewAccount{Country: "BR", Key: "acct:1"})
	if !errors.Is(err, processor.ErrCountryRefused) || len(a.sent) != 0 {
		t.Errorf("%v after %d requests", err, len(a.sent))
	}
}

func TestNewStripeNeedsAClock(t *testing.T) {
	if _, err := stripe.New(stripe.Config{SecretKey: stripesim.DefaultSecretKey, BaseURL: stripesim.BaseURL}); err == nil {
		t.Error("accepted")
	}
}

// hanging is a processor that takes the request and never answers.
type hanging struct{}

func (hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// TestAHangingProcessorIsNotWaitedFor: one patience for all repetitions together. Rule 51 of security.md.
func TestAHangingProcessorIsNotWaitedFor(t *testing.T) {
	s, err := stripe.New(stripe.Config{
		SecretKey: "sk_test_1", BaseURL: "http://processor.example/", Clock: clock.NewFixed(billingtest.Start),
		HTTPClient: &http.Client{Transport: hanging{}}, Patience: 50 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"CreateAccount": func() error { _, err := s.CreateAccount(t.Context(), processor.NewAccount{Key: "k"}); return err },
		"AccountLink":   func() error { _, err := s.AccountLink(t.Context(), processor.NewLink{Account: "acct_1"}); return err },
		"GetAccount":    func() error { _, err := s.GetAccount(t.Context(), "acct_1"); return err },
		"CreatePayment": func() error {
			_, err := s.CreatePayment(t.Context(), processor.NewPayment{Account: "acct_1", Key: "k", Amount: 100, Fee: 2, Currency: "USD"})
			return err
		},
		"GetPayment":     func() error { _, err := s.GetPayment(t.Context(), "acct_1", "pi_1"); return err },
		"CapturePayment": func() error { _, err := s.CapturePayment(t.Context(), "acct_1", "pi_1", "k"); return err },
		"CancelPayment":  func() error { _, err := s.CancelPayment(t.Context(), "acct_1", "pi_1", "k"); return err },
		"Refund": func() error {
			_, err := s.Refund(t.Context(), processor.NewRefund{Key: "k", Amount: 100, Currency: "USD"})
			return err
		},
		"GetRefund": func() error { _, err := s.GetRefund(t.Context(), "acct_1", "re_1"); return err },
	} {
		err := call() // a call without an end is ended by the test's
		if f := fault.From(err); !errors.Is(err, processor.ErrDown) || f.RetryAfter == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheSimulatorIsItsOwnWorld(t *testing.T) {
	p := billingtest.NewSim(t).Processor
	if p.Env() != processor.EnvSimulated || p.PublishableKey() != stripesim.DefaultPublishableKey {
		t.Errorf("%s %s", p.Env(), p.PublishableKey())
	}
}
