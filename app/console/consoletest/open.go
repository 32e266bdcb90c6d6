// Package consoletest opens a studio behind the console, as the program serves it, for tests of its screens.
//
//	s := consoletest.Open(t)
//	desk := s.As(t, consoletest.Owner)                       // or s.Member(t, "mia@…", apptest.At(policy.Manager, place))
//	page := desk.Get("/bookings/" + id)                      // below /manage/{business}
//	page = desk.Send(page.Form("/check-in"), "note", "late") // the form with what was typed, redirects followed
//	page.Says(t, "Checked in")
package consoletest

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/google/uuid"

	"foyer/app/accounting/ledgersim"
	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/console"
	"foyer/app/console/desk"
	"foyer/app/embed"
	"foyer/app/files"
	"foyer/app/hosted"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/web"
	"foyer/billing"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
	"foyer/media/mediatest"
	"foyer/media/store"
	"foyer/policy"
)

// Studio is a studio with its console: Harbour Yoga, in the time zone of New York, with an account that accepts
// cards.
type Studio struct {
	*apptest.World
	apptest.Studio
	assembly.Services
	URL     string
	People  apptest.People
	Desk    *desk.Desk
	Server  *web.Server
	Sim     *stripesim.Server
	Mail    *mail.Mailbox // mails of the worker
	Files   store.Store
	Account string
	Books   apptest.Accounts // the accounting provider
	jobs    *jobs.Registry
	worker  *jobs.Worker // nil after Rest
}

// Open starts a studio. The world's clock stands still until the test moves it.
func Open(t testing.TB, changes ...func(*apptest.StudioPlan)) *Studio {
	t.Helper()
	return OpenWith(t, func(*assembly.Settings) {}, changes...)
}

// OpenWith is Open with other settings of the program.
func OpenWith(t testing.TB, other func(*assembly.Settings), changes ...func(*apptest.StudioPlan)) *Studio {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := apptest.Open(t)
	s := &Studio{World: w, URL: "http://" + ln.Addr().String(), People: w.People(t), Mail: w.Mailbox(t)}
	s.Studio = w.Studio(t, changes...)
	s.wire(t, other)
	s.connect(t)
	s.serve(t, ln)
	s.work(t)
	return s
}

// wire creates the domains as the program does.
func (s *Studio) wire(t testing.TB, other func(*assembly.Settings)) {
	t.Helper()
	var err error
	if s.Sim, err = stripesim.New(stripesim.Options{Clock: s.Clock, AppURL: s.URL}); err != nil {
		t.Fatal(err)
	}
	cards, err := stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, Clock: s.Clock, HTTPClient: &http.Client{Transport: s.Sim}, NoRetry: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Files = mediatest.Store(t)
	s.Books = apptest.NewAccounts(t, s.Clock, func(o *ledgersim.Options) { o.AppURL = s.URL })
	settings := assembly.Settings{
		DB: s.World.DB, Log: slog.New(slog.DiscardHandler), Processor: cards, Mail: s.Mail, Letters: apptest.Links{BaseURL: s.URL},
		Store: s.Files, Secret: apptest.Secrets, Accounting: s.Books.Client, SealKeys: s.Books.Keys,
	}
	other(&settings)
	s.Services = assembly.New(settings)
}

// connect gives the studio an account that accepts cards.
func (s *Studio) connect(t testing.TB) {
	t.Helper()
	back := billing.OnboardInput{Country: "US", ReturnURL: s.URL + "/back", RefreshURL: s.URL + "/again"}
	if _, err := s.Billing.Onboard(t.Context(), s.Owner, back); err != nil {
		t.Fatal(err)
	}
	s.Account = apptest.Value[string](t, s.World, "select external_id from processor_accounts where business_id = $1", s.Studio.Business.ID)
	if err := s.Sim.Activate("acct_sim_" + strings.TrimPrefix(strings.TrimPrefix(s.Account, "acct_"), "sim_")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Billing.Refresh(t.Context(), s.Owner); err != nil {
		t.Fatal(err)
	}
}

// serve mounts the API, the console and the booking pages, and serves them until the test ends.
func (s *Studio) serve(t testing.TB, ln net.Listener) {
	t.Helper()
	d := s.Services
	gate := api.Gate(d)
	s.Server = web.New(web.Options{
		BaseURL: s.URL, Build: "dev", Secret: apptest.Secret, Clock: s.Clock, Log: slog.New(slog.DiscardHandler),
		Gate: gate, Known: policy.Known, Hit: d.DB.Hit, Tags: api.Tags, Words: api.Words, Refusals: api.Refusals, Examples: api.Examples,
		ErrorPage: hosted.ErrorPage,
	})
	s.Server.App().All("/__sim/*", adaptor.HTTPHandler(s.Sim))
	s.Server.App().All(ledgersim.Prefix+"/*", adaptor.HTTPHandler(s.Books.Sim))
	api.Register(s.Server, d)
	s.Desk = console.Register(s.Server, console.Options{
		Options: desk.Options{Services: d, Gate: gate, Clock: s.Clock, BaseURL: s.URL, Practice: true}, Gallery: true,
	})
	hosted.Register(s.Server, hosted.Options{
		Services: d, Clock: s.Clock, BaseURL: s.URL,
	})
	files.Register(s.Server, files.Options{Store: s.Files})
	embed.Register(s.Server, embed.Options{
		Services: d, Clock: s.Clock, BaseURL: s.URL, Cache: web.NewPageCache(s.Clock, 1<<20),
	})
	done := make(chan error, 1)
	go func() { done <- s.Server.Serve(ln) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := s.Server.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
}

// work runs the jobs that send mail.
func (s *Studio) work(t testing.TB) {
	t.Helper()
	s.jobs = jobs.NewRegistry()
	s.Billing.Register(s.jobs)
	s.Disputes.Register(s.jobs)
	s.Balance.Register(s.jobs)
	s.Media.Register(s.jobs)
	s.Orders.Register(s.jobs)
	s.Checkout.Register(s.jobs)
	s.Owed.Register(s.jobs)
	s.Booking.Register(s.jobs)
	s.Waitlist.Register(s.jobs)
	s.Notice.Register(s.jobs)
	s.GiftSales.Register(s.jobs)
	w, err := jobs.Start(t.Context(), s.World.Worker(t), s.jobs, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s.worker = w
	t.Cleanup(func() { s.StopWorker(t) })
}

// Sweep runs every sweep once, as the worker does every few seconds, and waits until the jobs are done.
func (s *Studio) Sweep(t testing.TB) {
	t.Helper()
	if err := s.jobs.Sweeps(t.Context()); err != nil {
		t.Fatal(err)
	}
	const left = "select count(*)::int from river.river_job where finalized_at is null and scheduled_at <= now()"
	for end := time.Now().Add(time.Minute); apptest.Value[int](t, s.World, left) > 0; time.Sleep(20 * time.Millisecond) { // real time: a worker's
		if time.Now().After(end) {
			t.Fatal("the worker does not come to rest")
		}
	}
}

// StopWorker stops the worker: its sweeps run now and then, and would disturb a test that counts a page's statements.
func (s *Studio) StopWorker(t testing.TB) {
	t.Helper()
	if s.worker == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := s.worker.Stop(ctx); err != nil {
		t.Errorf("stop the worker: %v", err)
	}
	s.worker = nil
}

// NextCode returns the code that a step of a sign-in mails to an address.
func (s *Studio) NextCode(t testing.TB, email string, step func()) string {
	t.Helper()
	before := len(s.People.Mail.List(email))
	step()
	challenge := apptest.Value[string](t, s.World, `select c.id::text from challenges c where c.email = $1 order by c.id desc limit 1`, email)
	s.People.Deliver(t, uuid.MustParse(challenge))
	list := s.People.Mail.List(email)
	if len(list) <= before {
		t.Fatalf("no code came to %s", email)
	}
	return list[0].Subject
}
