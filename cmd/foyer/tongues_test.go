package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/apptest/untranslated"
	"foyer/app/apptest/walks"
	"foyer/app/business"
	"foyer/app/clock"
	"foyer/app/demo"
	"foyer/app/dev"
	"foyer/app/mail"
	"foyer/app/tenancy"
	"foyer/app/words"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
)

// town is the demo as "foyer dev" serves it, with its studios in one language.
type town struct {
	x       *product
	url     string
	guide   dev.Guide
	people  demo.Demo
	box     *mail.Mailbox
	sim     *stripesim.Server
	clock   *clock.Adjustable
	past    *pgxpool.Pool // past every policy: for looking
	owners  []tenancy.Scope
	written []string // by the studios, by hand
}

// nextMorning is the next Tuesday, ten o'clock in New York: the timetable of the walk must not depend on the time of
// the run.
func nextMorning(t *testing.T) time.Time {
	t.Helper()
	now := time.Now().In(apptest.Zone(t, "America/New_York"))
	ahead := (int(time.Tuesday) - int(now.Weekday()) + 7) % 7
	at := time.Date(now.Year(), now.Month(), now.Day()+ahead, 10, 0, 0, 0, now.Location())
	if at.Before(now) {
		at = at.AddDate(0, 0, 7)
	}
	return at
}

// openTown makes the demo, and has each of its locations speak the language.
func openTown(t *testing.T, language string) *town {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &town{url: addressURL(ln.Addr()), clock: &clock.Adjustable{}}
	s.clock.Advance(time.Until(nextMorning(t)))
	quiet, database0 := slog.New(slog.DiscardHandler), apptest.NewDatabase(t)
	if s.past, err = pgxpool.New(t.Context(), database0.URL("postgres")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.past.Close)
	none := func(string) string { return "" }
	c, err := readConfig(none, []string{
		"FOYER_DATA_DIR=" + t.TempDir(), "FOYER_SECRET=" + killSecret, "BASE_URL=" + s.url, "STOREFRONT_RATE_LIMIT_MAX=1000000",
		"STOREFRONT_WRITE_RATE_LIMIT_MAX=1000000", "CHALLENGES_PER_VISITOR_MAX=10000", "CHALLENGES_PER_ADDRESS_MAX=1000",
	})
	if err != nil {
		t.Fatal(err)
	}
	s.sim, err = stripesim.New(stripesim.Options{Clock: s.clock, AppURL: s.url, WebhookURL: s.url + "/webhooks/stripe/connect", Logger: quiet}.FromEnv(none))
	if err != nil {
		t.Fatal(err)
	}
	processor, err := stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, Clock: s.clock, HTTPClient: &http.Client{Transport: s.sim},
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.box, err = mail.NewMailbox(s.clock, ""); err != nil {
		t.Fatal(err)
	}
	s.x, err = buildProduct(t.Context(), parts{
		config: c, clock: s.clock, log: quiet, address: ln.Addr(), worker: true, mail: s.box, processor: processor, root: "/dev",
		database: database{app: database0.URL("foyer_app"), job: database0.URL("foyer_job")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.x.close)
	s.people = s.x.demo(s.clock, s.sim, func(string) {})
	if s.guide, err = (devCommand{}).seed(t.Context(), c, s.x, database{}, s.people); err != nil {
		t.Fatal(err)
	}
	dev.Register(s.x.web, dev.Services{Mailbox: s.box, Clock: s.clock, Sweep: s.x.jobs.Sweeps, Guide: s.guide, Sim: s.sim})
	s.run(t, ln, quiet)
	s.speak(t, language)
	return s
}

// run serves until the test ends.
func (s *town) run(t *testing.T, ln net.Listener, log *slog.Logger) {
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go s.sim.Run(ctx)
	go func() { done <- s.x.run(ctx, ln, log) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// speak sets the language of all locations, and reads the texts written by the studios.
func (s *town) speak(t *testing.T, language string) {
	t.Helper()
	ctx := t.Context()
	for _, b := range s.guide.Businesses {
		owner, err := s.people.Actor(ctx, b.People["owner"].Email, uuid.MustParse(b.ID))
		if err != nil {
			t.Fatal(err)
		}
		s.owners = append(s.owners, owner)
		for _, l := range b.Locations {
			id := uuid.MustParse(l.ID)
			var version int64
			if err := s.past.QueryRow(ctx, "select version from locations where id = $1", id).Scan(&version); err != nil {
				t.Fatal(err)
			}
			in := business.UpdateLocationInput{LocationID: id, Version: version, Language: &language}
			if _, err := s.x.Business.UpdateLocation(ctx, owner, in); err != nil {
				t.Fatal(err)
			}
		}
	}
	rows, err := s.past.Query(ctx, `select name from businesses union select name from locations union select street from locations
		union select city from locations union select name from offerings union select description from offerings
		union select name from spaces union select name from members union select name from persons union select name from tax_rates
		union select name from policies union select name from discounts`)
	if err == nil {
		s.written, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		t.Fatal(err)
	}
}

// rest runs the sweeps, and waits until the worker has no more jobs.
func (s *town) rest(t *testing.T) {
	t.Helper()
	if err := s.x.jobs.Sweeps(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.sim.Flush(t.Context())
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(10 * time.Millisecond) { // real time
		var left int
		err := s.past.QueryRow(t.Context(), "select count(*) from river.river_job where finalized_at is null and scheduled_at <= now()").Scan(&left)
		if err == nil && left == 0 {
			return
		}
		if err != nil || time.Now().After(end) {
			t.Fatalf("the worker does not come to rest: %d jobs left (%v)", left, err)
		}
	}
}

// TestDemoInEveryLanguage walks every page and mail of the demo in each language and both color schemes, at 320, 390
// and 1280 pixels: axe finds nothing, nothing scrolls sideways, no word is untranslated, and the cancellation costs
// on a booking's page are those on the page that confirms it. Short, it is one language, light, on a phone of 390
// pixels.
func TestDemoInEveryLanguage(t *testing.T) {
	tongues := []string{"de"}
	if walks.Long() {
		tongues = nil
		for _, l := range words.Languages() {
			tongues = append(tongues, l.Tag)
		}
	}
	for _, language := range tongues {
		t.Run(language, func(t *testing.T) {
			t.Parallel() // each has a town and a browser of its own
			began := time.Now()
			s := openTown(t, language)
			w := &stroll{town: s, t: t, tongue: words.In(language), tab: browser.New(t, browser.Options{}), told: map[string]bool{}, seen: map[string]bool{}}
			if language != words.English {
				var err error
				if w.reader, err = untranslated.For(language, s.written); err != nil {
					t.Fatal(err)
				}
			}
			w.walk()
			t.Logf("%s: %d pages and %d mails looked at %d times, %d costs compared, in %s", language, w.pages, w.mails, w.looks, w.costs, time.Since(began).Round(time.Second))
			if w.pages < 60 || w.mails < 15 || w.costs < 4 {
				t.Errorf("only %d pages, %d mails and %d costs were seen", w.pages, w.mails, w.costs)
			}
		})
	}
}

// found is a test that logs the place of each finding.
type found struct {
	testing.TB
	where string
	told  map[string]bool
}

// Errorf fails the test once for each finding of a kind of page, however many widths and colours show it.
func (f found) Errorf(format string, args ...any) {
	f.Helper()
	what := fmt.Sprintf(format, args...)
	if !f.told[what] {
		f.told[what] = true
		f.TB.Errorf("%s: %s", f.where, what)
	}
}
