package availability_test

import (
	"fmt"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
)

// busyStudio is five people with appointments of an hour on a grid of a quarter, over two weeks in which the clocks
// change, with buffers, lead time, a closure and caps; each of them has so many bookings in the window.
func busyStudio(bookings int) (availability.Facts, availability.Question) {
	loc, err := civil.LoadZone("America/New_York")
	if err != nil {
		panic(err)
	}
	from := apptest.Instant("2026-10-26T04:00:00Z")
	f := availability.Facts{Now: from.Add(-time.Hour), Zone: loc, Special: []availability.SpecialDays{{From: apptest.Day("2026-11-03"), To: apptest.Day("2026-11-03")}}}
	o := availability.Offer{Lengths: catalog.Lengths{Kind: catalog.Appointment}, Before: 5, After: 10, Grid: 15, Capacity: 1, Rules: catalog.StandardRules(), NeedsPerson: true}
	o.Rules.NoticeMinutes, o.Rules.WindowDays = 120, 30
	for i := range 5 {
		p := availability.Person{DailyCap: 12, WeeklyCap: 60, Given: map[civil.Date]int{}}
		for day := range 7 {
			p.Week = append(p.Week, business.Interval{Weekday: time.Weekday(day), Opens: 540, Closes: 780}, business.Interval{Weekday: time.Weekday(day), Opens: 810, Closes: 1080})
		}
		for n := range bookings {
			begin := from.Add(time.Duration(n) * 14 * 24 * time.Hour / time.Duration(bookings)).Add(time.Duration(i) * 7 * time.Minute).Unix()
			p.Busy = append(p.Busy, availability.Busy{From: begin, To: begin + 3600})
			p.Given[civil.LocalDate(time.Unix(begin, 0), loc)]++
		}
		f.People, o.People = append(f.People, p), append(o.People, i)
	}
	f.Offers = []availability.Offer{o}
	return f, availability.Question{From: from, To: from.Add(14 * 24 * time.Hour), Parts: []availability.Part{{Minutes: 60, Party: 1}}}
}

// BenchmarkSlots is the arithmetic of one search: 5 people, 14 days, a grid of 15 minutes.
func BenchmarkSlots(b *testing.B) {
	for _, bookings := range []int{14, 112} {
		b.Run(fmt.Sprintf("%d_bookings_each", bookings), func(b *testing.B) {
			f, q := busyStudio(bookings)
			if n := len(f.Find(q)); n < 300 {
				b.Fatalf("%d starts", n)
			}
			b.ReportAllocs()
			for b.Loop() {
				f.Find(q)
			}
		})
	}
}
