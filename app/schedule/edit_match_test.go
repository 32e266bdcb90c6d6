package schedule_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/schedule"
)

func TestMatch(t *testing.T) {
	for name, c := range map[string]struct {
		old, booked, dates string
		want               []int
	}{
		"nothing changes":               {"2026-06-15 2026-06-22", "", "2026-06-15 2026-06-22", []int{0, 1}},
		"Monday to Tuesday":             {"2026-06-15 2026-06-22 2026-06-29", "", "2026-06-16 2026-06-23 2026-06-30", []int{0, 1, 2}},
		"Monday to Sunday goes back":    {"2026-06-15 2026-06-22", "", "2026-06-14 2026-06-21", []int{0, 1}},
		"the first has nowhere to go":   {"2026-06-15 2026-06-22", "", "2026-06-21 2026-06-28", []int{0, 1}},
		"Wednesday stays, Monday moves": {"2026-06-15 2026-06-17", "", "2026-06-17 2026-06-19", []int{1, 0}},
		"one is left over":              {"2026-06-15 2026-06-18", "", "2026-06-17", []int{-1, 0}},
		"the booked one stays":          {"2026-06-15 2026-06-18", "2026-06-15", "2026-06-17", []int{0, -1}},
		"too far":                       {"2026-06-15", "2026-06-15", "2026-06-22", []int{-1}},
		"no date left":                  {"2026-06-15 2026-06-22", "", "", []int{-1, -1}},
	} {
		booked := map[civil.Date]bool{}
		for _, d := range dates(c.booked) {
			booked[d] = true
		}
		got := schedule.Match(dates(c.old), booked, dates(c.dates), 6)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The matching against all possible ones: no other leaves fewer booked dates, then fewer dates, then shifts by fewer
// days.
func TestMatchIsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) []civil.Date {
			days := rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 0, 6, rapid.ID[int]).Draw(t, label)
			slices.Sort(days)
			var out []civil.Date
			for _, d := range days {
				out = append(out, apptest.Day("2026-06-01").AddDays(d))
			}
			return out
		}
		old, news := draw("old"), draw("new")
		booked := map[civil.Date]bool{}
		for _, d := range old {
			booked[d] = rapid.Bool().Draw(t, "booked")
		}
		got := schedule.Match(old, booked, news, 6)
		last := -1
		for i, n := range got {
			if same := slices.Index(news, old[i]); same >= 0 {
				if n != same {
					t.Fatalf("%s has to stay", old[i])
				}
				continue
			}
			if n < 0 {
				continue
			}
			if slices.Contains(old, news[n]) || n <= last || max(old[i].DaysUntil(news[n]), -old[i].DaysUntil(news[n])) > 6 {
				t.Fatalf("%s may not become %s", old[i], news[n])
			}
			last = n
		}
		if cost(old, booked, news, got) != best(old, booked, news, 0, -1) {
			t.Fatalf("%v for %v to %v is not the best", got, old, news)
		}
		if again := schedule.Match(old, booked, news, 6); !slices.Equal(got, again) {
			t.Fatal("another answer for the same question")
		}
	})
}

// cost returns the cost of the dates that do not stay.
func cost(old []civil.Date, booked map[civil.Date]bool, news []civil.Date, to []int) (sum int) {
	for i, n := range to {
		if slices.Contains(news, old[i]) {
			continue
		}
		sum += price(old[i], booked, news, n)
	}
	return sum
}

func price(d civil.Date, booked map[civil.Date]bool, news []civil.Date, n int) int {
	switch {
	case n >= 0:
		days := d.DaysUntil(news[n])
		return max(days, -days)
	case booked[d]:
		return 1_000_000
	}
	return 1_000
}

// best tries every way from old date i on; the last new date that is taken is n.
func best(old []civil.Date, booked map[civil.Date]bool, news []civil.Date, i, n int) int {
	if i == len(old) {
		return 0
	}
	if slices.Contains(news, old[i]) {
		return best(old, booked, news, i+1, n)
	}
	least := price(old[i], booked, news, -1) + best(old, booked, news, i+1, n)
	for j := n + 1; j < len(news); j++ {
		days := old[i].DaysUntil(news[j])
		if slices.Contains(old, news[j]) || max(days, -days) > 6 {
			continue
		}
		least = min(least, price(old[i], booked, news, j)+best(old, booked, news, i+1, j))
	}
	return min(least, math.MaxInt)
}
