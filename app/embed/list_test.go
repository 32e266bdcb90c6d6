package embed_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/apptest"
)

// listed are the names in a list, in their order.
func listed(t testing.TB, a answer) []string {
	t.Helper()
	return names(hooked(parse(t, a.want(200).body), "name"))
}

// E14, E15, E16, E32, E34, E35, E36, E37, E38, E39, E94: every published listing of a kind, with its details.
func TestE36_Lists(t *testing.T) {
	t.Parallel()
	w := open(t)
	catalogue(w)
	for path, want := range map[string][]string{
		"classes": {
			"Handstands [duration:60 min price:$22]",
			"Sunrise Vinyasa [next:Next: Fri, Jun 19, 9:30 am duration:60 min price:$22] A calm, strong start",
		},
		"appointments": {"Deep tissue massage [next:Next: Tomorrow 10:00 am duration:60 to 90 min price:from $60] For tired shoulders."},
		"rentals": {
			"Sauna [next:Next: Friday 5:00 pm duration:60 min price:$30 mode:per person]",
			"The Loft [next:Next: Sunday 9:00 am duration:3 h price:$30 mode:whole space]",
		},
	} {
		root := parse(t, w.get(path).want(200).body)
		list := hooked(root, "list")[0]
		if kind := attr(list, "data-pf-kind"); kind != strings.TrimSuffix(strings.TrimSuffix(path, "s"), "e") {
			t.Errorf("%s: kind %s", path, kind)
		}
		if items := hooked(list, "items"); len(items) != 1 || items[0].Data != "ul" || items[0].Parent != list {
			t.Errorf("%s: %d lists", path, len(items))
		}
		var got []string
		for _, item := range hooked(list, "item") {
			name := hooked(item, "name")[0]
			link := hooked(name, "link")[0]
			if item.Data != "li" || name.Data != "h3" || !strings.HasPrefix(attr(link, "href"), base+"/harbour/") || strings.Contains(attr(link, "href"), "?") {
				t.Errorf("%s: %s leads to %s", path, text(name), attr(link, "href"))
			}
			line := text(name)
			for _, meta := range hooked(item, "meta") {
				var spans []string
				for c := range meta.ChildNodes() {
					if c.Data == "span" {
						spans = append(spans, attr(c, "data-pf")+":"+strings.ReplaceAll(text(c), "\u00a0", " "))
					}
				}
				line += fmt.Sprint(" ", spans)
			}
			if d := hooked(item, "description"); len(d) == 1 {
				said, _, _ := strings.Cut(text(d[0]), " to the day.")
				line += " " + said
			}
			got = append(got, line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// E14: unpublished listings, other kinds and other locations are not listed.
func TestE14_OnlyWhatIsPublished(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.class("Shown")
	w.class("Draft", func(o *apptest.OfferingRow) { o.State = "draft" })
	w.class("Archived", func(o *apptest.OfferingRow) { o.State = "archived" })
	next := w.AddLocation(t, "Next Door")
	w.class("Elsewhere", func(o *apptest.OfferingRow) { o.Location = next.ID })
	other := w.World.Studio(t)
	other.AddOffering(t)
	if got := listed(t, w.get("classes")); !slices.Equal(got, []string{"Shown"}) {
		t.Errorf("%q", got)
	}
	for _, path := range []string{"appointments", "rentals"} {
		root := parse(t, w.get(path).want(200).body) // E40
		if len(hooked(root, "empty")) != 1 || hooked(root, "empty")[0].Data != "p" || len(hooked(root, "items")) != 0 {
			t.Errorf("%s is not empty", path)
		}
	}
}

// E17, E18, E19, E20, E33, E95, E153: a group is a heading, however it is written, with whatever kind stands under it.
func TestE20_Groups(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.AddHours(t)
	w.class("Vinyasa", func(o *apptest.OfferingRow) { o.Position = 5 })
	w.class("Handstands", func(o *apptest.OfferingRow) { o.Heading, o.Position = "Workshops", 4 })
	w.AddRental(t, nil, slugged("Studio day", func(r *apptest.ServiceRow) { r.Heading, r.Position = " workshop", 3 }))
	w.AddAppointment(t, nil, slugged("Reading", func(r *apptest.ServiceRow) { r.Heading, r.Position = "Straße", 2 }))
	w.class("Birthday", func(o *apptest.OfferingRow) { o.Heading, o.Position = "Parties", 1 })
	w.class("Übung", func(o *apptest.OfferingRow) { o.Heading, o.Position = "ÜBUNGEN", 0 })
	w.SQL(t, "update businesses set class_word = 'Yoga classes'")
	for group, want := range map[string]string{
		"":              "Übung Birthday Reading Studio day Handstands Vinyasa",
		"Workshop":      "Studio day Handstands",
		"workshops":     "Studio day Handstands",
		"  WORKSHOPS ":  "Studio day Handstands",
		"yoga class":    "Vinyasa",
		"YOGA CLASSES":  "Vinyasa",
		"party":         "Birthday",
		"PARTIES":       "Birthday",
		"strasse":       "Reading",
		"STRASSE":       "Reading",
		"U\u0308bungen": "Übung",
		"classes":       "", // the studio has another word
		"Rentals":       "", // its one rental stands under a heading of its own
		"appointments":  "", "%": "", "_": "", "workshop,party": "", "\x00": "", "\xff\xfe": "", strings.Repeat("workshop ", 30): "",
	} {
		a := w.get("listings?group=" + url.QueryEscape(group))
		if got := strings.Join(listed(t, a), " "); got != want {
			t.Errorf("group %q: %q, want %q", group, got, want)
		}
		if a.lacks("class="); !strings.Contains(a.body, `data-pf-kind="group"`) || (want == "") != strings.Contains(a.body, `<p data-pf="empty">`) {
			t.Errorf("group %q: %s", group, a.body)
		}
	}
	if a, b := w.get("listings"), w.get("listings?group="); a.body != b.body {
		t.Error("no group and an empty one differ")
	}
	// Other letters, other spaces and other parameters are no reason to keep another copy.
	w.cache.Forget(w.Business.ID)
	for _, same := range []string{"group=Workshop", "group=WORKSHOP", "group=+workshop", "group=workshop&utm=1", "x=y&group=workshop"} {
		w.again("listings?" + same).want(200)
	}
	if n := w.cache.Len(); n != 1 {
		t.Errorf("%d copies of one group", n)
	}
}

// E38: a description is a line or two of plain text.
func TestE38_Descriptions(t *testing.T) {
	t.Parallel()
	w := open(t)
	o := w.class("Flow")
	for kept, want := range map[string]string{
		"":                               "",
		" \n\t ":                         "",
		"Calm.":                          "Calm.",
		"One.\r\n\r\nTwo.\tThree.":       "One. Two. Three.",
		"<b>Bold</b> & *loud*":           "<b>Bold</b> & *loud*",
		strings.Repeat("abcdefghi ", 16): strings.TrimSpace(strings.Repeat("abcdefghi ", 16)),       // 159
		strings.Repeat("abcdefghi ", 17): strings.TrimSpace(strings.Repeat("abcdefghi ", 16)) + "…", // cut on a word
		strings.Repeat("é", 160):         strings.Repeat("é", 160),
		strings.Repeat("é", 161):         strings.Repeat("é", 159) + "…",
		strings.Repeat("e\u0301", 81):    strings.Repeat("e\u0301", 79) + "…", // an accent stays with its letter
	} {
		w.describe(o.ID, kept)
		got := strings.Join(names(hooked(parse(t, w.get("classes").want(200).body), "description")), "|")
		if got != want || utf8.RuneCountInString(got) > 160 {
			t.Errorf("%q: %q, want %q", kept, got, want)
		}
	}
}

// A list is three trips at most, however long it is, and none is left out.
func TestTripsOfALongList(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.AddHours(t)
	space := w.AddSpace(t, "Room")
	for i := range 20 {
		o := w.class(fmt.Sprintf("Class %02d", i))
		w.date(o, apptest.Start.Add(time.Duration(i+1)*time.Hour).Format(time.RFC3339))
		w.AddRental(t, []uuid.UUID{space.ID}, slugged(fmt.Sprintf("Room %02d", i)))
	}
	w.again("classes").want(200)
	for path, most := range map[string]int{"classes": 2, "rentals": 2, "listings": 3} {
		w.cache.Forget(w.Business.ID)
		if n := w.Statements(func() { w.again(path).want(200) }); n > most {
			t.Errorf("%s: %d trips", path, n)
		}
	}
	w.SQL(t, `insert into offerings (id, business_id, location_id, kind, slug, name, state, duration_minutes, price_amount, capacity,
			online_capacity, position, created_at, updated_at)
		select gen_random_uuid(), $1, $2, 'class', 'more-' || n, 'More', 'published', 60, 100, 1, 1, 1, $3, $3 from generate_series(1, 450) n`,
		w.Business.ID, w.Location.ID, w.Clock.Now())
	if n := len(listed(t, w.get("classes"))); n != 470 {
		t.Errorf("%d of 470 classes", n)
	}
}
