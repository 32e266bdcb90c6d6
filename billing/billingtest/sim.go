package billingtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/clock"
	"foyer/billing"
	"foyer/billing/stripesim"
)

// Start is where the clock of a Sim begins.
var Start = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)

// AppURL is the app as the simulator's pages know it.
const AppURL = "http://studio.example"

// SecondSecret is the other secret that the adapter takes events of.
const SecondSecret = "whsec_sim_next"

// Card is a published test card number.
type Card string

// CardGood always pays.
const CardGood Card = "4242 4242 4242 4242"

// Delivery is an event as it reached the app.
type Delivery struct {
	Body      []byte
	Signature string
}

// Sim is the simulator behind the real adapter, with a clock that stands still until it is moved and an inbox for events.
type Sim struct {
	Server    *stripesim.Server
	Processor *billing.Stripe
	Clock     *clock.Fixed
	Inbox     *Inbox
}

// NewSim starts one. Its ids are the same in every run. SIM_WEBHOOK_DUPLICATE=1 and SIM_WEBHOOK_SHUFFLE=1 are honoured.
func NewSim(t testing.TB) *Sim {
	t.Helper()
	return NewSimWith(t, stripesim.Options{})
}

// NewSimWith starts one with options of the test's own; what is empty is filled in.
func NewSimWith(t testing.TB, o stripesim.Options) *Sim {
	t.Helper()
	s := &Sim{Clock: clock.NewFixed(Start), Inbox: NewInbox(t)}
	o.Clock, o.AppURL = s.Clock, AppURL
	if o.Seed == "" {
		o.Seed = "billingtest"
	}
	if o.WebhookURL == "" {
		o.WebhookURL = s.Inbox.URL
	}
	var err error
	if s.Server, err = stripesim.New(o.FromEnv(os.Getenv)); err != nil {
		t.Fatal(err)
	}
	s.Processor, err = billing.NewStripe(billing.StripeConfig{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret, SecondSecret}, Clock: s.Clock,
		HTTPClient: &http.Client{Transport: s.Server}, NoRetry: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Account makes an account that takes cards and returns its id.
func (s *Sim) Account(t testing.TB, key, country string) string {
	t.Helper()
	a, err := s.Processor.CreateAccount(t.Context(), billing.NewAccount{Business: "b-" + key, Country: country, Key: "acct:" + key})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Server.Activate(a.ID); err != nil {
		t.Fatal(err)
	}
	return a.ID
}

// Pay posts the card form as a browser does and returns where it is sent.
func (s *Sim) Pay(t testing.TB, in billing.Intent, card Card) string {
	t.Helper()
	return s.post(t, AppURL+"/__sim/pay", url.Values{
		"number": {string(card)}, "exp": {"12 / 34"}, "cvc": {"123"},
		"client_secret": {in.ClientSecret}, "return_url": {AppURL + "/paid?order=1"},
	})
}

// Bank presses a button of the bank's page.
func (s *Sim) Bank(t testing.TB, page string, authorise bool) {
	t.Helper()
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	result := "fail"
	if authorise {
		result = "authorise"
	}
	s.post(t, AppURL+u.Path, url.Values{"key": {u.Query().Get("key")}, "result": {result}})
}

// Onboard opens an account link and presses its button.
func (s *Sim) Onboard(t testing.TB, link string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Browser().Get(link)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("the onboarding page answers %d", res.StatusCode)
	}
	s.post(t, AppURL+u.Path, url.Values{"link": {u.Query().Get("link")}})
}

// Browser is a client that reaches the simulator's pages and does not follow redirects.
func (s *Sim) Browser() *http.Client {
	return &http.Client{
		Transport:     s.Server,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (s *Sim) post(t testing.TB, to string, form url.Values) string {
	t.Helper()
	res, err := s.Browser().Post(to, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		body, _ := io.ReadAll(res.Body)
		t.Fatalf("%s answers %d: %s", to, res.StatusCode, body)
	}
	return res.Header.Get("Location")
}

// Inbox is a web server that keeps the events posted to it.
type Inbox struct {
	URL    string
	mu     sync.Mutex
	all    []Delivery
	refuse int
}

// NewInbox starts one for the time of a test.
func NewInbox(t testing.TB) *Inbox {
	i := &Inbox{}
	server := httptest.NewServer(i)
	t.Cleanup(server.Close)
	i.URL = server.URL + "/webhooks/stripe/connect"
	return i
}

// All returns what has come so far.
func (i *Inbox) All() []Delivery {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]Delivery(nil), i.all...)
}

// Refuse answers the next n events with 500.
func (i *Inbox) Refuse(n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.refuse = n
}

func (i *Inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	i.mu.Lock()
	defer i.mu.Unlock()
	if err != nil || i.refuse > 0 {
		i.refuse--
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	i.all = append(i.all, Delivery{Body: body, Signature: r.Header.Get("Stripe-Signature")})
}
