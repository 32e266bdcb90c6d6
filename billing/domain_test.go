package billing_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/billing"
	"foyer/billing/processor"
)

// at is the till of an installation whose pages are on a domain.
func (s till) at(t *testing.T, domain string) till {
	t.Helper()
	s.Domain = domain
	s.Sales = s.On(t, s.w.DB)
	return s
}

// reads has the account read, as on the return from onboarding and by its events.
func (s till) reads(t *testing.T) billing.Connection {
	t.Helper()
	if _, err := s.Billing.Refresh(t.Context(), s.Owner); err != nil {
		t.Fatal(err)
	}
	s.settle(t)
	c, err := s.Billing.Connection(t.Context(), s.Owner)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s till) wantDomains(t *testing.T, want ...string) {
	t.Helper()
	if got := must(s.Sim.Domains(s.Account))(t); !slices.Equal(got, want) {
		t.Errorf("registered are %q, want %q", got, want)
	}
}

// night is the next night's listing of the account.
func (s till) night(t *testing.T) {
	t.Helper()
	s.w.Clock.Advance(26 * time.Hour)
	s.List(t)
	s.settle(t)
}

// TestWalletsAreOfferedOnOurDomain: the domain of the pages is registered once for an account that takes cards, and
// another one when it is another.
func TestWalletsAreOfferedOnOurDomain(t *testing.T) {
	s := openTill(t)
	if c := s.reads(t); c.WalletDomain != "" {
		t.Errorf("without a domain: %+v", c)
	}
	s.wantDomains(t)
	s = s.at(t, "book.example.com")
	for range 2 {
		if c := s.reads(t); c.WalletDomain != "book.example.com" || c.WalletTrouble != "" {
			t.Errorf("registered: %+v", c)
		}
		none(t, s.Billing.RegisterDomain(t.Context(), billing.DomainJob{Business: s.Business.ID}))
	}
	s.wantDomains(t, "book.example.com")
	s = s.at(t, "new.example.com")
	if c := s.reads(t); c.WalletDomain != "new.example.com" {
		t.Errorf("moved: %+v", c)
	}
	s.wantDomains(t, "book.example.com", "new.example.com")
	s.night(t)
	s.wantDomains(t, "book.example.com", "new.example.com")
}

// TestWalletsWaitForTheAccount: an account without card payments is not registered.
func TestWalletsWaitForTheAccount(t *testing.T) {
	s := openTill(t).at(t, "book.example.com")
	none(t, s.Sim.Restrict(s.Account, "external_account"))
	s.settle(t)
	if c := s.reads(t); c.WalletDomain != "" {
		t.Errorf("restricted: %+v", c)
	}
	s.wantDomains(t)
	none(t, s.Sim.Activate(s.Account))
	s.settle(t)
	s.wantDomains(t, "book.example.com")
}

// TestWalletsAreRefused: the processor's complaint is stored beside a state that stays as it is, and is checked again
// each night until it is resolved.
func TestWalletsAreRefused(t *testing.T) {
	s := openTill(t).at(t, "book.invalid")
	c := s.reads(t)
	if c.State != processor.StateActive || !c.Accepts("USD") || !strings.Contains(c.WalletTrouble, "does not serve the domain association file") {
		t.Errorf("not verified: %+v", c)
	}
	if p := s.paid(t); !p.Paid() {
		t.Error("cards are not taken any more")
	}
	s.Instead = func(r *http.Request) (int, string) { // it is mended
		if strings.HasSuffix(r.URL.Path, "/validate") {
			return http.StatusOK, `{"id":"pmd_1","object":"payment_method_domain","domain_name":"book.invalid","enabled":true,"apple_pay":{"status":"active"}}`
		}
		return 0, ""
	}
	s.night(t)
	if c, err := s.Billing.Connection(t.Context(), s.Owner); err != nil || c.WalletTrouble != "" || c.WalletDomain != "book.invalid" {
		t.Errorf("a night after it was mended: %+v, %v", c, err)
	}
	s = s.at(t, "other.example.com")
	s.Instead = func(r *http.Request) (int, string) {
		if r.Method == http.MethodPost && strings.Contains(r.URL.Path, "payment_method_domains") {
			return http.StatusBadRequest, `{"error":{"type":"invalid_request_error","message":"No such thing as a domain here","param":"domain_name"}}`
		}
		return 0, ""
	}
	if c := s.reads(t); c.WalletTrouble != "No such thing as a domain here" || c.State != processor.StateActive {
		t.Errorf("refused: %+v", c)
	}
}

// TestWalletsWhileTheProcessorIsDown: the job fails and is tried again, and when that has ended the night registers
// the domain; an answer that is lost registers nothing twice.
func TestWalletsWhileTheProcessorIsDown(t *testing.T) {
	s := openTill(t).at(t, "book.example.com")
	s.Call = cut("/v1/payment_method_domains")
	if _, err := s.Billing.Refresh(t.Context(), s.Owner); err != nil {
		t.Fatal(err)
	}
	if _, err := s.RunJobs(t); err == nil {
		t.Error("the job does not say that it failed")
	}
	if c, err := s.Billing.Connection(t.Context(), s.Owner); err != nil || c.WalletDomain != "" || c.WalletTrouble != "" || c.State != processor.StateActive {
		t.Errorf("while it is down: %+v, %v", c, err)
	}
	s.w.SQL(t, "delete from river.river_job")
	s.Call = nil
	lost := 0
	s.Answered = func(r *http.Request) error {
		if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/v1/payment_method_domains") {
			if lost++; lost == 1 {
				return errCut
			}
		}
		return nil
	}
	s.w.Clock.Advance(26 * time.Hour)
	s.List(t)
	for range 3 {
		s.Sim.Flush(t.Context())
		_, _ = s.RunJobs(t)
	}
	if c := s.reads(t); c.WalletDomain != "book.example.com" || c.WalletTrouble != "" || lost != 1 {
		t.Errorf("after a night: %+v, %d lost", c, lost)
	}
	s.wantDomains(t, "book.example.com")
}

// TestWalletOfAPayment: the wallet of a payment is stored with it.
func TestWalletOfAPayment(t *testing.T) {
	s := openTill(t)
	if p := s.paid(t); p.CardWallet != "" {
		t.Errorf("a card that was typed: %q", p.CardWallet)
	}
	for number, want := range map[string]string{"5200828282828210": "apple_pay", "5105105105105100": "google_pay", "6011111111111117": "link"} {
		who, token, _, secret := s.waiting(t)
		s.PayCard(t, secret, number)
		if _, err := s.Checkout.Confirm(t.Context(), who, token); err != nil {
			t.Fatal(err)
		}
		if got := apptest.Value[string](t, s.w, "select card_wallet from payments order by created_at desc, id desc limit 1"); got != want {
			t.Errorf("%s: %q, want %q", number, got, want)
		}
	}
}
