package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type roomBody struct {
	Name  string   `json:"name" maxLength:"40"`
	Price *float64 `json:"price,omitempty"`
	op.Quote
}
type roomIn struct{ Body roomBody }
type room struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
}
type roomEffects struct {
	Rename  string   `json:"rename"`
	Changes []string `json:"changes"`
}

// put is the result of the verb: the effects are the old name and the new one.
type put struct {
	ID       uuid.UUID
	Old, New string
}

func (p put) Effects() any { return []string{p.Old, p.New} }

// quoteWorld has an operation that renames the one row of a table, and a careless one.
func quoteWorld(t testing.TB) (*world, *apptest.World) {
	w, db := newWorld(t), apptest.Open(t)
	db.SQL(t, "create table rooms (name text not null)")
	db.SQL(t, "insert into rooms values ('Old')")
	db.SQL(t, "grant select, update on rooms to foyer_app")
	rename := func(ctx context.Context, name string) (put, error) {
		return pg.InTx(ctx, db.DB, uuid.Nil, func(tx *pg.Tx) (put, error) {
			old, err := pg.One[string](ctx, tx, "select name from rooms for update")
			if err == nil && old == "Locked" {
				err = fault.New(fault.Conflict, "locked", "It is locked.")
			}
			if err == nil {
				_, err = tx.Exec(ctx, "update rooms set name = $1", name)
			}
			return put{pg.NewID(), old, name}, err
		})
	}
	declareRooms(w.srv.Operations, "renameRoom", "room", func(ctx context.Context, _ tenancy.Scope, in *roomIn) (op.Quoted[room, roomEffects], error) {
		p, err := rename(ctx, in.Body.Name)
		return op.Quoted[room, roomEffects]{
			Done: room{ID: p.ID, Name: p.New}, Effects: roomEffects{Rename: p.Old + " <to> " + p.New},
		}, err
	})
	declareRooms(w.srv.Operations, "renameOther", "other", func(ctx context.Context, _ tenancy.Scope, in *roomIn) (op.Quoted[room, roomEffects], error) {
		p, err := rename(ctx, in.Body.Name)
		return op.Quoted[room, roomEffects]{Done: room{ID: p.ID}}, err
	})
	declareRooms(w.srv.Operations, "renameTwice", "twice", func(ctx context.Context, _ tenancy.Scope, in *roomIn) (op.Quoted[room, roomEffects], error) {
		_, err := rename(ctx, in.Body.Name)
		if err == nil {
			_, err = rename(ctx, in.Body.Name)
		}
		return op.Quoted[room, roomEffects]{}, err
	})
	return w, db
}

func declareRooms(r *op.Registry, id, path string, run func(context.Context, tenancy.Scope, *roomIn) (op.Quoted[room, roomEffects], error)) {
	op.Declare(r, spec(id, "POST", "/businesses/{businessId}/"+path, op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"),
		Errors: []int{400, 401, 403, 404, 409}, Success: 201, Quoted: true,
	}), run)
}

func renameReq(path, body string, headers ...string) req {
	return req{method: "POST", path: "/businesses/" + studio.String() + "/" + path, token: ownerToken, body: body, headers: headers}
}

type roomQuote struct {
	QuoteID   string      `json:"quoteId"`
	ExpiresAt time.Time   `json:"expiresAt"`
	Effects   roomEffects `json:"effects"`
}

func (w *world) quote(body string, headers ...string) roomQuote {
	w.t.Helper()
	var q roomQuote
	r := w.do(renameReq("room", body, headers...))
	r.data(w.t, 200, &q)
	if q.Effects.Changes == nil || strings.Contains(r.body, `\u003c`) || len(q.QuoteID) != 36 {
		w.t.Errorf("%s", r.body)
	}
	return q
}

// A dry run returns 200 and does nothing; the call with the quote has exactly the quoted effects, once, with its own
// status.
func TestQuoteThenDo(t *testing.T) {
	w, db := quoteWorld(t)
	name := func() string { return apptest.Value[string](t, db, "select name from rooms") }
	q := w.quote(`{"dryRun": true, "name": "New", "price": 1.50}`, "Idempotency-Key", "k1")
	if q.Effects.Rename != "Old <to> New" || !q.ExpiresAt.Equal(db.Clock.Now().Add(pg.QuoteLife)) || name() != "Old" {
		t.Errorf("%+v, the room is %s", q, name())
	}
	act := `{"price": 1.50, "name":"New","quoteId":"` + q.QuoteID + `"}` // in another order of members
	var first, again room
	w.do(renameReq("room", act, "Idempotency-Key", "k1")).data(t, 201, &first)
	if first.Name != "New" || name() != "New" {
		t.Errorf("%+v, the room is %s", first, name())
	}
	for _, headers := range [][]string{nil, {"Idempotency-Key", "k1"}, {"Idempotency-Key", "k2"}} {
		if w.do(renameReq("room", act, headers...)).data(t, 201, &again); again != first {
			t.Errorf("%v: %+v, want the recorded %+v", headers, again, first)
		}
	}
	// A new quote of the same request does not give the key another effect.
	q = w.quote(`{"name":"New","price":1.50,"dryRun":true}`)
	w.do(renameReq("room", `{"name":"New","price":1.50,"quoteId":"`+q.QuoteID+`"}`, "Idempotency-Key", "k1")).data(t, 201, &again)
	if again != first {
		t.Errorf("one key, two quotes: %+v and %+v", again, first)
	}
	w.do(renameReq("room", `{"name":"Plain"}`)).data(t, 201, &first) // a quote is an offer, not a duty
	w.do(renameReq("room", `{"name":"Plain","dryRun":false}`)).data(t, 201, &first)
}

// The closed list of refusals, each without effects. Another caller's quote counts as unknown.
func TestQuoteReasons(t *testing.T) {
	w, db := quoteWorld(t)
	q := w.quote(`{"name":"New","dryRun":true}`)
	act := `{"name":"New","quoteId":"` + q.QuoteID + `"}`
	reason := func(r req) string {
		t.Helper()
		return w.do(r).refused(t, 409).Error.Details["reason"].(string)
	}
	key := renameReq("room", act)
	key.token = studioKey
	for name, c := range map[string]struct {
		r    req
		want string
	}{
		"another request":    {renameReq("room", `{"name":"Newer","quoteId":"`+q.QuoteID+`"}`), "quote_other"},
		"another number":     {renameReq("room", `{"name":"New","price":1,"quoteId":"`+q.QuoteID+`"}`), "quote_other"},
		"another credential": {key, "quote_unknown"},
		"another operation":  {renameReq("other", act), "quote_unknown"},
		"unknown":            {renameReq("room", `{"name":"New","quoteId":"`+unknown.String()+`"}`), "quote_unknown"},
		"nil":                {renameReq("room", `{"name":"New","quoteId":"`+uuid.Nil.String()+`"}`), "quote_unknown"},
	} {
		if got := reason(c.r); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	db.SQL(t, "update rooms set name = 'Meanwhile'")
	details := w.do(renameReq("room", act)).refused(t, 409).Error.Details
	now, _ := json.Marshal(details["effects"])
	if details["reason"] != "quote_changed" || string(now) != `{"changes":[],"rename":"Meanwhile \u003cto\u003e New"}` {
		t.Errorf("%v %s", details["reason"], now)
	}
	db.SQL(t, "update rooms set name = 'Locked'")
	if got := reason(renameReq("room", act)); got != "locked" {
		t.Errorf("the verb's own refusal: %s", got)
	}
	if got := reason(renameReq("room", `{"name":"New","dryRun":true}`)); got != "locked" {
		t.Errorf("a dry run is refused as the call would be: %s", got)
	}
	db.SQL(t, "update rooms set name = 'Old'")
	db.Clock.Advance(pg.QuoteLife)
	if got := reason(renameReq("room", act)); got != "quote_expired" {
		t.Error(got)
	}
	if got := apptest.Value[string](t, db, "select name from rooms"); got != "Old" {
		t.Errorf("refused calls renamed the room to %s", got)
	}
	both := w.do(renameReq("room", `{"name":"New","dryRun":true,"quoteId":"`+q.QuoteID+`"}`)).refused(t, 400)
	if f := both.fields(); len(f) != 1 || f[0] != "body.quoteId" {
		t.Errorf("%v", f)
	}
	w.do(renameReq("room", `{"name":"New","quoteId":"soon"}`)).refused(t, 400)
	w.do(renameReq("room", `{"name":"New","quoteId":null}`)).refused(t, 400)
	w.do(renameReq("twice", `{"name":"New","dryRun":true}`)).refused(t, 500)
}

// Fifty calls with one quote have one effect and one answer.
func TestQuoteRace(t *testing.T) {
	w, db := quoteWorld(t)
	db.SQL(t, "create table renames (was text, now text)")
	db.SQL(t, `create function note() returns trigger security definer language plpgsql as
		'begin insert into renames values (old.name, new.name); return null; end'`)
	db.SQL(t, "create trigger note after update on rooms for each row execute function note()")
	q := w.quote(`{"name":"New","dryRun":true}`)
	bodies := make([]string, 50)
	var wg sync.WaitGroup
	for i := range bodies {
		wg.Go(func() {
			r := w.do(renameReq("room", `{"name":"New","quoteId":"`+q.QuoteID+`"}`))
			r.data(t, 201, nil)
			bodies[i] = r.body
		})
	}
	wg.Wait()
	for _, b := range bodies {
		if b != bodies[0] {
			t.Errorf("%s and %s", b, bodies[0])
		}
	}
	if n := apptest.Value[int](t, db, "select count(*) from renames"); n != 1 {
		t.Errorf("%d renames", n)
	}
}

// TestQuotedIsDeclaredWhole: body, output and statuses of a quoted operation go together. A231: nothing that the
// contract shows is quoted.
func TestQuotedIsDeclaredWhole(t *testing.T) {
	good := op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"),
		Errors: []int{400, 401, 403, 404, 409}, Success: 201, Quoted: true,
	}
	with := func(change func(*op.Spec)) op.Spec {
		s := good
		change(&s)
		return spec("renameRoom", "POST", "/businesses/{businessId}/room", s)
	}
	as := with(func(*op.Spec) {})
	for name, c := range map[string]struct {
		declare func(*op.Registry)
		says    string
	}{
		"no quote in the body":  {declareWith[bodyIn, op.Quoted[room, roomEffects]](as), "embeds web.Quote"},
		"no body":               {declareWith[none, op.Quoted[room, roomEffects]](as), "embeds web.Quote"},
		"quotes in both places": {declareWith[twoQuotes, op.Quoted[room, roomEffects]](as), "no web.QueryQuote"},
		"plain output":          {declareWith[roomIn, room](as), "output is a web.Quoted"},
		"not Quoted":            {declareWith[roomIn, room](with(func(s *op.Spec) { s.Quoted = false })), "embeds web.Quote"},
		"output alone": {declareWith[bodyIn, op.Quoted[room, roomEffects]](with(func(s *op.Spec) { s.Quoted = false })),
			"output is a web.Quoted"},
		"no 409":                {declareWith[roomIn, op.Quoted[room, roomEffects]](with(func(s *op.Spec) { s.Errors = []int{400, 401, 403, 404} })), "list 409"},
		"frozen":                {declareWith[roomIn, op.Quoted[room, roomEffects]](with(func(s *op.Spec) { s.Frozen = true })), "Frozen"},
		"noreplay":              {declareWith[roomIn, op.Quoted[room, roomEffects]](with(func(s *op.Spec) { s.NoReplay = true })), "Idempotency-Key"},
		"204":                   {declareWith[roomIn, op.Quoted[op.NoContent, roomEffects]](as), "NoContent is 204"},
		"effects without names": {declareWith[roomIn, op.Quoted[room, badBody]](as), "no json name"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, c.says) {
					t.Errorf("panic %q, want %q", p, c.says)
				}
			}()
			c.declare(newWorld(t).srv.Operations)
		})
	}
}

// A call that answers 204 answers 200 to its dry run.
func TestQuotedNoContent(t *testing.T) {
	w, db := newWorld(t), apptest.Open(t)
	op.Declare(w.srv.Operations, spec("closeRoom", "POST", "/businesses/{businessId}/close", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"),
		Errors: []int{400, 401, 403, 404, 409}, Success: 204, Quoted: true,
	}), func(ctx context.Context, _ tenancy.Scope, in *roomIn) (op.Quoted[op.NoContent, roomEffects], error) {
		_, err := pg.InTx(ctx, db.DB, uuid.Nil, func(*pg.Tx) (put, error) { return put{}, nil })
		return op.Quoted[op.NoContent, roomEffects]{}, err
	})
	var q roomQuote
	w.do(renameReq("close", `{"name":"x","dryRun":true}`)).data(t, 200, &q)
	if r := w.do(renameReq("close", `{"name":"x","quoteId":"`+q.QuoteID+`"}`)); r.status != 204 || r.body != "" {
		t.Errorf("%d %s", r.status, r.body)
	}
}

type twoQuotes struct {
	op.QueryQuote
	Body roomBody
}

type wipeIn struct {
	op.QueryQuote
	Deep bool `query:"deep"`
}

// An operation without a body takes its quote in the query, by the same rules.
func TestQuoteInQuery(t *testing.T) {
	w, db := newWorld(t), apptest.Open(t)
	wiped := func() int { return apptest.Value[int](t, db, "select count(*) from rate_windows") } // any table without a tenant
	op.Declare(w.srv.Operations, spec("wipeRoom", "DELETE", "/businesses/{businessId}/room", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"),
		Errors: []int{400, 401, 403, 404, 409}, Success: 204, Quoted: true,
	}), func(ctx context.Context, _ tenancy.Scope, in *wipeIn) (op.Quoted[op.NoContent, roomEffects], error) {
		_, err := pg.InTx(ctx, db.DB, uuid.Nil, func(tx *pg.Tx) (put, error) {
			_, err := tx.Exec(ctx, "insert into rate_windows (bucket, starts_at, hits) values ($1, $2, 1)", pg.NewID().String(), tx.Now())
			return put{Old: fmt.Sprint(in.Deep)}, err
		})
		return op.Quoted[op.NoContent, roomEffects]{Effects: roomEffects{Rename: fmt.Sprint(in.Deep)}}, err
	})
	call := func(query string) resp {
		return w.do(req{method: "DELETE", path: "/businesses/" + studio.String() + "/room?" + query, token: ownerToken})
	}
	var q roomQuote
	call("deep=true&dryRun=true").data(t, 200, &q)
	if wiped() != 0 || q.Effects.Rename != "true" {
		t.Fatalf("%d %+v", wiped(), q)
	}
	if r := call("quoteId=" + q.QuoteID + "&dryRun=true&deep=true"); r.status != 400 || !strings.Contains(r.body, "query.quoteId") {
		t.Errorf("both: %d %s", r.status, r.body)
	}
	if r := call("quoteId=" + q.QuoteID + "&deep=false"); r.status != 409 || wiped() != 0 {
		t.Errorf("a quote of something else: %d %s", r.status, r.body)
	}
	if r := call("quoteId=" + q.QuoteID + "&deep=true"); r.status != 204 || wiped() != 1 {
		t.Errorf("as quoted: %d %s", r.status, r.body)
	}
	if r := call("quoteId=" + q.QuoteID + "&deep=true"); r.status != 204 || wiped() != 1 {
		t.Errorf("a second time, with the first answer: %d %s", r.status, r.body)
	}
	if r := call("deep=true"); r.status != 204 || wiped() != 2 {
		t.Errorf("without a quote: %d %s", r.status, r.body)
	}
}

// QuoteKey distinguishes callers, operations and requests, as the registry does.
func TestQuoteAsk(t *testing.T) {
	sc := func(name string) tenancy.Scope {
		s := tenancy.Scope{Tenant: studio}
		s.Actor = tenancy.Actor{Kind: tenancy.ActorPerson, ID: personID(name)}
		return s
	}
	visitor := func(address string) tenancy.Scope { return tenancy.Scope{Tenant: studio, Visitor: address} }
	first := op.QuoteKey(sc("ada"), "cancel", "b1", "x")
	if again := op.QuoteKey(sc("ada"), "cancel", "b1", "x"); again != first {
		t.Error("one question, two asks")
	}
	for name, c := range map[string]struct {
		ask                 pg.QuoteKey
		credential, request bool // differ
	}{
		"another person":     {op.QuoteKey(sc("bob"), "cancel", "b1", "x"), true, false},
		"another operation":  {op.QuoteKey(sc("ada"), "move", "b1", "x"), true, false},
		"another booking":    {op.QuoteKey(sc("ada"), "cancel", "b2", "x"), false, true},
		"parts run together": {op.QuoteKey(sc("ada"), "cancel", "b1x"), false, true},
		"a visitor":          {op.QuoteKey(visitor("192.0.2.1"), "cancel", "b1", "x"), true, false},
	} {
		if (c.ask.Credential != first.Credential) != c.credential || (c.ask.Request != first.Request) != c.request {
			t.Errorf("%s: %+v", name, c.ask)
		}
	}
	if op.QuoteKey(visitor("192.0.2.1"), "cancel") == op.QuoteKey(visitor("192.0.2.2"), "cancel") {
		t.Error("two visitors are one")
	}
}
