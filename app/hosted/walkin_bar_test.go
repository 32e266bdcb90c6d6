package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/view"
)

// live requests the walk-ins bar as its snippet does, from a page of the studio.
func (v *visitor) live(path string) *page {
	v.t.Helper()
	v.headers.Set("Referer", "https://harbouryoga.com/")
	p := v.get(path + "?embed=live")
	v.headers.Del("Referer")
	for name, want := range map[string]string{"Content-Security-Policy": view.Policy(true, false), "Cache-Control": "private, max-age=15"} {
		if got := p.Header.Get(name); got != want {
			v.t.Errorf("%s: %s is %q", p.url, name, got)
		}
	}
	if len(p.Header.Values("Set-Cookie")) > 0 || strings.Contains(p.Body, "data-ticket") {
		v.t.Errorf("%s remembers somebody", p.url)
	}
	return p
}

// collapsed fails unless a bar has nothing in it, and so no height. E122.
func (p *page) collapsed() {
	p.v.t.Helper()
	if strings.Contains(p.Body, "<main") || !strings.Contains(p.Body, " data-frame") {
		p.v.t.Errorf("%s shows %q", p.url, p.text())
	}
}

// TestWalkinBar shows the walk-in status, with one link that leaves the frame for the booking page and keeps the link
// back; it collapses when walk-ins are off, paused or have no room, and for an unknown location. E122, E126.
func TestWalkinBar(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	v.live("/" + s.Location.Slug).want(200).collapsed() // no room takes walk-ins
	m, room := s.sauna(t, func(r *apptest.ServiceRow) { r.Walkins = true })
	s.SQL(t, "update spaces set capacity = 6 where id = $1", room.ID)
	v.live("/"+s.Location.Slug).want(200, "Closed", "Opens 9:00 am", "Book")
	s.Clock.Set(ten)
	bar := v.live("/"+s.Location.Slug).want(200, "Walk in now", "6 spots free", "open until")
	link := attributes(links.FindStringSubmatch(bar.Body)[1])
	if link["href"] != "/harbour?ref=https%3A%2F%2Fharbouryoga.com%2F" || link["target"] != "_blank" || link["rel"] != "noopener" {
		t.Errorf("the link is %v", link)
	}
	v.get(link["href"]).want(200, "Back to harbouryoga.com")
	again := v.get(attributes(strings.SplitN(strings.SplitN(bar.Body, "<body", 2)[1], ">", 2)[0])["data-live"]).want(200)
	if again.Body != bar.Body {
		t.Error("asked again, the bar has other bytes")
	}
	s.AddBusy(t, m, ten.Add(-30*time.Minute), func(b *apptest.BusyRow) { b.Seats = 6 })
	v.live("/"+s.Location.Slug).want(200, "Full", "No spots for walk-ins right now")

	s.SQL(t, "update locations set walkins_off = true")
	v.live("/" + s.Location.Slug).want(200).collapsed()
	s.SQL(t, "update locations set walkins_off = false, walkins_paused_until = $1", ten.Add(time.Hour))
	v.live("/" + s.Location.Slug).want(200).collapsed()
	s.SQL(t, "update locations set walkins_paused_until = null")
	v.live("/"+s.Location.Slug).want(200, "Full")
	v.live("/"+s.Business.Slug).want(200, "Full") // a business with one location
	s.Pause(t)
	v.live("/" + s.Location.Slug).want(200).collapsed()
	v.live("/nowhere").want(404).collapsed()
	if got := v.get("/Harbour?embed=live").want(301).Header.Get("Location"); got != "/harbour?embed=live" {
		t.Errorf("another spelling leads to %s", got)
	}
	if got := v.get("/harbour/sauna?embed=live").Header.Get("Content-Security-Policy"); got != view.Policy(false, false) {
		t.Errorf("another page may be framed: %s", got)
	}
}
