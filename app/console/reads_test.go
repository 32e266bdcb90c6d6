package console_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
)

// read is the cost of a page's statement: the 8 kB buffers read by Postgres, the rows read and discarded, the rows
// returned, and the ids passed.
type read struct {
	sql, page                   string
	buffers, thrown, rows, keys int
}

// keys counts the values in the arrays among the arguments of a statement.
func keys(args []any) (n int) {
	for _, a := range args {
		if v := reflect.ValueOf(a); v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 {
			n += v.Len()
		}
	}
	return n
}

// errUndo rolls back the locks of an explained statement.
var errUndo = errors.New("undo")

// explain runs the statements of a page again as the application, under the policies, and returns their reads.
func explain(t *testing.T, s *consoletest.Studio, page string, list []apptest.Statement) []read {
	t.Helper()
	var out []read
	for _, st := range list {
		if !reading.MatchString(st.SQL) || writing.MatchString(st.SQL) || strings.Contains(st.SQL, "set_config") {
			continue
		}
		r := read{sql: strings.Join(strings.Fields(st.SQL), " "), page: page, keys: keys(st.Args)}
		err := pgx.BeginFunc(t.Context(), s.World.DB.Pool(), func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), "select set_config('app.business_id', $1, true)", s.Studio.Business.ID.String()); err != nil {
				return err
			}
			r.buffers, r.thrown, r.rows = buffers(t.Context(), t, tx, st)
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Fatalf("%v of %s", err, st.SQL)
		}
		out = append(out, r)
	}
	return out
}

var (
	reading = regexp.MustCompile(`(?i)^\s*(select|with|\()`)
	writing = regexp.MustCompile(`(?i)\b(insert\s+into|delete\s+from|update\s+\w+(\s+\w+)?\s+set|nextval|app\.(slide|note)_\w+)\b`)
)

// buffers returns the reads of a statement. The first one of a function on a connection compiles it, which reads the
// catalog: what reads more than a few buffers is run once more.
func buffers(ctx context.Context, t *testing.T, tx pgx.Tx, st apptest.Statement) (pages, thrown, rows int) {
	t.Helper()
	pages, thrown, rows = buffersOnce(ctx, t, tx, st)
	if pages > 40 {
		pages, thrown, rows = buffersOnce(ctx, t, tx, st)
	}
	return pages, thrown, rows
}

func buffersOnce(ctx context.Context, t *testing.T, tx pgx.Tx, st apptest.Statement) (pages, thrown, rows int) {
	t.Helper()
	var text []byte
	if err := tx.QueryRow(ctx, "explain (analyze, buffers, timing off, format json) "+st.SQL, st.Args...).Scan(&text); err != nil {
		t.Fatalf("explain: %v: %s", err, st.SQL)
	}
	var plans []struct{ Plan plan }
	if err := json.Unmarshal(text, &plans); err != nil {
		t.Fatal(err)
	}
	p := plans[0].Plan
	return p.Hit + p.Read, p.thrown(), int(p.Rows)
}

// plan is a node of the output of explain.
type plan struct {
	Hit     int     `json:"Shared Hit Blocks"`
	Read    int     `json:"Shared Read Blocks"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []plan
}

// thrown returns the number of rows discarded by filters, in the node and below it.
func (p plan) thrown() int {
	n := int(p.Removed * p.Loops)
	for _, below := range p.Plans {
		n += below.thrown()
	}
	return n
}

// grow brings the studio to n dates of a class, four a day around today, two bookings of each, and n customers. It
// writes rows as the superuser, since only the size matters.
func grow(t *testing.T, s *consoletest.Studio, of apptest.OfferingRow, n int) {
	t.Helper()
	s.SQL(t, `with made as (
			insert into customers (id, business_id, name, email, created_at, updated_at)
			select md5('customer' || i)::uuid, $1, 'Customer ' || i, 'customer' || i || '@example.com', $2::timestamptz - make_interval(mins => i), $2
			from generate_series(0, $3::int - 1) i on conflict do nothing)
		insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes,
			except_dates, zone, capacity, online_capacity, created_at, updated_at)
		select md5('series')::uuid, $1, $4, $5, 'MO,TU,WE,TH,FR,SA,SU', '2020-01-01', 420, 60, '[]', 'America/New_York', 20, 20, $2, $2
		on conflict do nothing`, s.Studio.Business.ID, s.Clock.Now(), n, of.Location, of.ID)
	s.SQL(t, `insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
			capacity, online_capacity, taken, taken_online, created_at, updated_at)
		select md5('date' || i)::uuid, $1, $4, $5, md5('series')::uuid, date '2000-01-01' + i, (at at time zone 'America/New_York')::date,
			at, at + interval '1 hour', 20, 20, 2, 2, $2, $2
		from generate_series(-($3::int) / 2, $3::int / 2 - 1) i,
			lateral (select $2::timestamptz + i / 4 * interval '1 day' + (i % 4 + 4) * interval '70 minutes' as at) t
		on conflict do nothing`, s.Studio.Business.ID, s.Clock.Now(), n, of.Location, of.ID)
	s.SQL(t, `with made as (
			insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, starts_at, ends_at,
				price_amount, currency, confirmed_at, created_at, updated_at)
			select md5('booking' || i || '-' || k)::uuid, o.business_id, o.location_id, o.offering_id, o.id,
				md5('customer' || (i + $3::int / 2 + k * 7) % $3::int)::uuid, 'confirmed', false, o.starts_at, o.ends_at, 2200, 'USD', $2, $2, $2
			from generate_series(-($3::int) / 2, $3::int / 2 - 1) i, generate_series(0, 1) k join lateral (
				select * from occurrences where id = md5('date' || i)::uuid) o on true
			on conflict do nothing returning id, business_id, created_at)
		insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, surface, created_at)
		select gen_random_uuid(), business_id, id, '', 'confirmed', 'person', 'api', created_at from made where $1::uuid is not null`,
		s.Studio.Business.ID, s.Clock.Now(), n)
	s.SQL(t, "analyze")
}

// measure opens each page and returns the reads of its statements, the maximum for each text.
func measure(t *testing.T, s *consoletest.Studio, c *consoletest.Client, pages []string) map[string]read {
	t.Helper()
	found := map[string]read{}
	for _, at := range pages {
		heard := s.World.Heard(func() { c.Get(at).Is(t, 200) })
		for _, r := range explain(t, s, at, heard) {
			if !strings.HasPrefix(at, s.URL) { // for the console's pages only the buffers count
				r.thrown = 0
			}
			old, is := found[r.sql]
			if thrown := max(old.thrown, r.thrown); !is || r.buffers > old.buffers {
				r.thrown, found[r.sql] = thrown, r
			} else {
				old.thrown, found[r.sql] = thrown, old
			}
		}
	}
	return found
}

// sums are parts of statements that may grow with the studio: each with the reason.
var sums = map[string]string{
	` as check, d.* from (`:  "the data check compares every row",
	`count(*) as dates from`: "the catalog says how many dates each class has ahead",
	`where business_id = $1 and offering_id = $2 and starts_at > $3 ), w as (`:                          "archiving an offering says how much it ends",
	`select count(*) from bookings where business_id = $1 and starts_at > $2 and state in ('held', 're`: "closing a business says how much it ends",
}

// TestReadsGrowWithTheirAnswers: in a studio of twenty times as many dates, bookings and customers, with pages of the
// same size, no statement of a public page or of the console costs more: its reads grow with its result alone.
func TestReadsGrowWithTheirAnswers(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	f := s.Fill(t)
	s.StopWorker(t) // a worker's statements are not a page's
	c := s.As(t, consoletest.Owner)
	const dates = 120
	busy := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Slug = "Every day", "every-day" })
	grow(t, s, busy, dates)
	pages := append(screens(t, s, c), public(s, f.Class.Slug, f.Class.ID)...)
	pages = append(pages, public(s, busy.Slug, busy.ID)...)
	pages = append(pages, s.URL+"/"+s.Location.Slug+"/"+f.Massage.Slug, s.URL+"/"+s.Location.Slug+"/"+f.Sauna.Slug)
	before := measure(t, s, c, pages)
	grow(t, s, busy, 20*dates)
	after := measure(t, s, c, pages)
	if len(after) < 100 {
		t.Fatalf("only %d statements on %d pages", len(after), len(pages))
	}
	var worse []read
	for sql, now := range after {
		was, is := before[sql]
		if !is {
			continue
		}
		// A small table is read as a whole, in few buffers; of a large one each row costs a walk down an index or
		// two. Rows that a public page discards are read for nothing, also in few buffers.
		grew := now.buffers > 3*was.buffers+40+6*(now.rows+now.keys) || now.thrown > 3*was.thrown+500
		if grew && !allowed(sql) {
			now.page = fmt.Sprintf("%s: %d buffers and %d rows thrown away for %d rows, before %d and %d for %d", now.page, now.buffers,
				now.thrown, now.rows, was.buffers, was.thrown, was.rows)
			worse = append(worse, now)
		}
	}
	slices.SortFunc(worse, func(a, b read) int { return cmp.Compare(b.buffers, a.buffers) })
	for _, r := range worse {
		t.Errorf("%s\n\t%.400s", r.page, r.sql)
	}
}

func allowed(sql string) bool {
	for part := range sums {
		if strings.Contains(sql, part) {
			return true
		}
	}
	return false
}

// public returns the addresses of public pages and embeds, with those of one offering.
func public(s *consoletest.Studio, slug string, offering uuid.UUID) []string {
	place, api, one := s.URL+"/"+s.Location.Slug, s.URL+"/storefront/locations/"+s.Location.ID.String(), s.URL+"/storefront/offerings/"+offering.String()
	return []string{
		s.URL + "/" + s.Studio.Business.Slug, place, place + "/" + slug,
		api, api + "/offerings", api + "/schedule", api + "/walkins", one, one + "/times",
	}
}
