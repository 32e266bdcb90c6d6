package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/audit"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// world is a business with two locations and a log.
type world struct {
	*apptest.World
	t            *testing.T
	audit        *audit.Service
	business     uuid.UUID
	north, south uuid.UUID
}

func open(t *testing.T) *world {
	w := &world{World: apptest.Open(t), t: t, business: pg.NewID(), north: pg.NewID(), south: pg.NewID()}
	w.audit = audit.New(w.DB)
	w.insert(w.business)
	for i, id := range []uuid.UUID{w.north, w.south} {
		w.act(w.business, nobody, "", `insert into locations (id, business_id, name, slug, zone, currency, tax_mode, version, created_at, updated_at)
			values ($1, $2, 'Here', $3, 'UTC', 'USD', 'exclusive', 1, $4, $4)`, id, w.business, fmt.Sprint("here-", i), w.Clock.Now())
	}
	return w
}

func (w *world) insert(business uuid.UUID) {
	w.act(business, nobody, "", `insert into businesses (business_id, name, slug, currency, zone, created_at, updated_at)
		values ($1, 'Studio', $2, 'USD', 'UTC', $3, $3)`, business, "studio-"+business.String()[24:], w.Clock.Now())
}

var nobody = tenancy.Scope{}

func person(name string, surface tenancy.Surface) tenancy.Scope {
	sc := tenancy.Scope{Surface: surface}
	sc.Actor = tenancy.Actor{Kind: tenancy.ActorPerson, ID: uuid.NewSHA1(uuid.Nil, []byte(name)), Name: name}
	return sc
}

// act runs one statement as an actor.
func (w *world) act(business uuid.UUID, as tenancy.Scope, reason, sql string, args ...any) {
	w.t.Helper()
	ctx := tenancy.Acting(w.t.Context(), as)
	if _, err := pg.InTx(ctx, w.DB, business, func(tx *pg.Tx) (int, error) {
		if err := tx.Because(ctx, reason); err != nil {
			return 0, err
		}
		_, err := tx.Exec(ctx, sql, args...)
		return 0, err
	}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) rename(as tenancy.Scope, location uuid.UUID, name, reason string) {
	w.t.Helper()
	w.act(w.business, as, reason, "update locations set name = $1 where id = $2", name, location)
}

// viewer holds audit.view everywhere, or at these locations.
func (w *world) viewer(at ...uuid.UUID) tenancy.Scope {
	sc := tenancy.Scope{Tenant: w.business}
	if len(at) == 0 {
		sc.Grants.All = tenancy.NewFeatureSet(policy.AuditView)
	}
	sc.Grants.AtLocation = map[uuid.UUID]tenancy.FeatureSet{}
	for _, id := range at {
		sc.Grants.AtLocation[id] = tenancy.NewFeatureSet(policy.AuditView)
	}
	return sc
}

func (w *world) list(sc tenancy.Scope, in audit.ListInput) paging.Page[audit.Event, int64] {
	w.t.Helper()
	page, err := w.audit.List(w.t.Context(), sc, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return page
}

func TestListSaysWhoChangedWhat(t *testing.T) {
	w := open(t)
	w.Clock.Advance(time.Minute)
	w.rename(person("Ada", tenancy.SurfaceAPI), w.north, "There", "They moved")
	e := w.list(w.viewer(), audit.ListInput{}).Items[0]
	if e.Actor != person("Ada", "").Actor || e.Surface != tenancy.SurfaceAPI || e.Action != audit.Update || e.Record != "locations" ||
		e.RecordID != w.north || *e.LocationID != w.north || e.Reason != "They moved" || !e.At.Equal(w.Clock.Now()) {
		t.Errorf("%+v", e)
	}
	if got := fmt.Sprintf("%s", e.Changes); got != `[{name "Here" "There"}]` {
		t.Errorf("changes %s", got)
	}
	made := w.list(w.viewer(), audit.ListInput{RecordID: w.south}).Items[0]
	if made.Action != audit.Create || made.Actor.Kind != audit.Visitor || !slices.ContainsFunc(made.Changes, func(c audit.Change) bool {
		return c.Field == "taxMode" && c.Before == nil && string(c.After) == `"exclusive"`
	}) {
		t.Errorf("%+v", made)
	}
	if trips := w.Statements(func() { w.list(w.viewer(), audit.ListInput{}) }); trips != 1 {
		t.Errorf("%d trips", trips)
	}
}

func TestListFilters(t *testing.T) {
	w := open(t)
	w.Clock.Advance(time.Hour)
	w.rename(person("Ada", tenancy.SurfaceAPI), w.north, "A", "")
	w.Clock.Advance(time.Hour)
	w.rename(person("Bob", tenancy.SurfaceHosted), w.south, "B", "")
	middle := w.Clock.Now().Add(-time.Minute)
	names := func(sc tenancy.Scope, in audit.ListInput) string {
		t.Helper()
		var out []string
		for _, e := range w.list(sc, in).Items {
			name := e.Actor.Name
			if name == "" {
				name = e.Record
			}
			out = append(out, name)
		}
		return strings.Join(out, " ")
	}
	for name, c := range map[string]struct {
		in   audit.ListInput
		want string
	}{
		"all":       {audit.ListInput{}, "Bob Ada locations locations businesses"},
		"actor":     {audit.ListInput{Actor: person("Ada", "").ID}, "Ada"},
		"record":    {audit.ListInput{Record: "businesses"}, "businesses"},
		"record id": {audit.ListInput{RecordID: w.south}, "Bob locations"},
		"location":  {audit.ListInput{LocationID: w.north}, "Ada locations"},
		"surface":   {audit.ListInput{Surface: tenancy.SurfaceHosted}, "Bob"},
		"from":      {audit.ListInput{From: middle}, "Bob"},
		"to":        {audit.ListInput{To: middle}, "Ada locations locations businesses"},
		"nothing":   {audit.ListInput{Actor: person("Eve", "").ID}, ""},
	} {
		if got := names(w.viewer(), c.in); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := names(w.viewer(w.south), audit.ListInput{}); got != "Bob locations" {
		t.Errorf("held at one location: %s", got)
	}
	var all []string
	in := audit.ListInput{Page: paging.In[int64]{Limit: 2}}
	for {
		page := w.list(w.viewer(), in)
		for _, e := range page.Items {
			all = append(all, fmt.Sprint(e.Seq))
		}
		if in.Page.After = page.Next; in.Page.After == nil {
			break
		}
	}
	if len(all) != 5 || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("pages of two: %v", all)
	}
	if _, err := w.audit.List(t.Context(), tenancy.Scope{Tenant: w.business}, audit.ListInput{}); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("without audit.view: %v", err)
	}
	if _, err := w.audit.List(t.Context(), w.viewer(), audit.ListInput{Page: paging.In[int64]{Limit: 201}, From: middle, To: middle}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("bad input: %v", err)
	}
}

// Credentials are left out by the trigger of their table, and are not among the fields.
func TestNoSecrets(t *testing.T) {
	w := open(t)
	leaks := apptest.Values[string](t, w.World, `select c.relname || '.' || a.attname
		from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
		where g.tgname = 'audit' and (a.atttypid = 'bytea'::regtype or a.attname ~ '(hash|secret|token|password|pepper)')
			and position(convert_to(a.attname, 'UTF8') || '\x00'::bytea in g.tgargs) = 0`)
	for _, column := range leaks {
		t.Errorf("%s would be shown", column)
	}
	w.SQL(t, `insert into audit_events (business_id, at, actor_kind, actor_name, surface, action, record, record_id, after)
		values ($1, $2, 'system', '', 'job', 'create', 'locations', $3, '{"token_hash": "x", "name": "y", "api_secret": "z"}')`,
		w.business, w.Clock.Now(), w.north)
	if got := w.list(w.viewer(), audit.ListInput{}).Items[0].Changes; len(got) != 1 || got[0].Field != "name" {
		t.Errorf("%+v", got)
	}
}
