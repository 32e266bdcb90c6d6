package api_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest/walks"
	"foyer/app/identity"
	"foyer/app/web"
	"foyer/policy"
)

// hostileActors is the number of senders of hostile requests.
const hostileActors = 7

// TestHostileRequests sends every operation of the registry requests that are nearly right and altogether wrong, as
// seven people and API keys. None may be answered by a 5xx, by a status or a shape missing from the document, or with
// a word about the implementation. A short run has seven requests for each operation and actor; "make fuzz" has a
// thousand. FOYER_SEED sends the same again, and -run TestHostileRequests/createCart to one operation. A67, A77, A78.
func TestHostileRequests(t *testing.T) {
	log := &record{}
	h := open(t)
	h.people = h.People(t, identity.Limits{PerVisitor: 1e9, PerAddress: 1e9, WrongADay: 1e9})
	h.wire()
	h.web(func(o *web.Options) { // no line for each of a million requests
		o.Log = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	v := &village{h: h}
	seed, asked, sent, answered := walks.Seed(t), 0, 0, map[int]int{}
	for _, spec := range h.operations {
		t.Run(spec.ID, func(t *testing.T) {
			h.t = t
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("the log: %.20000s", log)
				}
			})
			asked++
			own := fnv.New64a()
			own.Write([]byte(spec.ID))
			l := &luck{Rand: rand.New(rand.NewPCG(seed, own.Sum64()))}
			for n := range walks.Steps(7*hostileActors, 1000*hostileActors) {
				if n%100 == 0 {
					v.mend()
					l.ids = v.ids()
				}
				c := l.hostile(h, v.s, v.elsewhere, spec)
				a := v.actors[n%hostileActors]
				c.token = a.token
				began := time.Now()
				got := h.do(c)
				if got.status >= 500 || leaks(got.body) {
					t.Fatalf("%s, request %d: %s\nbody: %.2000q\nheaders: %q", a.name, n, got, c.body, c.headers)
				}
				if took := time.Since(began); took > 3*time.Second && walks.Long() {
					t.Errorf("%s, request %d took %v: %s", a.name, n, took, got)
				}
				sent++
				answered[got.status/100]++
			}
		})
	}
	h.t = t
	t.Logf("%d requests, %d studios, answers by hundreds %v", sent, v.built, answered)
	if asked == len(h.operations) && answered[2] < sent/20 { // of all, not of those selected by -run
		t.Error("too few of them were right: they are stopped too early to find anything")
	}
}

// insides are words of the program, its language and its database that no response may contain. None consists of
// letters alone, since the ends of addresses are random letters.
var insides = []string{"SQLSTATE", "jackc/pgx", "pgconn.", "panic:", "goroutine ", ".go:", "runtime error", "reflect.", "json: ", "strconv.", "foyer/app"}

func leaks(body []byte) bool {
	return slices.ContainsFunc(insides, func(word string) bool { return bytes.Contains(body, []byte(word)) })
}

// village is two studios with records of every kind, and the people around the first. Requests that happen to be
// valid wear them out: a person signs out, is removed from the team, archives the location.
type village struct {
	h            *house
	s, elsewhere *studio
	actors       []actor
	built        int
}

// mend rebuilds the worn-out parts.
func (v *village) mend() {
	v.h.t.Helper()
	if v.whole() {
		return
	}
	v.built++
	h, n := v.h, v.built
	name := func(who string) string { return fmt.Sprintf("%s%d@example.com", who, n) }
	v.s, v.elsewhere = h.open(fmt.Sprintf("Harbour%d", n)), h.open(fmt.Sprintf("Meadow%d", n))
	key, _ := v.s.key()
	manager, _ := v.s.join(name("manager"), object{"role": policy.Manager})
	desk, _ := v.s.join(name("desk"), object{"role": policy.FrontDesk})
	teacher, member := v.s.join(name("teacher"), object{"role": policy.Instructor})
	v.s.ids["member"] = member
	rosa := h.signIn(name("rosa"))
	v.elsewhere.furnish(h.signIn(name("cleo")), h.signIn(name("dan")))
	v.s.furnish(rosa, h.signIn(name("ben")))
	v.actors = []actor{
		{name: "a stranger"}, {name: "a customer", token: rosa}, {name: "the owner", token: v.s.owner}, {name: "a manager", token: manager},
		{name: "the front desk", token: desk}, {name: "an instructor", token: teacher}, {name: "a key", token: key},
	}
	if len(v.actors) != hostileActors || !v.whole() {
		h.t.Fatal("the village does not stand")
	}
}

// whole reports whether every actor can still do their part.
func (v *village) whole() bool {
	if v.s == nil {
		return false
	}
	for _, a := range v.actors {
		paths := []string{"/storefront/carts/" + v.s.ids["cart"], v.s.at("/storefront/offerings/{offering}")}
		switch {
		case a.token == "":
		case strings.HasPrefix(a.token, "bk_"):
			paths = []string{v.s.at("/locations/{location}"), v.s.at("/offerings/{offering}")}
		case a.name == "a customer":
			paths = []string{"/me/profile"}
		default:
			paths = []string{"/me/profile", v.s.at("/locations/{location}")}
		}
		for _, path := range paths {
			if v.h.do(call{path: path, token: a.token}).status != 200 {
				return false
			}
		}
	}
	return true
}

// ids are names of records, in an order that does not depend on the names.
func (v *village) ids() []string {
	var out []string
	for _, s := range []*studio{v.s, v.elsewhere} {
		for _, kind := range slices.Sorted(maps.Keys(s.ids)) {
			out = append(out, s.ids[kind])
		}
	}
	return append(out, ghost("id"), ghost("token"))
}
