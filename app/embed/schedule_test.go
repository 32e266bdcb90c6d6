package embed_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/words"
)

// told is the text of a fragment: a line for each day, with the text of its rows under these hooks.
func told(t testing.TB, body string, hooks ...string) []string {
	t.Helper()
	var out []string
	for _, day := range hooked(parse(t, body), "day") {
		line := text(hooked(day, "day-name")[0]) + ":"
		for _, item := range hooked(day, "item") {
			for _, hook := range hooks {
				line += " " + text(hooked(item, hook)[0])
			}
			line += ","
		}
		out = append(out, strings.TrimSuffix(line, ","))
	}
	return out
}

func names(list []*html.Node) []string {
	var out []string
	for _, n := range list {
		out = append(out, text(n))
	}
	return out
}

// children are the elements right below n, by their hooks.
func children(n *html.Node) []string {
	var out []string
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			out = append(out, c.Data+"/"+attr(c, "data-pf"))
		}
	}
	return out
}

// E13, E41, E42, E43, E44, E45, E46, E47, E93: a row books its date, and matches the page.
func TestE45_Schedule(t *testing.T) {
	t.Parallel()
	w := open(t)
	week(w)
	body := w.get("schedule").want(200).body
	got := told(t, body, "time", "link", "duration", "instructor", "price", "spots", "label")
	want := []string{
		"Today: 8:40\u00a0am Sunrise Vinyasa 60 min Ana Ruiz $22 Full Waitlist, 6:00\u00a0pm Sunrise Vinyasa 60 min Ana Ruiz $22 3 spots left Book," +
			" 11:59\u00a0pm Stillness 45 min  Free  Book",
		"Tomorrow: 9:30\u00a0am Sunrise Vinyasa 60 min Ana Ruiz $22 Full Waitlist",
		"Saturday, June 13: 10:00\u00a0am Beginners 60 min  $22  Full", // its offering has no waitlist
		"Tuesday, June 23: 11:00\u00a0pm Sunrise Vinyasa 60 min Ana Ruiz $22  Book",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	root := parse(t, body)
	for i, date := range []string{"2026-06-10", "2026-06-11", "2026-06-13", "2026-06-23"} {
		head := hooked(hooked(root, "day")[i], "day-name")[0]
		if tm := head.FirstChild; head.Data != "h3" || tm.Data != "time" || attr(tm, "datetime") != date {
			t.Errorf("the head of day %d: %v", i, head)
		}
	}
	for _, item := range hooked(root, "item") {
		seven := []string{"time/time", "a/link", "span/duration", "span/instructor", "span/price", "span/spots", "a/book"}
		if got := children(item); item.Data != "li" || !slices.Equal(got, seven) { // E152
			t.Errorf("a row has %q", got)
		}
		book, label := hooked(item, "book")[0], hooked(item, "label")[0]
		if label.Parent != book || !strings.Contains(attr(book, "href"), "?time=") || !strings.HasPrefix(attr(book, "aria-label"), text(label)) {
			t.Errorf("book is %v", book.Attr)
		}
		if full := text(label) != "Book"; has(item, "data-pf-full") != full {
			t.Errorf("full is %v where the link reads %s", !full, text(label))
		}
	}
	first := hooked(root, "item")[0]
	if at := attr(hooked(first, "time")[0], "datetime"); at != "2026-06-10T12:40:00Z" {
		t.Errorf("the first row is at %s", at)
	}
	id := uuid.NewSHA1(uuid.Nil, []byte("sunrise-vinyasa2026-06-10T12:40:00Z"))
	if to := attr(hooked(first, "book")[0], "href"); to != base+"/harbour/sunrise-vinyasa?time="+id.String() {
		t.Errorf("the first row leads to %s", to)
	}
	if to := attr(hooked(first, "link")[0], "href"); to != base+"/harbour/sunrise-vinyasa" {
		t.Errorf("its name leads to %s", to)
	}
}

// E47: the action of a full date. It reads Waitlist unless there is no waitlist at all.
func TestE47_FullDates(t *testing.T) {
	t.Parallel()
	w := open(t)
	flow := w.class("Flow")
	label := func() string { return text(hooked(parse(t, w.get("schedule").want(200).body), "label")[0]) }
	w.date(flow, "2026-06-11T13:00:00Z", taken(12))
	if got := label(); got != "Waitlist" {
		t.Errorf("full: %s", got)
	}
	for _, c := range []struct {
		name, sql, want string
		args            []any
	}{
		{"the list is closed so short before", "update occurrences set starts_at = $1, ends_at = $1::timestamptz + interval '1 hour'", "Waitlist", []any{apptest.Start.Add(20 * time.Minute)}},
		{"its seats are sold otherwise", "update occurrences set online_capacity = 0, taken = 0, taken_online = 0", "Full", nil},
		{"fewer are sold online", "update occurrences set online_capacity = 5, taken = 5, taken_online = 5", "Waitlist", nil},
		{"as a course", "update offerings set enrolment = 'series'", "Details", nil}, // all its dates are booked at once
		{"no list", "update offerings set enrolment = 'date', policy_id = $1", "Full",
			[]any{w.AddPolicy(t, func(r *catalog.Rules) { r.Waitlist.Mode = catalog.WaitlistOff })}},
	} {
		w.SQL(t, c.sql, c.args...)
		if got := label(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	w.Pause(t)
	if got := label(); got != "Details" {
		t.Errorf("Details wins: %s", got)
	}
}

// E48, E153: a studio that takes no bookings now has Details links, without a time, also where a date is full.
func TestE48_Paused(t *testing.T) {
	t.Parallel()
	w := open(t)
	paused(week)(w)
	root := parse(t, w.get("schedule").want(200).body)
	for _, book := range hooked(root, "book") {
		if text(book) != "Details" || strings.Contains(attr(book, "href"), "?") {
			t.Errorf("%s leads to %s", text(book), attr(book, "href"))
		}
	}
	if n := len(hooked(root, "item")); n != 6 {
		t.Errorf("%d rows", n)
	}
}

// E49, E50: fourteen days of the location's own calendar, today among them; dates that have begun are gone.
func TestE49_Window(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone, now string
		dates     []string // instants of a class
		want      []string
	}{
		{"America/New_York", "2026-06-10T12:00:00Z", []string{"2026-06-10T12:00:00Z", "2026-06-10T12:01:00Z", "2026-06-24T03:59:00Z", "2026-06-24T04:00:00Z"},
			[]string{"Today: 8:01 am", "Tuesday, June 23: 11:59 pm"}},
		{"Pacific/Auckland", "2026-06-10T12:00:00Z", []string{"2026-06-11T11:59:00Z", "2026-06-11T12:00:00Z", "2026-06-24T11:59:00Z", "2026-06-24T12:00:00Z"},
			[]string{"Today: 11:59 pm", "Tomorrow: 12:00 am", "Wednesday, June 24: 11:59 pm"}},
		// Clocks go forward on 8 March at two: the day has 23 hours, and nothing falls out of it.
		{"America/New_York", "2026-03-07T15:00:00Z", []string{"2026-03-08T06:30:00Z", "2026-03-08T07:00:00Z", "2026-03-09T03:59:00Z", "2026-03-09T04:00:00Z", "2026-03-21T03:59:00Z", "2026-03-21T04:00:00Z"},
			[]string{"Tomorrow: 1:30 am, 3:00 am, 11:59 pm", "Monday, March 9: 12:00 am", "Friday, March 20: 11:59 pm"}},
		// Clocks go back on 1 November at two: half past one comes twice, and the day has 25 hours.
		{"America/New_York", "2026-10-31T15:00:00Z", []string{"2026-11-01T03:59:00Z", "2026-11-01T04:00:00Z", "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-02T04:59:00Z", "2026-11-02T05:00:00Z", "2026-11-14T04:59:00Z", "2026-11-14T05:00:00Z"},
			[]string{"Today: 11:59 pm", "Tomorrow: 12:00 am, 1:30 am, 1:30 am, 11:59 pm", "Monday, November 2: 12:00 am", "Friday, November 13: 11:59 pm"}},
	} {
		w := open(t, func(p *apptest.StudioPlan) { p.Zone = c.zone })
		w.Clock.Set(instant(t, c.now))
		flow := w.class("Flow")
		for _, at := range c.dates {
			w.date(flow, at)
		}
		var got []string
		for _, line := range told(t, w.get("schedule").want(200).body, "time") {
			day, times, _ := strings.Cut(strings.ReplaceAll(line, "\u00a0", " "), ": ")
			got = append(got, day+": "+strings.Join(strings.Split(times, ", "), ", "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s at %s: %q, want %q", c.zone, c.now, got, c.want)
		}
	}
}

// E49, E105: at midnight of the location, to the second, today is another day; so it is when a class begins. E50.
func TestE49_Midnight(t *testing.T) {
	t.Parallel()
	w := open(t)
	flow := w.class("Flow")
	w.date(flow, "2026-06-11T03:59:00Z")
	w.date(flow, "2026-06-11T04:00:00Z")
	w.date(flow, "2026-06-25T03:59:00Z")
	for _, c := range []struct{ now, want string }{
		{"2026-06-11T03:58:59.999999Z", "[Today:11:59pm Tomorrow:12:00am]"},
		{"2026-06-11T03:59:00Z", "[Tomorrow:12:00am]"},
		{"2026-06-11T03:59:59.999999Z", "[Tomorrow:12:00am]"},
		{"2026-06-11T04:00:00Z", "[Wednesday,June 24:11:59pm]"}, // the other one begins now
		{"2026-06-24T04:00:00Z", "[Today:11:59pm]"},
		{"2026-06-25T03:59:00Z", "[]"},
	} {
		w.Clock.Set(instant(t, c.now))
		got := strings.NewReplacer("\u00a0", "", ", ", ",", ": ", ":").Replace(fmt.Sprint(told(t, w.again("schedule").want(200).body, "time")))
		if got != c.want {
			t.Errorf("at %s: %s, want %s", c.now, got, c.want)
		}
	}
	w.again("schedule").want(200, `<p data-pf="empty">`).lacks(`"day"`)
}

// E44, E29: words, order of the day and of the date, and money are the place's.
func TestE29_Words(t *testing.T) {
	t.Parallel()
	w := open(t, func(p *apptest.StudioPlan) {
		p.Zone, p.Currency = "Europe/Berlin", "EUR"
		p.Location.Address.Country = "DE"
	})
	flow := w.class("Bewegung & Ruhe", func(o *apptest.OfferingRow) { o.Minutes = 150 })
	w.date(flow, "2026-06-12T16:30:00Z", taken(11))
	got := told(t, w.get("schedule").want(200).body, "time", "link", "duration", "price", "spots")
	if len(got) != 1 || got[0] != "Friday 12 June: 18:30 Bewegung & Ruhe 2 h 30 min 22\u00a0€ 1 spot left" {
		t.Errorf("%q", got)
	}
}

// E29, E44: a fragment is in the language of its location, and declares it; the action of a link stays readable in
// its markup.
func TestE29_Language(t *testing.T) {
	t.Parallel()
	w := open(t, func(p *apptest.StudioPlan) {
		p.Zone, p.Currency = "Europe/Berlin", "EUR"
		p.Location.Address.Country = "DE"
	})
	german := "de"
	if _, err := w.owners.UpdateLocation(t.Context(), w.Owner, business.UpdateLocationInput{LocationID: w.Location.ID, Version: w.Location.Version, Language: &german}); err != nil {
		t.Fatal(err)
	}
	flow := w.class("瑜伽")
	w.date(flow, "2026-06-12T16:30:00Z", taken(11))
	l := words.In("de-DE")
	w.again("schedule").want(200, `lang="de"`, `<time datetime="2026-06-12">Freitag, 12. Juni</time>`, `dir="auto">瑜伽<`, l.C("action", "Book"), l.N(1, "{n} spot left", "{n} spots left"))
	w.again("classes").want(200, `lang="de"`, l.T("Next: {day} {time}", "day", "Freitag", "time", "18:30"))
	w.again("times/"+flow.Slug).want(200, `lang="de"`, `<time datetime="2026-06-12">Freitag, 12. Juni</time>`, l.C("button", "Show"))
	w.again("listings?group="+url.QueryEscape(l.T("Classes"))).want(200, "瑜伽")
	w.date(flow, "2026-06-10T16:30:00Z")
	w.date(flow, "2026-06-11T16:30:00Z")
	w.get("schedule").want(200, `<time datetime="2026-06-10">Heute</time>`, `<time datetime="2026-06-11">Morgen</time>`)
}

// A refill is two trips for a location new to the process, one from then on, however many rows there are; a cached
// answer is none.
func TestTripsOfASchedule(t *testing.T) {
	t.Parallel()
	w := open(t)
	flow := w.class("Flow")
	trips := func() int { return w.Statements(func() { w.again("schedule").want(200) }) }
	if n := trips(); n != 2 {
		t.Errorf("%d trips for the first", n)
	}
	for i := range 60 {
		w.date(flow, apptest.Start.Add(time.Duration(i+1)*time.Hour).Format(time.RFC3339))
	}
	w.cache.Forget(w.Business.ID)
	if n := trips(); n != 1 {
		t.Errorf("%d trips for sixty rows", n)
	}
	if n := trips(); n != 0 {
		t.Errorf("%d trips for what is kept", n)
	}
}

// E48: if payment is impossible, a date with a price reads Details and its links carry no time, also in svc-times; a
// free one, and one payable at the studio, reads Book. A change of the account ends cached answers at once.
func TestE48_NoWayToPay(t *testing.T) {
	t.Parallel()
	w := live(t)
	paid, free := w.class("Sunrise Vinyasa"), w.class("Open House", func(o *apptest.OfferingRow) { o.Price = new(int64) })
	w.date(paid, "2026-06-11T13:00:00Z")
	w.date(paid, "2026-06-11T15:00:00Z", taken(paid.Capacity))
	w.date(free, "2026-06-11T17:00:00Z")
	page := base + "/" + w.Location.Slug + "/"
	w.get("schedule").want(200, `Book Sunrise Vinyasa`, "Waitlist Sunrise Vinyasa", `Book Open House`)
	w.restrict("external_account")
	for _, path := range []string{"schedule", "times/sunrise-vinyasa"} {
		w.again(path).want(200, "Details", `href="`+page+`sunrise-vinyasa"`).lacks("sunrise-vinyasa?time=", "Waitlist")
	}
	w.again("schedule").want(200, "Book Open House", "open-house?time=")
	if body := w.again("schedule.jsonld").want(200).body; strings.Count(body, `"offers"`) != 1 {
		t.Errorf("offers: %s", body)
	}
	w.SetPolicy(t, w.AddPolicy(t, func(r *catalog.Rules) { r.PayAtStudio = true }))
	w.get("schedule").want(200, "Book Sunrise Vinyasa", "sunrise-vinyasa?time=")
	w.SetPolicy(t, w.AddPolicy(t))
	w.get("schedule").want(200, "Details Sunrise Vinyasa")
	w.restrict("")
	w.again("schedule").want(200, "Book Sunrise Vinyasa")
}

// restrict has the processor take the cards away, or give them back, and the product read it there.
func (w *world) restrict(why string) {
	w.t.Helper()
	change := w.Sim.Activate
	if why != "" {
		change = func(account string) error { return w.Sim.Restrict(account, why) }
	}
	if err := change(w.Account); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.Billing.Refresh(w.t.Context(), w.Owner); err != nil {
		w.t.Fatal(err)
	}
}
