package embedtest_test

import (
	"context"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/business"
	"foyer/app/embed"
	"foyer/app/fault"
	"foyer/app/hosted"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/policy"
)

// product is the service itself: Harbour Yoga on New York's clock, on Wednesday, 8:00 in the morning, with its
// booking pages and embeds.
type product struct {
	*apptest.World
	*apptest.Sales
	*origin // only its address: nothing is counted
	cache   *web.PageCache
}

func newProduct(t testing.TB) *product {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &product{World: apptest.Open(t), origin: &origin{t: t, URL: "http://" + ln.Addr().String()}}
	p.Sales, p.cache = p.World.Sales(t), web.NewPageCache(p.Clock, 8<<20)
	srv := web.New(web.Options{
		BaseURL: p.origin.URL, Build: "dev", Secret: apptest.Secret, Clock: p.Clock, Log: slog.New(slog.DiscardHandler),
		Gate:  op.Gate{Enter: func(context.Context, op.Knock) (op.Entry, error) { return op.Entry{}, nil }},
		Known: policy.Known, Hit: p.DB.Hit,
		ErrorPage: embed.ErrorPage(func(c *fiber.Ctx, _ int, _ *fault.Error) error { return c.SendString("<!doctype html>") }),
	})
	embed.Register(srv, embed.Options{Services: p.Services, Clock: p.Clock, BaseURL: p.origin.URL, Cache: p.cache})
	hosted.Register(srv, hosted.Options{Services: p.Services, Clock: p.Clock, BaseURL: p.origin.URL})
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ln) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return p
}

// written drops the cache after rows were written without the verbs.
func (p *product) written() { p.cache.Forget(uuid.Nil) }

// catalogue adds two classes with a month of dates, a massage, a sauna with walk-ins, and a room.
func (p *product) catalogue(t testing.TB) apptest.ServiceRow {
	t.Helper()
	p.AddHours(t, apptest.Daily(6*60, 21*60)...)
	for i, name := range []string{"Sunrise Vinyasa", "Handstands"} {
		class := p.AddOffering(t, func(o *apptest.OfferingRow) {
			o.Name, o.Slug, o.Position = name, tenancy.Slugify(name, "x"), i
			if i == 1 {
				o.Heading = "Workshops"
			}
		})
		for day := range 20 {
			for hour := range 2 {
				p.AddOccurrence(t, class, time.Date(2026, 6, 10+day, 14+i+4*hour, 0, 0, 0, time.UTC))
			}
		}
	}
	p.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Slug, o.State = "Not yet", "not-yet", "draft" })
	named := func(name string, position int, more ...func(*apptest.ServiceRow)) func(*apptest.ServiceRow) {
		return func(r *apptest.ServiceRow) {
			r.Name, r.Slug, r.Position = name, tenancy.Slugify(name, "x"), position
			for _, change := range more {
				change(r)
			}
		}
	}
	ana := p.AddMember(t, "Ana Ruiz", apptest.On(10*60, 18*60, time.Thursday, time.Friday)...)
	p.AddAppointment(t, []uuid.UUID{ana.ID}, named("Massage", 2))
	p.AddRental(t, []uuid.UUID{p.AddSpace(t, "Loft").ID}, named("The Loft", 4, func(r *apptest.ServiceRow) { r.Heading = "workshop" }))
	return p.AddRental(t, []uuid.UUID{p.AddSpace(t, "Sauna").ID}, named("Sauna", 3, func(r *apptest.ServiceRow) { r.SoldAs, r.Walkins = "person", true }))
}

// wear saves the location's own stylesheet.
func (p *product) wear(t testing.TB, css string) {
	t.Helper()
	if _, err := p.Services.Business.SaveStylesheet(t.Context(), p.Owner, business.SaveStylesheetInput{LocationID: p.Location.ID, CSS: css}); err != nil {
		t.Fatal(err)
	}
	p.written()
}

// visit opens a page of the studio's website.
func (p *product) visit(t testing.TB, page string) *visit {
	t.Helper()
	return website(t, p.origin, map[string]string{"/": page}).come(browser.Options{Width: 1000, Height: 800})
}
