package stripesim_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"foyer/billing/billingtest"
	"foyer/billing/processor"
)

const app = billingtest.AppURL

func (c caller) browse(sim *billingtest.Sim, method, address string, form url.Values) (*http.Response, string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := sim.Browser().Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return res, string(body)
}

func cardForm(secret, number, back string) url.Values {
	return url.Values{"number": {number}, "exp": {"12/34"}, "cvc": {"123"}, "client_secret": {secret}, "return_url": {back}}
}

// pay types a card on the page of a payment.
func (c caller) pay(sim *billingtest.Sim, intent reply, number string) {
	c.t.Helper()
	res, body := c.browse(sim, "POST", app+"/__sim/pay", cardForm(intent.at("client_secret").(string), number, app+"/paid"))
	if res.StatusCode != http.StatusSeeOther {
		c.t.Fatalf("the page answers %d: %s", res.StatusCode, body)
	}
}

func TestPayForm(t *testing.T) {
	c, sim := newCaller(t)
	secret := func() string { return c.post("/v1/payment_intents", anIntent).at("client_secret").(string) }
	for name, x := range map[string]struct{ number, exp, cvc, status, code string }{
		"good":             {"4242 4242 4242 4242", "12/34", "123", "succeeded", ""},
		"good, long year":  {"4242-4242-4242-4242", "12 / 2034", "123", "succeeded", ""},
		"good, no slash":   {"378282246310005", "1234", "1234", "succeeded", ""},
		"good, this month": {"5555 5555 5555 4444", "3/2026", "123", "succeeded", ""},
		"declined":         {"4000000000000002", "12/34", "123", "failed", "card_declined"},
		"mistyped":         {"4242 4242 4242 4243", "12/34", "123", "failed", "incorrect_number"},
		"run out":          {"4242 4242 4242 4242", "01/20", "123", "failed", "invalid_expiry_year"},
		"last month":       {"4242 4242 4242 4242", "02/2026", "123", "failed", "invalid_expiry_year"},
		"month 13":         {"4242 4242 4242 4242", "13/34", "123", "failed", "invalid_expiry_month"},
		"short code":       {"4242 4242 4242 4242", "12/34", "12", "failed", "invalid_cvc"},
		"no date":          {"4242 4242 4242 4242", "", "123", "failed", "invalid_expiry_month"},
		"no code":          {"4242 4242 4242 4242", "12/34", "", "failed", "invalid_cvc"},
		"a real card":      {"4111 1111 1111 1111", "12/34", "123", "failed", "card_declined"},
	} {
		t.Run(name, func(t *testing.T) {
			c := caller{t, c.server, c.account}
			form := cardForm(secret(), x.number, app+"/paid?order=7")
			form.Set("exp", x.exp)
			form.Set("cvc", x.cvc)
			res, _ := c.browse(sim, "POST", app+"/__sim/pay", form)
			to, err := res.Location()
			if err != nil || res.StatusCode != http.StatusSeeOther {
				t.Fatalf("status %d, %v", res.StatusCode, err)
			}
			q := to.Query()
			if !strings.HasPrefix(to.String(), app+"/paid?") || q.Get("order") != "7" || q.Get("redirect_status") != x.status {
				t.Errorf("sent to %s", to)
			}
			if strings.Contains(to.String(), "secret") {
				t.Errorf("the secret is in the address: %s", to)
			}
			pi := c.get("/v1/payment_intents/" + q.Get("payment_intent") + "?expand[0]=latest_charge")
			if details := "latest_charge.payment_method_details.card."; name == "good, this month" {
				c.want(pi, 200, details+"brand", "mastercard", details+"last4", "4444")
			}
			if got, _ := pi.at("last_payment_error.code").(string); got != x.code {
				t.Errorf("code %q, want %q", got, x.code)
			}
			if got := pi.at("last_payment_error.decline_code"); name == "a real card" && got != "test_mode_live_card" {
				t.Errorf("a real card is declined as %v", got)
			}
		})
	}
	// Sent twice, by a double click or a reload: the same end and one charge.
	s := secret()
	for range 2 {
		res, _ := c.browse(sim, "POST", app+"/__sim/pay", cardForm(s, "4242424242424242", app+"/paid"))
		if to, _ := res.Location(); to.Query().Get("redirect_status") != "succeeded" {
			t.Errorf("sent to %s", to)
		}
	}
}

func TestPagesLeadNowhereElse(t *testing.T) {
	c, sim := newCaller(t)
	secret := c.post("/v1/payment_intents", anIntent).at("client_secret").(string)
	for _, back := range []string{
		"", "https://evil.example/", "http://studio.example.evil.example/", "//evil.example/x", "https://studio.example/",
		"http://u@studio.example/", "javascript:alert(1)", "http://studio.example:81/", `http://studio.example\@evil.example/`, "http:evil",
	} {
		res, body := c.browse(sim, "POST", app+"/__sim/pay", cardForm(secret, "4242424242424242", back))
		if res.StatusCode != http.StatusBadRequest || res.Header.Get("Location") != "" || !strings.Contains(body, "not part of this site") {
			t.Errorf("return_url %q: %d %s", back, res.StatusCode, res.Header.Get("Location"))
		}
	}
	res, body := c.browse(sim, "POST", app+"/__sim/pay", cardForm("pi_sim_1_secret_2", "4242424242424242", app))
	if res.StatusCode != http.StatusBadRequest || !strings.Contains(body, "not known") {
		t.Errorf("an unknown payment: %d", res.StatusCode)
	}
	if res, _ := c.browse(sim, "GET", app+"/__sim/pay", nil); res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET answers %d", res.StatusCode)
	}
	res, _ = c.browse(sim, "POST", app+"/__sim/pay", cardForm(secret, "4242424242424242", "/paid"))
	if got := res.Header.Get("Location"); !strings.HasPrefix(got, app+"/paid?") {
		t.Errorf("an address without a host leads to %s", got)
	}
}

func TestBankPage(t *testing.T) {
	c, sim := newCaller(t)
	pi := c.post("/v1/payment_intents", anIntent)
	form := cardForm(pi.at("client_secret").(string), "4000002760003184", app+"/paid")
	res, _ := c.browse(sim, "POST", app+"/__sim/pay", form)
	page := res.Header.Get("Location")
	res, body := c.browse(sim, "GET", page, nil)
	for _, want := range []string{`<html lang="en">`, "<title>", "Test payment. Nothing is charged.", "$22.00", ">Authorise<", ">Fail<", "width=device-width"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	csp := res.Header.Get("Content-Security-Policy")
	if strings.Contains(body, "<script") || strings.Contains(body, "<style") || strings.Contains(body, " style=") || strings.Contains(csp, "unsafe") {
		t.Errorf("the page needs an exception from %q", csp)
	}
	if !strings.Contains(csp, "frame-ancestors 'none'") {
		t.Errorf("the page can be framed: %q", csp)
	}
	framed := c.post("/v1/payment_intents", anIntent).at("client_secret").(string)
	sent, _ := c.browse(sim, "POST", app+"/__sim/pay", cardForm(framed, "4000002760003184", app+"/paid?embed=1"))
	inside, _ := c.browse(sim, "GET", sent.Header.Get("Location"), nil)
	if got := inside.Header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors *") {
		t.Errorf("the page of a payment in the booking frame cannot be framed: %q", got)
	}
	for _, wrong := range []string{app + "/__sim/3ds/" + pi.at("id").(string), app + "/__sim/3ds/pi_other?" + page[strings.Index(page, "key="):]} {
		if res, _ := c.browse(sim, "GET", wrong, nil); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s answers %d", wrong, res.StatusCode)
		}
	}
	if res, _ := c.browse(sim, "POST", app+"/__sim/3ds/"+pi.at("id").(string), url.Values{"result": {"authorise"}}); res.StatusCode != http.StatusBadRequest {
		t.Errorf("an answer without the key: %d", res.StatusCode)
	}
	sim.Bank(t, page, true)
	sim.Bank(t, page, false) // too late to change anything
	c.want(c.get("/v1/payment_intents/"+pi.at("id").(string)), 200, "status", "succeeded")
	res, _ = c.browse(sim, "GET", page, nil)
	if to := res.Header.Get("Location"); !strings.Contains(to, "redirect_status=succeeded") {
		t.Errorf("a reload leads to %q", to)
	}
}

func TestBankPassesAndTheCardDeclines(t *testing.T) {
	c, sim := newCaller(t)
	pi := c.post("/v1/payment_intents", anIntent)
	res, _ := c.browse(sim, "POST", app+"/__sim/pay", cardForm(pi.at("client_secret").(string), "4000008400001629", app+"/paid"))
	sim.Bank(t, res.Header.Get("Location"), true)
	c.want(c.get("/v1/payment_intents/"+pi.at("id").(string)), 200, "status", "requires_payment_method", "last_payment_error.code", "card_declined")
}

func TestOnboardingLink(t *testing.T) {
	c, sim := newCaller(t)
	a, err := sim.Processor.CreateAccount(t.Context(), processor.NewAccount{Country: "GB", Key: "acct:new"})
	if err != nil {
		t.Fatal(err)
	}
	link := func(refresh string) string {
		l, err := sim.Processor.AccountLink(t.Context(), processor.NewLink{Account: a.ID, ReturnURL: app + "/back", RefreshURL: refresh})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	first := link(app + "/again")
	if !strings.HasPrefix(first, app+"/__sim/onboard/"+a.ID+"?link=") {
		t.Fatalf("the link is %s", first)
	}
	res, body := c.browse(sim, "GET", first, nil)
	if res.StatusCode != http.StatusOK || !strings.Contains(body, "Test payment. Nothing is charged.") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	if res, _ = c.browse(sim, "GET", first, nil); res.Header.Get("Location") != app+"/again" {
		t.Errorf("a second visit leads to %q", res.Header.Get("Location"))
	}
	late := link(app + "/again")
	sim.Clock.Advance(6 * time.Minute)
	if res, _ = c.browse(sim, "GET", late, nil); res.Header.Get("Location") != app+"/again" {
		t.Errorf("a late visit leads to %q", res.Header.Get("Location"))
	}
	if res, _ = c.browse(sim, "GET", app+"/__sim/onboard/"+a.ID+"?link=link_sim_none", nil); res.StatusCode != http.StatusBadRequest {
		t.Errorf("an unknown link answers %d", res.StatusCode)
	}
	away := link("https://evil.example/")
	c.browse(sim, "GET", away, nil)
	if res, _ = c.browse(sim, "GET", away, nil); res.StatusCode != http.StatusBadRequest {
		t.Errorf("a foreign refresh_url leads to %q", res.Header.Get("Location"))
	}
	token := first[strings.Index(first, "=")+1:]
	res, _ = c.browse(sim, "POST", app+"/__sim/onboard/"+a.ID, url.Values{"link": {token}})
	if res.Header.Get("Location") != app+"/back" {
		t.Errorf("the button leads to %q", res.Header.Get("Location"))
	}
	if got, err := sim.Processor.GetAccount(t.Context(), a.ID); err != nil || got.State != processor.StateActive {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestStyleSheet(t *testing.T) {
	c, sim := newCaller(t)
	res, body := c.browse(sim, "GET", app+"/__sim/style.css", nil)
	if res.Header.Get("Content-Type") != "text/css; charset=utf-8" || !strings.Contains(body, "prefers-color-scheme: dark") {
		t.Errorf("%s %.60s", res.Header.Get("Content-Type"), body)
	}
}
