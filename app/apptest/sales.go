package apptest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"foyer/app/assembly"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/money"
	"foyer/app/notice"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/app/walkin"
	"foyer/billing"
	"foyer/billing/balance"
	"foyer/billing/dispute"
	"foyer/billing/processor"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
	"foyer/media/mediatest"
)

// Webhook secrets accepted by the program, besides the simulator's: its successor, and that of the platform's
// endpoint.
const (
	NextWebhookSecret = "whsec_sim_next"
	PlatformSecret    = "whsec_sim_platform"
)

// Sales is a studio that sells: the services as the program makes them, with the simulator as the processor behind
// the real adapter. The studio's account accepts cards. Jobs run when RunJobs is called and events arrive when
// Sim.Flush is.
type Sales struct {
	Studio
	Services assembly.Services // all of them; those below are of it
	Booking  *booking.Service
	Notice   *notice.Service
	Waitlist *waitlist.Service
	Walkin   *walkin.Service
	Orders   *order.Service
	Checkout *checkout.Service
	Owed     *owed.Service
	Billing  *billing.Service
	Disputes *dispute.Service
	Balance  *balance.Service
	Sim      *stripesim.Server
	Account  string // the studio's, at the processor
	Mail     *mail.Mailbox

	// Call, when set, sees every request to the processor before it is sent; its error is returned to the product
	// instead.
	Call func(*http.Request) error
	// Instead, when set, may answer a request for the processor: with a status and a body, or 0 to let it pass.
	Instead func(*http.Request) (status int, body string)
	// Answered, when set, is called after the processor has carried a request out; its error replaces the answer.
	Answered func(*http.Request) error
	// EventFate, when set, decides the fate of an event on its way to the product.
	EventFate func(*http.Request) Fate
	// KeepFees is the operator's choice to keep the platform fee of refunds made outside the product, from the next
	// On on.
	KeepFees bool
	// Domain is the host of the hosted pages, from the next On on.
	Domain string
	// Sender, when set, gets the mails instead of Mail, which keeps the newest alone: from the next On on.
	Sender mail.Sender
}

// Fate is the fate of an event.
type Fate int

// The fates.
const (
	Arrives Fate = iota
	Lost         // the processor counts it as delivered
	Twice        // at once
	Late         // the processor sends it again, after others
)

// Sales opens a studio that sells.
func (w *World) Sales(t testing.TB, changes ...func(*StudioPlan)) *Sales {
	t.Helper()
	s := w.SalesWithoutCards(t, changes...)
	s.Account = s.connect(t, s.Billing, s.Sim)
	return s
}

// Beside opens another studio that sells through the same program, with an account of its own at the same processor.
// The hooks are those of the first.
func (s *Sales) Beside(t testing.TB, changes ...func(*StudioPlan)) *Sales {
	t.Helper()
	c := *s
	c.Studio = s.w.Studio(t, changes...)
	c.Account = c.connect(t, c.Billing, c.Sim)
	return &c
}

// countryOf returns a country with accounts in a currency; the United States if there is none.
func countryOf(cur money.Currency) string {
	if cur == "USD" || cur == "EUR" {
		return map[money.Currency]string{"USD": "US", "EUR": "DE"}[cur]
	}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if code, ok := money.ForCountry(string(a) + string(b)); ok && code == cur {
				return string(a) + string(b)
			}
		}
	}
	return "US"
}

// connect creates the studio's account that accepts cards, and returns its id.
func (s Studio) connect(t testing.TB, b *billing.Service, sim *stripesim.Server) string {
	t.Helper()
	_, err := b.Onboard(t.Context(), s.Owner, billing.OnboardInput{
		Country: countryOf(s.Location.Currency), ReturnURL: "http://app.test/back", RefreshURL: "http://app.test/again",
	})
	if err != nil {
		t.Fatalf("apptest: onboard: %v", err)
	}
	account := Value[string](t, s.w, "select external_id from processor_accounts where business_id = $1", s.Business.ID)
	if err := sim.Activate(account); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Refresh(t.Context(), s.Owner); err != nil {
		t.Fatalf("apptest: refresh: %v", err)
	}
	return account
}

// TakeCards gives the studio an account that accepts cards, at a processor that gets no other requests.
func (s Studio) TakeCards(t testing.TB) Studio {
	t.Helper()
	sim, err := stripesim.New(stripesim.Options{Clock: s.w.Clock, Seed: s.Business.ID.String(), AppURL: "http://app.test"})
	if err != nil {
		t.Fatal(err)
	}
	processor, err := stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, HTTPClient: &http.Client{Transport: sim}, Clock: s.w.Clock, NoRetry: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.connect(t, billing.New(billing.Options{DB: s.w.DB, Processor: processor, Log: slog.New(slog.DiscardHandler)}), sim)
	return s
}

// SalesWithoutCards is Sales before the studio has an account at the processor.
func (w *World) SalesWithoutCards(t testing.TB, changes ...func(*StudioPlan)) *Sales {
	t.Helper()
	s := &Sales{Studio: w.Studio(t, changes...), Mail: w.Mailbox(t)}
	var err error
	s.Sim, err = stripesim.New(stripesim.Options{
		Clock: w.Clock, AppURL: "http://app.test", WebhookURL: "http://app.test/webhooks/stripe/connect",
		HTTPClient: &http.Client{Transport: roundTrip(s.takeEvent)},
	}.FromEnv(os.Getenv))
	if err != nil {
		t.Fatal(err)
	}
	s.wire(t, w.DB)
	return s
}

// On is the same studio and processor served from another pool.
func (s *Sales) On(t testing.TB, db *pg.DB) *Sales {
	t.Helper()
	c := &Sales{Studio: s.Studio, Sim: s.Sim, Account: s.Account, Mail: s.Mail, KeepFees: s.KeepFees, Domain: s.Domain,
		Sender: s.Sender}
	c.wire(t, db)
	return c
}

func (s *Sales) wire(t testing.TB, db *pg.DB) {
	t.Helper()
	processor, err := stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret, NextWebhookSecret}, PlatformSecrets: []string{PlatformSecret},
		HTTPClient: &http.Client{Transport: roundTrip(s.call)},
		Clock:      s.w.Clock, NoRetry: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	var sender mail.Sender = s.Mail
	if s.Sender != nil {
		sender = s.Sender
	}
	x := assembly.New(assembly.Settings{
		DB: db, Log: slog.New(slog.DiscardHandler), Processor: processor, Mail: sender, Letters: Letters{},
		Store:  mediatest.Store(t),
		Secret: Secrets, KeepFees: s.KeepFees, Domain: s.Domain,
	})
	s.Services, s.Booking, s.Notice, s.Waitlist, s.Walkin, s.Checkout, s.Billing = x, x.Booking, x.Notice, x.Waitlist, x.Walkin, x.Checkout, x.Billing
	s.Disputes, s.Balance, s.Orders, s.Owed = x.Disputes, x.Balance, x.Orders, x.Owed
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (s *Sales) call(r *http.Request) (*http.Response, error) {
	if s.Call != nil {
		if err := s.Call(r); err != nil {
			return nil, err
		}
	}
	if s.Instead != nil {
		if status, body := s.Instead(r); status != 0 {
			return &http.Response{
				StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
				Body: io.NopCloser(strings.NewReader(body)), Request: r,
			}, nil
		}
	}
	res, err := s.Sim.RoundTrip(r)
	if err == nil && s.Answered != nil {
		err = s.Answered(r)
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

// takeEvent is the webhook endpoint.
func (s *Sales) takeEvent(r *http.Request) (*http.Response, error) {
	answer := func(status int) (*http.Response, error) {
		return &http.Response{StatusCode: status, Body: io.NopCloser(bytes.NewReader(nil)), Request: r}, nil
	}
	times := 1
	if s.EventFate != nil {
		switch s.EventFate(r) {
		case Lost:
			return answer(http.StatusOK)
		case Late:
			return answer(http.StatusServiceUnavailable)
		case Twice:
			times = 2
		}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	for range times {
		if s.Billing.ReceiveWebhook(r.Context(), processor.EndpointConnect, body, r.Header.Get("Stripe-Signature")) != nil {
			return answer(http.StatusBadRequest)
		}
	}
	return answer(http.StatusOK)
}

// Visitor is the scope of a visitor of the storefront without a session.
func (s *Sales) Visitor() tenancy.Scope {
	return tenancy.Visitor(tenancy.Principal{}, s.Business.ID, tenancy.SurfaceAPI)
}

// Customer is the scope of a new person with a session on the storefront.
func (s *Sales) Customer(t testing.TB, name string) tenancy.Scope {
	t.Helper()
	return s.At(s.w.Person(t, strings.ToLower(name)+"-"+pg.NewID().String()[24:]+"@example.com"))
}

// At is the scope of a person on this studio's storefront.
func (s *Sales) At(p tenancy.Principal) tenancy.Scope {
	return tenancy.Visitor(p, s.Business.ID, tenancy.SurfaceAPI)
}

// Fill begins a cart with a seat of each occurrence and returns its token.
func (s *Sales) Fill(t testing.TB, occurrences ...OccurrenceRow) string {
	t.Helper()
	c, err := s.Checkout.Create(t.Context(), s.Visitor(), checkout.CreateInput{LocationID: s.Location.ID})
	if err != nil {
		t.Fatalf("apptest: cart: %v", err)
	}
	for _, o := range occurrences {
		if _, err := s.Checkout.AddItem(t.Context(), s.Visitor(), c.Token, checkout.AddItemInput{OccurrenceID: o.ID}); err != nil {
			t.Fatalf("apptest: item: %v", err)
		}
	}
	return c.Token
}

// Cards of the simulator.
const (
	CardGood     = "4242424242424242"
	CardDeclined = "4000000000000002"
	CardChecked  = "4000002760003184" // requires authentication by the bank
)

// PayCard acts as the customer's browser: it puts a card on the payment.
func (s *Sales) PayCard(t testing.TB, clientSecret, card string) {
	t.Helper()
	if _, err := s.Sim.PayByCard(clientSecret, card); err != nil {
		t.Fatal(err)
	}
}

// PassCheck answers the bank's question about a payment with yes.
func (s *Sales) PassCheck(t testing.TB, clientSecret string) {
	t.Helper()
	if err := s.Sim.AnswerBank(clientSecret, true); err != nil {
		t.Fatal(err)
	}
}

// RunJobs runs every job that waits, and those that they enqueue, one after the other, and returns the kinds that ran.
// The first error ends it and leaves that job and the others waiting.
func (s *Sales) RunJobs(t testing.TB) ([]string, error) {
	t.Helper()
	var ran []string
	for {
		done, err := s.runWaiting(t, &ran)
		if done == 0 || err != nil {
			return ran, err
		}
	}
}

// runWaiting runs the jobs that wait now and takes those that ran out of the queue.
func (s *Sales) runWaiting(t testing.TB, ran *[]string) (int, error) {
	t.Helper()
	type job struct {
		ID   int64
		Kind string
		Args []byte
	}
	var waiting []job
	s.w.superuser(t, func(c *pgx.Conn) error {
		rows, err := c.Query(t.Context(), `select id, kind, args from river.river_job order by id`)
		if err != nil {
			return err
		}
		waiting, err = pgx.CollectRows(rows, pgx.RowToStructByPos[job])
		return err
	})
	var done []int64
	var failed error
	handlers := s.handlers()
	for _, j := range waiting {
		if run, ours := handlers[j.Kind]; ours {
			failed = run(t.Context(), j.Args)
		}
		if failed != nil {
			break
		}
		done = append(done, j.ID)
		*ran = append(*ran, j.Kind)
	}
	if len(done) > 0 {
		s.w.SQL(t, `delete from river.river_job where id = any($1)`, done)
	}
	return len(done), failed
}

// handlers are the handlers of the worker, by the kind of job.
func (s *Sales) handlers() map[string]handler {
	all := map[string]handler{}
	handle(all, s.Billing.ProcessWebhook)
	handle(all, s.Billing.SubmitRefund)
	handle(all, s.Billing.CancelPayment)
	handle(all, s.Billing.DecideAuthorized)
	handle(all, s.Billing.RefreshAccount)
	handle(all, s.Billing.DetachCard)
	handle(all, s.Billing.ReturnFee)
	handle(all, s.Disputes.ReturnFee)
	handle(all, s.Billing.RegisterDomain)
	handle(all, s.Disputes.SendEvidence)
	handle(all, s.Notice.MailNotice)
	handle(all, s.Notice.MailTeamNotice)
	handle(all, s.Notice.MailReminder)
	handle(all, s.Notice.MailDispute)
	handle(all, s.Notice.MailAccount)
	handle(all, s.Waitlist.RunRound)
	handle(all, s.Waitlist.MailLetter)
	handle(all, s.Orders.MailConfirmation)
	handle(all, s.Services.GiftSales.MailCard)
	handle(all, s.Services.Plans.MailReminder)
	handle(all, s.Orders.MailLateRefund)
	handle(all, s.Owed.ChargeDue)
	handle(all, s.Owed.MailCharge)
	return all
}

type handler func(ctx context.Context, args []byte) error

func handle[A jobs.Args](all map[string]handler, run func(context.Context, A) error) {
	var args A
	all[args.Kind()] = func(ctx context.Context, raw []byte) error {
		var args A
		if err := json.Unmarshal(raw, &args); err != nil {
			return err
		}
		return run(ctx, args)
	}
}
