package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/assembly"
	"foyer/app/clock"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
)

const days = 24 * time.Hour

// lives are those of all tables, as their packages declare them. A table that is not swept is a record of the
// business. docs/operations.md describes them.
var lives = assembly.Tables()

// endedJobs are the jobs that have ended, which have a life of their own.
const endedJobs = "river.river_job"

// growing is a studio over years: the whole product in this process, with its pages, its worker and the processor.
type growing struct {
	*lane
	sim      *stripesim.Server
	mailbox  *mail.Mailbox
	parts    parts // of the server that has the worker
	worker   *jobs.Worker
	receipts []string // of everything that was sold
	sold     int      // orders
}

func openGrowing(t *testing.T) *growing {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	now := &clock.Adjustable{}
	night := now.Now().Truncate(days).Add(1*days + 3*time.Hour) // when the nightly work is done
	now.Advance(night.Sub(now.Now()))
	quiet := slog.New(slog.DiscardHandler)
	sim, err := stripesim.New(stripesim.Options{
		Clock: now, AppURL: addressURL(ln.Addr()), WebhookURL: addressURL(ln.Addr()) + "/webhooks/stripe/connect", Logger: quiet,
	}.FromEnv(os.Getenv))
	if err != nil {
		t.Fatal(err)
	}
	processor, err := stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, Clock: now, HTTPClient: &http.Client{Transport: sim},
	})
	if err != nil {
		t.Fatal(err)
	}
	mailbox, err := mail.NewMailbox(now, "")
	if err != nil {
		t.Fatal(err)
	}
	s := &killStudio{database: apptest.NewDatabase(t), clock: now, client: truthful(t)}
	if s.past, err = pgxpool.New(t.Context(), s.database.URL("postgres")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.past.Close)
	c, err := readConfig(func(string) string { return "" }, []string{
		"FOYER_DATA_DIR=" + t.TempDir(), "FOYER_SECRET=" + killSecret, "STOREFRONT_WRITE_RATE_LIMIT_MAX=1000000",
	})
	if err != nil {
		t.Fatal(err)
	}
	made := parts{
		config: c, clock: now, log: quiet, address: ln.Addr(), worker: true, mail: mailbox, processor: processor,
		database: database{app: s.database.URL("foyer_app"), job: s.database.URL("foyer_job")},
	}
	s.x = serveParts(t, ln, made)
	s.Demo = s.x.demo(now, sim, func(string) {})
	if err := s.setUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	g := &growing{lane: &lane{killStudio: s, server: &process{base: addressURL(ln.Addr())}}, sim: sim, mailbox: mailbox, parts: made}
	g.work(t)
	t.Cleanup(func() { g.rest(t) })
	return g
}

// serveParts is a server in this process, which ends with the test.
func serveParts(t *testing.T, ln net.Listener, of parts) *product {
	t.Helper()
	x, err := buildProduct(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.close)
	served := make(chan error, 1)
	go func() { served <- x.web.Serve(ln) }()
	t.Cleanup(func() { _ = errors.Join(x.web.Shutdown(context.Background()), <-served) })
	return x
}

// work starts the worker.
func (g *growing) work(t *testing.T) {
	t.Helper()
	var err error
	if g.worker, err = jobs.Start(t.Context(), g.x.jobDB, g.x.jobs, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
}

// rest stops it.
func (g *growing) rest(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	defer cancel()
	if err := g.worker.Stop(ctx); err != nil {
		t.Error(err)
	}
}

func (g *growing) count(t *testing.T, from string) (n int) {
	t.Helper()
	if err := g.past.QueryRow(t.Context(), "select count(*) from "+from).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// until waits until there are no such rows.
func (g *growing) until(t *testing.T, none string) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); g.count(t, none) > 0; time.Sleep(5 * time.Millisecond) { // real time
		if time.Now().After(end) {
			t.Fatalf("there are still %s", none)
		}
	}
}

// settle runs the sweeps, and the jobs and events that follow, until nothing happens any more.
func (g *growing) settle(t *testing.T) {
	t.Helper()
	if err := g.x.jobs.Sweeps(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // an event leads to jobs, and a job to events
		g.until(t, "river.river_job where finalized_at is null")
		g.sim.Flush(t.Context())
	}
	g.until(t, "river.river_job where finalized_at is null")
}

// pass advances the time. River uses the machine's clock: its ended jobs are made older by as much.
func (g *growing) pass(t *testing.T, d time.Duration) {
	t.Helper()
	g.clock.Advance(d)
	if _, err := g.past.Exec(t.Context(), "update river.river_job set finalized_at = finalized_at - $1::interval where finalized_at is not null", d); err != nil {
		t.Fatal(err)
	}
	g.settle(t)
}

// refill puts the next dates of the classes on the shelves.
func (g *growing) refill(ctx context.Context) error {
	for price, s := range map[int]*shelf{0: g.free, 2200: g.dear} {
		rows, err := g.past.Query(ctx, `select o.id from occurrences o join offerings f on f.id = o.offering_id
			where f.kind = 'class' and f.price_amount = $1 and o.state = 'scheduled' and o.taken = 0 and o.starts_at > $2
			order by o.starts_at limit 10`, price, g.clock.Now().Add(1*days))
		if err == nil {
			s.dates, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stay is how long a step's people are there: holds run out meanwhile.
const stay = 15 * time.Minute

// come runs the visitors of every step: most of them do not return. They are the same people each time.
func (g *growing) come(t *testing.T) {
	t.Helper()
	g.customers, g.slots = 0, 0
	ctx := t.Context()
	if err := g.refill(ctx); err != nil {
		t.Fatal(err)
	}
	for _, does := range []func(context.Context) error{g.stranger, g.leaver, g.booker, g.tryer, g.payer} {
		if err := does(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := identity.CreateInvite(ctx, g.x.db, "unused@ninelives.example.com", ""); err != nil {
		t.Fatal(err)
	}
	g.settle(t)
	g.pass(t, stay)
}

// stranger requests a code that is never used, and fills a cart.
func (g *growing) stranger(ctx context.Context) error {
	_, err := g.ask(ctx, ask{method: "POST", path: "/auth/challenges", body: `{"channel":"email_code","email":"stranger@ninelives.example.com"}`})
	if err != nil {
		return err
	}
	for range 3 {
		made, err := g.ask(ctx, ask{method: "POST", path: "/storefront/carts", key: uuid.NewString(), body: fmt.Sprintf(`{"locationId":%q}`, g.locations[0].ID)})
		if err != nil {
			return err
		}
		_, err = g.ask(ctx, ask{
			method: "POST", path: "/storefront/carts/" + made["token"].(string) + "/items", body: fmt.Sprintf(`{"occurrenceId":%q}`, g.free.dates[9]),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// with has a customer fill a cart and do these things with it; the last answer is returned.
func (g *growing) with(ctx context.Context, paid bool, do ...string) (v *visit, last map[string]any, err error) {
	goods, err := g.take(paid)
	if err != nil {
		return nil, nil, err
	}
	if v, err = g.visit(ctx, goods); err != nil {
		return nil, nil, err
	}
	for _, what := range do {
		method, path, _ := strings.Cut(what, " ")
		request := ask{method: method, path: "/storefront/carts/" + v.token + "/" + path, token: v.session}
		if path == "payment" {
			request.body = fmt.Sprintf(`{"quotedTotal":%d}`, v.total)
		}
		if last, err = g.ask(ctx, request); err != nil {
			return nil, nil, err
		}
	}
	return v, last, nil
}

func (g *growing) leaver(ctx context.Context) error {
	_, _, err := g.with(ctx, false, "POST hold")
	return err
}

// booker releases a seat once before booking it, and requests a quote of cancelling it.
func (g *growing) booker(ctx context.Context) error {
	v, done, err := g.with(ctx, false, "POST hold", "DELETE hold", "POST hold", "POST confirm")
	if err != nil {
		return err
	}
	g.receipts, g.sold = append(g.receipts, done["receiptToken"].(string)), g.sold+1
	id, err := g.text(ctx, "select b.id::text from bookings b join holds h on h.id = b.hold_id where h.cart_id = $1 and b.state = 'confirmed' order by b.id limit 1", v.cart)
	if err != nil {
		return err
	}
	_, err = g.ask(ctx, ask{method: "POST", path: "/me/bookings/" + id + "/cancel", token: v.session, body: `{"dryRun":true}`})
	return err
}

func (g *growing) tryer(ctx context.Context) error {
	_, _, err := g.with(ctx, true, "POST hold", "POST payment")
	g.sold++ // the order of a try to pay is kept, too
	return err
}

func (g *growing) payer(ctx context.Context) error {
	v, _, err := g.with(ctx, true)
	if err != nil {
		return err
	}
	done, err := v.book(ctx, func(r ask) (map[string]any, error) { return g.ask(ctx, r) })
	if err != nil {
		return err
	}
	g.receipts, g.sold = append(g.receipts, done["receiptToken"].(string)), g.sold+1
	return nil
}

// swept counts the rows that do not stay.
func (g *growing) swept(t *testing.T) map[string]int {
	t.Helper()
	n := map[string]int{endedJobs: g.count(t, endedJobs)}
	for table, l := range lives {
		if l.Life.Swept != "" {
			n[table] = g.count(t, table+" x where "+l.Life.Swept)
		}
	}
	return n
}

// river has a worker start, which cleans up first.
func (g *growing) river(t *testing.T) {
	t.Helper()
	g.rest(t)
	g.work(t)
	g.until(t, endedJobs+" where finalized_at < now() - interval '25 hours'")
}

// Two years pass. Temporary rows are as many after the second as after the first, within their retention; sales and
// audit events are all there.
func TestTwoYears(t *testing.T) {
	t.Parallel()
	g := openGrowing(t)
	step, steps := 61*days, 6 // a year
	if walks.Long() {
		step, steps = 7*days, 52
	}
	g.come(t)
	once := g.swept(t)
	events := g.count(t, "audit_events")
	years := make([]map[string]int, 2)
	for year := range years {
		for range steps {
			g.pass(t, step-stay) // it stays the same hour of the night
			g.come(t)
			if n := g.count(t, "audit_events"); n < events {
				t.Errorf("%d audit events, there were %d", n, events)
			} else {
				events = n
			}
		}
		g.river(t)
		years[year] = g.swept(t)
		for _, what := range slices.Sorted(maps.Keys(years[year])) {
			n, lasts := years[year][what], max(lives[what].Life.Lasts, 25*time.Hour)
			most := once[what] * (1 + int((lasts+step-1)/step))
			t.Logf("year %d: %d of %s, at most %d", year+1, n, what, most)
			if n > most {
				t.Errorf("year %d: %d of %s, more than the %d that their life allows", year+1, n, what, most)
			}
			if year == 1 && n != years[0][what] {
				t.Errorf("%d of %s after a year and %d after two", years[0][what], what, n)
			}
		}
	}
	if n := g.count(t, "orders"); n != g.sold {
		t.Errorf("%d orders, want %d", n, g.sold)
	}
	if n := g.count(t, "bookings where state = 'confirmed'"); n != 2*len(g.receipts) {
		t.Errorf("%d bookings, want %d", n, 2*len(g.receipts))
	}
	for _, token := range g.receipts {
		if _, err := g.ask(t.Context(), ask{method: "GET", path: "/storefront/receipts/" + token}); err != nil {
			t.Error(err)
		}
	}
	var err error
	if g.manager, err = g.SignIn(t.Context(), "owner@ninelives.example.com"); err != nil {
		t.Fatal(err)
	}
	if err := g.whole(t.Context()); err != nil {
		t.Error(err)
	}
}

// Every table has a retention, and the document has it.
func TestEveryTableHasALife(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(doc), "\n## Data retention\n")
	if !found {
		t.Fatal("docs/operations.md has no section on data retention")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	past, err := pgxpool.New(t.Context(), apptest.NewDatabase(t).URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer past.Close()
	rows, err := past.Query(t.Context(), "select relname::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'goose_db_version' order by 1")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if listed := slices.Sorted(maps.Keys(lives)); !slices.Equal(listed, tables) {
		t.Errorf("lives are of %q, the tables are %q", listed, tables)
	}
	for _, name := range tables {
		if !strings.Contains(section, "`"+name+"`") {
			t.Errorf("docs/operations.md does not say how long rows of %s are kept", name)
		}
	}
}
