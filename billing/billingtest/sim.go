package billingtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"foyer/app/clock"
	"foyer/billing/processor"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
)

// Start is the initial time of a Sim's clock.
var Start = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)

// AppURL is the app's address for the simulator's pages.
const AppURL = "http://studio.example"

// SecondSecret is the second webhook secret that the adapter accepts.
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

// Sim is the simulator behind the real adapter, with a clock that stands still until it is set and an inbox for
// events.
type Sim struct {
	Server    *stripesim.Server
	Processor *stripe.Adapter
	Clock     *clock.Fixed
	Inbox     *Inbox
}

// NewSim starts a Sim. Its ids are the same in every run. SIM_WEBHOOK_DUPLICATE=1 and SIM_WEBHOOK_SHUFFLE=1 are
// honoured.
func NewSim(t testing.TB, changes ...func(*stripesim.Options)) *Sim {
	t.Helper()
	s := &Sim{Clock: clock.NewFixed(Start), Inbox: newInbox(t)}
	o := stripesim.Options{Clock: s.Clock, Seed: "billingtest", AppURL: AppURL, WebhookURL: s.Inbox.URL}
	for _, change := range changes {
		change(&o)
	}
	var err error
	if s.Server, err = stripesim.New(o.FromEnv(os.Getenv)); err != nil {
		t.Fatal(err)
	}
	s.Processor, err = stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret, SecondSecret}, Clock: s.Clock,
		HTTPClient: &http.Client{Transport: s.Server}, NoRetry: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Account creates an account that accepts cards and returns its id.
func (s *Sim) Account(t testing.TB, key, country string) string {
	t.Helper()
	a, err := s.Processor.CreateAccount(t.Context(), processor.NewAccount{Business: "b-" + key, Country: country, Key: "acct:" + key})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Server.Activate(a.ID); err != nil {
		t.Fatal(err)
	}
	return a.ID
}

// Pay posts the card form as a browser does and returns the address of the redirect.
func (s *Sim) Pay(t testing.TB, in processor.Intent, card Card) string {
	t.Helper()
	to, err := s.Server.PayByCard(in.ClientSecret, string(card))
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// Bank presses a button of the bank's page.
func (s *Sim) Bank(t testing.TB, page string, authorise bool) {
	t.Helper()
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Server.AnswerBank(u.Query().Get("key"), authorise); err != nil {
		t.Fatal(err)
	}
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
	res, err = s.Browser().PostForm(AppURL+u.Path, url.Values{"link": {u.Query().Get("link")}})
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		t.Fatalf("the onboarding page's button answers %d", res.StatusCode)
	}
}

// Browser returns a client that reaches the simulator's pages and does not follow redirects.
func (s *Sim) Browser() *http.Client {
	return &http.Client{
		Transport:     s.Server,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Inbox is a web server that stores the events posted to it.
type Inbox struct {
	URL    string
	mu     sync.Mutex
	all    []Delivery
	refuse int
}

func newInbox(t testing.TB) *Inbox {
	i := &Inbox{}
	server := httptest.NewServer(i)
	t.Cleanup(server.Close)
	i.URL = server.URL + "/webhooks/stripe/connect"
	return i
}

// All returns the events so far.
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
