package hosted_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/hosted"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/app/walkin"
	"foyer/app/web"
	"foyer/app/web/assets"
	"foyer/app/web/op"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
	"foyer/media/mediatest"
	"foyer/media/store"
	"foyer/policy"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
)

// shop is a studio that sells, behind the pages as the program serves them: on an address of its own, with the
// simulator beside it and a worker that mails.
type shop struct {
	*apptest.World
	apptest.Studio
	Services assembly.Services // all of them; those below are of it
	t        testing.TB
	URL      string
	Identity *identity.Service
	Booking  *booking.Service
	Waitlist *waitlist.Service
	Walkin   *walkin.Service
	Orders   *order.Service
	Checkout *checkout.Service
	Owed     *owed.Service
	Billing  *billing.Service
	Sim      *stripesim.Server
	Account  string
	Mail     *mail.Mailbox
	Server   *web.Server
	Files    store.Store
	jobs     *jobs.Registry
	idle     func()         // ends the worker, whose sweeps come at any time, so that trips can be counted
	cache    *web.PageCache // of a branch
}

// applePay stands for the processor's file.
const applePay = "7B227073704964223A22"

// plan is a test's changes to its shop.
type plan struct {
	Studio  func(*apptest.StudioPlan)
	NoCards bool
	Limits  op.Limits
	Base    string // the public address, when it is not the one that is listened on
	Down    bool   // photos and files can neither be read nor written
	Live    bool   // the processor does not appear to be the simulator
	Cache   *web.PageCache
}

// open starts a shop. The studio is Harbour Yoga, on New York's clock, with its website, unless the plan says
// otherwise.
func open(t testing.TB, changes ...func(*plan)) *shop {
	t.Helper()
	var p plan
	for _, change := range changes {
		change(&p)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{World: apptest.Open(t), t: t, URL: "http://" + ln.Addr().String()}
	if p.Base == "" {
		p.Base = s.URL
	}
	s.Studio = s.World.Studio(t, harbour, func(sp *apptest.StudioPlan) {
		if p.Studio != nil {
			p.Studio(sp)
		}
	})
	s.wire(t, p)
	if !p.NoCards {
		s.connect(t)
	}
	s.serve(t, ln, p)
	s.work(t)
	return s
}

func harbour(sp *apptest.StudioPlan) {
	l := sp.Location
	l.Website = "https://harbouryoga.com"
	l.Address.Street, l.Address.City, l.Address.Country = "12 Quay Street", "Portland", "US"
}

// wire makes the domains as the program does.
func (s *shop) wire(t testing.TB, p plan) {
	t.Helper()
	var err error
	s.Mail, s.Files = s.Mailbox(t), mediatest.Store(t)
	if p.Down {
		s.Files = mediatest.Down(0)
	}
	s.Sim, err = stripesim.New(stripesim.Options{Clock: s.Clock, AppURL: p.Base})
	if err != nil {
		t.Fatal(err)
	}
	var processor processor.Processor
	processor, err = stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, HTTPClient: &http.Client{Transport: s.Sim}, Clock: s.Clock, NoRetry: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if p.Live {
		processor = live{processor}
	}
	x := assembly.New(assembly.Settings{
		DB: s.DB, Log: slog.New(slog.DiscardHandler), Processor: processor, Mail: s.Mail, Store: s.Files, Secret: apptest.Secrets,
		Letters: letter{apptest.Links{BaseURL: p.Base}}, Studio: letters.Studio(s.DB),
	})
	s.Services, s.Identity, s.Booking, s.Waitlist, s.Walkin = x, x.Identity, x.Booking, x.Waitlist, x.Walkin
	s.Orders, s.Checkout, s.Owed, s.Billing = x.Orders, x.Checkout, x.Owed, x.Billing
}

// letter writes codes that name their sender.
type letter struct{ apptest.Links }

func (letter) Code(c identity.Code) mail.Message {
	return mail.Message{To: c.To, From: c.Studio.Name, Subject: "Your code", Text: "Your code is " + c.Code, HTML: c.Studio.Accent}
}

// connect adds an account that accepts cards.
func (s *shop) connect(t testing.TB) {
	t.Helper()
	back := billing.OnboardInput{Country: "US", ReturnURL: s.URL + "/back", RefreshURL: s.URL + "/again"}
	if _, err := s.Billing.Onboard(t.Context(), s.Owner, back); err != nil {
		t.Fatal(err)
	}
	s.Account = apptest.Value[string](t, s.World, "select external_id from processor_accounts where business_id = $1", s.Business.ID)
	if err := s.Sim.Activate("acct_sim_" + strings.TrimPrefix(strings.TrimPrefix(s.Account, "acct_"), "sim_")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Billing.Refresh(t.Context(), s.Owner); err != nil {
		t.Fatal(err)
	}
}

// serve mounts the pages and serves them until the test ends.
func (s *shop) serve(t testing.TB, ln net.Listener, p plan) {
	t.Helper()
	srv := web.New(web.Options{
		BaseURL: p.Base, Build: "dev", Secret: apptest.Secret, Clock: s.Clock, Log: slog.New(slog.DiscardHandler),
		Gate:  op.Gate{Enter: func(context.Context, op.Knock) (op.Entry, error) { return op.Entry{}, nil }},
		Known: policy.Known, Hit: s.DB.Hit, Limits: p.Limits, ErrorPage: hosted.ErrorPage,
	})
	srv.App().All("/__sim/*", adaptor.HTTPHandler(s.Sim))
	srv.App().Get("/embed.js", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, assets.Content("embed.js").Type)
		return c.Send(assets.Content("embed.js").Body)
	})
	srv.App().Get("/__control", control)
	hosted.Register(srv, hosted.Options{
		Services: s.Services, Clock: s.Clock, BaseURL: p.Base, ApplePay: []byte(applePay), Cache: p.Cache,
	})
	s.Server = srv
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ln) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
}

// work runs the jobs that mail.
func (s *shop) work(t testing.TB) {
	t.Helper()
	s.jobs = jobs.NewRegistry()
	s.Identity.Register(s.jobs)
	s.Billing.Register(s.jobs)
	s.Services.Disputes.Register(s.jobs)
	s.Services.Balance.Register(s.jobs)
	s.Orders.Register(s.jobs)
	s.Checkout.Register(s.jobs)
	s.Owed.Register(s.jobs)
	s.Booking.Register(s.jobs)
	s.Services.Notice.Register(s.jobs)
	s.Services.GiftSales.Register(s.jobs)
	s.Services.Plans.Register(s.jobs)
	s.Waitlist.Register(s.jobs)
	w, err := jobs.Start(t.Context(), s.Worker(t), s.jobs, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s.idle = sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := w.Stop(ctx); err != nil {
			t.Errorf("stop the worker: %v", err)
		}
	})
	t.Cleanup(s.idle)
}

// rest waits until the worker has done all jobs, so that none of them meets a changed clock.
func (s *shop) rest(t testing.TB) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if n := apptest.Value[int](t, s.World, `select count(*) from river.river_job where finalized_at is null and scheduled_at <= now()`); n == 0 {
			return
		}
	}
	t.Fatal("the worker does not come to rest")
}

// letter waits for a mail to an address, other than those that were there before.
func (s *shop) letter(t testing.TB, to, subject string) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, m := range s.Mail.List(to) {
			if m.Subject == subject {
				return m.Text
			}
		}
	}
	t.Fatalf("no mail %q to %s came", subject, to)
	return ""
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// code waits for the newest code mailed to an address; before is the number of codes before the request.
func (s *shop) code(t testing.TB, to string, before int) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if codes := s.codes(to); len(codes) > before {
			return codes[0]
		}
	}
	t.Fatalf("no code came to %s", to)
	return ""
}

func (s *shop) codes(to string) []string {
	var out []string
	for _, m := range s.Mail.List(to) {
		if code := sixDigits.FindString(m.Text); m.Subject == "Your code" && code != "" {
			out = append(out, code)
		}
	}
	return out
}

// class is a published offering with its dates.
type class struct {
	apptest.OfferingRow
	Dates []apptest.OccurrenceRow
}

// class adds a class with dates on the coming days, at nine in the morning.
func (s *shop) class(t testing.TB, name string, days int, changes ...func(*apptest.OfferingRow)) class {
	t.Helper()
	c := class{OfferingRow: s.AddOffering(t, append([]func(*apptest.OfferingRow){func(o *apptest.OfferingRow) {
		o.Name, o.Slug = name, strings.ReplaceAll(strings.ToLower(name), " ", "-")
	}}, changes...)...)}
	nine := time.Date(2026, 6, 11, 13, 0, 0, 0, time.UTC)
	for i := range days {
		c.Dates = append(c.Dates, s.AddOccurrence(t, c.OfferingRow, nine.AddDate(0, 0, i)))
	}
	return c
}

// path is the address of a class, with a date chosen unless it is nil.
func (s *shop) path(c class, date *apptest.OccurrenceRow) string {
	p := "/" + s.Location.Slug + "/" + c.Slug
	if date != nil {
		p += "?time=" + date.ID.String()
	}
	return p
}

func priced(minor int64) func(*apptest.OfferingRow) {
	return func(o *apptest.OfferingRow) { o.Price = &minor }
}

func seats(n int) func(*apptest.OfferingRow) {
	return func(o *apptest.OfferingRow) { o.Capacity, o.Online = n, n }
}

// count is how many rows a query finds, read past every policy.
func (s *shop) count(t testing.TB, query string, args ...any) int {
	t.Helper()
	return apptest.Value[int](t, s.World, "select count(*) from "+query, args...)
}

// session signs a person in without the pages and returns the token.
func (s *shop) session(t testing.TB, email, name string) (string, tenancy.Principal) {
	t.Helper()
	people := apptest.People{Service: s.Identity, Mail: s.Mail}
	before := len(s.codes(email)) // counted first: the worker may be faster than this goroutine
	id, err := people.Challenge(t.Context(), email, apptest.AtHome)
	if err != nil {
		t.Fatal(err)
	}
	in, err := people.Verify(t.Context(), identity.VerifyInput{Challenge: id, Code: s.code(t, email, before)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := people.Authenticate(t.Context(), in.Token)
	if err != nil {
		t.Fatal(err)
	}
	if name != p.Actor.Name {
		profile, err := people.Profile(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := people.UpdateProfile(t.Context(), p, identity.ProfileInput{Version: profile.Version, Name: &name}); err != nil {
			t.Fatal(err)
		}
		p.Actor.Name = name
	}
	return in.Token, p
}
