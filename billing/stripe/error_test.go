package stripe_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/billing/billingtest"
	"foyer/billing/processor"
	"foyer/billing/stripe"
)

func TestFailuresOfTheProcessor(t *testing.T) {
	body := func(kind, code string) string {
		return `{"error":{"type":"` + kind + `","code":"` + code + `","message":"m","param":"p"}}`
	}
	const invalid = "invalid_request_error"
	for name, c := range map[string]struct {
		a     *answering
		want  *fault.Error
		retry bool
	}{
		"no connection":         {&answering{err: errors.New("connection refused")}, processor.ErrDown, true},
		"500":                   {&answering{status: 500, body: body("api_error", "")}, processor.ErrDown, true},
		"a proxy's page":        {&answering{status: 502, body: "<html>Bad gateway</html>"}, processor.ErrDown, true},
		"cut in the middle":     {&answering{status: 200, body: `{"id":"pi_1","client_secret":"pi_1_secret_x`}, processor.ErrDown, true},
		"too many requests":     {&answering{status: 429, body: body(invalid, "rate_limit")}, processor.ErrDown, true},
		"key in use":            {&answering{status: 409, body: body("idempotency_error", "idempotency_key_in_use")}, processor.ErrDown, true},
		"lock time-out":         {&answering{status: 400, body: body(invalid, "lock_timeout")}, processor.ErrDown, true},
		"key reused":            {&answering{status: 400, body: body("idempotency_error", "")}, processor.ErrKeyReused, false},
		"wrong secret key":      {&answering{status: 401, body: body(invalid, "")}, processor.ErrRefused, false},
		"access revoked":        {&answering{status: 403, body: body(invalid, "account_invalid")}, processor.ErrAccountDisconnected, false},
		"forbidden":             {&answering{status: 403, body: body(invalid, "")}, processor.ErrAccountDisconnected, false},
		"unknown object":        {&answering{status: 404, body: body(invalid, "resource_missing")}, processor.ErrUnknownObject, false},
		"unknown parameter":     {&answering{status: 400, body: body(invalid, "parameter_unknown")}, processor.ErrRefused, false},
		"below the least":       {&answering{status: 400, body: body(invalid, "amount_too_small")}, processor.ErrAmountRefused, false},
		"fee not allowed":       {&answering{status: 400, body: body(invalid, "application_fees_not_allowed")}, processor.ErrCountryRefused, false},
		"no such country":       {&answering{status: 400, body: body(invalid, "country_unsupported")}, processor.ErrCountryRefused, false},
		"a card error, no card": {&answering{status: 402, body: body("card_error", "card_declined")}, processor.ErrRefused, false},
		"an unknown status":     {&answering{status: 200, body: `{"id":"pi_1","object":"payment_intent","currency":"usd","status":"dreaming"}`}, processor.ErrRefused, false},
		"an unknown currency":   {&answering{status: 200, body: `{"id":"pi_1","object":"payment_intent","currency":"xxx","status":"succeeded"}`}, processor.ErrRefused, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := adapter(t, c.a).GetPayment(t.Context(), "acct_1", "pi_1")
			if !errors.Is(err, c.want) || processor.Retryable(err) != c.retry {
				t.Fatalf("%v (retryable %v), want %v (%v)", err, processor.Retryable(err), c.want, c.retry)
			}
			f := fault.From(err)
			if f == nil || f.Reason != c.want.Reason {
				t.Fatalf("a surface sees %v", f)
			}
			if c.retry && (f.Kind != fault.Internal || f.Details["retryable"] != true) {
				t.Errorf("a surface is not told to retry: %+v", f)
			}
		})
	}
}

func TestRefundFailures(t *testing.T) {
	for code, want := range map[string]*fault.Error{
		`"code":"charge_already_refunded"`: processor.ErrRefundTooLarge,
		`"param":"amount"`:                 processor.ErrRefundTooLarge,
		`"code":"refund_disputed_payment"`: processor.ErrRefundDisputed,
		`"code":"charge_disputed"`:         processor.ErrRefundDisputed,
		`"code":"balance_insufficient"`:    processor.ErrBalanceInsufficient,
		`"code":"resource_missing"`:        processor.ErrUnknownObject,
		`"param":"reason"`:                 processor.ErrRefused,
	} {
		a := &answering{status: 400, body: `{"error":{"type":"invalid_request_error","message":"m",` + code + `}}`}
		_, err := adapter(t, a).Refund(t.Context(), processor.NewRefund{Account: "acct_1", Payment: "pi_1", Amount: 1, Currency: "USD", Key: "refund:1"})
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", code, err, want)
		}
	}
}

// Issue 31, item 14. An error that the caller can correct is no internal error: a return address that the processor
// refuses names its field, and so does a country; an account that may not charge is a studio without card payments.
func TestRefusalsThatTheCallerCanMend(t *testing.T) {
	refusing := func(more string) *stripe.Adapter {
		return adapter(t, &answering{status: 400, body: `{"error":{"type":"invalid_request_error","message":"m"` + more + `}}`})
	}
	confirm := func(p *stripe.Adapter) error {
		_, err := p.ConfirmPayment(t.Context(), processor.Confirmation{Account: "acct_1", Payment: "pi_1", Method: "pm_1", ReturnURL: "x", Key: "conf:1"})
		return err
	}
	link := func(p *stripe.Adapter) error {
		_, err := p.AccountLink(t.Context(), processor.NewLink{Account: "acct_1", ReturnURL: "x", RefreshURL: "y"})
		return err
	}
	account := func(p *stripe.Adapter) error {
		_, err := p.CreateAccount(t.Context(), processor.NewAccount{Country: "XX", Key: "acct:1"})
		return err
	}
	create := func(p *stripe.Adapter) error {
		_, err := p.CreatePayment(t.Context(), processor.NewPayment{Account: "acct_1", Amount: 100, Currency: "USD", Key: "pi:1:1"})
		return err
	}
	for _, c := range []struct {
		call  func(*stripe.Adapter) error
		says  string
		want  *fault.Error
		field string
	}{
		{confirm, `,"param":"return_url"`, processor.ErrAddressRefused, "returnUrl"},
		{confirm, `,"code":"url_invalid","param":"return_url"`, processor.ErrAddressRefused, "returnUrl"},
		{confirm, `,"param":"payment_method"`, processor.ErrCardRemoved, ""},
		{link, `,"param":"return_url"`, processor.ErrAddressRefused, "returnUrl"},
		{link, `,"param":"refresh_url"`, processor.ErrAddressRefused, "refreshUrl"},
		{account, `,"param":"country"`, processor.ErrCountryRefused, ""},
		{create, ``, processor.ErrCardUnavailable, ""},
		{create, `,"code":"testmode_charges_only"`, processor.ErrCardUnavailable, ""},
		{create, `,"code":"payment_method_unactivated"`, processor.ErrCardUnavailable, ""},
		{create, `,"param":"metadata"`, processor.ErrRefused, ""},
	} {
		err := c.call(refusing(c.says))
		f := fault.From(err)
		if !errors.Is(err, c.want) || f == nil || c.want != processor.ErrRefused && f.Kind == fault.Internal {
			t.Errorf("%s: %v", c.says, err)
			continue
		}
		if c.field != "" && (f.Kind != fault.Validation || len(f.Fields) != 1 || f.Fields[0].Field != c.field) {
			t.Errorf("%s: %+v", c.says, f)
		}
	}
}

// The text of a failure goes to logs; a client secret may not.
func TestFailuresKeepSecrets(t *testing.T) {
	for name, a := range map[string]*answering{
		"unreadable answer": {status: 200, body: `{"id":"pi_1","client_secret":"pi_1_secret_x"`},
		"refused step": {status: 400, body: `{"error":{"type":"invalid_request_error","code":"payment_intent_unexpected_state","message":"m",
			"payment_intent":{"id":"pi_1","object":"payment_intent","client_secret":"pi_1_secret_x"}}}`},
	} {
		_, err := adapter(t, a).CancelPayment(t.Context(), "acct_1", "pi_1", "cancel:1")
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(e.Error(), "secret_x") {
				t.Errorf("%s: %v", name, e)
			}
		}
	}
}

// A decline that comes as an error answer is the payment all the same.
func TestADeclineInAnErrorAnswerIsData(t *testing.T) {
	a := &answering{status: 402, body: `{"error":{"type":"card_error","code":"card_declined","decline_code":"generic_decline","message":"Your card was declined.",
		"payment_intent":{"id":"pi_1","object":"payment_intent","amount":100,"currency":"usd","status":"requires_payment_method",
		"last_payment_error":{"type":"card_error","code":"card_declined","decline_code":"generic_decline","message":"Your card was declined."}}}}`}
	in, err := adapter(t, a).CreatePayment(t.Context(), processor.NewPayment{Account: "acct_1", Amount: 100, Currency: "USD", Key: "pi:1:1"})
	if err != nil {
		t.Fatal(err)
	}
	if in.Status != processor.StatusAwaitingMethod || in.Failure == nil || in.Failure.DeclineCode != "generic_decline" {
		t.Errorf("got %+v with %+v", in, in.Failure)
	}
}

func TestACanceledCallIsRetryable(t *testing.T) {
	sim := billingtest.NewSim(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := sim.Processor.GetAccount(ctx, "acct_1")
	if !processor.Retryable(err) {
		t.Errorf("%v", err)
	}
}

// The client repeats a failed call by itself, with the same key, while a person waits for the answer.
func TestRepeatsAreTheSameRequest(t *testing.T) {
	a := &answering{status: 503, body: `{"error":{"type":"api_error","message":"m"}}`}
	p, err := stripe.New(stripe.Config{
		SecretKey: "sk_test_1", BaseURL: "http://processor.example", Clock: clock.NewFixed(billingtest.Start), HTTPClient: &http.Client{Transport: a},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.CreatePayment(t.Context(), processor.NewPayment{Account: "acct_1", Amount: 100, Currency: "USD", Key: "pi:1:1"}); !processor.Retryable(err) {
		t.Fatal(err)
	}
	if len(a.sent) != 3 {
		t.Fatalf("%d requests, want 3", len(a.sent))
	}
	for i, r := range a.sent {
		if r.Header.Get("Idempotency-Key") != "pi:1:1" || a.bodies[i] != a.bodies[0] {
			t.Errorf("request %d differs", i+1)
		}
	}
}
