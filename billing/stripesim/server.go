package stripesim

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"foyer/app/clock"
)

// Server is the simulator. It is safe for concurrent use: requests are carried out one after the other.
type Server struct {
	opt   Options
	app   *url.URL // Options.AppURL
	mux   *http.ServeMux
	wake  chan struct{} // there is something to deliver
	posts sync.Mutex    // one delivery round at a time

	mu    sync.Mutex // guards what follows
	st    state
	dirty bool // st differs from the snapshot
	aside bool // Aside runs: no snapshot is written, and events are not sent out
}

var (
	_ http.Handler      = (*Server)(nil)
	_ http.RoundTripper = (*Server)(nil)
)

// New returns a server with the state of Options.File, or an empty one.
func New(o Options) (*Server, error) {
	if o.Clock == nil {
		return nil, errors.New("stripesim: no clock")
	}
	o.AppURL = strings.TrimSuffix(o.AppURL, "/")
	app, err := absolute(o.AppURL)
	if err != nil {
		return nil, err
	}
	if o.WebhookURL != "" {
		if _, err := absolute(o.WebhookURL); err != nil {
			return nil, err
		}
	}
	if o.HTTPClient == nil {
		o.HTTPClient = &http.Client{Timeout: 10 * time.Second}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	st, err := load(o.File, o.Seed)
	if err != nil {
		return nil, err
	}
	s := &Server{opt: o, app: app, mux: http.NewServeMux(), wake: make(chan struct{}, 1), st: st}
	s.apiRoutes()
	s.pageRoutes()
	if o.Control {
		s.mux.HandleFunc("POST "+DefaultPrefix+"/control/{verb}", s.control)
	}
	return s, nil
}

func absolute(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return nil, errors.New("stripesim: not an absolute URL: " + raw)
	}
	return u, nil
}

// ServeHTTP answers the API under /v1 and the pages under the prefix.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// RoundTrip answers a request in the process, without a port: http.Client{Transport: server}.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.Body == nil {
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	defer r.Body.Close()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	res := w.Result()
	res.Request = r
	return res, nil
}

// tick is the interval at which Run looks for due work. The clock can be changed, so waiting for an instant would not
// do.
const tick = 200 * time.Millisecond

// Run lets time pass and delivers webhooks until ctx ends. Tests call Flush instead.
func (s *Server) Run(ctx context.Context) {
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		case <-s.wake:
		}
		s.Flush(ctx)
	}
}

// Flush carries out everything that is due by the clock and posts every event that is due, once.
func (s *Server) Flush(ctx context.Context) {
	s.mu.Lock()
	s.runDue()
	s.commit()
	s.mu.Unlock()
	s.deliver(ctx)
}

// Pass carries out everything that is due by the clock. It posts no event: Flush and Run do.
func (s *Server) Pass() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runDue()
	s.commit()
}

// Aside runs f, for example to make the past of the demo. Its events can be listed and are not sent, like those of an
// account without an endpoint. The snapshot is written once, at the end: its cost grows with its contents.
func (s *Server) Aside(f func() error) error {
	s.setAside(true)
	defer s.setAside(false)
	return f()
}

func (s *Server) setAside(is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.aside = is
	s.commit()
}

// commit ends every change: it writes the snapshot and wakes the worker. The caller holds mu.
func (s *Server) commit() {
	if !s.dirty || s.aside {
		return
	}
	s.dirty = false
	if err := s.st.save(s.opt.File); err != nil {
		s.opt.Logger.Error("could not save the simulator's state", "file", s.opt.File, "error", err)
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Server) now() time.Time { return s.opt.Clock.Now() }

// Constants of the program and its tests.
const (
	DefaultSecretKey      = "sk_sim_foyer"
	DefaultPublishableKey = "pk_sim_foyer"
	DefaultWebhookSecret  = "whsec_sim_foyer"
	DefaultPrefix         = "/__sim"            // of the pages
	BaseURL               = "http://stripe.sim" // for a client whose transport is the Server
)

// APIVersion is the version of the API, on requests and in events.
const APIVersion = "2024-06-20"

// The processor's own fee, 2.9 % and a fixed part in Stripe's units, and the delay after success until it is known.
const (
	feePPM   = 29_000
	feeFixed = 30
	settles  = 2 * time.Second
)

// Options of a Server. Clock and AppURL are required.
type Options struct {
	Clock clock.Clock
	Seed  string // ids follow from it; empty for a random one, which is kept in File

	AppURL string // the app's own base URL of the pages: the only target of their redirects

	WebhookURL string // where events are posted; empty for nowhere
	Duplicate  bool   // send every event twice
	Shuffle    bool   // send events late and out of order
	HTTPClient *http.Client

	Control bool // over HTTP, the acts of studios and banks: "foyer dev" and its tests

	File   string // state is kept here across restarts; empty for memory only
	Logger *slog.Logger
}

// FromEnv sets the switches that come from the environment, so that a whole run can be made with them on:
// SIM_WEBHOOK_DUPLICATE=1 and SIM_WEBHOOK_SHUFFLE=1.
func (o Options) FromEnv(getenv func(string) string) Options {
	o.Duplicate = o.Duplicate || getenv("SIM_WEBHOOK_DUPLICATE") == "1"
	o.Shuffle = o.Shuffle || getenv("SIM_WEBHOOK_SHUFFLE") == "1"
	return o
}

// state is everything that survives a restart.
type state struct {
	Seed    string                  `json:"seed"`
	Counter int64                   `json:"counter"`
	Worlds  map[string]*world       `json:"worlds"` // by account
	Links   map[string]*link        `json:"links"`  // by token
	Answers map[string]*savedAnswer `json:"answers"`
	Tasks   []task                  `json:"tasks"`
	Outbox  []delivery              `json:"outbox"`
	Events  []happened              `json:"events,omitempty"` // the latest, the oldest first
}

// world is the state of one account.
type world struct {
	Account   *account                  `json:"account"`
	Intents   map[string]*paymentIntent `json:"intents"`
	Charges   map[string]*charge        `json:"charges"`
	Refunds   map[string]*refund        `json:"refunds"`
	Customers map[string]*customer      `json:"customers,omitempty"`
	Methods   map[string]*paymentMethod `json:"methods,omitempty"`
	Balance   []*balanceTransaction     `json:"balance"` // oldest first, like the following
	Payouts   []*payout                 `json:"payouts,omitempty"`
	Disputes  []*dispute                `json:"disputes,omitempty"`
	Domains   []*domain                 `json:"domains,omitempty"`
}

func newWorld(a *account) *world {
	return &world{
		Account:   a,
		Intents:   map[string]*paymentIntent{},
		Charges:   map[string]*charge{},
		Refunds:   map[string]*refund{},
		Customers: map[string]*customer{},
		Methods:   map[string]*paymentMethod{},
	}
}

func newState(seed string) state {
	if seed == "" {
		seed = rand.Text()
	}
	return state{
		Seed:    seed,
		Worlds:  map[string]*world{},
		Links:   map[string]*link{},
		Answers: map[string]*savedAnswer{},
	}
}

// newID makes the next id: pi_sim_…, acct_sim_…. It follows from the seed and the number of ids made before.
func (s *Server) newID(prefix string) string {
	s.dirty = true
	s.st.Counter++
	return prefix + "_sim_" + s.st.derive(fmt.Sprintf("%s %d", prefix, s.st.Counter))
}

// derive is a text of twenty letters and digits that follows from the seed and cannot be guessed without it.
func (s *state) derive(from string) string {
	return strings.ToLower(base32.StdEncoding.EncodeToString(s.sum(from)))[:20]
}

// number is a number below n that follows from the seed.
func (s *state) number(from string, n int64) int64 {
	return int64(binary.BigEndian.Uint32(s.sum(from))) % n
}

func (s *state) sum(from string) []byte {
	mac := hmac.New(sha256.New, []byte(s.Seed))
	mac.Write([]byte(from))
	return mac.Sum(nil)
}

// task is something that happens by itself at its time.
type task struct {
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"`
	Account string    `json:"account"`
	ID      string    `json:"id"`
}

// load reads the snapshot, if there is one.
func load(file, seed string) (state, error) {
	fresh := newState(seed)
	if file == "" {
		return fresh, nil
	}
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return state{}, fmt.Errorf("stripesim: %w", err)
	}
	kept := newState("")
	if err := json.Unmarshal(raw, &kept); err != nil {
		return state{}, fmt.Errorf("stripesim: %s cannot be read (delete it to start empty): %w", file, err)
	}
	for _, w := range kept.Worlds { // from before cards were saved
		if w.Customers == nil {
			w.Customers = map[string]*customer{}
		}
		if w.Methods == nil {
			w.Methods = map[string]*paymentMethod{}
		}
	}
	return kept, nil
}

// save writes the snapshot beside the file and renames it, so that a crash leaves the old one or the new one.
func (s *state) save(file string) error {
	if file == "" {
		return nil
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", raw, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
