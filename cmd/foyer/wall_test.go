package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest"
	"foyer/app/clock"
	"foyer/app/demo"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
)

// demoWorld is the product in this process, on a database of this test, with the demo in it.
func demoWorld(t *testing.T) (*apptest.World, *product, []demo.Business) {
	t.Helper()
	d := makeDemo(t)
	return d.World, d.product, d.studios
}

// demoMade is a demo, with its clock and processor, and the errors and warnings logged by the product.
type demoMade struct {
	*apptest.World
	*product
	studios []demo.Business
	moving  *clock.Adjustable
	sim     *stripesim.Server
	books   *ledgersim.Server
	folder  string
	logged  *bytes.Buffer
}

// open returns the studios as another start of the program on the same folder does.
func (d demoMade) open(t *testing.T) []demo.Business {
	t.Helper()
	again := d.demo(d.moving, d.sim, func(string) {})
	again.Ledger = d.books
	studios, err := again.Open(t.Context(), d.folder)
	if err != nil {
		t.Fatal(err)
	}
	return studios
}

// day moves the clock by a day, as /dev/clock does.
func (d demoMade) day(t *testing.T) {
	t.Helper()
	d.moving.Advance(24 * time.Hour)
	if err := d.jobs.Sweeps(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.sim.Flush(t.Context())
}

// demoMadeAt is the time of the day in UTC on the clock when the demo is made, before the evening of both studios: a
// run at night has the same results as one at noon.
const demoMadeAt = 16 * time.Hour

func makeDemo(t *testing.T) demoMade {
	t.Helper()
	w := apptest.Open(t)
	logged := &bytes.Buffer{}
	moving := &clock.Adjustable{}
	now := moving.Now()
	moving.Advance((demoMadeAt + 24*time.Hour - now.Sub(now.Truncate(24*time.Hour))) % (24 * time.Hour))
	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}
	sim, err := stripesim.New(stripesim.Options{Clock: moving, AppURL: addressURL(address)})
	if err != nil {
		t.Fatal(err)
	}
	processor, err := stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, Clock: moving, HTTPClient: &http.Client{Transport: sim},
	})
	if err != nil {
		t.Fatal(err)
	}
	books, err := ledgersim.New(ledgersim.Options{Clock: moving, AppURL: addressURL(address), Grace: true})
	if err != nil {
		t.Fatal(err)
	}
	accounts, err := ledgerOf(books, addressURL(address), moving)
	if err != nil {
		t.Fatal(err)
	}
	mailbox, err := mail.NewMailbox(moving, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := readConfig(func(string) string { return "" }, []string{
		"FOYER_DATA_DIR=" + t.TempDir(), "FOYER_SECRET=" + strings.Repeat("s", 32),
	})
	if err != nil {
		t.Fatal(err)
	}
	x, err := buildProduct(t.Context(), parts{
		config: c, clock: moving, log: slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelWarn})), address: address,
		worker: true, mail: mailbox, processor: processor, accounting: accounts,
		database: database{app: w.URL("foyer_app"), job: w.URL("foyer_job")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.close)
	d := demoMade{World: w, product: x, moving: moving, sim: sim, books: books, folder: c.DataDir, logged: logged}
	d.studios = d.open(t)
	return d
}

// TestTwoBusinessesProbeEveryTable: one studio, with the setting of its own business, tries to see, change, delete and
// plant rows of the other in every table there is.
func TestTwoBusinessesProbeEveryTable(t *testing.T) {
	w, x, studios := demoWorld(t)
	ours, theirs := uuid.MustParse(studios[0].ID), uuid.MustParse(studios[1].ID)
	tables := apptest.Values[string](t, w, `select c.relname::text from pg_class c
		join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id'
		where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`)
	if len(tables) < 20 {
		t.Fatalf("only %d tables", len(tables))
	}
	for _, table := range tables {
		t.Run(table, func(t *testing.T) {
			plant(t, w, table, theirs)
			row := apptest.Value[string](t, w, fmt.Sprintf("select coalesce((select to_jsonb(r)::text from %s r where business_id = $1 limit 1), '')", table), theirs)
			if row == "" {
				t.Fatal("the other business has no row here: the probe would prove nothing")
			}
			before := fingerprint(t, w, table, theirs)
			for name, sql := range map[string]string{
				"see":    fmt.Sprintf("select 1 from %s where business_id = $1", table),
				"change": fmt.Sprintf("update %s set business_id = business_id where business_id = $1", table),
				"delete": fmt.Sprintf("delete from %s where business_id = $1", table),
			} {
				if n, err := probe(t.Context(), x.db, ours, sql, theirs); n != 0 || err != nil && !denied(err) {
					t.Errorf("%s: %d rows, %v", name, n, err)
				}
			}
			_, err := probe(t.Context(), x.db, ours, inserting(t, w, table, "$1::jsonb"), row)
			if !denied(err) {
				t.Errorf("plant: %v", err)
			}
			if after := fingerprint(t, w, table, theirs); after != before {
				t.Error("the other business's rows changed")
			}
		})
	}
}

// plant inserts a row of a business into a table that the demo left empty, past row-level security, references and
// checks: the demo does not cover everything.
func plant(t *testing.T, w *apptest.World, table string, business uuid.UUID) {
	t.Helper()
	if apptest.Value[bool](t, w, fmt.Sprintf("select exists (select from %s where business_id = $1)", table), business) {
		return
	}
	for _, check := range apptest.Values[string](t, w, "select conname::text from pg_constraint where conrelid = $1::regclass and contype = 'c'", table) {
		w.SQL(t, fmt.Sprintf("alter table %s drop constraint %s", table, check))
	}
	values := apptest.Value[string](t, w, `select jsonb_object_agg(a.attname, case
			when a.attname = 'business_id' then to_jsonb($2::uuid)
			when a.atttypid = 'uuid'::regtype then to_jsonb(gen_random_uuid())
			when a.atttypid = 'jsonb'::regtype then '[]'
			when a.atttypid in ('date'::regtype, 'timestamptz'::regtype) then '"2026-01-01"'
			when a.atttypid in ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype) then '1'
			when a.atttypid = 'boolean'::regtype then 'false'
			else '""' end)::text
		from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attnotnull`, table, business)
	w.SQL(t, fmt.Sprintf(`do $do$ begin
			set local session_replication_role = replica;
			%s;
		end $do$`, inserting(t, w, table, literal(values))))
}

// inserting returns the statement that inserts a row from JSON, without what the database computes itself.
func inserting(t *testing.T, w *apptest.World, table, row string) string {
	t.Helper()
	columns := apptest.Value[string](t, w, `select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
		where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`, table)
	return fmt.Sprintf("insert into %[1]s (%[2]s) select %[2]s from jsonb_populate_record(null::%[1]s, %[3]s)",
		table, columns, row)
}

// literal is a text as a literal.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// TestTheProbeSeesAMissingWall: the same probe as a role that row-level security does not bind does see the other
// business's rows. Were it blind to them, it would prove nothing. Proof 7.
func TestTheProbeSeesAMissingWall(t *testing.T) {
	w, _, studios := demoWorld(t)
	ours, theirs := uuid.MustParse(studios[0].ID), uuid.MustParse(studios[1].ID)
	db := bypassing(t, w)
	for _, table := range []string{"customers", "bookings", "orders", "api_keys"} {
		n, err := probe(t.Context(), db, ours, fmt.Sprintf("select 1 from %s where business_id = $1", table), theirs)
		if n == 0 || err != nil {
			t.Errorf("%s: past the wall the probe sees %d rows, %v", table, n, err)
		}
	}
}

// denied reports whether the database refused for lack of rights: row-level security, or no such right at all.
func denied(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && pe.Code == "42501"
}

func probe(ctx context.Context, db *pg.DB, business uuid.UUID, sql string, args ...any) (int64, error) {
	return pg.InTx(ctx, db, business, func(tx *pg.Tx) (int64, error) { return tx.Exec(ctx, sql, args...) })
}

func fingerprint(t *testing.T, w *apptest.World, table string, business uuid.UUID) string {
	t.Helper()
	return apptest.Value[string](t, w, fmt.Sprintf(
		"select coalesce(md5(string_agg(to_jsonb(r)::text, '|' order by to_jsonb(r)::text)), '') from %s r where business_id = $1", table), business)
}

// TestDemo: the demo has everything that it should: people in every role, past and upcoming bookings, studios that
// accept cards. Neither making it nor eight days of it log an error or a warning (issue 31, items 16 and 21): a
// payment authorized for a request is captured before the bank voids it.
func TestDemo(t *testing.T) {
	made := makeDemo(t)
	w, x, studios := made.World, made.product, made.studios
	for i, s := range studios {
		id := uuid.MustParse(s.ID)
		for _, r := range demo.Roles {
			who, ok := s.People[r.Name]
			if !ok {
				t.Errorf("%s has no %s", s.Slug, r.Name)
				continue
			}
			p, err := x.Identity.Authenticate(t.Context(), who.Token)
			if err != nil {
				t.Errorf("%s: %v", who.Email, err)
			}
			if _, _, member, err := x.Business.Admit(t.Context(), p, id); err != nil || member != (r.Role != "") {
				t.Errorf("%s: member %v, %v", who.Email, member, err)
			}
		}
		past := apptest.Value[int](t, w, `select count(*) from bookings where business_id = $1 and starts_at < $2
			and state in ('confirmed', 'checked_in', 'no_show', 'completed')`, id, x.db.Clock().Now())
		ahead := apptest.Value[int](t, w, "select count(*) from bookings where business_id = $1 and state = 'confirmed' and starts_at > $2", id, x.db.Clock().Now())
		if past < 5 || ahead < 5 {
			t.Errorf("%s: %d bookings behind, %d ahead", s.Slug, past, ahead)
		}
		course := apptest.Value[int](t, w, `select count(*) from bookings b join offerings o on o.id = b.offering_id
			where b.business_id = $1 and b.state = 'confirmed' and o.enrolment = 'series'`, id)
		if want := 4 * 8; i == 0 && course != want { // four people, eight dates
			t.Errorf("%s: %d bookings of a course, not %d", s.Slug, course, want)
		}
		if all, shown := photosOf(t, w, id); all != 7 || shown != 7 {
			t.Errorf("%s: %d photos with words for who does not see them and all sizes, %d shown somewhere", s.Slug, all, shown)
		}
		made.alive(t, s)
		if state := apptest.Value[string](t, w, "select state from processor_accounts where business_id = $1", id); state != "active" {
			t.Errorf("%s: the processor's account is %s", s.Slug, state)
		}
	}
	if bad := apptest.Value[int](t, w, `select count(*) from occurrences o where o.taken <> (select coalesce(sum(b.party), 0) from bookings b
		where b.occurrence_id = o.id and b.state in ('held', 'confirmed', 'checked_in', 'no_show', 'completed'))`); bad != 0 {
		t.Errorf("%d dates whose counter is wrong", bad)
	}
	if n := apptest.Value[int](t, w, "select count(*) from payments where status = 'authorized'"); n == 0 {
		t.Error("no card holds money for a request")
	}
	made.accounts(t)
	made.sim.Flush(t.Context())
	posted := len(made.books.Documents(ledgersim.RealmUSD))
	for range 8 {
		made.day(t)
	}
	if now := len(made.books.Documents(ledgersim.RealmUSD)); now <= posted {
		t.Errorf("%d documents in the books, %d after eight days", posted, now)
	}
	if n := apptest.Value[int](t, w, "select count(*) from disputes where status = 'needs_response'"); n != 1 {
		t.Errorf("%d payments are disputed", n)
	}
	if made.logged.Len() > 0 {
		t.Errorf("logged:\n%s", made.logged)
	}
	if n := apptest.Value[int](t, w, "select count(*) from payments where status = 'authorized'"); n > 0 {
		t.Errorf("cards still hold the money of %d payments", n)
	}
}

// photosOf counts the photos of a business that are ready and described, and those that are shown.
func photosOf(t *testing.T, w *apptest.World, business uuid.UUID) (all, shown int) {
	t.Helper()
	return apptest.Value[int](t, w, `select count(*)::int from assets where business_id = $1 and state = 'ready' and made = jsonb_array_length(sizes)
			and length(alt) > 30 and sizes @> '[640]'`, business),
		apptest.Value[int](t, w, `select count(distinct asset_id)::int from asset_placements where business_id = $1
			and num_nonnulls(location_id, offering_id, member_id, product_id) = 1`, business)
}

// bypassing opens the same database as a role with the rights of foyer_app that bypasses row-level security. The
// product refuses such a role when it connects, so this one becomes it afterwards. It shows that a test of row-level
// security fails without it.
func bypassing(t testing.TB, w *apptest.World) *pg.DB {
	t.Helper()
	role := "foyer_probe_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	w.SQL(t, "create role "+role+" login in role foyer_app")
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		conn, err := pgx.Connect(ctx, w.URL("postgres"))
		if err == nil {
			_, err = conn.Exec(ctx, "drop role "+role)
			_ = conn.Close(ctx)
		}
		if err != nil {
			t.Error(err)
		}
	})
	db := w.As(t, role)
	w.SQL(t, "alter role "+role+" bypassrls")
	return db
}
