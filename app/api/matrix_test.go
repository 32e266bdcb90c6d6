package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/web/op"
)

// target is a record in the path of a call.
type target struct {
	name     string
	path     string
	location uuid.UUID // of the record
	taught   bool      // by the instructor of the matrix
}

// targets are the variants of an operation's path.
func targets(spec op.Spec, s, elsewhere *studio) []target {
	names := params(spec.Path)
	north, south := parse(s.ids["location"]), uuid.MustParse(s.ids["location2"])
	out := []target{{name: "own", path: s.fill(spec, ""), location: north, taught: true}}
	if len(names) == 0 || spec.Access == op.Session {
		return out
	}
	return append(out,
		target{name: "other location", path: s.fill(spec, "2"), location: elsewhereOf(spec, north, south), taught: inBody[spec.ID]},
		target{name: "foreign", path: elsewhere.fill(spec, ""), location: parse(elsewhere.ids["location"])},
		target{name: "ghost", path: s.fillWith(spec, names[0], ghost(names[0]))},
		target{name: "malformed", path: s.fillWith(spec, names[0], "not-an-id")},
	)
}

// elsewhereOf returns the location of the record of the other location: for a record named in the body it is the
// first one.
func elsewhereOf(spec op.Spec, north, south uuid.UUID) uuid.UUID {
	if inBody[spec.ID] {
		return north
	}
	return south
}

// ghost returns a well-formed name of no record.
func ghost(param string) string {
	if param == "token" {
		return strings.Repeat("A", 32)
	}
	return "0190a1b2-0000-7000-8000-0000000000ff"
}

// admitted stands for every status that is no refusal of admission.
const admitted = 0

// want returns the status of the contract for an actor, an operation and a target, or admitted. The order is A57:
// 401, then 404 for an unknown business, then 403. A47, A49, A50, A51, A53, A55, A56, A59.
func want(a actor, spec op.Spec, at target) int {
	missing := 404
	if at.name == "malformed" && slices.Contains(spec.Errors, 400) && !strings.Contains(spec.Path, "{token}") {
		missing = 400 // A20; a token has no form
	}
	gone := (at.name == "ghost" || at.name == "malformed") && slices.Contains(spec.Errors, missing) && !spec.AnyTarget // who finds nothing: A185
	if spec.Access == op.Public {
		if gone {
			return missing
		}
		return admitted
	}
	switch {
	case !a.known, spec.Access == op.StorefrontSession && a.key:
		return 401
	case spec.Access == op.Session && a.key:
		return 403
	case spec.ID == "createBusiness": // no actor has an invite: A31
		return 403
	case spec.Access == op.Session && a.assistant && !spec.OneBusiness: // A62
		return 403
	case spec.Access == op.Session:
		return admitted
	case gone:
		return missing
	case spec.Access == op.StorefrontSession && a.assistant && at.name == "foreign": // A62
		return 401
	case spec.Access == op.StorefrontSession:
		return admitted
	}
	return wantMember(a, spec, at)
}

// wantMember is want for an operation that requires a role.
func wantMember(a actor, spec op.Spec, at target) int {
	g := a.grants
	if at.name == "foreign" {
		g = a.elsewhere
	}
	switch {
	case g == nil && !strings.HasPrefix(spec.Path, "/businesses"):
		return 404
	case g == nil, spec.Access == op.OperatorSession && a.key, !may(*g, spec, at.location, at.taught):
		return 403
	}
	return admitted
}

// TestMatrix calls every operation as every actor, on records of their own business, of another one, and on none. The
// expected permission is computed from the declaration and the published table of roles. Refused calls change no row
// in the whole database, and are refused alike when an assistant makes them with the same credential. A47, A54, A57,
// A62, A63, A78.
func TestMatrix(t *testing.T) {
	h := open(t)
	s, elsewhere := h.open("Harbour"), h.open("Meadow")
	actors := h.actors(s, elsewhere)
	elsewhere.furnish(h.signIn("cleo@example.com"), h.signIn("dan@example.com"))
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	operations := slices.DeleteFunc(slices.Clone(h.operations), func(spec op.Spec) bool {
		return spec.ID == "logout" // it would end the actors' sessions: TestSessions
	})
	for i, a := range actors {
		if a.assistant {
			actors[i].token = h.assistant(a.token, parse(s.ids["business"]))
		}
	}
	for _, a := range actors { // the use of a key is recorded once an hour: not by the calls below
		for _, inside := range []bool{false, true} {
			h.do(call{path: s.at("/locations/{location}"), token: a.token, assistant: inside})
			h.do(call{path: elsewhere.at("/locations/{location}"), token: a.token, assistant: inside})
		}
	}
	calls := 0
	for some := range slices.Chunk(operations, atOnce) {
		refusals, let := h.cells(s, elsewhere, actors, some)
		calls += len(let)
		before := h.checksum()
		for _, spec := range some {
			calls += len(refusals[spec.ID])
			each(refusals[spec.ID])
		}
		if after := h.checksum(); after != before {
			h.changed(some, refusals, before, after)
		}
		each(let)
	}
	if calls < 7000 {
		t.Errorf("only %d calls", calls)
	}
}

// atOnce is the number of operations whose refused calls are made between two checksums of the whole database: a
// checksum costs as much as thirty of them.
const atOnce = 25

// cells returns the calls of some operations: those to be refused, by operation, and those to be admitted.
func (h *house) cells(s, elsewhere *studio, actors []actor, some []op.Spec) (refusals map[string][]func(), let []func()) {
	refusals = map[string][]func(){}
	for _, spec := range some {
		for _, at := range targets(spec, s, elsewhere) {
			for _, a := range actors {
				c := call{method: spec.Method, path: at.path, token: a.token, assistant: a.assistant}
				if body := s.bodies(spec.ID); body != nil {
					c.body = js(body)
				}
				if w := want(a, spec, at); w != admitted {
					inside := c
					inside.assistant = true
					refusals[spec.ID] = append(refusals[spec.ID], func() {
						h.refused(a, spec, at, c, w)
						if !a.assistant && (a.known || spec.Access != op.Public) { // an assistant has a credential
							h.refused(a, spec, at, inside, w)
						}
					})
				} else {
					let = append(let, func() { h.let(a, spec, at, c) })
				}
			}
		}
	}
	return refusals, let
}

func each(calls []func()) {
	for _, f := range calls {
		f()
	}
}

// changed returns the operations with a change despite a refusal, by repeating their calls one operation at a time.
func (h *house) changed(some []op.Spec, refusals map[string][]func(), before, after string) {
	h.t.Helper()
	old := strings.Split(before, "\n")
	for _, table := range strings.Split(after, "\n") {
		if !slices.Contains(old, table) {
			h.t.Errorf("a refused call changed rows of %.60s", table)
		}
	}
	for _, spec := range some {
		before := h.checksum()
		each(refusals[spec.ID])
		if h.checksum() != before {
			h.t.Errorf("%s: a refused call changed something", spec.ID)
		}
	}
}

func (h *house) refused(a actor, spec op.Spec, at target, c call, status int) {
	h.t.Helper()
	if got := h.do(c); got.status != status {
		h.t.Errorf("%s, %s, %s: want %d: %s", spec.ID, a.name, at.name, status, got)
	}
}

// let makes a call that is admitted. A read succeeds; a write may find that the record has changed.
func (h *house) let(a actor, spec op.Spec, at target, c call) {
	h.t.Helper()
	got := h.do(c)
	bad := got.status == 401 && spec.ID != "verifyChallenge" || got.status == 403 || got.status >= 500
	own := strings.HasPrefix(spec.Path, "/me/bookings/") || strings.HasPrefix(spec.Path, "/me/plans/") // one person's
	refuses := got.status == 409 && slices.Contains(spec.Errors, 409)
	if spec.Method == http.MethodGet && got.status != 200 && !own && !refuses {
		bad = true
	}
	if bad {
		h.t.Errorf("%s, %s, %s: want it let through: %s", spec.ID, a.name, at.name, got)
	}
}

// TestOrder: errors are reported in a fixed order, although the body is broken each time. A57.
func TestOrder(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	viewer, _ := s.join("viewer@example.com", object{"role": "viewer"})
	for _, c := range []struct {
		status            int
		token, businessID string
	}{
		{401, "", s.ids["business"]}, {401, "", ghost("businessId")}, {401, "nonsense", s.ids["business"]},
		{404, h.signIn("customer@example.com"), ghost("businessId")}, {404, viewer, ghost("businessId")},
		{403, h.signIn("customer@example.com"), s.ids["business"]}, {403, viewer, s.ids["business"]},
		{400, s.owner, s.ids["business"]},
	} {
		h.expect(c.status, call{method: "PATCH", path: "/businesses/" + c.businessID, token: c.token, body: `{"broken"`})
	}
}

// TestForbiddenBeforeUnknown: a caller without the feature is refused with 403 whether the record deeper in the path
// exists, does not, or cannot exist: the order reveals nothing about existing records. A57.
func TestForbiddenBeforeUnknown(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	viewer, _ := s.join("viewer@example.com", object{"role": "viewer"})
	asked := 0
	for _, spec := range h.operations {
		names := params(spec.Path)
		if spec.Access != op.Operator || len(names) < 2 || spec.Feature == "location.view" { // every viewer has it
			continue
		}
		real := s.fill(spec, "")
		if h.do(call{method: spec.Method, path: real, token: viewer, body: `{"broken"`}).status != 403 {
			continue // a viewer has this feature, too
		}
		asked++
		last := names[len(names)-1]
		segments := strings.Split(real, "/")
		at := slices.Index(strings.Split(spec.Path, "/"), "{"+last+"}")
		for _, id := range []string{ghost(last), "nonsense", "0"} {
			segments[at] = id
			if a := h.do(call{method: spec.Method, path: strings.Join(segments, "/"), token: viewer, body: `{"broken"`}); a.status != 403 {
				t.Errorf("%s with %s as {%s}: %s", spec.ID, id, last, a)
			}
		}
	}
	if asked < 30 {
		t.Errorf("only %d operations", asked)
	}
}

// checksum returns one text for every row of every table, except the counters of rate limits and the state of the
// outbox.
func (h *house) checksum() string {
	h.t.Helper()
	tables := h.tables()
	parts := make([]string, len(tables))
	for i, name := range tables {
		parts[i] = fmt.Sprintf("select '%s' || count(*) || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as x from %s t", name, name)
	}
	sums := apptest.Values[string](h.t, h.World, strings.Join(parts, " union all "))
	slices.Sort(sums)
	return strings.Join(sums, "\n")
}

func (h *house) tables() []string {
	return apptest.Values[string](h.t, h.World, `select format('%I.%I', table_schema, table_name) from information_schema.tables
		where table_type = 'BASE TABLE' and (table_schema = 'public' and table_name not in ('rate_windows', 'goose_db_version')
			or table_schema = 'river' and table_name = 'river_job') order by 1`)
}

// TestForeignIsUnknown: the response for a record of another business equals that for a nonexistent one to the byte,
// for every parameter of the path. A47.
func TestForeignIsUnknown(t *testing.T) {
	h := open(t)
	s, elsewhere := h.open("Harbour"), h.open("Meadow")
	elsewhere.furnish(h.signIn("cleo@example.com"), h.signIn("dan@example.com"))
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	for _, spec := range h.operations {
		for _, p := range params(spec.Path) {
			kind := kindOf(spec.Path, p)
			public := strings.HasPrefix(spec.Path, "/storefront") && p != "itemId"
			if kind == "business" || kind == "category" || public {
				continue // 403 by choice; no id of a record; what the public sees is everybody's
			}
			probe := func(id string) answer {
				c := call{method: spec.Method, path: s.fillWith(spec, p, id), token: s.owner}
				if body := s.bodies(spec.ID); body != nil {
					c.body = js(body)
				}
				return h.do(c)
			}
			foreign, unknown := probe(elsewhere.ids[kind]), probe(ghost(p))
			if foreign.status != 404 || unknown.status != 404 || !bytes.Equal(foreign.body, unknown.body) {
				t.Errorf("%s {%s}: foreign %s, unknown %s", spec.ID, p, foreign, unknown)
			}
			malformed := probe("not-an-id")
			if wanted := map[bool]int{true: 400, false: 404}[slices.Contains(spec.Errors, 400)]; malformed.status != wanted { // A20
				t.Errorf("%s {%s}: malformed %d, want %d", spec.ID, p, malformed.status, wanted)
			}
		}
	}
}
