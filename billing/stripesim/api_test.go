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

const anIntent = "amount=2200&currency=usd&payment_method_types[]=card&application_fee_amount=44"

func TestTheDoor(t *testing.T) {
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
	basic := caller{t, c.server, c.account}
	r, _ := http.NewRequest("GET", "http://x", nil)
	r.SetBasicAuth(stripesim.DefaultSecretKey, "")
	basic.want(basic.do("GET", "/v1/events", "", "Authorization", r.Header.Get("Authorization")), 200, "object", "list")
	platform := caller{t, c.server, ""}
	platform.want(platform.post("/v1/payment_intents", anIntent), 400)
	platform.want(platform.post("/v1/payment_methods", "type=card"), 400)
	theirs := c.post("/v1/payment_intents", anIntent).at("id").(string)
	platform.want(platform.get("/v1/payment_intents/"+theirs), 404, "error.code", "resource_missing")
	platform.want(platform.post("/v1/refunds", "payment_intent="+theirs), 404)
	c.want(c.post("/v1/accounts", "country=US"), 400)
}

func TestParameters(t *testing.T) {
	c, _ := newCaller(t)
	for name, x := range map[string]struct{ body, code, param string }{
		"unknown":             {anIntent + "&colour=red", "parameter_unknown", "colour"},
		"unknown inside":      {anIntent + "&transfer_data[destination]=acct_1", "parameter_unknown", "transfer_data[destination]"},
		"unknown in an array": {anIntent + "&items[0][price]=1", "parameter_unknown", "items[0][price]"},
		"missing amount":      {"currency=usd", "parameter_missing", "amount"},
		"missing currency":    {"amount=2200", "parameter_missing", "currency"},
		"empty":               {anIntent + "&description=", "parameter_invalid_empty", "description"},
		"not a number":        {"amount=22.00&currency=usd", "parameter_invalid_integer", "amount"},
		"twice":               {anIntent + "&amount=2300", "", "amount"},
		"broken brackets":     {anIntent + "&metadata[a=1", "", "metadata[a"},
		"brackets in between": {anIntent + "&a[][b]=1", "", "a[][b]"},
		"too deep":            {anIntent + "&a[b][c][d][e][f][g]=1", "", "a[b][c][d][e][f][g]"},
		"not a flag":          {anIntent + "&confirm=yes", "", "confirm"},
		"not a capture":       {anIntent + "&capture_method=manual", "", "capture_method"},
		"long metadata":       {anIntent + "&metadata[k]=" + strings.Repeat("v", 501), "", "metadata"},
		"two kinds of method": {anIntent + "&automatic_payment_methods[enabled]=true", "parameters_exclusive", "payment_method_types"},
		"another method":      {"amount=2200&currency=usd&payment_method_types[0]=sepa_debit", "payment_intent_invalid_parameter", "payment_method_types"},
		"another currency":    {"amount=2200&currency=zzz", "", "currency"},
		"zero":                {"amount=0&currency=usd", "parameter_invalid_integer", "amount"},
		"below zero":          {"amount=-5&currency=usd", "parameter_invalid_integer", "amount"},
		"too small":           {"amount=49&currency=usd", "amount_too_small", "amount"},
		"too large":           {"amount=100000000&currency=usd", "amount_too_large", "amount"},
		"a fraction of ISK":   {"amount=550&currency=isk", "", "amount"},
		"KWD not in tens":     {"amount=5124&currency=kwd", "", "amount"},
		"a fee of zero":       {"amount=2200&currency=usd&application_fee_amount=0", "", "application_fee_amount"},
		"all of it is fee":    {"amount=2200&currency=usd&application_fee_amount=2200", "", "application_fee_amount"},
		"no card to confirm":  {anIntent + "&confirm=true", "parameter_missing", "payment_method"},
		"an unknown card":     {anIntent + "&payment_method=pm_nobody", "resource_missing", "payment_method"},
	} {
		t.Run(name, func(t *testing.T) {
			c := caller{t, c.server, c.account}
			r := c.post("/v1/payment_intents", x.body)
			if r.status != 400 && x.code != "resource_missing" {
				t.Errorf("status %d", r.status)
			}
			c.want(r, r.status, "error.type", "invalid_request_error", "error.code", x.code, "error.param", x.param)
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
	r := c.post("/v1/payment_intents", "amount=2200&currency=USD&payment_method_types%5B0%5D=card&metadata[order_id]=o%261&metadata%5Ba.b%5D=c&description=Flow+class%21")
	c.want(r, 200, "currency", "usd", "metadata.order_id", "o&1", "description", "Flow class!", "status", "requires_payment_method")
	if m := r.at("metadata").(map[string]any); m["a.b"] != "c" {
		t.Errorf("metadata %v", m)
	}
	platform := caller{t, c.server, ""}
	r = platform.post("/v1/accounts", "country=GB&email=a%40b.example&controller[fees][payer]=account&controller[stripe_dashboard][type]=full&capabilities[card_payments][requested]=true")
	platform.want(r, 200, "default_currency", "gbp", "email", "a@b.example", "controller.fees.payer", "account", "controller.stripe_dashboard.type", "full")
	platform.want(platform.post("/v1/accounts", "country=XX"), 400, "error.code", "country_unsupported")
	platform.want(platform.post("/v1/accounts", "type=standard&controller[fees][payer]=account"), 400, "error.code", "parameters_exclusive")
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
	shuffled := "application_fee_amount=44&currency=usd&amount=2200&payment_method_types[]=card"
	if r := c.post("/v1/payment_intents", shuffled, "Idempotency-Key", "pi:1:1"); r.raw != first.raw {
		t.Errorf("the same parameters in another order: %s", r.raw)
	}
	c.want(c.post("/v1/payment_intents", anIntent+"&description=x", "Idempotency-Key", "pi:1:1"), 400, "error.type", "idempotency_error")
	c.want(c.post("/v1/refunds", "charge=ch_1", "Idempotency-Key", "pi:1:1"), 400, "error.type", "idempotency_error")

	// A request that was wrong in form never started: mended, it may use its key again.
	c.want(c.post("/v1/payment_intents", anIntent+"&colour=red", "Idempotency-Key", "pi:2:1"), 400)
	c.want(c.post("/v1/payment_intents", anIntent, "Idempotency-Key", "pi:2:1"), 200)
	// One that was carried out keeps its answer, a decline too.
	declined := anIntent + "&confirm=true&payment_method=pm_card_chargeDeclined"
	d1 := c.post("/v1/payment_intents", declined, "Idempotency-Key", "pi:3:1")
	d2 := c.post("/v1/payment_intents", declined, "Idempotency-Key", "pi:3:1")
	c.want(d1, 402, "error.code", "card_declined", "error.payment_intent.status", "requires_payment_method")
	if d1.raw != d2.raw {
		t.Error("a decline is not replayed")
	}
	// Keys are forgotten after a day.
	sim.Clock.Advance(25 * 3600 * 1e9)
	if r := c.post("/v1/payment_intents", anIntent, "Idempotency-Key", "pi:1:1"); r.raw == first.raw || r.status != 200 {
		t.Errorf("a day later: %s", r.raw)
	}
}

func TestExpandAndLists(t *testing.T) {
	c, sim := newCaller(t)
	pi := c.post("/v1/payment_intents", anIntent+"&confirm=true&payment_method=pm_card_visa&expand[]=latest_charge")
	c.want(pi, 200, "status", "succeeded", "latest_charge.object", "charge")
	if pi.at("latest_charge.balance_transaction") != nil || pi.at("latest_charge.application_fee") != nil {
		t.Errorf("the fees are known at once: %s", pi.raw)
	}
	id := pi.at("id").(string)
	c.want(c.get("/v1/payment_intents/"+id+"?expand[]=latest_charge.balance_transaction"), 200, "latest_charge.id", pi.at("latest_charge.id").(string))
	sim.Clock.Advance(2e9)
	r := c.get("/v1/payment_intents/" + id + "?expand[0]=latest_charge.balance_transaction&expand[1]=latest_charge.application_fee&expand[2]=payment_method")
	c.want(r, 200, "latest_charge.balance_transaction.type", "charge", "latest_charge.application_fee.object", "application_fee", "payment_method.card.last4", "4242")
	if strings.Contains(r.raw, "_sim\"") || strings.Contains(r.raw, "4242424242424242") {
		t.Errorf("what is ours is sent: %s", r.raw)
	}
	c.want(c.get("/v1/payment_intents/"+id+"?expand[]=amount"), 400, "error.param", "expand")
	c.want(c.get("/v1/payment_intents/"+id+"?expand[]=nothing"), 400)

	fee := r.at("latest_charge.application_fee.id").(string)
	c.want(c.get("/v1/application_fees/"+fee), 404)
	platform := caller{t, c.server, ""}
	platform.want(platform.get("/v1/application_fees/"+fee), 200, "account", c.account)
	charge := r.at("latest_charge.id").(string)
	c.want(c.get("/v1/charges/"+charge), 200, "payment_intent", id)
	c.want(c.get("/v1/payment_intents/"+charge), 404, "error.code", "resource_missing")

	list := c.get("/v1/events?limit=1&type=charge.updated")
	if data := list.at("data").([]any); len(data) != 1 || list.at("has_more") != false {
		t.Errorf("events: %s", list.raw)
	}
	page := c.get("/v1/events?limit=2")
	data := page.at("data").([]any)
	if len(data) != 2 || page.at("has_more") != true {
		t.Fatalf("events: %s", page.raw)
	}
	last := data[1].(map[string]any)["id"].(string)
	c.want(c.get("/v1/events/"+last), 200, "id", last, "api_version", "2024-06-20")
	next := c.get("/v1/events?limit=2&starting_after=" + last).at("data").([]any)
	if len(next) == 0 || next[0].(map[string]any)["id"] == last {
		t.Errorf("the next page begins with %v", next)
	}
	c.want(c.get("/v1/events?starting_after=evt_nobody"), 404)
	c.want(c.get("/v1/events?limit=101"), 400)
	balance := c.get("/v1/balance_transactions?expand[]=data.source")
	c.want(reply{status: balance.status, body: balance.at("data").([]any)[0].(map[string]any)}, 200, "source.id", charge)
}

func TestPaymentStates(t *testing.T) {
	c, _ := newCaller(t)
	create := func(extra string) string {
		c.t.Helper()
		r := c.post("/v1/payment_intents", anIntent+extra)
		c.want(r, 200)
		return "/v1/payment_intents/" + r.at("id").(string)
	}
	pi := create("&payment_method=pm_card_visa")
	c.want(c.get(pi), 200, "status", "requires_confirmation")
	c.want(c.post(pi+"/confirm", ""), 200, "status", "succeeded")
	c.want(c.post(pi+"/confirm", ""), 400, "error.code", "payment_intent_unexpected_state", "error.payment_intent.status", "succeeded")
	c.want(c.post(pi+"/cancel", ""), 400, "error.code", "payment_intent_unexpected_state")

	pi = create("")
	c.want(c.post(pi+"/confirm", ""), 400, "error.param", "payment_method")
	c.want(c.post(pi+"/confirm", "payment_method=pm_nobody"), 404)
	c.want(c.post(pi+"/cancel", "cancellation_reason=abandoned"), 200, "status", "canceled", "cancellation_reason", "abandoned")
	c.want(c.post(pi+"/confirm", "payment_method=pm_card_visa"), 400)
	c.want(c.post("/v1/payment_intents/pi_nobody/confirm", "payment_method=pm_card_visa"), 404)
	c.want(c.post("/v1/payment_intents/pi_nobody/cancel", ""), 404)

	// Without the customer the bank cannot ask; without an address there is no page to send the customer to.
	pi = create("")
	c.want(c.post(pi+"/confirm", "payment_method=pm_card_authenticationRequired&off_session=true"), 402, "error.code", "authentication_required")
	c.want(c.post(pi+"/confirm", "payment_method=pm_card_authenticationRequired"), 200, "status", "requires_action", "next_action.type", "use_stripe_sdk")
	c.want(c.post(pi+"/confirm", "payment_method=pm_card_visa"), 200, "status", "succeeded")

	// An account that is not ready takes nothing.
	platform := caller{t, c.server, ""}
	fresh := caller{t, c.server, platform.post("/v1/accounts", "").at("id").(string)}
	fresh.want(fresh.post("/v1/payment_intents", anIntent), 400)
}

func TestPaymentMethods(t *testing.T) {
	c, _ := newCaller(t)
	body := func(number, month, year, cvc string) string {
		return url.Values{"type": {"card"}, "card[number]": {number}, "card[exp_month]": {month}, "card[exp_year]": {year}, "card[cvc]": {cvc}}.Encode()
	}
	r := c.post("/v1/payment_methods", body("5555 5555 5555 4444", "3", "2026", "123")) // good until the end of this month
	c.want(r, 200, "card.brand", "mastercard", "card.last4", "4444")
	c.want(c.get("/v1/payment_methods/"+r.at("id").(string)), 200, "object", "payment_method")
	for code, b := range map[string]string{
		"incorrect_number":     body("4242424242424241", "12", "34", "123"),
		"invalid_expiry_month": body("4242424242424242", "13", "34", "123"),
		"invalid_expiry_year":  body("4242424242424242", "2", "2026", "123"),
		"invalid_cvc":          body("4242424242424242", "12", "34", "12"),
	} {
		c.want(c.post("/v1/payment_methods", b), 402, "error.type", "card_error", "error.code", code)
	}
	// Somebody's own card: refused, and nowhere kept.
	r = c.post("/v1/payment_methods", body("4111111111111111", "12", "34", "123"))
	c.want(r, 402, "error.decline_code", "test_mode_live_card")
	c.want(c.post("/v1/payment_methods", "type=card"), 400, "error.code", "parameter_missing")
}
