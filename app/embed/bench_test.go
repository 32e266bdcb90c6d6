package embed_test

import (
	"testing"
	"time"

	"github.com/valyala/fasthttp"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/embed"
)

// BenchmarkKept is a fragment that is kept, from the request to the answer, without the network.
func BenchmarkKept(b *testing.B) {
	w := open(b)
	crowd(w)
	for _, encoding := range []string{"identity", "gzip", "br"} {
		b.Run(encoding, func(b *testing.B) {
			serve := w.srv.Handler()
			var rc fasthttp.RequestCtx
			rc.Request.Header.SetMethod("GET")
			rc.Request.SetRequestURI(w.at("schedule"))
			rc.Request.Header.Set("Accept-Encoding", encoding)
			b.ReportAllocs()
			for b.Loop() {
				rc.Response.Reset()
				serve(&rc)
			}
			if rc.Response.StatusCode() != 200 || len(rc.Response.Body()) < 1000 {
				b.Fatalf("%d, %d bytes", rc.Response.StatusCode(), len(rc.Response.Body()))
			}
		})
	}
}

// BenchmarkRender is a schedule of 84 rows from the domain's answer to its bytes.
func BenchmarkRender(b *testing.B) {
	w := open(b)
	crowd(w)
	t, err := w.pages.Schedule(b.Context(), w.Business.ID, w.Location.ID, civil.Date{}, 0)
	if err != nil {
		b.Fatal(err)
	}
	site := business.Site{Slug: w.Location.Slug, Styled: true, Address: business.Address{Country: "US"}}
	b.ReportAllocs()
	for b.Loop() {
		body, err := embed.RenderSchedule(b.Context(), base+"/harbour", site, t)
		if err != nil || len(body) < 20_000 {
			b.Fatalf("%d bytes, %v", len(body), err)
		}
	}
}

// BenchmarkRefill is a schedule of 84 rows from the database: one trip, rendering, and the compressed copies.
func BenchmarkRefill(b *testing.B) {
	w := open(b)
	crowd(w)
	for b.Loop() {
		w.cache.Forget(w.Business.ID)
		w.again("schedule").want(200)
	}
}

// crowd is a timetable of fourteen days with six classes each.
func crowd(w *world) {
	ana := w.AddInstructor(w.t, "Ana Ruiz").ID
	for _, name := range []string{"Sunrise Vinyasa", "Slow Burn", "Handstands", "Yin & Sound", "Mat Pilates", "Stillness"} {
		flow := w.class(name)
		for day := range 14 {
			at := apptest.Start.Add(time.Duration(day)*24*time.Hour + time.Duration(len(name))*15*time.Minute)
			w.date(flow, at.Format(time.RFC3339), func(o *apptest.OccurrenceRow) { o.Member = &ana; o.Taken, o.TakenOnline = min(day, 12), min(day, 12) })
		}
	}
}
