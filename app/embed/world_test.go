package embed_test

import (
	"context"
	"flag"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/embed"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/app/web/assets"
	"foyer/app/web/op"
	"foyer/policy"
)

var update = flag.Bool("update", false, "rewrite the goldens of testdata")

// base is the public address, which is not the one that is listened on.
const base = "https://book.example"

// world is a studio with fragments served as the program serves them. It is Wednesday, 8:00 in New York.
type world struct {
	*apptest.World
	*apptest.Sales
	t      testing.TB
	url    string
	cache  *web.PageCache
	srv    *web.Server
	owners *business.Service
	pages  *schedule.Service
}

// open starts it. The studio is Harbour Yoga in Portland, with the location "harbour".
func open(t testing.TB, changes ...func(*apptest.StudioPlan)) *world {
	t.Helper()
	w := &world{World: apptest.Open(t), t: t}
	w.Sales = w.World.Sales(t, append([]func(*apptest.StudioPlan){portland}, changes...)...)
	w.cache = web.NewPageCache(w.Clock, 8<<20)
	w.serve(w.DB)
	return w
}

// live is open, with fragments that end when a verb of w.Sales has committed.
func live(t testing.TB) *world {
	t.Helper()
	w := &world{World: apptest.Open(t), t: t}
	w.cache = web.NewPageCache(w.Clock, 8<<20)
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 8, Clock: w.Clock, Strict: true, Changes: pg.NewChanges(w.cache.Forget)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	w.Sales = w.World.Sales(t, portland).On(t, db)
	w.serve(db)
	return w
}

func portland(p *apptest.StudioPlan) {
	a := &p.Location.Address
	a.Street, a.City, a.Region, a.PostalCode, a.Country = "12 Quay Street", "Portland", "ME", "04101", "US"
}

func (w *world) serve(db *pg.DB) {
	w.t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	w.url = "http://" + ln.Addr().String()
	srv := web.New(web.Options{
		BaseURL: base, Build: "dev", Secret: apptest.Secret, Clock: w.Clock, Log: slog.New(slog.DiscardHandler),
		Gate:  op.Gate{Enter: func(context.Context, op.Knock) (op.Entry, error) { return op.Entry{}, nil }},
		Known: policy.Known, Hit: db.Hit, Limits: op.Limits{StorefrontMax: 3},
		ErrorPage: embed.ErrorPage(func(c *fiber.Ctx, _ int, _ *fault.Error) error { return c.SendString("<!doctype html>") }),
	})
	srv.App().Get(assets.Prefix+"*", web.NewStatic(assets.Files()).Handler) // as hosted does
	w.pages, w.owners = w.Services.Schedule, w.Services.Business
	embed.Register(srv, embed.Options{Services: w.Services, Clock: w.Clock, BaseURL: base, Cache: w.cache})
	w.srv = srv
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ln) }()
	w.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			w.t.Errorf("shutdown: %v", err)
		}
		if err := <-done; err != nil {
			w.t.Errorf("serve: %v", err)
		}
	})
}

// answer is a response.
type answer struct {
	t      testing.TB
	path   string
	status int
	header http.Header
	body   string
}

var client = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16}}

// ask sends a request; headers are alternating names and values.
func (w *world) ask(method, path string, headers ...string) answer {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer{w.t, path, res.StatusCode, res.Header, string(body)}
}

// again requests a path of the studio's location as a returning browser would: it may be cached.
func (w *world) again(path string, headers ...string) answer {
	w.t.Helper()
	return w.ask(http.MethodGet, w.at(path), headers...)
}

// get requests it in the current state of the database: tests write rows without the verbs, so it drops the cache
// first.
func (w *world) get(path string, headers ...string) answer {
	w.t.Helper()
	w.cache.Forget(uuid.Nil)
	return w.again(path, headers...)
}

func (w *world) at(path string) string { return "/embed/v1/" + w.Location.Slug + "/" + path }

// want checks the status, and that the body holds these texts; it returns the answer for more.
func (a answer) want(status int, texts ...string) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: %d, want %d: %s", a.path, a.status, status, a.body)
	}
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			a.t.Errorf("%s lacks %q:\n%s", a.path, text, a.body)
		}
	}
	return a
}

func (a answer) lacks(texts ...string) answer {
	a.t.Helper()
	for _, text := range texts {
		if strings.Contains(a.body, text) {
			a.t.Errorf("%s has %q:\n%s", a.path, text, a.body)
		}
	}
	return a
}

// headers checks headers, given by turns as name and value; an empty value means that it is absent.
func (a answer) headers(pairs ...string) answer {
	a.t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		if got := a.header.Get(pairs[i]); got != pairs[i+1] {
			a.t.Errorf("%s: %s is %q, want %q", a.path, pairs[i], got, pairs[i+1])
		}
	}
	return a
}

// class publishes a class; name decides its slug.
func (w *world) class(name string, changes ...func(*apptest.OfferingRow)) apptest.OfferingRow {
	w.t.Helper()
	return w.AddOffering(w.t, append([]func(*apptest.OfferingRow){func(o *apptest.OfferingRow) {
		o.Name, o.Slug = name, tenancy.Slugify(name, "x")
	}}, changes...)...)
}

// slugged names a service.
func slugged(name string, changes ...func(*apptest.ServiceRow)) func(*apptest.ServiceRow) {
	return func(r *apptest.ServiceRow) {
		r.Name, r.Slug = name, tenancy.Slugify(name, "x")
		for _, change := range changes {
			change(r)
		}
	}
}

// date adds a date of a class with an id made of n: the goldens hold it.
func (w *world) date(of apptest.OfferingRow, at string, changes ...func(*apptest.OccurrenceRow)) apptest.OccurrenceRow {
	w.t.Helper()
	start := instant(w.t, at)
	return w.AddOccurrence(w.t, of, start, append([]func(*apptest.OccurrenceRow){func(o *apptest.OccurrenceRow) {
		o.ID = uuid.NewSHA1(uuid.Nil, []byte(of.Slug+at))
	}}, changes...)...)
}

// taken fills n seats of a date.
func taken(n int) func(*apptest.OccurrenceRow) {
	return func(o *apptest.OccurrenceRow) { o.Taken, o.TakenOnline = n, n }
}

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// describe writes a description.
func (w *world) describe(offering uuid.UUID, text string) {
	w.t.Helper()
	w.SQL(w.t, "update offerings set description = $2 where id = $1", offering, text)
}
