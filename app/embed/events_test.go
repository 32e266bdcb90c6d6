package embed_test

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// E137: the schedule as schema.org events has an address of its own. The fragment holds nothing of it, whatever the
// parameters.
func TestE137_Events(t *testing.T) {
	t.Parallel()
	w := open(t)
	week(w)
	var g struct {
		Context string `json:"@context"`
		Graph   []struct {
			Type, Name, URL, StartDate, EndDate, EventStatus string
			Kind                                             string `json:"@type"`
			Location                                         struct {
				Name    string
				Address map[string]string
			}
			Organizer struct{ Name, URL string }
			Performer *struct{ Name string }
			Offers    *struct{ URL, Price, PriceCurrency, Availability string }
		} `json:"@graph"`
	}
	read := func() {
		t.Helper()
		g.Graph = nil
		if err := json.Unmarshal([]byte(w.get("schedule.jsonld").want(200).body), &g); err != nil {
			t.Fatal(err)
		}
	}
	read()
	root := parse(t, w.get("schedule").body)
	if g.Context != "https://schema.org" || len(g.Graph) != len(hooked(root, "item")) {
		t.Fatalf("%d events: %+v", len(g.Graph), g)
	}
	for i, book := range hooked(root, "book") {
		if e := g.Graph[i]; e.Kind != "Event" || e.URL != attr(book, "href") || e.Offers == nil || e.Offers.URL != e.URL || e.Location.Address["addressLocality"] != "Portland" {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	first, free := g.Graph[0], g.Graph[2]
	if first.StartDate != "2026-06-10T08:40:00-04:00" || first.EndDate != "2026-06-10T09:40:00-04:00" || first.Name != "Sunrise Vinyasa" ||
		first.Performer.Name != "Ana Ruiz" || first.Organizer.Name != "Harbour Yoga" || first.Offers.Price != "22.00" || first.Offers.PriceCurrency != "USD" ||
		!strings.HasSuffix(first.Offers.Availability, "/SoldOut") || first.Location.Name != "Harbour" {
		t.Errorf("%+v", first)
	}
	if free.Performer != nil || free.Offers.Price != "0.00" || !strings.HasSuffix(free.Offers.Availability, "/InStock") {
		t.Errorf("%+v", free)
	}
	plain := w.get("schedule").body
	if w.again("schedule?data=1").body != plain || strings.Contains(plain, "schema.org") {
		t.Error("the fragment holds data")
	}
	w.Pause(t)
	read()
	for _, e := range g.Graph {
		if e.Offers != nil || strings.Contains(e.URL, "?") {
			t.Errorf("paused: %+v", e)
		}
	}
	w.SQL(t, "delete from occurrences")
	w.get("schedule.jsonld").want(200, `"@graph":[]`)
}

// E29: text that wants to be markup stays text, in every field of every fragment and of the events.
func TestE29_HostileText(t *testing.T) {
	t.Parallel()
	w := open(t)
	hostile(w)
	for _, path := range []string{"schedule", "classes", "rentals", "listings", "listings?group=%3Cscript%3E", "times/hostile", "times/room",
		"walkins?book=%3Cscript%3E", "times/hostile?from=%3Cscript%3E&after=%22%3E"} {
		a := w.get(path)
		if path[:7] == "walkins" {
			a.want(204)
			continue
		}
		a.want(200).lacks("<script", "<img", "<!--", "\x01", "\x1f")
		each(parse(t, a.body), func(n *html.Node) {
			if n.Data == "script" || n.Data == "img" {
				t.Errorf("%s: an element %s", path, n.Data)
			}
			for _, x := range n.Attr {
				if strings.HasPrefix(x.Key, "on") || (x.Key == "href" || x.Key == "action") && !strings.HasPrefix(x.Val, base+"/") {
					t.Errorf("%s: %s=%q", path, x.Key, x.Val)
				}
			}
		})
	}
	name := hooked(parse(t, w.get("classes").body), "link")[0]
	if got := text(name); !strings.HasPrefix(got, `</a><script>alert(1)</script>"'&amp;<!-- `) || attr(name, "dir") != "auto" {
		t.Errorf("the name reads %q", got)
	}
	data := w.get("schedule.jsonld").want(200).lacks("<", ">", "&", "\u2028").body
	if !json.Valid([]byte(data)) {
		t.Error("the events are no JSON")
	}
}
