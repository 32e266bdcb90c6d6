package ledgersim

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"foyer/app/clock"
)

// Constants of the program and its tests.
const (
	Prefix              = "/__ledger"           // of all addresses
	Host                = "ledger.localhost"    // for a client with the Server as transport
	BaseURL             = "http://" + Host      // likewise
	DefaultClientID     = "sim_foyer"           // the only client
	DefaultClientSecret = "sim_secret_of_foyer" // its secret
	Scope               = "ledger.accounting"   // the only scope
	RealmUSD            = "9130350000000001"    // Demo USD, in the United States
	RealmEUR            = "9130350000000002"    // Demo EUR, in Ireland, with a second currency
	RealmGBP            = "9130350000000003"    // Demo GBP, in the United Kingdom, likewise
)

const (
	clientPrefix = "sim_"                   // of client ids
	maxBody      = 1 << 20                  // bytes of a request
	accessLife   = time.Hour                // of an access token
	codeLife     = 5 * time.Minute          // of a code
	refreshLife  = 100 * 24 * time.Hour     // of a refresh token that is not used
	grantLife    = 5 * 365 * 24 * time.Hour // of a connection
	graceLife    = 24 * time.Hour           // of a refresh token, with Options.Grace
)

// Addresses are the addresses of a simulator, for the settings of its client.
type Addresses struct{ Authorize, Token, Revoke, API, App string }

// At returns the addresses of a simulator: browser is the base of the pages that a person opens, program the base of
// the client's requests. With the Server as transport, program is BaseURL.
func At(browser, program string) Addresses {
	browser, program = strings.TrimSuffix(browser, "/")+Prefix, strings.TrimSuffix(program, "/")+Prefix
	return Addresses{
		Authorize: browser + "/connect/oauth2", Token: program + "/oauth2/v1/tokens/bearer",
		Revoke: program + "/oauth2/v1/tokens/revoke", API: program + "/v3/company", App: browser + "/app",
	}
}

// Is reports whether one of the settings is of the simulator: an address below Prefix or on Host, or a client id. A
// production start refuses such settings.
func Is(settings ...string) bool {
	return slices.ContainsFunc(settings, func(s string) bool {
		u, err := url.Parse(s)
		if err != nil {
			return false
		}
		return strings.HasPrefix(s, clientPrefix) || strings.EqualFold(u.Hostname(), Host) ||
			slices.Contains(strings.Split(u.Path, "/"), strings.TrimPrefix(Prefix, "/"))
	})
}

// Options of a Server. Clock and AppURL are required.
type Options struct {
	Clock  clock.Clock
	AppURL string // the app's own base address: the only target of redirects

	Seed string // ids and tokens follow from it; empty for a random one
	File string // state is kept here across restarts; empty for memory only

	OneClick     bool // the page of a person has a button for each company: "foyer dev"
	Grace        bool // a refresh token stays valid for a day, as the original's does; else it works once
	ReplayFaults bool // a request id that was refused is refused again, whatever has changed
	Control      bool // faults over HTTP: "foyer dev" and tests
	Logger       *slog.Logger
}

// Server is the simulator. It is safe for concurrent use: requests are carried out one after the other.
type Server struct {
	opt Options
	app *url.URL // Options.AppURL
	mux *http.ServeMux

	mu     sync.Mutex // guards what follows
	st     state
	dirty  bool // st differs from the snapshot
	faults []*Fault
	calls  map[string]map[string]int // by company and operation
}

var (
	_ http.Handler      = (*Server)(nil)
	_ http.RoundTripper = (*Server)(nil)
)

// New returns a server with the state of Options.File, or with the two companies of the start.
func New(o Options) (*Server, error) {
	if o.Clock == nil {
		return nil, errors.New("ledgersim: no clock")
	}
	o.AppURL = strings.TrimSuffix(o.AppURL, "/")
	app, err := url.Parse(o.AppURL)
	if err != nil || app.Host == "" {
		return nil, errors.New("ledgersim: not an absolute URL: " + o.AppURL)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	st, err := load(o.File, o.Seed)
	if err != nil {
		return nil, err
	}
	s := &Server{opt: o, app: app, mux: http.NewServeMux(), st: st, calls: map[string]map[string]int{}}
	if len(st.Companies) == 0 {
		s.addCompany(RealmUSD, "Demo USD", "US", "USD", false, chartUS)
		s.addCompany(RealmEUR, "Demo EUR", "IE", "EUR", true, chartIE)
		s.addCompany(RealmGBP, "Demo GBP", "GB", "GBP", true, chartIE)
	}
	s.apiRoutes()
	s.oauthRoutes()
	s.pageRoutes()
	if o.Control {
		s.mux.HandleFunc("POST "+Prefix+"/control/{verb}", s.control)
	}
	return s, nil
}

// ServeHTTP answers everything below Prefix.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// RoundTrip answers a request in the process, without a port: http.Client{Transport: server}. A fault that cuts the
// connection is an error.
func (s *Server) RoundTrip(r *http.Request) (res *http.Response, err error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	q := r.Clone(r.Context())
	if q.Body == nil {
		q.Body = http.NoBody
	}
	defer q.Body.Close()
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			if res, err = nil, r.Context().Err(); err == nil {
				err = fmt.Errorf("connection reset: %w", io.ErrUnexpectedEOF)
			}
		} else if p != nil {
			panic(p)
		}
	}()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, q)
	res = w.Result()
	res.Request = r
	return res, nil
}

func (s *Server) now() time.Time { return s.opt.Clock.Now() }

// state is everything that survives a restart.
type state struct {
	Seed      string             `json:"seed"`
	Counter   int64              `json:"counter"`
	Companies []*company         `json:"companies"`
	Codes     map[string]*code   `json:"codes"`
	Grants    []*grant           `json:"grants"` // oldest first
	Access    map[string]*access `json:"access"` // by token
}

// company is a company with its books.
type company struct {
	Realm     string             `json:"realm"`
	Name      string             `json:"name"`
	Country   string             `json:"country"`
	Currency  string             `json:"currency"`
	Multi     bool               `json:"multi,omitempty"`  // several currencies
	Closed    string             `json:"closed,omitempty"` // last date of the closed books
	Unique    bool               `json:"unique,omitempty"` // refuses a second journal entry with a number
	Lapsed    bool               `json:"lapsed,omitempty"`
	Forbidden bool               `json:"forbidden,omitempty"`
	Accounts  []*Account         `json:"accounts"`
	Documents []*Document        `json:"documents"`
	Answers   map[string]*answer `json:"answers"` // by request id
}

// Account is an account of a company's chart.
type Account struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Parent      string `json:"parent,omitempty"` // the fully qualified name of the parent
	Type        string `json:"type"`
	SubType     string `json:"subType,omitempty"`
	Number      string `json:"number,omitempty"`
	Currency    string `json:"currency"`
	Description string `json:"description,omitempty"`
	Inactive    bool   `json:"inactive,omitempty"`
}

// FullName returns the fully qualified name: "Income:Classes" for a subaccount.
func (a Account) FullName() string {
	if a.Parent == "" {
		return a.Name
	}
	return a.Parent + ":" + a.Name
}

// Document is a journal entry or a deposit.
type Document struct {
	ID        string    `json:"id"`
	Kind      string    `json:"kind"` // "JournalEntry" or "Deposit"
	DocNumber string    `json:"docNumber,omitempty"`
	Date      string    `json:"date"` // 2026-03-08
	Note      string    `json:"note,omitempty"`
	Currency  string    `json:"currency"`
	Bank      string    `json:"bank,omitempty"` // of a deposit: the id of the account that receives it
	Lines     []Line    `json:"lines"`
	Made      time.Time `json:"made"`
}

// Line is a line of a document.
type Line struct {
	Posting     string `json:"posting,omitempty"` // "Debit" or "Credit"; empty in a deposit
	AccountID   string `json:"accountId"`
	Amount      int64  `json:"amount"` // minor units; negative only in a deposit
	Description string `json:"description,omitempty"`
}

func (s *Server) company(realm string) *company {
	for _, c := range s.st.Companies {
		if c.Realm == realm {
			return c
		}
	}
	return nil
}

func (c *company) account(id string) *Account {
	for _, a := range c.Accounts {
		if a.ID == id {
			return a
		}
	}
	return nil
}

// accountName is the name of an account for people, also of one that is not in the chart any more.
func (c *company) accountName(id string) string {
	if a := c.account(id); a != nil {
		return a.FullName()
	}
	return "account " + id
}

func (s *Server) addCompany(realm, name, country, currency string, multi bool, chart func(currency string) []*Account) {
	s.dirty = true
	s.st.Companies = append(s.st.Companies, &company{
		Realm: realm, Name: name, Country: country, Currency: currency, Multi: multi, Accounts: chart(currency),
		Documents: []*Document{}, Answers: map[string]*answer{},
	})
}

// AddCompany makes a company with the chart of Demo USD in its own currency, and returns its id.
func (s *Server) AddCompany(name, country, currency string) (realm string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.commit()
	realm = strconv.Itoa(9130350000000001 + len(s.st.Companies))
	s.addCompany(realm, name, country, currency, false, chartUS)
	return realm
}

// Documents returns the documents of a company, oldest first.
func (s *Server) Documents(realm string) []Document {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Document
	if c := s.company(realm); c != nil {
		for _, d := range c.Documents {
			d := *d
			d.Lines = slices.Clone(d.Lines)
			out = append(out, d)
		}
	}
	return out
}

// Accounts returns the chart of a company, inactive accounts included.
func (s *Server) Accounts(realm string) []Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Account
	if c := s.company(realm); c != nil {
		for _, a := range c.Accounts {
			out = append(out, *a)
		}
	}
	return out
}

// Calls returns the number of requests of a company by operation, refused ones included: companyinfo, preferences,
// query, account, journalentry, deposit. Those to the authorization server, token and revoke, are of the company "".
func (s *Server) Calls(realm string) map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	maps.Copy(out, s.calls[realm])
	return out
}

// next returns the next number of the seed's sequence.
func (s *Server) next() int64 {
	s.dirty = true
	s.st.Counter++
	return s.st.Counter
}

// token makes a token: it follows from the seed and the number of tokens made before.
func (s *Server) token(prefix string) string {
	mac := hmac.New(sha256.New, []byte(s.st.Seed))
	fmt.Fprintf(mac, "%s %d", prefix, s.next())
	return prefix + strings.ToLower(strings.TrimRight(base32.StdEncoding.EncodeToString(mac.Sum(nil)), "="))
}

// commit ends every change: it writes the snapshot. The caller holds mu.
func (s *Server) commit() {
	if !s.dirty {
		return
	}
	s.dirty = false
	if err := s.st.save(s.opt.File); err != nil {
		s.opt.Logger.Error("could not save the simulator's state", "file", s.opt.File, "error", err)
	}
}

// load reads the snapshot, if there is one.
func load(file, seed string) (state, error) {
	if seed == "" {
		seed = rand.Text()
	}
	st := state{Seed: seed, Counter: 1000, Codes: map[string]*code{}, Access: map[string]*access{}}
	if file == "" {
		return st, nil
	}
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err != nil {
		return state{}, fmt.Errorf("ledgersim: %w", err)
	}
	if err := json.Unmarshal(raw, &st); err != nil {
		return state{}, fmt.Errorf("ledgersim: %s cannot be read (delete it to start empty): %w", file, err)
	}
	return st, nil
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
