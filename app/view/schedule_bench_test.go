package view_test

import (
	"io"
	"testing"
	"time"

	"foyer/app/view"
)

// BenchmarkSchedulePage renders two weeks of ten classes a day.
func BenchmarkSchedulePage(b *testing.B) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	sh := view.Shell{Words: view.WordsAt("en", "US", time.UTC, now)}
	sh.Studio = view.Studio{Name: "Harbour", Home: "/harbour"}
	v := view.Schedule{Policy: "Choose a class to book it."}
	for d := range 14 {
		day := view.Day{Date: now.AddDate(0, 0, d)}
		v.Strip = append(v.Strip, view.StripDay{Date: day.Date, Open: true, Current: d == 0})
		for i := range 10 {
			day.Rows = append(day.Rows, view.Row{
				Start: day.Date.Add(time.Duration(i) * time.Hour), Minutes: 60,
				Name: "Class number 7", Who: "Instructor 3", Where: "Room 2", Href: "/harbour/class-7?time=0198-11",
				Price: &view.Price{Minor: 2200, Currency: "USD"}, Spots: i, Action: view.ActionBook,
			})
		}
		v.Days = append(v.Days, day)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := view.SchedulePage(sh, v).Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
