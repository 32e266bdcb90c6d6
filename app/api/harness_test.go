package api_test

import (
	"bytes"
	"flag"
	"log/slog"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/valyala/fasthttp"

	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/apptest/contract"
	"foyer/app/assembly"
	"foyer/app/giftcard"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
	"foyer/media/mediatest"
	"foyer/policy"
)

// TestMain runs everything far from UTC: an unconverted time from the database shows. A19.
func TestMain(m *testing.M) {
	time.Local = time.FixedZone("nowhere", 5*3600+1800)
	code := m.Run()
	if code == 0 && *update {
		if err := recorded.write(flag.Lookup("test.run").Value.String() == ""); err != nil {
			panic(err)
		}
	}
	os.Exit(code)
}

// house is the whole product without pages, in one process: real domains on a database of its own, the processor's
// simulator, and a client that checks every answer against the document.
type house struct {
	*apptest.World
	t          testing.TB
	serve      fasthttp.RequestHandler // see checked: tests cannot reach the server itself
	domains    assembly.Services
	people     apptest.People
	sim        *stripesim.Server
	accounts   apptest.Accounts
	card       *stripe.Adapter
	doc        *contract.Document
	log        *record
	operations []op.Spec
	secrets    map[string]bool // no response after the one that created them may contain these
	asked      atomic.Int64
	quiet      map[string]bool // no log line may contain these: secrets, and tokens that are sent
}

// build is v of every response here. A15.
const build = "427"

// open wires a house. Rate limits are disabled unless a change restores them.
func open(t testing.TB, changes ...func(*web.Options)) *house {
	t.Helper()
	h := &house{World: apptest.Open(t), t: t, log: &record{}, secrets: map[string]bool{}, quiet: map[string]bool{}}
	h.people = h.People(t)
	h.processor()
	h.wire()
	h.web(changes...)
	t.Cleanup(h.checkLog)
	return h
}

// processor starts the simulator. Its events arrive over HTTP.
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
	h.card, err = stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, PlatformSecrets: []string{apptest.PlatformSecret}, Clock: h.Clock, HTTPClient: &http.Client{Transport: h.sim}, NoRetry: true,
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// wire connects the domains to each other, as the program does.
func (h *house) wire() {
	h.t.Helper()
	h.accounts = apptest.NewAccounts(h.t, h.Clock)
	h.domains = assembly.New(assembly.Settings{
		DB: h.DB, Log: slog.New(slog.DiscardHandler), Processor: h.card, Mail: h.Mailbox(h.t), Letters: letters{}, Store: mediatest.Store(h.t),
		Secret: apptest.Secrets, Accounting: h.accounts.Client, SealKeys: h.accounts.Keys,
	})
}

// letters are mails about money that contain only the token of the receipt.
type letters struct{ apptest.Letters }

func (letters) Booked(c order.Confirmation) mail.Message {
	return mail.Message{To: c.To, Text: c.Token}
}
func (letters) Refunded(r order.LateRefund) mail.Message {
	return mail.Message{To: r.To, Text: r.Token}
}
func (letters) GiftCard(c giftcard.Letter) mail.Message {
	return mail.Message{To: c.RecipientEmail, Text: c.Code.Reveal()}
}
func (letters) Fee(f owed.ChargeMail) mail.Message { return mail.Message{To: f.To, Text: f.Token} }

func (h *house) web(changes ...func(*web.Options)) {
	h.t.Helper()
	o := web.Options{
		BaseURL: "https://studio.example", Build: build, Secret: bytes.Repeat([]byte("w"), 32), Clock: h.Clock,
		Log: slog.New(slog.NewJSONHandler(h.log, &slog.HandlerOptions{Level: slog.LevelInfo})), Gate: api.Gate(h.domains),
		Known: policy.Known, Hit: h.DB.Hit, Tags: api.Tags, Words: api.Words, Refusals: api.Refusals, Examples: api.Examples,
		Limits: op.Limits{StorefrontMax: 1e6, WriteMax: 1e6, ChallengeMax: 1e6},
		OnUndeclared: func(operation string, status int, err error) {
			h.t.Errorf("%s answered %d, which it does not list: %v", operation, status, err)
		},
	}
	for _, change := range changes {
		change(&o)
	}
	srv := web.New(o)
	api.Register(srv, h.domains)
	h.operations = srv.Operations.Operations()
	h.doc = documentAt(h.t, o.BaseURL, srv.Handler())
	h.serve = checked(h.t, srv.Handler(), h.doc)
}
