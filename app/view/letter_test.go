package view_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest/browser"
	"foyer/app/view"
)

func writer() view.From {
	return view.From{Words: harbour().Words, Studio: "Harbour Yoga", Accent: "#0b7285", Foot: "12 Quay Street, Lisbon"}
}

func letters() map[string]view.Letter {
	booked := view.Booked{Receipt: view.Receipt{Order: *anOrder(), Number: "HY-20482", PaidWith: "Visa ending 4242", Due: "Due at the studio: $5.00", Address: "12 Quay Street, Lisbon"},
		Link: "https://book.example.com/receipt/abc", Change: "https://book.example.com/my/bookings/1",
		Add: []view.CalendarEntry{{Name: "Sunrise Vinyasa", Start: at(20, 6, 30), Google: "https://calendar.google.com/x", Outlook: "https://outlook.live.com/x"}}}
	booked.Map = "https://www.openstreetmap.org/search?query=x"
	booked.Order.Lines[0].Terms = []string{"Free cancellation until Thu 19 Nov, 18:30; after that you lose $23.81."}
	return map[string]view.Letter{
		"code":   view.CodeLetter(view.From{Words: harbour().Words}, "482913", 10*time.Minute),
		"booked": view.BookedLetter(writer(), booked),
		"refund": view.RefundLetter(writer(), view.Refunded{Amount: usd(2381), For: "Sunrise Vinyasa, Fri 20 Nov, 6:30", To: "Visa ending 4242",
			Why: "Ana is ill and the class is off. We are sorry.", Receipt: "https://book.example.com/receipt/abc"}),
		"reminder": view.NoticeLetter(writer(), view.Notice{
			Title: "See you tomorrow", Line: booked.Order.Lines[0], Button: "Reschedule or cancel", Link: "https://book.example.com/my/bookings/1",
			Map: "https://www.openstreetmap.org/search?query=x",
		}),
		"gift-card": giftCardLetter(),
		"joined":    view.JoinedLetter(writer(), "Ana <Ruiz>", "https://book.example.com/my/sign-in"),
	}
}

var (
	tags   = regexp.MustCompile(`(?s)<style.*?</style>|<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
)

// A letter's plain text has the same contents as its HTML, and it never loads anything.
func TestLettersSayTheSameInBothForms(t *testing.T) {
	t.Parallel()
	for name, l := range letters() {
		shown := spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(l.HTML, " ")), " ")
		plain := spaces.ReplaceAllString(l.Text, " ")
		for _, want := range map[string][]string{
			"code":     {"482913", "10 minutes", "Foyer"},
			"booked":   {"Sunrise Vinyasa", "Friday 20 November, 6:30 to 7:30", "Studio A", "Sales tax 8.25%", "$23.81", "Visa ending 4242", "HY-20482", "after that you lose $23.81", "Harbour Yoga", "Due at the studio: $5.00", "Reschedule or cancel", "Directions", "Add to Google Calendar", "Add to Outlook"},
			"reminder": {"See you tomorrow", "after that you lose $23.81", "Reschedule or cancel", "Directions"},
			"refund":   {"Your refund of $23.81 is on its way", "Visa ending 4242", "Ana is ill"},
			"joined":   {"added you to its team as Ana <Ruiz>", "This address is your login"},
		}[name] {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: the HTML lacks %q", name, want)
			}
			if !strings.Contains(plain, want) {
				t.Errorf("%s: the text lacks %q:\n%s", name, want, l.Text)
			}
		}
		for _, loads := range []string{"<img", "src=", "url(", "@import", "<script", "<Ruiz>"} {
			if strings.Contains(l.HTML, loads) {
				t.Errorf("%s has %q", name, loads)
			}
		}
		for _, link := range regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(l.HTML, -1) {
			if !strings.Contains(l.Text, link[1]) {
				t.Errorf("%s: the text lacks the link %s", name, link[1])
			}
		}
		if l.Subject == "" || strings.ContainsAny(l.Subject, "\r\n") || len(l.HTML) > 20<<10 {
			t.Errorf("%s: subject %q, %d bytes", name, l.Subject, len(l.HTML))
		}
	}
}

func TestLettersAreReadableInBothSchemes(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := browser.New(t, browser.Options{Width: 600, Height: 800})
	for name := range letters() {
		for _, dark := range []bool{false, true} {
			p.Scheme(dark)
			p.Goto(s.url + "/letter/" + name)
			p.Axe(t, "region", "landmark-one-main")
			picture(p, "letter-"+name, 600, dark)
		}
	}
}

// A letter has the studio's accent, made readable, on its head and its first button; our own letters have none.
func TestLettersWearTheAccent(t *testing.T) {
	t.Parallel()
	for accent, want := range map[string]string{"#0b7285": "#0b7285", "#fff200": view.AccentOf("#fff200").Light.Fill, "": view.DefaultAccent} {
		f := writer()
		f.Accent = accent
		html := view.NoticeLetter(f, view.Notice{Title: "x", Button: "Reschedule or cancel", Link: "https://book.example.com/my", Map: "https://map.example"}).HTML
		if n := strings.Count(html, "background:"+want); n != 2 {
			t.Errorf("%q: %d times %s", accent, n, want)
		}
		if first, second := strings.Index(html, ">Reschedule or cancel<"), strings.Index(html, ">Directions<"); first < 0 || second < first {
			t.Errorf("%q: the buttons stand at %d and %d", accent, first, second)
		}
	}
	if html := letters()["code"].HTML; strings.Contains(html, view.DefaultAccent) {
		t.Error("the house's letter wears a studio's head")
	}
}
