package billing_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/policy"
)

var back = billing.OnboardInput{Country: "us", ReturnURL: "http://app.test/back", RefreshURL: "http://app.test/again"}

func TestOnboard(t *testing.T) {
	w := apptest.Open(t)
	s := w.SalesWithoutCards(t)
	c, err := s.Billing.Connection(t.Context(), s.Owner)
	if err != nil || c.State != processor.StateNotConnected || c.AccountID != "" || c.Env != processor.EnvSimulated || c.Accepts("USD") {
		t.Errorf("%+v (%v)", c, err)
	}
	if _, err := s.Billing.Refresh(t.Context(), s.Owner); err != nil {
		t.Errorf("refresh without an account: %v", err)
	}
	if _, err := s.Billing.Onboard(t.Context(), s.Owner, billing.OnboardInput{ReturnURL: back.ReturnURL, RefreshURL: back.RefreshURL}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("no country anywhere: %v", err)
	}
	w.SQL(t, "update locations set country = 'US'")
	links := map[string]bool{}
	var mu sync.Mutex
	var done sync.WaitGroup
	for range 8 { // eight clicks at once: one account, and a link each
		done.Go(func() {
			link, err := s.Billing.Onboard(t.Context(), s.Owner, billing.OnboardInput{ReturnURL: back.ReturnURL, RefreshURL: back.RefreshURL})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			links[link] = true
			mu.Unlock()
		})
	}
	done.Wait()
	if len(links) != 8 {
		t.Errorf("%d links", len(links))
	}
	c, err = s.Billing.Connection(t.Context(), s.Owner)
	if err != nil || c.State != processor.StateOnboarding || !strings.HasPrefix(c.AccountID, "acct_sim_") || c.Currency != "USD" || len(c.Due) == 0 {
		t.Errorf("%+v (%v)", c, err)
	}
	if err := s.Sim.Activate(c.AccountID); err != nil {
		t.Fatal(err)
	}
	c, err = s.Billing.Refresh(t.Context(), s.Owner)
	if err != nil || c.State != processor.StateActive || len(c.Due) != 0 || !c.Accepts("USD") || c.Accepts("EUR") {
		t.Errorf("%+v (%v)", c, err)
	}
	_, err = s.Billing.Onboard(t.Context(), s.Owner, back)
	wants(t, "connected", err, billing.ErrConnected)
}

// Issue 31, item 14. An account with another currency than a location's is connected: the error names both
// currencies, instead of a missing account.
func TestAccountOfAnotherCurrency(t *testing.T) {
	w := apptest.Open(t)
	s := w.Sales(t)
	takes := func(cur money.Currency) (yes bool, err error) {
		err = pg.Do(t.Context(), w.DB, s.Business.ID, func(tx *pg.Tx) (err error) {
			yes, err = s.Billing.TakesCardsTx(t.Context(), tx, cur)
			return err
		})
		return yes, err
	}
	if yes, err := takes("USD"); !yes || err != nil {
		t.Errorf("dollars: %v, %v", yes, err)
	}
	yes, err := takes("EUR")
	f := fault.From(err)
	if yes || !errors.Is(err, billing.ErrCurrencyDiffers) || f.Kind != fault.Validation || f.Details["accountCurrency"] != "USD" || f.Details["currency"] != "EUR" ||
		len(f.Fields) != 1 || f.Fields[0].Field != "price" {
		t.Errorf("euros: %v, %+v", yes, f)
	}
	w.SQL(t, "update processor_accounts set state = 'restricted'")
	if yes, err := takes("EUR"); yes || err != nil {
		t.Errorf("an account that takes no cards: %v, %v", yes, err)
	}
}

func TestConnectionNeedsBusinessManage(t *testing.T) {
	w := apptest.Open(t)
	s := w.SalesWithoutCards(t)
	desk := s.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	for verb, call := range map[string]func(tenancy.Scope) error{
		"get":     func(sc tenancy.Scope) error { _, err := s.Billing.Connection(t.Context(), sc); return err },
		"refresh": func(sc tenancy.Scope) error { _, err := s.Billing.Refresh(t.Context(), sc); return err },
		"onboard": func(sc tenancy.Scope) error { _, err := s.Billing.Onboard(t.Context(), sc, back); return err },
	} {
		if err := call(desk); !errors.Is(err, policy.ErrMissingFeature) {
			t.Errorf("%s: %v", verb, err)
		}
	}
}

// Without a processor cards are not offered, and nothing pretends otherwise.
func TestNotConfigured(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	b := billing.New(billing.Options{DB: w.DB})
	c, err := b.Connection(t.Context(), s.Owner)
	if err != nil || c.State != processor.StateNotConnected || b.Env() != "" {
		t.Errorf("%+v (%v)", c, err)
	}
	_, err = b.Onboard(t.Context(), s.Owner, back)
	wants(t, "onboard", err, billing.ErrNotConfigured)
	wants(t, "event", b.ReceiveWebhook(t.Context(), processor.EndpointConnect, []byte("{}"), ""), billing.ErrNotConfigured)
	if err := errors.Join(b.Recheck(t.Context()), b.RefundsDue(t.Context()), b.Tidy(t.Context())); err != nil {
		t.Errorf("sweeps: %v", err)
	}
}

// Changes of the account at the processor arrive by its events.
func TestConnectionFollowsEvents(t *testing.T) {
	s := openTill(t)
	for want, change := range map[processor.State]func() error{
		processor.StateRestricted:   func() error { return s.Sim.Restrict(s.Account, "external_account") },
		processor.StatePending:      func() error { return s.Sim.Verify(s.Account) },
		processor.StateActive:       func() error { return s.Sim.Activate(s.Account) },
		processor.StateDisconnected: nil,
	} {
		if change == nil {
			continue // last, below: there is no way back from it
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		s.settle(t)
		if c, err := s.Billing.Connection(t.Context(), s.Owner); err != nil || c.State != want || want == processor.StateRestricted && len(c.Due) != 1 {
			t.Errorf("%+v (%v), want %s", c, err, want)
		}
	}
	if err := s.Sim.Disconnect(s.Account); err != nil {
		t.Fatal(err)
	}
	s.settle(t)
	if c, err := s.Billing.Connection(t.Context(), s.Owner); err != nil || c.State != processor.StateDisconnected || c.Currency != "USD" {
		t.Errorf("%+v (%v)", c, err)
	}
}

// After a disconnection the studio can connect another account, once no payment is on its way through the old one; a
// payment keeps the account it was made on.
func TestConnectAnotherAccount(t *testing.T) {
	s := openTill(t)
	old := s.paid(t)
	_, _, open, _ := s.waiting(t)
	s.settle(t)
	if err := s.Sim.Disconnect(s.Account); err != nil {
		t.Fatal(err)
	}
	s.settle(t)
	_, err := s.Billing.Onboard(t.Context(), s.Owner, back)
	wants(t, "with a payment open", err, billing.ErrPaymentsOpen)
	s.w.SQL(t, "update payments set status = 'canceled', due_at = null where id = $1", open.ID)
	for range 2 {
		if _, err := s.Billing.Onboard(t.Context(), s.Owner, back); err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.Billing.Connection(t.Context(), s.Owner)
	if err != nil || c.AccountID == s.Account || c.State != processor.StateOnboarding {
		t.Errorf("%+v (%v)", c, err)
	}
	if got := s.payment(t, old.ID).AccountID; got != s.Account {
		t.Errorf("the old payment is on %s", got)
	}
}

// Of two who read the account at the same time, the one that read first does not write last.
func TestRefreshDoesNotGoBack(t *testing.T) {
	s := openTill(t)
	once := true
	s.Answered = func(r *http.Request) error {
		if !once || !strings.Contains(r.URL.Path, "/v1/accounts/") {
			return nil
		}
		once = false // our answer is active; before we write it, everything changes
		if err := s.Sim.Restrict(s.Account, "external_account"); err != nil {
			return err
		}
		_, err := s.Billing.Refresh(t.Context(), s.Owner)
		return err
	}
	if c, err := s.Billing.Refresh(t.Context(), s.Owner); err != nil || c.State != processor.StateRestricted {
		t.Errorf("%+v (%v)", c, err)
	}
	if got := apptest.Value[string](t, s.w, "select state from processor_accounts"); got != "restricted" {
		t.Errorf("kept: %s", got)
	}
}

func TestCountryRefused(t *testing.T) {
	s := apptest.Open(t).SalesWithoutCards(t)
	in := back
	for _, country := range []string{"BR", "XX"} { // one without fees, and one that the processor does not know
		in.Country = country
		_, err := s.Billing.Onboard(t.Context(), s.Owner, in)
		wants(t, country, err, processor.ErrCountryRefused)
	}
	in.Country = "é" // two bytes
	if _, err := s.Billing.Onboard(t.Context(), s.Owner, in); !fault.IsKind(err, fault.Validation) {
		t.Errorf("two bytes that are no letters: %v", err)
	}
}
