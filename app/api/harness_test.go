package api_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/valyala/fasthttp"

	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/crm"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/billing"
	"foyer/billing/stripesim"
	"foyer/policy"
)

// TestMain runs everything far from UTC: a time that is sent as it came from the database shows. A19.
func TestMain(m *testing.M) {
	time.Local = time.FixedZone("nowhere", 5*3600+1800)
	os.Exit(m.Run())
}

// house is the whole product without pages, in one process: real domains on a database of its own, the processor's
// simulator, and a client that checks every answer against the document.
type house struct {
	*apptest.World
	t       testing.TB
	srv     *web.Server
	domains api.Services
	people  apptest.People
	sim     *stripesim.Server
	card    *billing.Stripe
	doc     *document
	log     *record
	secrets map[string]bool // no answer after the one that made them, and no line of the log, may hold these
}

// build is v of every answer here. A15.
const build = "427"

// open wires a house. Rate limits are out of the way unless a change brings them back.
func open(t testing.TB, changes ...func(*web.Options)) *house {
	t.Helper()
	h := &house{World: apptest.Open(t), t: t, log: &record{}, secrets: map[string]bool{}}
	h.people = h.People(t)
	h.processor()
	h.wire()
	h.web(changes...)
	t.Cleanup(h.checkLog)
	return h
}

// processor starts the simulator. Its events come back to the house by the front door.
func (h *house) processor() {
	h.t.Helper()
	var err error
	h.sim, err = stripesim.New(stripesim.Options{
		Clock: h.Clock, Seed: "api", AppURL: "http://studio.example", WebhookURL: "http://studio.example" + webhookPath,
		HTTPClient: &http.Client{Transport: h},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.card, err = billing.NewStripe(billing.StripeConfig{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{h.sim.WebhookSecret()}, Clock: h.Clock, HTTPClient: &http.Client{Transport: h.sim}, NoRetry: true,
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// wire connects the domains to each other, as the program does.
func (h *house) wire() {
	h.t.Helper()
	var shop *checkout.Service
	o := api.Services{
		DB: h.DB, Identity: h.people.Service,
		Business: h.House(h.t, func(o *business.Options) {
			o.SpaceInUseTx, o.TaxRateMovedTx = schedule.SpaceInUseTx, catalog.MoveTaxRateTx
		}).Service,
		Catalog: catalog.New(catalog.Options{
			DB: h.DB, HasTimesTx: schedule.HasTimesTx, HasFutureBookingsTx: booking.HasFutureBookingsTx,
		}),
		Schedule: schedule.New(schedule.Options{DB: h.DB}),
		CRM:      crm.New(crm.Options{DB: h.DB}),
		Booking:  booking.New(booking.Options{DB: h.DB}),
		Billing: billing.New(billing.Options{DB: h.DB, Processor: h.card, Log: slog.New(slog.DiscardHandler),
			OnSettled: func(ctx context.Context, tx *pg.Tx, p billing.Payment) (billing.Outcome, error) {
				return shop.SettleTx(ctx, tx, p)
			}}),
	}
	shop = checkout.New(checkout.Options{
		DB: h.DB, Booking: o.Booking, Billing: o.Billing, Secret: apptest.Secret, Mail: h.Mailbox(h.t),
		ConfirmationMail: func(c checkout.Confirmation) mail.Message { return mail.Message{To: c.To, Text: c.Token} },
		RefundMail:       func(r checkout.LateRefund) mail.Message { return mail.Message{To: r.To, Text: r.Token} },
	})
	o.Checkout = shop
	h.domains = o
}

func (h *house) web(changes ...func(*web.Options)) {
	h.t.Helper()
	o := web.Options{
		BaseURL: "https://studio.example", Build: build, Secret: bytes.Repeat([]byte("w"), 32), Clock: h.Clock,
		Log: slog.New(slog.NewJSONHandler(h.log, &slog.HandlerOptions{Level: slog.LevelInfo})), Gate: api.Gate(h.domains),
		Known: policy.Known, Hit: h.DB.Hit, Tags: api.Tags,
		Limits: web.Limits{StorefrontMax: 1e6, WriteMax: 1e6, ChallengeMax: 1e6},
		OnUndeclared: func(operation string, status int, err error) {
			h.t.Errorf("%s answered %d, which it does not list: %v", operation, status, err)
		},
	}
	for _, change := range changes {
		change(&o)
	}
	h.srv = web.New(o)
	api.Register(h.srv, h.domains)
	h.doc = readDocument(h.t, h.send(call{path: "/openapi.json"}).body)
}

// call is one request.
type call struct {
	method, path, token, body, key string
	contentType                    string // application/json for a body when empty
	remote                         string // address of the connection
	headers                        []string
}

// answer is what came back.
type answer struct {
	status int
	body   []byte
	header func(name string) string
	call   call
}

// String is what a failing test says about an answer.
func (a answer) String() string {
	return fmt.Sprintf("%s %s: %d %.300s", a.call.method, a.call.path, a.status, a.body)
}

// send makes a request without a socket, and looks at nothing.
func (h *house) send(c call) answer {
	h.t.Helper()
	var rc fasthttp.RequestCtx
	rc.Init2(nowhere{}, nil, false)
	if c.remote == "" {
		c.remote = "192.0.2.7"
	}
	rc.SetRemoteAddr(&net.TCPAddr{IP: net.ParseIP(c.remote), Port: 4711})
	if c.method == "" {
		c.method = http.MethodGet
	}
	rc.Request.Header.SetMethod(c.method)
	rc.Request.SetRequestURI(c.path)
	rc.Request.Header.SetHost("studio.example")
	for name, value := range map[string]string{"Idempotency-Key": c.key, "Authorization": bearer(c.token)} {
		if value != "" {
			rc.Request.Header.Set(name, value)
		}
	}
	if c.body != "" {
		rc.Request.SetBodyString(c.body)
		if c.contentType == "" {
			c.contentType = "application/json"
		}
	}
	if c.contentType != "" {
		rc.Request.Header.SetContentType(c.contentType)
	}
	for i := 0; i < len(c.headers); i += 2 {
		rc.Request.Header.Add(c.headers[i], c.headers[i+1])
	}
	h.srv.Handler()(&rc)
	return answer{
		status: rc.Response.StatusCode(), body: bytes.Clone(rc.Response.Body()), call: c,
		header: func(name string) string { return string(rc.Response.Header.Peek(name)) },
	}
}

func bearer(token string) string {
	if token == "" {
		return ""
	}
	return "Bearer " + token
}

type nowhere struct{ net.Conn }

func (nowhere) LocalAddr() net.Addr  { return &net.TCPAddr{} }
func (nowhere) RemoteAddr() net.Addr { return &net.TCPAddr{} }

// do makes a request and holds the answer against the document. Every test calls this one.
func (h *house) do(c call) answer {
	h.t.Helper()
	a := h.send(c)
	h.doc.check(h.t, a)
	h.checkSecrets(a)
	return a
}

// expect is do with a status.
func (h *house) expect(status int, c call) answer {
	h.t.Helper()
	a := h.do(c)
	if a.status != status {
		h.t.Fatalf("%s: want %d", a, status)
	}
	return a
}

// RoundTrip delivers an event of the simulator.
func (h *house) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	a := h.send(call{
		method: r.Method, path: r.URL.Path, body: string(body), contentType: r.Header.Get("Content-Type"),
		headers: []string{"Stripe-Signature", r.Header.Get("Stripe-Signature")},
	})
	return &http.Response{
		StatusCode: a.status, Status: fmt.Sprint(a.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a.body)), Request: r,
	}, nil
}

const webhookPath = "/webhooks/stripe/connect"

// record is the log, kept.
type record struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}

// secret remembers what must not be seen again. A46.
func (h *house) secret(s string) { h.secrets[s] = true }

func (h *house) checkSecrets(a answer) {
	h.t.Helper()
	for s := range h.secrets {
		if bytes.Contains(a.body, []byte(s)) {
			h.t.Errorf("%s %s shows a secret again: %s", a.call.method, a.call.path, a.body)
		}
	}
}

// checkLog runs at the end of every test: no secret and no token in any line.
func (h *house) checkLog() {
	text := h.log.String()
	for s := range h.secrets {
		if strings.Contains(text, s) {
			h.t.Error("a secret is in the log")
		}
	}
	if strings.Contains(strings.ToLower(text), "bearer ") {
		h.t.Error("a credential is in the log")
	}
}

// nobody is the scope of the storefront without a session.
var nobody = tenancy.Principal{}
