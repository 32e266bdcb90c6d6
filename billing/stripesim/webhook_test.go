package stripesim_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/clock"
	"foyer/billing/billingtest"
	"foyer/billing/processor"
	"foyer/billing/stripesim"
)

// kinds returns the ids and types of the received events, in order.
func kinds(t *testing.T, sim *billingtest.Sim) (ids, types []string) {
	t.Helper()
	for _, d := range sim.Inbox.All() {
		e, err := sim.Processor.ConstructEvent(processor.EndpointConnect, d.Body, d.Signature)
		if err != nil {
			t.Fatal(err)
		}
		ids, types = append(ids, e.ID), append(types, e.Type)
	}
	return ids, types
}

// steady is a simulator without the switches of the environment, which these tests set themselves.
func steady(t *testing.T, o stripesim.Options) (caller, *billingtest.Sim) {
	t.Helper()
	t.Setenv("SIM_WEBHOOK_DUPLICATE", "")
	t.Setenv("SIM_WEBHOOK_SHUFFLE", "")
	sim := billingtest.NewSim(t, func(all *stripesim.Options) {
		all.Duplicate, all.Shuffle, all.File, all.Seed = o.Duplicate, o.Shuffle, o.File, cmp.Or(o.Seed, all.Seed)
	})
	return caller{t, sim.Server, sim.Account(t, "a", "US")}, sim
}

func TestEventsInTheirOrder(t *testing.T) {
	c, sim := steady(t, stripesim.Options{})
	c.paid(sim, "4242424242424242")
	sim.Server.Flush(t.Context())
	sim.Clock.Advance(2 * time.Second)
	sim.Server.Flush(t.Context())
	sim.Server.Flush(t.Context()) // nothing is sent twice
	_, got := kinds(t, sim)
	want := []string{"account.updated", "charge.succeeded", "payment_intent.succeeded", "charge.updated"}
	if !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
}

func TestDuplicateAndShuffle(t *testing.T) {
	c, sim := steady(t, stripesim.Options{Duplicate: true, Shuffle: true})
	for range 5 {
		c.paid(sim, "4242424242424242")
	}
	sim.Clock.Advance(4 * time.Second)
	sim.Server.Flush(t.Context())
	sim.Clock.Advance(4 * time.Second)
	sim.Server.Flush(t.Context())
	ids, types := kinds(t, sim)
	count := map[string]int{}
	for _, id := range ids {
		count[id]++
	}
	if len(count) != 16 || len(ids) != 32 { // account.updated, and three for each payment
		t.Errorf("%d events, %d of them different", len(ids), len(count))
	}
	var order []string
	for i, id := range ids {
		if slices.Index(ids, id) == i {
			order = append(order, types[i])
		}
	}
	made := []string{"account.updated"}
	for range 5 {
		made = append(made, "charge.succeeded", "payment_intent.succeeded")
	}
	for range 5 {
		made = append(made, "charge.updated")
	}
	if slices.Equal(made, order) {
		t.Error("the events came in their order")
	}
	slices.Sort(made)
	slices.Sort(order)
	if !slices.Equal(made, order) {
		t.Errorf("events %v, want %v", order, made)
	}
}

func TestAnEventIsSentUntilItIsTaken(t *testing.T) {
	c, sim := steady(t, stripesim.Options{})
	sim.Server.Flush(t.Context())
	before := len(sim.Inbox.All())
	sim.Inbox.Refuse(3)
	c.paid(sim, "4242424242424242")
	sim.Server.Flush(t.Context()) // refuses both events
	if got := len(sim.Inbox.All()); got != before {
		t.Fatalf("%d events came", got-before)
	}
	sim.Server.Flush(t.Context()) // not before a second has passed
	if got := len(sim.Inbox.All()); got != before {
		t.Fatalf("%d events came too soon", got-before)
	}
	for range 4 {
		sim.Clock.Advance(time.Second)
		sim.Server.Flush(t.Context())
	}
	_, got := kinds(t, sim)
	for _, want := range []string{"charge.succeeded", "payment_intent.succeeded", "charge.updated"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s never came: %v", want, got)
		}
	}
}

func TestRunDelivers(t *testing.T) {
	c, sim := steady(t, stripesim.Options{})
	done := make(chan struct{})
	ctx := t.Context()
	go func() { defer close(done); sim.Server.Run(ctx) }()
	c.paid(sim, "4242424242424242")
	for range 3000 { // half a minute
		if len(sim.Inbox.All()) >= 3 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := len(sim.Inbox.All()); got < 3 {
		t.Errorf("%d events came", got)
	}
	t.Cleanup(func() { <-done }) // the context of the test ends before its clean-up
}

// The state survives a restart: objects, keys, pending events and pending tasks.
func TestRestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sim.json")
	c, sim := steady(t, stripesim.Options{File: file})
	first := c.post("/v1/payment_intents", anIntent, "Idempotency-Key", "pi:1:1")
	paid := c.paid(sim, "4242424242424242")
	again, err := stripesim.New(stripesim.Options{
		Clock: sim.Clock, File: file, AppURL: app, WebhookURL: sim.Inbox.URL, Seed: "another seed is not heard",
	})
	if err != nil {
		t.Fatal(err)
	}
	c.server = again
	if r := c.post("/v1/payment_intents", anIntent, "Idempotency-Key", "pi:1:1"); r.raw != first.raw {
		t.Errorf("the key is forgotten: %s", r.raw)
	}
	fresh := c.post("/v1/payment_intents", anIntent, "Idempotency-Key", "pi:2:1")
	if fresh.at("id") == first.at("id") || strings.HasSuffix(paid, fresh.at("id").(string)) {
		t.Error("an id was made twice")
	}
	sim.Clock.Advance(3 * time.Second)
	c.want(c.get(paid+"?expand[0]=latest_charge.balance_transaction"), 200,
		"status", "succeeded", "latest_charge.balance_transaction.type", "charge")
	again.Flush(t.Context())
	_, got := kinds(t, sim)
	if want := []string{"account.updated", "charge.succeeded", "payment_intent.succeeded", "charge.updated"}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	left, err := filepath.Glob(file + ".*")
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestRealCardNumbersAreNotKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sim.json")
	c, sim := steady(t, stripesim.Options{File: file})
	secret := c.post("/v1/payment_intents", anIntent).at("client_secret").(string)
	c.browse(sim, "POST", app+"/__sim/pay", cardForm(secret, "4111 1111 1111 1111", app))
	raw, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(raw), "4111") {
		t.Errorf("the number is in the file, or there is none: %v", err)
	}
}

func TestIDsFollowFromTheSeed(t *testing.T) {
	id := func(seed string) string {
		c, _ := steady(t, stripesim.Options{Seed: seed})
		return c.post("/v1/payment_intents", anIntent).raw
	}
	if first, second := id("a"), id("a"); first != second || first == id("b") {
		t.Error("ids do not follow from the seed")
	}
	var pi map[string]any
	if err := json.Unmarshal([]byte(id("a")), &pi); err != nil || !strings.HasPrefix(pi["id"].(string), "pi_sim_") || pi["livemode"] != false {
		t.Errorf("%v %v", pi, err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	now := clock.NewFixed(billingtest.Start)
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]stripesim.Options{
		"no clock":        {AppURL: app},
		"no URL":          {Clock: now},
		"a relative URL":  {Clock: now, AppURL: "/app"},
		"a broken file":   {Clock: now, AppURL: app, File: bad},
		"a directory":     {Clock: now, AppURL: app, File: t.TempDir()},
		"a relative hook": {Clock: now, AppURL: app, WebhookURL: "hooks"},
	} {
		if _, err := stripesim.New(o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	o := stripesim.Options{}.FromEnv(func(k string) string { return map[string]string{"SIM_WEBHOOK_DUPLICATE": "1"}[k] })
	if !o.Duplicate || o.Shuffle {
		t.Errorf("switches %+v", o)
	}
}

func TestControlOfUnknownAccounts(t *testing.T) {
	_, sim := steady(t, stripesim.Options{})
	_, _, _, unknown := sim.Server.Totals("acct_x")
	for _, err := range []error{
		sim.Server.Activate("acct_x"), sim.Server.Restrict("acct_x"), sim.Server.Verify("acct_x"),
		sim.Server.PausePayouts("acct_x", billingtest.Start), sim.Server.Disconnect("acct_x"), unknown,
	} {
		if err == nil {
			t.Error("accepted")
		}
	}
}

// After a disconnection the event still names the account.
func TestDisconnectionIsAnnounced(t *testing.T) {
	c, sim := steady(t, stripesim.Options{})
	if err := sim.Server.Disconnect(c.account); err != nil {
		t.Fatal(err)
	}
	sim.Server.Flush(t.Context())
	all := sim.Inbox.All()
	e, err := sim.Processor.ConstructEvent(processor.EndpointConnect, all[len(all)-1].Body, all[len(all)-1].Signature)
	if err != nil || e.Type != "account.application.deauthorized" || e.Account != c.account || !e.Of(processor.EnvSimulated) || e.Of(processor.EnvLive) {
		t.Errorf("%+v, %v", e, err)
	}
}
