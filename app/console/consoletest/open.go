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

	"foyer/app/agenda"
	"foyer/app/agreement"
	"foyer/app/api"
	"foyer/app/api/wire"
	"foyer/app/apptest"
	"foyer/app/audit"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/console"
	"foyer/app/console/desk"
	"foyer/app/crm"
	"foyer/app/discount"
	"foyer/app/embed"
	"foyer/app/files"
	"foyer/app/hosted"
	"foyer/app/integrity"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/money"
	"foyer/app/notice"
	"foyer/app/penalty"
	"foyer/app/pg"
	"foyer/app/report"
	"foyer/app/sales"
	"foyer/app/schedule"
	"foyer/app/till"
	"foyer/app/waitlist"
	"foyer/app/walkin"
	"foyer/app/web"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/stripesim"
	"foyer/media"
	"foyer/media/mediatest"
	"foyer/media/store"
	"foyer/policy"
)

// Studio is one behind the console: Harbour Yoga, on New York's clock, with an account that takes cards.
type Studio struct {
	*apptest.World
	apptest.Studio
	desk.Services
	URL     string
	People  apptest.People
	Desk    *desk.Desk
	Server  *web.Server
	Sim     *stripesim.Server
	Mail    *mail.Mailbox // what the worker sends
	Files   store.Store
	Account string
	jobs    *jobs.Registry
	worker  *jobs.Worker // nil when it rests
}

// Open starts it. The world's clock stands, and moves when the test moves it.
func Open(t testing.TB, changes ...func(*apptest.StudioPlan)) *Studio {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := apptest.Open(t)
	s := &Studio{World: w, URL: "http://" + ln.Addr().String(), People: w.People(t), Mail: w.Mailbox(t)}
	s.Studio = w.Studio(t, changes...)
	s.wire(t)
	s.connect(t)
	s.serve(t, ln)
	s.work(t)
	return s
}

// wire makes the domains as the program does.
func (s *Studio) wire(t testing.TB) {
	t.Helper()
	db := s.World.DB
	var err error
	if s.Sim, err = stripesim.New(stripesim.Options{Clock: s.Clock, AppURL: s.URL}); err != nil {
		t.Fatal(err)
	}
	cards, err := billing.NewStripe(billing.StripeConfig{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, Clock: s.Clock, HTTPClient: &http.Client{Transport: s.Sim}, NoRetry: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	shop := func() *checkout.Service { return s.Checkout }
	lists := waitlist.New(apptest.WaitlistOptions(db, s.Mail, shop))
	seats := booking.New(apptest.BookingOptions(db, lists, shop))
	offerings := catalog.New(catalog.Options{
		DB: db, HasTimesTx: availability.HasTimesTx, PutAwayTx: waitlist.PutAwayTx, GoOnTx: waitlist.GoOnTx(seats), CourseTx: schedule.CourseTx,
		TakesCardsTx: func(ctx context.Context, tx *pg.Tx, cur money.Currency) (bool, error) {
			return s.Billing.TakesCardsTx(ctx, tx, cur)
		},
	})
	s.Files = mediatest.Store(t)
	s.Services = desk.Services{
		DB: db, Identity: s.People.Service, Catalog: offerings, Booking: seats, Waitlist: lists,
		Business: s.House(t, func(o *business.Options) {
			o.SpaceInUseTx, o.HasDatesTx, o.TaxRateMovedTx = availability.SpaceInUseTx, schedule.HasDatesTx, catalog.MoveTaxRateTx
			o.EndAheadTx, o.PutAwayTx = waitlist.EndAheadTx(seats), offerings.PutAwayTx
		}).Service,
		Schedule:     schedule.New(schedule.Options{DB: db, Bookings: waitlist.Calendar(seats), Cards: billing.EnvSimulated}),
		Availability: apptest.Times(db), Walkin: walkin.New(walkin.Options{DB: db, Booking: seats}),
		CRM: crm.New(crm.Options{DB: db, FollowTx: waitlist.FollowTx}), Penalty: penalty.New(db), Till: till.New(db), Report: report.New(db), Discount: discount.New(db),
		Media: media.New(media.Options{DB: db, Store: s.Files}), Agreement: agreement.New(agreement.Options{DB: db, Files: s.Files}),
		Billing: billing.New(billing.Options{DB: db, Processor: cards, Log: slog.New(slog.DiscardHandler),
			Orders: func() billing.Orders { return s.Checkout }}),
		Audit: audit.New(db), Integrity: integrity.New(db, slog.New(slog.DiscardHandler)), Agenda: agenda.New(db), Credit: credit.New(db),
		Notice: notice.New(apptest.NoticeOptions(db, s.Mail)),
	}
	s.Checkout = checkout.New(checkout.Options{
		DB: db, Booking: seats, Billing: s.Billing, Secret: apptest.Secret, Mail: s.Mail,
		ConfirmationMail: func(c checkout.Confirmation) mail.Message {
			return mail.Message{To: c.To, Subject: "booked", Text: s.URL + "/receipt/" + c.Token}
		},
		RefundMail: func(r checkout.LateRefund) mail.Message {
			return mail.Message{To: r.To, Subject: "refunded", Text: s.URL + "/receipt/" + r.Token}
		},
		FeeMail: func(f checkout.FeeMail) mail.Message {
			return mail.Message{To: f.To, Subject: "fee", Text: s.URL + "/receipt/" + f.Token + map[bool]string{true: "/pay"}[f.Failed]}
		},
	})
	s.Services.Sales = sales.New(sales.Options{DB: db, Billing: s.Billing, ReceiptToken: s.Checkout.ReceiptToken})
}

// connect gives the studio an account that takes cards.
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
	services := wire.Services{
		DB: d.DB, Identity: d.Identity, Business: d.Business, Catalog: d.Catalog, Schedule: d.Schedule, Availability: d.Availability, CRM: d.CRM,
		Booking: d.Booking, Penalty: d.Penalty, Waitlist: d.Waitlist, Walkin: d.Walkin, Checkout: d.Checkout, Billing: d.Billing,
		Sales: d.Sales, Audit: d.Audit, Integrity: d.Integrity, Credit: d.Credit, Agenda: d.Agenda, Media: d.Media, Agreement: d.Agreement,
	}
	gate := api.Gate(services)
	s.Server = web.New(web.Options{
		BaseURL: s.URL, Build: "dev", Secret: apptest.Secret, Clock: s.Clock, Log: slog.New(slog.DiscardHandler),
		Gate: gate, Known: policy.Known, Hit: d.DB.Hit, Tags: api.Tags, Words: api.Words, Refusals: api.Refusals, Examples: api.Examples,
		ErrorPage: hosted.ErrorPage,
	})
	s.Server.App().All("/__sim/*", adaptor.HTTPHandler(s.Sim))
	api.Register(s.Server, services)
	s.Desk = console.Register(s.Server, console.Options{
		Options: desk.Options{Services: d, Gate: gate, Clock: s.Clock, BaseURL: s.URL, Practice: true}, Gallery: true,
	})
	hosted.Register(s.Server, hosted.Options{
		Identity: d.Identity, Business: d.Business, Schedule: d.Schedule, Availability: d.Availability, Booking: d.Booking, Waitlist: d.Waitlist,
		Walkin: d.Walkin, Checkout: d.Checkout, Sales: d.Sales, Agreement: d.Agreement, DB: d.DB, Clock: s.Clock, BaseURL: s.URL,
	})
	files.Register(s.Server, files.Options{Store: s.Files})
	embed.Register(s.Server, embed.Options{
		Business: d.Business, Catalog: d.Catalog, Schedule: d.Schedule, Availability: d.Availability, Walkin: d.Walkin,
		DB: d.DB, Clock: s.Clock, BaseURL: s.URL, Cache: web.NewPageCache(s.Clock, 1<<20),
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

// work runs the jobs that mail.
func (s *Studio) work(t testing.TB) {
	t.Helper()
	s.jobs = jobs.NewRegistry()
	s.Billing.Register(s.jobs)
	s.Media.Register(s.jobs)
	s.Checkout.Register(s.jobs)
	s.Booking.Register(s.jobs)
	s.Waitlist.Register(s.jobs)
	s.Notice.Register(s.jobs)
	w, err := jobs.Start(t.Context(), s.World.Worker(t), s.jobs, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s.worker = w
	t.Cleanup(func() { s.Rest(t) })
}

// Sweep runs every sweep once, as the worker does every few seconds, and waits until what that has to do is done.
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

// Rest ends the worker: its sweeps look around now and then, and a test that counts what a page sends would count that, too.
func (s *Studio) Rest(t testing.TB) {
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

// NextCode is the code that a step of a sign-in mails to an address.
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
