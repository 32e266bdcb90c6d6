package migrate_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/migrate"
	"foyer/migrate/plan"
	"foyer/schema"
)

// TestSchemaAgrees: the migrations make exactly what package schema describes, and the other way round: tables, columns, keys,
// foreign keys, checks, indexes, and the calls that wall, audit, close and look up.
func TestSchemaAgrees(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	empty := apptest.EmptyDatabase(t)
	if diff := drift(t, w, empty); len(diff) > 0 {
		t.Fatalf("package schema and migrate/sql differ (\"make migration NAME=…\" writes what is missing); to make the database like the schema one would run:\n%s",
			strings.Join(diff, ";\n"))
	}
	flaws := []struct{ done, want string }{
		{"alter table offerings add column extra text", `DROP COLUMN "extra"`},
		{"alter table offerings drop column heading", `ADD COLUMN "heading" character varying NOT NULL DEFAULT ''`},
		{"alter table spaces alter column name type text", `ALTER COLUMN "name" TYPE`},
		{"alter table customers alter column name drop default", `ALTER COLUMN "name" SET DEFAULT ''`},
		{"alter table customers alter column phone drop not null", `ALTER COLUMN "phone" SET NOT NULL`},
		{"create table strangers (id uuid primary key)", `DROP TABLE "strangers"`},
		{"drop table stylesheets", `CREATE TABLE "stylesheets"`},
		{"alter table settlements drop constraint settlements_pkey, add primary key (id)", `PRIMARY KEY ("business_id", "id")`},
		{"alter table holds drop constraint holds_limit", `ADD CONSTRAINT "holds_limit"`},
		{"alter table carts drop constraint carts_state, add constraint carts_state check (state in ('open'))", `CONSTRAINT "carts_state" CHECK (state in ('open', 'ordered'))`},
		{"alter table orders add constraint extra_check check (total_amount < 5)", `DROP CONSTRAINT "extra_check"`},
		{"drop index payments_one_open", `CREATE UNIQUE INDEX "payments_one_open"`},
		{"create index extra_index on payments (business_id, amount)", `DROP INDEX "extra_index"`},
		{"drop index bookings_by_start; create index bookings_by_start on bookings (business_id, starts_at, id)", `INDEX "bookings_by_start"`},
		{"alter table sessions drop constraint sessions_token_hash_key", `"sessions_token_hash_key"`},
		{"alter table fees drop constraint fees_customer_fkey", `ADD CONSTRAINT "fees_customer_fkey" FOREIGN KEY ("business_id", "customer_id")`},
		{"alter table booking_transitions drop constraint booking_transitions_booking_fkey, add constraint booking_transitions_booking_fkey " +
			"foreign key (business_id, booking_id) references bookings (business_id, id)",
			`REFERENCES "bookings" ("business_id", "id") ON UPDATE NO ACTION ON DELETE CASCADE`},
		{"alter table order_lines drop constraint order_lines_cart_item_fkey, add constraint order_lines_cart_item_fkey " +
			"foreign key (business_id, cart_item_id) references cart_items (business_id, id)", `ON DELETE SET NULL`},
		{"alter table quotes add constraint extra_fkey foreign key (id) references persons (id)", `DROP CONSTRAINT "extra_fkey"`},
		{"drop policy tenant on time_off", `CALL app.tenant_table('time_off')`},
		{"drop trigger audit on series", `CALL app.audited('series', 'materialized_to', 'due_at')`},
		{"drop trigger audit on api_keys; call app.audited('api_keys')", `CALL app.audited('api_keys', 'key_hash', 'used_at')`},
		{"drop trigger audit on bookings", `CREATE TRIGGER audit ON "bookings"`},
		{"call app.audited('claims')", `DROP TRIGGER audit ON "claims"`},
		{"grant update on booking_transitions to foyer_app", `CALL app.append_only('booking_transitions')`},
		{"call app.append_only('cart_items')", `GRANT UPDATE, DELETE ON "cart_items"`},
		{"drop policy lookup on orders", `CALL app.lookup('orders', 'id, business_id, receipt_hash, customer_id')`},
		{"revoke select (due_at) on payments from foyer_lookup", `GRANT SELECT (due_at) ON "payments" TO foyer_lookup`},
		{"grant select (name) on customers to foyer_lookup", `REVOKE SELECT (name) ON "customers" FROM foyer_lookup`},
		{"revoke insert on invites from foyer_app", `GRANT SELECT, INSERT, UPDATE, DELETE ON "invites"`},
	}
	for _, flaw := range flaws {
		w.SQL(t, flaw.done)
	}
	found := strings.Join(drift(t, w, empty), ";\n")
	for _, flaw := range flaws {
		if !strings.Contains(found, flaw.want) {
			t.Errorf("after %q the test does not ask for %s", flaw.done, flaw.want)
		}
	}
	if t.Failed() {
		t.Logf("it asks for:\n%s", found)
	}
}

// drift says what would make the database of w like package schema.
func drift(t *testing.T, w *apptest.World, empty apptest.Database) []string {
	t.Helper()
	diff, err := plan.Drift(t.Context(), open(t, w.URL("postgres")), open(t, empty.URL("postgres")))
	if err != nil {
		t.Fatal(err)
	}
	return diff
}

func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestEveryTableIsListed: schema.All, which "make gen" and "make migration" write, is every type that is a table.
func TestEveryTableIsListed(t *testing.T) {
	paths, err := filepath.Glob("../schema/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var written, listed []string
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^type ([A-Z]\w*) struct[^}]*\b(?:ent\.Schema|bareTable|tenantTable|editedTable)\b`).FindAllSubmatch(body, -1) {
			written = append(written, string(m[1]))
		}
	}
	for _, s := range schema.All {
		listed = append(listed, reflect.TypeOf(s).Name())
	}
	slices.Sort(written)
	if !slices.Equal(written, listed) {
		t.Errorf("schema.All is old: make gen\nwritten %q\nlisted  %q", written, listed)
	}
}

// TestSumHolds: atlas.sum knows every file as it is.
func TestSumHolds(t *testing.T) {
	if err := migrate.CheckSum(); err != nil {
		t.Fatal(err)
	}
}

// TestThreeReplicasMigrateOnce: processes that start together apply each migration once and all succeed.
func TestThreeReplicasMigrateOnce(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	type outcome struct {
		r   migrate.Result
		err error
	}
	done := make(chan outcome, 3)
	for range 3 {
		go func() {
			r, err := migrate.Up(t.Context(), d.URL("foyer_owner"), nil)
			done <- outcome{r, err}
		}()
	}
	applied := 0
	for range 3 {
		o := <-done
		if o.err != nil {
			t.Fatal(o.err)
		}
		applied += o.r.Applied
	}
	files, err := filepath.Glob("sql/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	if want := len(files) + 1; applied != want { // one is River's
		t.Errorf("applied %d migrations in all, want %d", applied, want)
	}
	if err := migrate.Check(t.Context(), d.URL("foyer_app")); err != nil {
		t.Error(err)
	}
}
