package stripesim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"foyer/billing/billingtest"
	"foyer/billing/processor"
	"foyer/billing/stripesim"
)

// controlled is a simulator whose control API is on, with an account and a payment on it that succeeded.
type controlled struct {
	*billingtest.Sim
	account, payment string
}

func openControlled(t *testing.T) controlled {
	t.Helper()
	s := billingtest.NewSim(t, func(o *stripesim.Options) { o.Control = true })
	c := controlled{Sim: s, account: s.Account(t, "a", "US")}
	in, err := s.Processor.CreatePayment(t.Context(), processor.NewPayment{Account: c.account, Amount: 2200, Currency: "USD", Fee: 44, Key: "pi:1"})
	if err != nil {
		t.Fatal(err)
	}
	s.Pay(t, in, billingtest.CardGood)
	s.Clock.Advance(3 * time.Second)
	s.Server.Flush(t.Context())
	c.payment = in.ID
	return c
}

// asks sends a request to the control API and returns its status and the ids it made, or the error.
func (c controlled) asks(t *testing.T, verb string, fields url.Values, origin ...string) (status int, ids []string, why string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, billingtest.AppURL+"/__sim/control/"+verb, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, o := range origin {
		r.Header.Set("Origin", o)
	}
	res, err := c.Server.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		IDs   []string `json:"ids"`
		Error string   `json:"error"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatalf("%s: %d %s", verb, res.StatusCode, raw)
	}
	return res.StatusCode, answer.IDs, answer.Error
}

// must is asks of a request that succeeds, and returns its first id.
func (c controlled) must(t *testing.T, verb string, fields url.Values) string {
	t.Helper()
	fields.Set("account", c.account)
	status, ids, why := c.asks(t, verb, fields)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", verb, status, why)
	}
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

// The acts of banks, and of the studio on Stripe's own website, are available over HTTP; the adapter then sees them.
func TestControl(t *testing.T) {
	c := openControlled(t)
	ctx := t.Context()
	status := func(dispute string) processor.DisputeStatus {
		d, err := c.Processor.GetDispute(ctx, c.account, dispute)
		if err != nil {
			t.Fatal(err)
		}
		return d.Status
	}
	asked := c.must(t, "inquire", url.Values{"id": {c.payment}, "reason": {"fraudulent"}})
	if got := status(asked); got != processor.DisputeWarning {
		t.Errorf("an inquiry is %s", got)
	}
	if c.must(t, "escalate", url.Values{"id": {asked}}); status(asked) != processor.DisputeNeedsResponse {
		t.Errorf("an inquiry that became a dispute is %s", status(asked))
	}
	if c.must(t, "win", url.Values{"id": {asked}}); status(asked) != processor.DisputeWon {
		t.Errorf("a dispute that was won is %s", status(asked))
	}
	again := c.must(t, "inquire", url.Values{"id": {c.payment}, "reason": {"fraudulent"}})
	if c.must(t, "close-inquiry", url.Values{"id": {again}}); status(again) != processor.DisputeWarningClosed {
		t.Errorf("an inquiry that is closed is %s", status(again))
	}
	c.must(t, "refund", url.Values{"id": {c.payment}, "amount": {"700"}})
	lost := c.must(t, "dispute", url.Values{"id": {c.payment}, "reason": {"fraudulent"}})
	if c.must(t, "lose", url.Values{"id": {lost}}); status(lost) != processor.DisputeLost {
		t.Errorf("a dispute that was lost is %s", status(lost))
	}
	if d, err := c.Processor.GetDispute(ctx, c.account, lost); err != nil || d.Amount != 1500 {
		t.Errorf("%d are disputed of what was left: %v", d.Amount, err)
	}
	c.must(t, "charge", url.Values{"amount": {"9000"}, "currency": {"usd"}})
	c.Clock.Advance(3 * time.Second)
	c.Server.Flush(ctx)
	c.Clock.Advance(49 * time.Hour)
	payout := c.must(t, "pay-out", url.Values{})
	if c.must(t, "fail-payout", url.Values{"id": {payout}}); payout == "" {
		t.Fatal("nothing was paid out")
	}
	if p, err := c.Processor.GetPayout(ctx, c.account, payout); err != nil || p.Status != processor.PayoutFailed {
		t.Errorf("a payout that failed is %s: %v", p.Status, err)
	}
	c.must(t, "restrict", url.Values{"due": {"external_account"}})
	if a, err := c.Processor.GetAccount(ctx, c.account); err != nil || a.State != processor.StateRestricted || a.Due[0] != "external_account" {
		t.Errorf("a restricted account is %+v: %v", a, err)
	}
	c.must(t, "activate", url.Values{})
	if a, err := c.Processor.GetAccount(ctx, c.account); err != nil || a.State != processor.StateActive {
		t.Errorf("an account that is complete again is %+v: %v", a, err)
	}
	c.must(t, "disconnect", url.Values{})
	if a, err := c.Processor.GetAccount(ctx, c.account); err != nil || a.State != processor.StateDisconnected {
		t.Errorf("an account that was taken away is %+v: %v", a, err)
	}
}

// An event can be sent once more, byte for byte.
func TestControlReplay(t *testing.T) {
	c := openControlled(t)
	all := c.Inbox.All()
	last := all[len(all)-1].Body
	var e struct{ ID string }
	if err := json.Unmarshal(last, &e); err != nil {
		t.Fatal(err)
	}
	c.must(t, "replay", url.Values{"id": {e.ID}})
	c.Clock.Advance(2 * time.Second) // it may be shuffled
	c.Server.Flush(t.Context())
	if now := c.Inbox.All(); len(now) != len(all)+1 || string(now[len(now)-1].Body) != string(last) {
		t.Errorf("%d events came, and then %d", len(all), len(now))
	}
}

// An impossible act returns an error; a page of another site does nothing; and without the option the API does not
// exist.
func TestControlRefuses(t *testing.T) {
	c := openControlled(t)
	of := func(id string) url.Values { return url.Values{"account": {c.account}, "id": {id}} }
	for name, r := range map[string]struct {
		verb   string
		fields url.Values
		status int
	}{
		"an unknown verb":       {"nonsense", of(""), http.StatusNotFound},
		"an unknown account":    {"pay-out", url.Values{"account": {"acct_sim_x"}}, http.StatusConflict},
		"an unknown dispute":    {"win", of("dp_sim_x"), http.StatusConflict},
		"no inquiry":            {"escalate", of("dp_sim_x"), http.StatusConflict},
		"an amount in words":    {"charge", url.Values{"account": {c.account}, "amount": {"ten"}}, http.StatusConflict},
		"more than there is":    {"refund", url.Values{"account": {c.account}, "id": {c.payment}, "amount": {"2201"}}, http.StatusConflict},
		"an event of long ago":  {"replay", of("evt_sim_x"), http.StatusConflict},
		"a payout that is none": {"fail-payout", of("po_sim_x"), http.StatusConflict},
	} {
		if status, _, why := c.asks(t, r.verb, r.fields); status != r.status || why == "" {
			t.Errorf("%s: %d %q, want %d", name, status, why, r.status)
		}
	}
	if status, _, _ := c.asks(t, "restrict", of(""), "http://elsewhere.example"); status != http.StatusForbidden {
		t.Errorf("another site: %d", status)
	}
	if status, _, why := c.asks(t, "activate", of(""), billingtest.AppURL); status != http.StatusOK {
		t.Errorf("the app's own page: %d %s", status, why)
	}
	off := billingtest.NewSim(t)
	r := httptest.NewRequest(http.MethodPost, billingtest.AppURL+"/__sim/control/pay-out", nil)
	res, err := off.Server.RoundTrip(r)
	if err != nil || res.StatusCode != http.StatusNotFound {
		t.Errorf("where it is off: %d, %v", res.StatusCode, err)
	}
}
