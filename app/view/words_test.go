package view_test

import (
	"testing"
	"time"

	"foyer/app/view"
)

func TestTimesReadAsPeopleSayThem(t *testing.T) {
	t.Parallel()
	newYork := time.FixedZone("America/New_York", -5*3600)
	start := time.Date(2026, 11, 20, 17, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		locale                 string
		zone                   *time.Location
		span, when, short, day string
	}{
		{"en", nil, "17:30 to 18:30", "Friday 20 November, 17:30 to 18:30", "Fri 20 Nov, 17:30", "20 Nov"},
		{"en-GB", lisbon, "17:30 to 18:30", "Friday 20 November, 17:30 to 18:30", "Fri 20 Nov, 17:30", "20 Nov"},
		{"en-US", nil, "5:30 to 6:30\u00a0pm", "Friday, November 20, 5:30 to 6:30\u00a0pm", "Fri, Nov 20, 5:30\u00a0pm", "Nov 20"},
		{"en-US", newYork, "12:30 to 1:30\u00a0pm", "Friday, November 20, 12:30 to 1:30\u00a0pm", "Fri, Nov 20, 12:30\u00a0pm", "Nov 20"},
		{"en-AU", nil, "5:30 to 6:30\u00a0pm", "Friday 20 November, 5:30 to 6:30\u00a0pm", "Fri 20 Nov, 5:30\u00a0pm", "20 Nov"},
	} {
		w := view.Words{Locale: c.locale, Zone: c.zone, Now: now}
		for got, want := range map[string]string{
			w.Span(start, 60): c.span, w.When(start, 60): c.when, w.ShortWhen(start): c.short, w.Day(start): c.day,
		} {
			if got != want {
				t.Errorf("%s: %q, want %q", c.locale, got, want)
			}
		}
	}
}

func TestSpanOverNoonNamesBothHalves(t *testing.T) {
	t.Parallel()
	w := view.Words{Locale: "en-US", Now: now}
	if got := w.Span(at(20, 11, 30), 60); got != "11:30\u00a0am to 12:30\u00a0pm" {
		t.Error(got)
	}
	if got := w.Span(at(20, 11, 30), 0); got != "11:30\u00a0am" {
		t.Error(got)
	}
}

// Today and Tomorrow are days of the location's calendar, not of the server's, and not stretches of 24 hours.
func TestDayNamesFollowTheLocationsMidnight(t *testing.T) {
	t.Parallel()
	auckland := time.FixedZone("Pacific/Auckland", 13*3600)
	evening := time.Date(2026, 11, 20, 23, 0, 0, 0, auckland)
	w := view.Words{Zone: auckland, Now: evening}
	for hours, want := range map[int]string{0: "Today", 1: "Tomorrow", 24: "Tomorrow", 25: "Sunday", -24: "Thursday"} {
		if got := w.DayName(evening.Add(time.Duration(hours) * time.Hour)); got != want {
			t.Errorf("%d hours on: %s, want %s", hours, got, want)
		}
	}
}

func TestAnotherYearIsNamed(t *testing.T) {
	t.Parallel()
	w := view.Words{Zone: lisbon, Now: now}
	next := time.Date(2027, 1, 3, 9, 0, 0, 0, lisbon)
	if got := w.Date(next); got != "Sunday 3 January 2027" {
		t.Error(got)
	}
	w.Locale = "en-US"
	if got := w.Date(next); got != "Sunday, January 3, 2027" {
		t.Error(got)
	}
}

func TestSmallWords(t *testing.T) {
	t.Parallel()
	w := view.Words{Locale: "en", Now: now}
	for got, want := range map[string]string{
		w.Length(45): "45 min", w.Length(90): "90 min", w.Length(120): "2 h", w.Length(150): "2 h 30 min",
		w.SpotsLeft(0): "", w.SpotsLeft(1): "1 spot left", w.SpotsLeft(5): "5 spots left", w.SpotsLeft(6): "",
		w.MoneyShort(usd(2200)): "$22", w.MoneyShort(usd(2250)): "$22.50", w.MoneyShort(usd(0)): "Free", w.Money(usd(2200)): "$22.00",
		w.TimeLeft(now.Add(581 * time.Second)): "9:41", w.TimeLeft(now.Add(-time.Minute)): "0:00", w.TimeLeft(now.Add(1500 * time.Millisecond)): "0:02",
		harbour().ZoneCity(): "Lisbon", view.Words{Zone: time.UTC}.ZoneCity(): "",
		view.Words{Zone: time.FixedZone("America/Argentina/Buenos_Aires", 0)}.ZoneCity(): "Buenos Aires",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
