package ledgeronline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"foyer/app/clock"
)

const (
	// patience is the time for one request with its answer. The provider itself gives up after 120 seconds.
	patience = 20 * time.Second

	maxAnswer   = 1 << 20 // bytes of an answer
	maxAccounts = 8 << 20 // bytes of a page of accounts
)

// Options configure a Client. Settings and Clock are required.
type Options struct {
	Settings   Settings
	Clock      clock.Clock
	HTTPClient *http.Client  // nil for one of its own; redirects are not followed in any case
	Log        *slog.Logger  // nil for none
	Pace       *Pace         // nil for one of its own
	Patience   time.Duration // for one request; 0 for twenty seconds
}

// Client calls the provider. It is safe for concurrent use. Errors of all methods are [*Error].
type Client struct {
	settings Settings
	clock    clock.Clock
	http     *http.Client
	log      *slog.Logger
	pace     *Pace
	charts   *charts
	patience time.Duration
}

// New returns a client. It returns ErrNotConfigured if the settings are empty, and the error of Settings.Validate.
func New(o Options) (*Client, error) {
	switch {
	case !o.Settings.Configured():
		return nil, ErrNotConfigured
	case o.Clock == nil:
		return nil, errors.New("ledgeronline: no clock")
	}
	if err := o.Settings.Validate(); err != nil {
		return nil, fmt.Errorf("ledgeronline: %w", err)
	}
	own := http.Client{}
	if o.HTTPClient != nil {
		own = *o.HTTPClient
	} else {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = 16 // one host serves all companies
		own.Transport = transport
	}
	// A redirect of a POST would become a GET, and one to another host would get the token.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c := &Client{
		settings: o.Settings, clock: o.Clock, http: &own, log: o.Log, pace: o.Pace, charts: newCharts(o.Clock),
		patience: cmp.Or(o.Patience, patience),
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.pace == nil {
		c.pace = NewPace(PaceOptions{Clock: o.Clock})
	}
	c.settings.MinorVersion = cmp.Or(c.settings.MinorVersion, DefaultMinorVersion)
	c.settings.APIBase = strings.TrimRight(c.settings.APIBase, "/")
	c.settings.AppBase = strings.TrimRight(c.settings.AppBase, "/")
	return c, nil
}

// Resting returns the end of a company's rest after a refusal for speed, or the zero time. Calls for a company that
// rests return a Throttled error without a request, so a worker skips the company until then.
func (c *Client) Resting(realm string) time.Time { return c.pace.Resting(realm) }

// request is one HTTP request.
type request struct {
	op          string
	realm       string // empty for the authorization server
	method, url string
	auth        string // the header Authorization
	content     string // the media type of body
	body        []byte
	hardEnd     bool  // the answer should state the end of the connection
	limit       int64 // bytes of the answer
	write       bool  // something changes at the provider
	secrets     []string
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) trace() string { return shown(a.header.Get("intuit_tid"), nil) }

func (a answer) ok() bool { return a.status >= 200 && a.status < 300 }

// failed returns an error of an answer.
func (c *Client) failed(r request, a answer, class Class, message string) *Error {
	return &Error{
		Op: r.op, Class: class, Status: a.status, Trace: a.trace(), Message: message,
		Unknown:    r.write && (class == Transient || a.status >= http.StatusInternalServerError),
		RetryAfter: retryAfter(a.header, c.clock.Now()),
	}
}

// send sends a request and reads its answer, and logs both. The error is of the transport.
func (c *Client) send(ctx context.Context, r request) (answer, *Error) {
	if err := ctx.Err(); err != nil {
		return answer{}, &Error{Op: r.op, Class: Transient, Message: "not sent", cause: err}
	}
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	var asked, connected atomic.Bool // by a transport that has connections; others report nothing
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	sent, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return answer{}, &Error{Op: r.op, Class: Misconfigured, Message: "the address of the request cannot be used"}
	}
	sent.Header.Set("Accept", "application/json")
	sent.Header.Set("Authorization", r.auth)
	if r.content != "" {
		sent.Header.Set("Content-Type", r.content)
	}
	if r.hardEnd {
		sent.Header.Set("X-Include-Refresh-Token-Hard-Expires-In", "true")
	}
	a, err := c.roundTrip(sent, r.limit)
	if err == nil {
		return a, nil
	}
	reached := connected.Load() || !asked.Load()
	return a, &Error{
		Op: r.op, Class: Transient, Status: a.status, Trace: a.trace(), Message: transport(err, r.secrets),
		Unknown: r.write && reached, cause: err,
	}
}

var errTooLarge = errors.New("the answer is too large")

func (c *Client) roundTrip(r *http.Request, limit int64) (answer, error) {
	res, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	a := answer{status: res.StatusCode, header: res.Header}
	a.body, err = io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err == nil && int64(len(a.body)) > limit {
		err = errTooLarge
	}
	return a, err
}

// transport describes a failure without an answer. A url.Error names the address, which has the query and the company
// in it.
func transport(err error, secrets []string) string {
	var ue *url.Error
	if errors.As(err, &ue) {
		err = ue.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "no answer in time"
	}
	return shown(err.Error(), secrets)
}

// record logs the end of a request. Tokens are in none of the attributes: the error's text has them removed.
func (c *Client) record(ctx context.Context, r request, a answer, began time.Time, err *Error) {
	attrs := []slog.Attr{
		slog.String("op", r.op), slog.String("company", r.realm), slog.Int("status", a.status),
		slog.String("trace", a.trace()), slog.Duration("took", c.clock.Now().Sub(began)),
	}
	if err == nil {
		c.log.LogAttrs(ctx, slog.LevelDebug, "ledger online request", attrs...)
		return
	}
	attrs = append(attrs, slog.String("class", string(err.Class)), slog.String("code", err.Code),
		slog.Bool("unknown", err.Unknown), slog.String("message", err.Message), slog.String("detail", err.Detail))
	c.log.LogAttrs(ctx, slog.LevelWarn, "ledger online request failed", attrs...)
}

// reply holds every answer of the API that the client reads.
type reply struct {
	Fault         *faultBody
	QueryResponse *struct {
		Account      []accountBody
		JournalEntry []docBody
		Deposit      []docBody
	}
	Account      *accountBody
	JournalEntry *docBody
	Deposit      *docBody
	CompanyInfo  *companyBody
	Preferences  *preferencesBody
}

// read reads an answer of the API. A fault is an error with any status.
func (c *Client) read(r request, a answer) (reply, *Error) {
	var out reply
	broken := json.Unmarshal(a.body, &out)
	switch {
	case broken == nil && out.Fault.present():
		class, f := classify(a.status, out.Fault)
		e := c.failed(r, a, class, "")
		e.Code = shown(code(f.Code), r.secrets)
		e.Message, e.Detail = f.words(class, r.secrets)
		switch class {
		case DuplicateName, DuplicateDocument:
			e.ExistingID = first(existingForm, string(f.Detail))
		case AccountUnusable:
			e.AccountID = first(accountForm, string(f.Detail))
		}
		return reply{}, e
	case !a.ok():
		return reply{}, c.failed(r, a, classOfStatus(a.status, broken == nil), "the provider answers "+strconv.Itoa(a.status))
	case broken != nil:
		return reply{}, c.failed(r, a, Transient, "the answer cannot be read")
	}
	return out, nil
}

// lacks is the error of an answer without the object that it should have.
func (c *Client) lacks(r request, a answer, what string) *Error {
	return c.failed(r, a, Transient, "the answer has no "+what)
}

var realmForm = regexp.MustCompile(`^[A-Za-z0-9]{1,40}$`)

// call makes a request to the API of a company: path is below the company's address.
func (c *Client) call(ctx context.Context, conn Conn, r request, path string, query url.Values) (reply, answer, error) {
	token := conn.AccessToken.Reveal()
	switch {
	case !realmForm.MatchString(conn.Realm): // it arrives in an address and goes into one
		return reply{}, answer{}, invalid(r.op, "the company's id has other characters than letters and digits")
	case token == "" || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }):
		return reply{}, answer{}, &Error{Op: r.op, Class: Token, Message: "there is no access token that can be sent"}
	}
	if query == nil {
		query = url.Values{}
	}
	query.Set("minorversion", strconv.Itoa(c.settings.MinorVersion))
	r.realm, r.auth = conn.Realm, "Bearer "+token
	r.url = c.settings.APIBase + "/" + conn.Realm + "/" + path + "?" + query.Encode()
	r.secrets, r.limit = []string{token}, cmp.Or(r.limit, maxAnswer)
	if r.body != nil {
		r.content = "application/json"
	}
	done, err := c.turn(ctx, r)
	if err != nil {
		return reply{}, answer{}, err
	}
	defer done()
	began := c.clock.Now()
	a, failure := c.send(ctx, r)
	var out reply
	if failure == nil {
		out, failure = c.read(r, a)
	}
	c.record(ctx, r, a, began, failure)
	if failure != nil {
		if failure.Class == Throttled {
			failure.RetryAfter = max(failure.RetryAfter, resting)
			c.pace.rest(conn.Realm, failure.RetryAfter)
		}
		return reply{}, a, failure
	}
	return out, a, nil
}

// turn waits for the company's turn, no longer than for an answer.
func (c *Client) turn(ctx context.Context, r request) (done func(), err error) {
	limited, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	done, until, err := c.pace.acquire(limited, r.realm)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, &Error{Op: r.op, Class: Transient, Message: "not sent", cause: ctx.Err()}
	case err != nil:
		return nil, &Error{Op: r.op, Class: Throttled, Message: "other requests of this company take too long",
			RetryAfter: time.Second}
	case !until.IsZero():
		return nil, &Error{Op: r.op, Class: Throttled, Message: "the company rests after too many requests",
			RetryAfter: until.Sub(c.clock.Now())}
	}
	return done, nil
}
