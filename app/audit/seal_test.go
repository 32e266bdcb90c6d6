package audit_test

import (
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/audit"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

func (w *world) seal() {
	w.t.Helper()
	if err := w.audit.Seal(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) verify() []audit.Break {
	w.t.Helper()
	breaks, err := audit.Verify(w.t.Context(), w.DB.View(w.business))
	if err != nil {
		w.t.Fatal(err)
	}
	return breaks
}

func (w *world) seals() string {
	w.t.Helper()
	return apptest.Value[string](w.t, w.World, `select coalesce(string_agg(position || ':' || events, ' ' order by position), '')
		from audit_seals where business_id = $1`, w.business)
}

// Events are sealed ten minutes after they happened, all of them once, each business's for itself.
func TestSeal(t *testing.T) {
	w := open(t)
	other := pg.NewID()
	w.insert(other)
	w.seal()
	if got := w.seals(); got != "" {
		t.Errorf("young events are sealed: %s", got)
	}
	w.Clock.Advance(9 * time.Minute)
	w.rename(person("Ada", tenancy.SurfaceAPI), w.north, "A", "")
	w.Clock.Advance(time.Minute)
	w.seal() // business and two locations; the renaming is too young
	w.seal()
	if got := w.seals(); got != "1:3" {
		t.Errorf("seals %s", got)
	}
	w.Clock.Advance(10 * time.Minute)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(w.seal)
	}
	wg.Wait()
	if got := w.seals(); got != "1:3 2:1" {
		t.Errorf("seals %s", got)
	}
	if n := apptest.Value[int](t, w.World, "select count(*) from audit_seals where business_id = $1", other); n != 1 {
		t.Errorf("%d seals of the other business", n)
	}
	if b := w.verify(); len(b) != 0 {
		t.Errorf("%+v", b)
	}
}

// A young event in front of old ones (after a change of the clock) holds the seal up: it is not left out.
func TestSealLeavesNothingOut(t *testing.T) {
	w := open(t)
	w.Clock.Advance(time.Hour)
	w.rename(person("Ada", tenancy.SurfaceAPI), w.north, "A", "")
	w.Clock.Advance(-time.Hour)
	w.rename(person("Ada", tenancy.SurfaceAPI), w.north, "B", "")
	w.Clock.Advance(30 * time.Minute)
	w.seal()
	if got := w.seals(); got != "1:3" {
		t.Errorf("seals %s", got)
	}
	w.Clock.Advance(time.Hour)
	w.seal()
	if got := w.seals(); got != "1:3 2:2" {
		t.Errorf("seals %s", got)
	}
}

// plant puts an event into the log; its number follows.
const plant = `insert into audit_events (business_id, at, actor_kind, actor_name, surface, action, record, record_id, seq)
	overriding system value select business_id, at, actor_kind, actor_name, surface, action, record, record_id, x.seq
	from (select * from audit_events order by seq limit 1) e, (select `

// A change of the past breaks exactly the seal over it.
func TestVerify(t *testing.T) {
	for name, c := range map[string]struct {
		sql   string
		seals []int64 // positions of the broken ones
	}{
		"a changed reason":     {"update audit_events set reason = 'because' where seq = (select min(seq) from audit_events where after ->> 'name' = 'A')", []int64{2}},
		"a changed actor":      {"update audit_events set actor_name = 'Eve' where actor_name = 'Ada'", []int64{2, 3}},
		"a changed value":      {`update audit_events set after = '{"name": "Z"}' where after ->> 'name' = 'B'`, []int64{3}},
		"a deleted event":      {"delete from audit_events where seq = (select min(seq) from audit_events)", []int64{1}},
		"an event of the past": {plant + "-1 as seq) x", []int64{1}},
		"an event in between":  {plant + "(select max(seq) - 1 from audit_events) as seq) x", []int64{3}},
		"a changed seal":       {`update audit_seals set hash = '\x00' where position = 1`, []int64{1, 2}},
		"a deleted seal":       {"delete from audit_seals where position = 2", []int64{3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			for _, to := range []string{"A", "B"} {
				w.Clock.Advance(time.Hour)
				w.seal()
				w.SQL(t, "select nextval(pg_get_serial_sequence('audit_events', 'seq'))") // of a transaction that rolled back
				w.rename(person("Ada", tenancy.SurfaceAPI), w.north, to, "")
			}
			w.Clock.Advance(time.Hour)
			w.seal()
			if got := w.seals(); got != "1:3 2:1 3:1" {
				t.Fatalf("seals %s", got)
			}
			if b := w.verify(); len(b) != 0 {
				t.Fatalf("untouched: %+v", b)
			}
			w.SQL(t, c.sql)
			var broken []int64
			for _, b := range w.verify() {
				broken = append(broken, apptest.Value[int64](t, w.World, "select position from audit_seals where id = $1", b.Seal))
				if b.Expected == b.Found {
					t.Errorf("%+v", b)
				}
			}
			if len(broken) != len(c.seals) {
				t.Fatalf("broken %v, want %v", broken, c.seals)
			}
			for i := range broken {
				if broken[i] != c.seals[i] {
					t.Errorf("broken %v, want %v", broken, c.seals)
				}
			}
		})
	}
}

// The product's roles cannot rewrite the log at all.
func TestAppendOnly(t *testing.T) {
	w := open(t)
	for _, role := range []string{"foyer_app", "foyer_job"} {
		db := w.As(t, role)
		for _, sql := range []string{"update audit_events set reason = 'x'", "delete from audit_events", "update audit_seals set events = 1", "delete from audit_seals"} {
			if _, err := pg.InTx(t.Context(), db, w.business, func(tx *pg.Tx) (int64, error) { return tx.Exec(t.Context(), sql) }); err == nil {
				t.Errorf("%s: %s", role, sql)
			}
		}
	}
}
