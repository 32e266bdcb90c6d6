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
	booked := view.Booked{Receipt: view.Receipt{Order: *order(), Number: "HY-20482", PaidWith: "Visa ending 4242", Address: "12 Quay Street, Lisbon"},
		Link: "https://book.example.com/receipt/abc", Mine: "https://book.example.com/my"}
	booked.Order.Lines[0].Terms = []string{"Until Thu 19 Nov, 18:30 free; after that you lose $23.81."}
	return map[string]view.Letter{
		"code":   view.CodeLetter(view.From{Words: harbour().Words}, "482913", 10*time.Minute),
		"booked": view.BookedLetter(writer(), booked),
		"refund": view.RefundLetter(writer(), view.Refunded{Amount: usd(2381), For: "Sunrise Vinyasa, Fri 20 Nov, 6:30", To: "Visa ending 4242",
			Why: "Ana is ill and the class is off. We are sorry.", Receipt: "https://book.example.com/receipt/abc"}),
		"joined": view.JoinedLetter(writer(), "Ana <Ruiz>", "https://book.example.com/my/sign-in"),
	}
}

var (
	tags   = regexp.MustCompile(`(?s)<style.*?</style>|<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
)

// What a letter says in HTML it says in plain text too, and it never loads anything from anywhere.
func TestLettersSayTheSameInBothForms(t *testing.T) {
	for name, l := range letters() {
		shown := spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(l.HTML, " ")), " ")
		plain := spaces.ReplaceAllString(l.Text, " ")
		for _, want := range map[string][]string{
			"code":   {"482913", "10 minutes", "Foyer"},
			"booked": {"Sunrise Vinyasa", "Friday 20 November, 6:30 to 7:30", "Studio A", "Sales tax 8.25%", "$23.81", "Visa ending 4242", "HY-20482", "after that you lose $23.81", "Harbour Yoga"},
			"refund": {"$23.81 is on its way back to you", "Visa ending 4242", "Ana is ill"},
			"joined": {"added you to its team as Ana <Ruiz>", "This address is your login"},
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
