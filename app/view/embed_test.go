package view_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"foyer/app/catalog"
	"foyer/app/view"
)

// The texts of next times, and the days of a fragment. E43, E44.
func TestDaysInWords(t *testing.T) {
	t.Parallel()
	w := view.WordsAt("en", "US", time.UTC, time.Date(2026, 12, 30, 23, 0, 0, 0, time.UTC))
	for at, want := range map[string][3]string{ // as a heading, as a next time, as an end
		"2026-12-30T23:30:00Z": {"Today", "Next: Today 11:30 pm", "11:30 pm"},
		"2026-12-31T00:30:00Z": {"Tomorrow", "Next: Tomorrow 12:30 am", "Thu, Dec 31, 12:30 am"},
		"2027-01-01T09:00:00Z": {"Friday, January 1, 2027", "Next: Friday 9:00 am", "Fri, Jan 1, 2027, 9:00 am"},
		"2027-01-05T09:00:00Z": {"Tuesday, January 5, 2027", "Next: Tuesday 9:00 am", "Tue, Jan 5, 2027, 9:00 am"},
		"2027-01-06T09:00:00Z": {"Wednesday, January 6, 2027", "Next: Wed, Jan 6, 2027, 9:00 am", "Wed, Jan 6, 2027, 9:00 am"},
	} {
		moment, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		got := [3]string{w.DayTitle(moment), w.NextOn(moment), w.Soon(moment)}
		for i := range got {
			if got[i] = strings.ReplaceAll(got[i], "\u00a0", " "); got[i] != want[i] {
				t.Errorf("%s: %q, want %q", at, got[i], want[i])
			}
		}
	}
}

// E36, E37: the price and length of a listing, with one length and with several.
func TestCostsInWords(t *testing.T) {
	t.Parallel()
	w := view.WordsAt("en", "US", nil, time.Time{})
	per := func(minutes int, price int64) catalog.Duration {
		return catalog.Duration{Minutes: minutes, PriceAmount: price}
	}
	for _, c := range []struct {
		want string
		catalog.Listing
	}{
		{"60 min $22", catalog.Listing{Kind: catalog.Class, DurationMinutes: 60, PriceAmount: 2200}},
		{"60 min Free", catalog.Listing{Kind: catalog.Class, DurationMinutes: 60}},
		{"45 to 90 min from $30", catalog.Listing{Kind: catalog.Appointment, Durations: []catalog.Duration{per(90, 5000), per(45, 3000)}}},
		{"30 to 60 min from $0", catalog.Listing{Kind: catalog.Appointment, Durations: []catalog.Duration{per(30, 0), per(60, 1500)}}},
		{"60 min to 3 h $30", catalog.Listing{Kind: catalog.Rental, SoldAs: catalog.WholeSpace, Durations: []catalog.Duration{per(60, 3000), per(180, 3000)}}},
		{"60 min $15 each", catalog.Listing{Kind: catalog.Rental, SoldAs: catalog.PerPerson, DurationMinutes: 60, PriceAmount: 1500}},
		{"60 min Free", catalog.Listing{Kind: catalog.Rental, SoldAs: catalog.PerPerson, DurationMinutes: 60}},
	} {
		c.Currency = "USD"
		if got := w.LengthsOf(c.Listing) + " " + w.PriceOf(c.Listing); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		item := view.EmbedItemOf(w, c.Listing)
		if strings.Contains(item.Price, "each") || (item.Mode != "") != (c.Kind == catalog.Rental) {
			t.Errorf("%q %q", item.Price, item.Mode)
		}
	}
}

// E38: a teaser is never longer than it may be, is one line, and begins like its text.
func TestTeaser(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "",
		"Short.":                               "Short.",
		"one two three four":                   "one two…",
		"one two, three four":                  "one two…",
		"exactly ten":                          "exactly…",
		"ten chars.":                           "ten chars.",
		"Donaudampfschifffahrt":                "Donaudamp…",
		"a\u0301b\u0301c\u0301d\u0301e\u0301f": "a\u0301b\u0301c\u0301d\u0301…",
		"👩‍🚀👩‍🚀👩‍🚀👩‍🚀":        "👩‍🚀👩‍🚀👩‍🚀…",
		"line\nbreak\x00\x07": "line break",
	} {
		if got := view.Teaser(text, 10); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, most := rapid.String().Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "most")
		got := view.Teaser(text, most)
		if utf8.RuneCountInString(got) > most || strings.ContainsAny(got, "\n\r\t\x00") || strings.Contains(got, "  ") || got != strings.TrimSpace(got) {
			t.Fatalf("%q", got)
		}
	})
}

// E39: of an item with nothing but a name, the whole meta and the description are left out; an empty span is left out
// alone.
func TestE39_NothingToSay(t *testing.T) {
	t.Parallel()
	render := func(it view.EmbedItem) string {
		t.Helper()
		it.Name, it.Page = "Handstands", "https://book.example/harbour/handstands"
		var b strings.Builder
		if err := view.EmbedListFragment(view.Words{}, view.EmbedList{Items: []view.EmbedItem{it}}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := render(view.EmbedItem{}); strings.Contains(got, `data-pf="meta"`) || strings.Contains(got, `data-pf="description"`) || strings.Contains(got, "<span") || !strings.Contains(got, `data-pf="name"`) {
		t.Errorf("an item without anything is\n%s", got)
	}
	if got := render(view.EmbedItem{Length: "60 min"}); strings.Count(got, "<span") != 1 || !strings.Contains(got, `<span data-pf="duration">60 min</span>`) {
		t.Errorf("an item with a length alone is\n%s", got)
	}
}
