package bench

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
)

// TestRecorder: a single statement is a trip, a batch is one trip, and the recording is a copy.
func TestRecorder(t *testing.T) {
	r := &recorder{}
	ask := func(sql string, args ...any) {
		ctx := r.TraceQueryStart(context.Background(), nil, pgx.TraceQueryStartData{SQL: sql, Args: args})
		r.TraceQueryEnd(ctx, nil, pgx.TraceQueryEndData{})
	}
	ask("before")
	args := []any{1}
	boom := errors.New("boom")
	trips, err := r.listen(func() error {
		ask("select $1", args...)
		args[0] = 2
		b := &pgx.Batch{}
		b.Queue("first", "x")
		b.Queue("second")
		r.TraceBatchStart(context.Background(), nil, pgx.TraceBatchStartData{Batch: b})
		return boom
	})
	want := []trip{{{"select $1", []any{1}}}, {{"first", []any{"x"}}, {"second", nil}}}
	if !errors.Is(err, boom) || len(trips) != 2 || statements(trips) != 3 {
		t.Fatalf("heard %v, %v", trips, err)
	}
	for i := range want {
		for j, s := range want[i] {
			if trips[i][j].sql != s.sql || len(s.args) > 0 && !reflect.DeepEqual(trips[i][j].args, s.args) {
				t.Errorf("trip %d, statement %d: %v", i, j, trips[i][j])
			}
		}
	}
	if again, _ := r.listen(func() error { return nil }); len(again) != 0 {
		t.Errorf("heard %v twice", again)
	}
}

// TestTransactions: each transaction becomes one trip, from any trips; reads around them are left out.
func TestTransactions(t *testing.T) {
	one := func(list ...string) (t trip) {
		for _, sql := range list {
			t = append(t, statement{sql: sql})
		}
		return t
	}
	got := transactions([]trip{
		one("read"), one("begin", "set", "a"), one("b"), one("commit"),
		one("set", "read"), one("begin", "c"), one("commit"), one("read"),
	})
	if want := []trip{one("begin", "set", "a", "b", "commit"), one("begin", "c", "commit")}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := transactions([]trip{one("read")}); len(got) != 0 {
		t.Errorf("reads alone became %v", got)
	}
}

// TestTransactionsOfPipelines: a trip without begin and commit is a transaction of its own when something in it
// writes, alone, after reads or among transactions that have both; one that reads or locks is none.
func TestTransactionsOfPipelines(t *testing.T) {
	set, read := statement{sql: "select set_config('app.business_id', $1, true)"}, statement{sql: "select id from carts where updated_at > $1 for update of carts"}
	for _, sql := range []string{
		"insert into holds (id) values ($1)", "delete from quotes where id = $1", "update carts set version = version + 1", "UPDATE carts\n\tSET x = 1",
		"with c as (update carts c set version = 2 returning *) select * from c", "update only public.carts as c set version = 1",
		"with a as (select 1), b as (\n\tinsert into\n\torders select from a) select", `insert into "river".river_job select`,
		"merge into seats using x on true when matched then do nothing",
	} {
		write := statement{sql: sql}
		got := transactions([]trip{{read}, {set, read}, {set, read, write, read}, {set, read}})
		if want := []trip{{set, read, write, read}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, want %v", sql, got, want)
		}
	}
	begin, commit, write := statement{sql: "begin"}, statement{sql: "commit"}, statement{sql: "insert into holds select"}
	got := transactions([]trip{{set, write}, {begin, set, read}, {read}, {write, commit, read}, {set, write}, {begin, write, commit, set, write}})
	want := []trip{{set, write}, {begin, set, read, read, write, commit}, {set, write}, {begin, write, commit}, {set, write}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, sql := range []string{
		"select * from holds for no key update", "select updated_at, inserted from x", "select ' ' for update of o skip locked", "select set_config('x', $1, true)",
	} {
		if (statement{sql: sql}).writes() {
			t.Errorf("%q is said to write", sql)
		}
	}
}

// seeded is a bench on a small database, without a server and without pgbench.
func seeded(t *testing.T) *bench {
	t.Helper()
	w := apptest.Open(t)
	super, err := pgx.Connect(t.Context(), w.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = super.Close(context.WithoutCancel(t.Context())) })
	b := &bench{Options: Options{URL: within(w), Rounds: 1}, super: super, carts: 12, rushCarts: 64}
	if err := seed(t.Context(), super, size{
		businesses: 1, bookings: 500, appointments: 2400, carts: int(b.carts), rush: int(b.rushCarts), races: 1,
	}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	if b.place, err = placeOf(t.Context(), super); err != nil {
		t.Fatal(err)
	}
	return b
}

// within are the addresses of a test's database.
func within(w *apptest.World) func(role, database string) string {
	return func(role, _ string) string { return w.URL(role) }
}

// sent is the SQL that pgbench sends for a script, with a number for each variable, and their values, in order.
type sent struct {
	sql    string
	values []string
}

// leading matches text that pgbench does not send: blanks and line comments before a statement. River's names begin
// with one.
var leading = regexp.MustCompile(`^(?:\s|--[^\n]*\n)+`)

var (
	variable = regexp.MustCompile(`:?:[A-Za-z_][A-Za-z0-9_]*`)
	naming   = regexp.MustCompile(`^(?s)(.*) /\* ([$0-9 ]*) \*/$`)
)

// asPgbench reads a script as pgbench does in its prepared protocol, in iteration n. A double colon is a cast.
func asPgbench(t *testing.T, s script, n int64) (pipelines [][]sent) {
	t.Helper()
	return asPgbenchWith(t, s, n, map[string]string{})
}

// asPgbenchWith also has values of variables.
func asPgbenchWith(t *testing.T, s script, n int64, values map[string]string) (pipelines [][]sent) {
	t.Helper()
	values[":empty"], values[":n"] = "", strconv.FormatInt(n, 10)
	for _, d := range s.defines {
		name, value, ok := strings.Cut(d, "=")
		if !ok {
			t.Fatalf("define %q", d)
		}
		values[":"+name] = value
	}
	for _, part := range strings.Split(s.text, "\\startpipeline\n")[1:] {
		body, rest, ended := strings.Cut(part, "\\endpipeline\n")
		if !ended || rest != "" {
			t.Fatalf("a pipeline does not end: %q", part)
		}
		var p []sent
		for _, text := range strings.Split(strings.TrimSuffix(body, ";\n"), ";\n") {
			st := sent{}
			st.sql = variable.ReplaceAllStringFunc(leading.ReplaceAllString(text, ""), func(name string) string {
				if strings.HasPrefix(name, "::") {
					return name
				}
				value, known := values[name]
				if !known {
					t.Fatalf("%s is not defined in %q", name, text)
				}
				st.values = append(st.values, value)
				return fmt.Sprintf("$%d", len(st.values))
			})
			p = append(p, st)
		}
		pipelines = append(pipelines, p)
	}
	return pipelines
}

// product is the statement without the comment that names its parameters. Those must be all of them and in order: only
// then the product's $1 is pgbench's.
func (s sent) product(t *testing.T) string {
	t.Helper()
	if len(s.values) == 0 {
		return s.sql
	}
	m := naming.FindStringSubmatch(s.sql)
	want := make([]string, len(s.values))
	for i := range want {
		want[i] = fmt.Sprintf("$%d", i+1)
	}
	if m == nil || m[2] != strings.Join(want, " ") {
		t.Fatalf("parameters of %q", s.sql)
	}
	return m[1]
}

// run sends the statement as pgbench does, all values as text, and returns the rows as text.
func (s sent) run(t *testing.T, conn *pgx.Conn) [][][]byte {
	t.Helper()
	values := make([][]byte, len(s.values))
	for i, v := range s.values {
		values[i] = []byte(v)
	}
	r := conn.PgConn().ExecParams(t.Context(), s.sql, values, nil, nil, nil).Read()
	if r.Err != nil {
		t.Fatalf("%v in %s", r.Err, s.sql)
	}
	return r.Rows
}

// runPipeline sends statements as one transaction, as Postgres takes a pipeline that has no begin and commit of its
// own.
func runPipeline(t *testing.T, conn *pgx.Conn, p []sent) {
	t.Helper()
	alone := p[0].sql != "begin"
	if alone {
		command(t, conn, "begin")
	}
	for _, st := range p {
		st.run(t, conn)
	}
	if alone {
		command(t, conn, "commit")
	}
}

func connectAs(t *testing.T, b *bench, role string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), b.url(role))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// rowsOf runs a statement of the product with its own arguments, and returns the rows as text.
func rowsOf(t *testing.T, conn *pgx.Conn, s statement) (out [][][]byte) {
	t.Helper()
	rows, err := conn.Query(t.Context(), s.sql, append([]any{pgx.QueryResultFormats{pgx.TextFormatCode}}, s.args...)...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var row [][]byte
		for _, v := range rows.RawValues() {
			if v != nil {
				v = append([]byte{}, v...)
			}
			row = append(row, v)
		}
		out = append(out, row)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return out
}

// TestFloorOfReads: pgbench's SQL for a read is the product's byte for byte, except for nulls, in the product's one
// trip, and finds the same rows.
func TestFloorOfReads(t *testing.T) {
	b := seeded(t)
	schedule, dates, err := b.scheduleTrips(t.Context())
	if err != nil || dates == 0 {
		t.Fatalf("%d dates, %v", dates, err)
	}
	customers, err := b.customersTrips(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	in, err := b.searchInput(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	search, starts, err := b.searchTrips(t.Context(), in)
	if err != nil || starts != 420 {
		t.Fatalf("%d starts, %v", starts, err)
	}
	app := connectAs(t, b, "foyer_app")
	for name, trips := range map[string][]trip{"schedule": schedule, "customers": customers, "search": search} {
		s, err := writeScript(t.Context(), b.super, trips, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(trips) != 1 {
			t.Fatalf("%s: %d trips", name, len(trips))
		}
		sameReads(t, app, name, asPgbench(t, s, 0), trips[0])
	}
}

// sameReads runs the statements of pgbench and of the product in one transaction, with one snapshot: the page of
// customers depends on the open transactions, and those of other tests end between two statements.
func sameReads(t *testing.T, app *pgx.Conn, name string, pipelines [][]sent, heard trip) {
	t.Helper()
	if len(pipelines) != 1 || len(pipelines[0]) != len(heard) {
		t.Fatalf("%s: %d statements became %d pipelines", name, len(heard), len(pipelines))
	}
	rows := 0
	command(t, app, "begin isolation level repeatable read")
	for i, h := range heard {
		p := pipelines[0][i]
		if got := withoutStands(p.product(t)); got != h.sql {
			t.Errorf("%s: pgbench sends\n%s\nthe product\n%s", name, got, h.sql)
		}
		got, want := p.run(t, app), rowsOf(t, app, h)
		rows += len(want)
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: pgbench finds %d rows, the product %d, for %s", name, len(got), len(want), h.sql)
		}
	}
	command(t, app, "rollback")
	if rows <= len(heard) {
		t.Errorf("%s: %d rows only", name, rows)
	}
}

func command(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

var (
	standsForNull  = regexp.MustCompile(`bench\.nothing\((\$\d+)\)::\w+`)
	standsForOne   = regexp.MustCompile(`bench\.\w+\((\$\d+)(?:, \d+)?\)`)
	standsForArray = regexp.MustCompile(`array\[(\$\d+)(?:, \$\d+)*\]`)
)

// withoutStands restores the product's parameters from their replacements.
func withoutStands(sql string) string {
	for _, r := range []*regexp.Regexp{standsForNull, standsForOne, standsForArray} {
		sql = r.ReplaceAllString(sql, "$1")
	}
	return sql
}

// TestFloorOfBooking: pgbench's statements for a booking are the product's two transactions, byte for byte except for
// the values that each booking needs anew, and write the rows of a booking, again and again.
func TestFloorOfBooking(t *testing.T) {
	b := seeded(t)
	buyers, err := b.buyers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	trips, cart, err := b.bookingTrips(t.Context(), buyers)
	if err != nil {
		t.Fatal(err)
	}
	stand, err := standsOf(t.Context(), b.super, cart)
	if err != nil {
		t.Fatal(err)
	}
	s, err := writeScript(t.Context(), b.super, trips, stand.of)
	if err != nil {
		t.Fatal(err)
	}
	if len(trips) != 2 {
		t.Fatalf("a booking is %d transactions", len(trips))
	}
	app := connectAs(t, b, "foyer_app")
	for n := b.cart.Load(); n < b.carts; n++ {
		before, err := b.written(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range asPgbench(t, s, n) {
			if len(p) != len(trips[i]) {
				t.Fatalf("transaction %d has %d statements, the product's %d", i, len(p), len(trips[i]))
			}
			for j, st := range p {
				if got, want := withoutStands(st.product(t)), leading.ReplaceAllString(trips[i][j].sql, ""); got != want {
					t.Fatalf("pgbench sends\n%s\nthe product\n%s", got, want)
				}
			}
			runPipeline(t, app, p)
		}
		after, err := b.written(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for table, each := range rowsOfBooking {
			if got := after[table] - before[table]; got != each {
				t.Errorf("cart %d wrote %d rows of %s, want %d", n, got, table, each)
			}
		}
	}
}

// TestFloorOfPipeline: a transaction that is one pipeline, without begin and commit, becomes a script that writes
// anew each time.
func TestFloorOfPipeline(t *testing.T) {
	b := seeded(t)
	app := connectAs(t, b, "foyer_app")
	heard := &recorder{}
	cart, hold := b.cart.Add(1)-1, uuid.New()
	stand, err := standsOf(t.Context(), b.super, cart)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]uuid.UUID, 3)
	if err := b.super.QueryRow(t.Context(), "select bench.cart($1), bench.booker($1), bench.customer($1)", cart).Scan(&ids[0], &ids[1], &ids[2]); err != nil {
		t.Fatal(err)
	}
	trips, err := heard.listen(func() error {
		batch := &pgx.Batch{}
		batch.Queue("select set_config('app.business_id', $1, true)", b.place.Business.String())
		batch.Queue("select id from holds where business_id = $1", b.place.Business)
		heard.TraceBatchStart(t.Context(), nil, pgx.TraceBatchStartData{Batch: batch})
		batch.Queue(`insert into holds (id, business_id, cart_id, person_id, customer_id, state, created_at, expires_at)
			select id, $1, $2, $3, $4, 'live', now(), now() + interval '10 minutes' from unnest($5::uuid[]) id`,
			b.place.Business, ids[0], ids[1], ids[2], []*uuid.UUID{&hold})
		heard.TraceBatchStart(t.Context(), nil, pgx.TraceBatchStartData{Batch: batch})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	trips = transactions(trips)
	s, err := writeScript(t.Context(), b.super, trips, stand.of)
	if err != nil || len(trips) != 1 || len(trips[0]) != 3 {
		t.Fatalf("%v, %v", trips, err)
	}
	for n := b.cart.Load(); n < b.cart.Load()+3; n++ {
		runPipeline(t, app, asPgbench(t, s, n)[0])
		var held int
		if err := b.super.QueryRow(t.Context(), "select count(*) from holds where cart_id = bench.cart($1) and person_id = bench.booker($1)", n).
			Scan(&held); err != nil || held != 1 {
			t.Errorf("cart %d has %d holds, %v", n, held, err)
		}
	}
}

// TestScriptValues: the empty text and null, which pgbench's command line and language do not have; one variable for
// equal values; and casts and comments of the product are left alone.
func TestScriptValues(t *testing.T) {
	b := &bench{Options: Options{URL: within(apptest.Open(t))}}
	b.super = connectAs(t, b, "postgres")
	asked := trip{
		{"select 1", nil},
		{"select $2::text || $1::text /* as it is */, $3::integer, $4::integer, $2::varchar", []any{"", "it's \"so\": :v1", 7, 7}},
	}
	s, err := writeScript(t.Context(), b.super, []trip{asked, asked[:1]}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pipelines := asPgbench(t, s, 0)
	if len(pipelines) != 2 || len(pipelines[0]) != 2 || len(pipelines[1]) != 1 {
		t.Fatalf("pipelines %v", pipelines)
	}
	got := pipelines[0][1]
	if want := []string{"", "it's \"so\": :v1", "7", "7"}; got.product(t) != asked[1].sql || !reflect.DeepEqual(got.values, want) {
		t.Errorf("%q with %q", got.sql, got.values)
	}
	if len(s.defines) != 3 { // two values, and that the empty one has still to be made
		t.Errorf("defines %q", s.defines)
	}
	if !strings.Contains(s.text, "select '' as empty \\gset") {
		t.Errorf("nothing makes the empty text in %q", s.text)
	}
	s, err = writeScript(t.Context(), b.super, []trip{{{"select $1::uuid", []any{(*uuid.UUID)(nil)}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if sql := asPgbench(t, s, 3)[0][0].product(t); sql != "select bench.nothing($1)::uuid::uuid" || withoutStands(sql) != "select $1::uuid" {
		t.Errorf("null is sent as %s", sql)
	}
	if _, err := writeScript(t.Context(), b.super, []trip{{{"select from nowhere where x = $1", []any{1}}}}, nil); err == nil {
		t.Error("a statement that the server does not know became a script")
	}
}

// TestStands: a known value keeps its name, a new value of the product gets a number, the same one each time it is
// seen.
func TestStands(t *testing.T) {
	stays, cart, anew := uuid.New(), uuid.New(), uuid.New()
	s := &stands{known: map[uuid.UUID]string{stays: "", cart: "bench.cart($n)"}, hash: strings.Repeat("h", 32)}
	for _, c := range []struct {
		value any
		want  string
	}{
		{stays, ""}, {cart, "bench.cart($n)"}, {&cart, "bench.cart($n)"}, {(*uuid.UUID)(nil), ""},
		{anew, "bench.fresh_id($n, 0)"}, {uuid.New(), "bench.fresh_id($n, 1)"}, {anew, "bench.fresh_id($n, 0)"},
		{[]uuid.UUID{cart, anew}, "array[bench.cart($n), bench.fresh_id($n, 0)]"}, {[]uuid.UUID{stays}, ""}, {[]uuid.UUID{}, ""},
		{[]*uuid.UUID{&cart, &anew}, "array[bench.cart($n), bench.fresh_id($n, 0)]"}, {[]*uuid.UUID{&cart, nil}, ""},
		{[]byte(strings.Repeat("h", 32)), "bench.cart_hash($n)"}, {make([]byte, 32), "bench.fresh_hash($n)"}, {[]byte("{}"), ""},
		{"text", ""}, {7, ""},
	} {
		if got := s.of(c.value); got != c.want {
			t.Errorf("%v: %q, want %q", c.value, got, c.want)
		}
	}
}
