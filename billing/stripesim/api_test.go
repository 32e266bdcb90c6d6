package stripesim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"foyer/billing/billingtest"
	"foyer/billing/stripesim"
)

// caller speaks to the simulator without the adapter.
type caller struct {
	t       *testing.T
	server  *stripesim.Server
	account string
}

type reply struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// at reads a value inside the answer: at("error.code").
func (r reply) at(path string) any {
	var v any = r.body
	for _, part := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[part]
	}
	return v
}

func (c caller) do(method, path, body string, headers ...string) reply {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, stripesim.BaseURL+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+stripesim.DefaultSecretKey)
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if c.account != "" {
		r.Header.Set("Stripe-Account", c.account)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := (&http.Client{Transport: c.server}).Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	out := reply{status: res.StatusCode, header: res.Header, raw: string(raw)}
	if err := json.Unmarshal(raw, &out.body); err != nil {
		c.t.Fatalf("%s %s answers %q", method, path, raw)
	}
	return out
}

func (c caller) post(path, body string, headers ...string) reply {
	c.t.Helper()
	return c.do("POST", path, body, headers...)
}
func (c caller) get(path string) reply { c.t.Helper(); return c.do("GET", path, "") }

func (c caller) want(r reply, status int, at ...string) {
	c.t.Helper()
	if r.status != status {
		c.t.Errorf("status %d, want %d: %s", r.status, status, r.raw)
	}
	for i := 0; i < len(at); i += 2 {
		if got, _ := r.at(at[i]).(string); got != at[i+1] {
			c.t.Errorf("%s is %q, want %q: %s", at[i], got, at[i+1], r.raw)
		}
	}
}

func newCaller(t *testing.T) (caller, *billingtest.Sim) {
	t.Helper()
	sim := billingtest.NewSim(t)
	return caller{t, sim.Server, sim.Account(t, "a", "US")}, sim
}

const suffix = "statement_descriptor_suffix"

const anIntent = "amount=2200&currency=usd&payment_method_types[0]=card&application_fee_amount=44"

func TestRequestChecks(t *testing.T) {
	c, _ := newCaller(t)
	c.want(c.post("/v1/payment_intents", anIntent, "Authorization", "Bearer sk_test_1"), 401)
	c.want(c.post("/v1/payment_intents", anIntent, "Authorization", ""), 401)
	c.want(c.post("/v1/payment_intents", anIntent, "Stripe-Version", "2025-01-01"), 400)
	c.want(c.post("/v1/payment_intents", anIntent, "Stripe-Account", "acct_other"), 403, "error.code", "account_invalid")
	c.want(c.post("/v1/payment_intents", anIntent, "Content-Type", "application/json"), 400)
	c.want(c.post("/v1/payment_intents", anIntent, "Idempotency-Key", strings.Repeat("k", 256)), 400)
	c.want(c.post("/v1/payment_intents", strings.Repeat("a", 1<<20+1)), 400)
	c.want(c.get("/v1/nothing"), 404, "error.type", "invalid_request_error")
	c.want(c.do("DELETE", "/v1/payment_intents", ""), 404)
	platform := caller{t, c.server, ""}
	platform.want(platform.post("/v1/payment_intents", anIntent), 400)
	theirs := c.post("/v1/payment_intents", anIntent).at("id").(string)
	platform.want(platform.get("/v1/payment_intents/"+theirs), 404, "error.code", "resource_missing")
	platform.want(platform.post("/v1/refunds", "amount=2200&payment_intent="+theirs), 404)
	c.want(c.post("/v1/accounts", "country=US"), 400)
}

func TestParameters(t *testing.T) {
	const card = "payment_method_types[0]=card"
	c, _ := newCaller(t)
	for name, x := range map[string]struct{ body, code, param string }{
		"unknown":              {anIntent + "&colour=red", "parameter_unknown", "colour"},
		"a whole statement":    {anIntent + "&statement_descriptor=Yoga", "parameter_unknown", "statement_descriptor"},
		"a long statement":     {anIntent + "&statement_descriptor_suffix=Harbour+Yoga+and+Climbing", "", suffix},
		"a sign on it":         {anIntent + "&statement_descriptor_suffix=Harbour*Yoga", "", suffix},
		"an accent on it":      {anIntent + "&statement_descriptor_suffix=Caf%C3%A9", "", suffix},
		"no letter on it":      {anIntent + "&statement_descriptor_suffix=42", "", suffix},
		"unknown inside":       {anIntent + "&transfer_data[destination]=acct_1", "parameter_unknown", "transfer_data[destination]"},
		"unknown in an array":  {anIntent + "&items[0][price]=1", "parameter_unknown", "items[0][price]"},
		"known to Stripe only": {anIntent + "&confirm=true", "parameter_unknown", "confirm"},
		"missing amount":       {"currency=usd", "parameter_missing", "amount"},
		"missing currency":     {"amount=2200", "parameter_missing", "currency"},
		"empty":                {anIntent + "&description=", "parameter_invalid_empty", "description"},
		"not a number":         {"amount=22.00&currency=usd", "parameter_invalid_integer", "amount"},
		"twice":                {anIntent + "&amount=2300", "", "amount"},
		"broken brackets":      {anIntent + "&metadata[a=1", "", "metadata[a"},
		"no key of metadata":   {anIntent + "&metadata[]=1", "", "metadata[]"},
		"brackets in between":  {anIntent + "&a[][b]=1", "parameter_unknown", "a[][b]"},
		"long metadata":        {anIntent + "&metadata[k]=" + strings.Repeat("v", 501), "", "metadata"},
		"another method":       {"amount=2200&currency=usd&payment_method_types[0]=sepa_debit", "payment_intent_invalid_parameter", "payment_method_types"},
		"another currency":     {card + "&amount=2200&currency=zzz", "", "currency"},
		"zero":                 {card + "&amount=0&currency=usd", "parameter_invalid_integer", "amount"},
		"below zero":           {card + "&amount=-5&currency=usd", "parameter_invalid_integer", "amount"},
		"too small":            {card + "&amount=49&currency=usd", "amount_too_small", "amount"},
		"too large":            {card + "&amount=100000000&currency=usd", "amount_too_large", "amount"},
		"a fraction of ISK":    {card + "&amount=550&currency=isk", "", "amount"},
		"KWD not in tens":      {card + "&amount=5124&currency=kwd", "", "amount"},
		"a fee of zero":        {card + "&amount=2200&currency=usd&application_fee_amount=0", "", "application_fee_amount"},
		"all of it is fee":     {card + "&amount=2200&currency=usd&application_fee_amount=2200", "", "application_fee_amount"},
	} {
		t.Run(name, func(t *testing.T) {
			c := caller{t, c.server, c.account}
			r := c.post("/v1/payment_intents", x.body)
			c.want(r, 400, "error.type", "invalid_request_error", "error.code", x.code, "error.param", x.param)
		})
	}
	many := anIntent
	for range 51 {
		many += "&metadata[" + url.QueryEscape(string(rune('A'+len(many)%26)))
		many += strings.Repeat("x", len(many)%40) + "]=1"
	}
	if r := c.post("/v1/payment_intents", many); r.status != 400 {
		t.Errorf("too much metadata: %s", r.raw)
	}
}

func TestNestedParametersAreRead(t *testing.T) {
	c, _ := newCaller(t)
	r := c.post("/v1/payment_intents", "amount=2200&currency=USD&payment_method_types%5B0%5D=card&metadata[order_id]=o%261&metadata%5Ba.b%5D=c&metadata[say]=Flow+class%21&metadata[no]=")
	c.want(r, 200, "currency", "usd", "metadata.order_id", "o&1", "metadata.say", "Flow class!", "status", "requires_payment_method")
	if m := r.at("metadata").(map[string]any); m["a.b"] != "c" || len(m) != 3 {
		t.Errorf("metadata %v", m)
	}
	platform := caller{t, c.server, ""}
	r = platform.post("/v1/accounts", "country=GB&email=a%40b.example&controller[fees][payer]=account&controller[stripe_dashboard][type]=full")
	platform.want(r, 200, "default_currency", "gbp")
	platform.want(platform.post("/v1/accounts", "country=GB&controller[fees][payer]=nobody"), 400, "error.param", "controller[fees][payer]")
	platform.want(platform.post("/v1/accounts", "country=GB&type=standard"), 400, "error.code", "parameter_unknown")
	platform.want(platform.post("/v1/accounts", "country=XX"), 400, "error.code", "country_unsupported")
	link := "account=" + r.at("id").(string) + "&return_url=x&refresh_url=y&type="
	platform.want(platform.post("/v1/account_links", link+"account_onboarding"), 200, "object", "account_link")
	platform.want(platform.post("/v1/account_links", link+"account_update"), 400, "error.param", "type")
}

func TestReplayIsByteForByte(t *testing.T) {
	c, sim := newCaller(t)
	first := c.post("/v1/payment_intents", anIntent, "Idempotency-Key", "pi:1:1")
	sim.Clock.Advance(1e9)
	again := c.post("/v1/payment_intents", anIntent, "Idempotency-Key", "pi:1:1")
	c.want(first, 200)
	if again.raw != first.raw || again.header.Get("Idempotent-Replayed") != "true" || first.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("first %v %q, again %v %q", first.header, first.raw, again.header, again.raw)
	}
	shuffled := "application_fee_amount=44&currency=usd&amount=2200&payment_method_types[0]=card"
	if r := c.post("/v1/payment_intents", shuffled, "Idempotency-Key", "pi:1:1"); r.raw != first.raw {
		t.Errorf("the same parameters in another order: %s", r.raw)
	}
	c.want(c.post("/v1/payment_intents", anIntent+"&description=x", "Idempotency-Key", "pi:1:1"), 400, "error.type", "idempotency_error")
	c.want(c.post("/v1/refunds", "amount=1&payment_intent=pi_1", "Idempotency-Key", "pi:1:1"), 400, "error.type", "idempotency_error")

	// A request that was wrong in form never started: mended, it may use its key again.
	c.want(c.post("/v1/payment_intents", anIntent+"&colour=red", "Idempotency-Key", "pi:2:1"), 400)
	c.want(c.post("/v1/payment_intents", anIntent, "Idempotency-Key", "pi:2:1"), 200)
	// One that was carried out keeps its answer, a refusal too.
	refund := "amount=2200&payment_intent=" + first.at("id").(string)
	d1 := c.post("/v1/refunds", refund, "Idempotency-Key", "refund:1")
	c.want(d1, 400, "error.param", "payment_intent")
	c.pay(sim, first, "4242424242424242")
	d2 := c.post("/v1/refunds", refund, "Idempotency-Key", "refund:1")
	if d1.raw != d2.raw {
		t.Error("a refusal is not replayed")
	}
	c.want(c.post("/v1/refunds", refund, "Idempotency-Key", "refund:2"), 200)
	// Keys are forgotten after a day.
	sim.Clock.Advance(25 * 3600 * 1e9)
	if r := c.post("/v1/payment_intents", anIntent, "Idempotency-Key", "pi:1:1"); r.raw == first.raw || r.status != 200 {
		t.Errorf("a day later: %s", r.raw)
	}
}

func TestExpand(t *testing.T) {
	c, sim := newCaller(t)
	made := c.post("/v1/payment_intents", anIntent+"&expand[0]=latest_charge")
	c.want(made, 200, "status", "requires_payment_method")
	path := "/v1/payment_intents/" + made.at("id").(string)
	c.pay(sim, made, "4242424242424242")
	pi := c.get(path + "?expand[0]=latest_charge.balance_transaction")
	c.want(pi, 200, "status", "succeeded", "latest_charge.object", "charge", "latest_charge.payment_intent", made.at("id").(string))
	if pi.at("latest_charge.balance_transaction") != nil {
		t.Errorf("the fees are known at once: %s", pi.raw)
	}
	sim.Clock.Advance(2e9)
	r := c.get(path + "?expand[0]=latest_charge&expand[1]=latest_charge.balance_transaction")
	c.want(r, 200, "latest_charge.id", pi.at("latest_charge.id").(string), "latest_charge.balance_transaction.type", "charge",
		"latest_charge.payment_method_details.card.last4", "4242")
	if strings.Contains(r.raw, "_sim\"") || strings.Contains(r.raw, "4242424242424242") {
		t.Errorf("what is ours is sent: %s", r.raw)
	}
	c.want(c.get(path+"?expand[0]=amount"), 400, "error.param", "expand")
	c.want(c.get(path+"?expand[0]=nothing"), 400)
	c.want(c.get(path+"?expand[0]=latest_charge.payment_intent"), 400) // it would hold itself
	c.want(c.get("/v1/payment_intents/"+pi.at("latest_charge.id").(string)), 404, "error.code", "resource_missing")
}

func TestPaymentStates(t *testing.T) {
	c, sim := newCaller(t)
	create := func() (reply, string) {
		c.t.Helper()
		r := c.post("/v1/payment_intents", anIntent)
		c.want(r, 200)
		return r, "/v1/payment_intents/" + r.at("id").(string)
	}
	made, path := create()
	c.pay(sim, made, "4242424242424242")
	c.want(c.get(path), 200, "status", "succeeded")
	c.want(c.post(path+"/cancel", ""), 400, "error.code", "payment_intent_unexpected_state")

	made, path = create()
	c.want(c.post(path+"/cancel", ""), 200, "status", "canceled")
	c.pay(sim, made, "4242424242424242")
	c.want(c.get(path), 200, "status", "canceled")
	c.want(c.post(path+"/cancel", ""), 400, "error.code", "payment_intent_unexpected_state")
	c.want(c.post("/v1/payment_intents/pi_nobody/cancel", ""), 404)

	// During the bank's check another card can be tried.
	made, path = create()
	c.pay(sim, made, "4000002760003184")
	c.want(c.get(path), 200, "status", "requires_action", "next_action.type", "redirect_to_url")
	c.pay(sim, made, "4242424242424242")
	c.want(c.get(path), 200, "status", "succeeded")

	// An account that is not ready takes nothing.
	platform := caller{t, c.server, ""}
	fresh := caller{t, c.server, platform.post("/v1/accounts", "country=US").at("id").(string)}
	fresh.want(fresh.post("/v1/payment_intents", anIntent), 400)
}
