package storefront

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/order"
	"foyer/app/schedule"
	"foyer/app/web/op"
)

// timetable returns a realistic schedule: 40 offerings, 8 people, 4 rooms, on two weeks ten dates a day.
func timetable(dates int) schedule.Timetable {
	now := time.Date(2026, 6, 10, 11, 0, 0, 0, time.UTC)
	offered := make([]schedule.Offered, 40)
	for i := range offered {
		offered[i] = schedule.Offered{
			OfferingID: uuid.UUID{15: byte(i)}, Kind: catalog.Class, Slug: fmt.Sprint("class-", i), Name: fmt.Sprint("Class number ", i), PriceAmount: 2200,
		}
	}
	t := schedule.Timetable{Location: schedule.Location{Zone: "America/New_York", Currency: "USD", Today: civil.DateOf(now)}, From: civil.DateOf(now)}
	for i := range dates {
		if i%10 == 0 {
			t.Days = append(t.Days, schedule.Day{Date: t.From.AddDays(i / 10), Ahead: i / 10})
		}
		start := now.AddDate(0, 0, i/10).Add(time.Duration(i%10) * time.Hour)
		day := &t.Days[len(t.Days)-1]
		day.Occurrences = append(day.Occurrences, schedule.PublicOccurrence{
			Offered: &offered[i%40], ID: uuid.UUID{15: byte(i)}, StartsAt: start, EndsAt: start.Add(time.Hour),
			Instructor: fmt.Sprint("Instructor ", i%8), Space: fmt.Sprint("Room ", i%4), Spots: i % 17, Waitlist: i%17 == 0,
		})
	}
	t.To = t.From.AddDays(13)
	return t
}

// TestScheduleIsSlim bounds the size of a schedule: values shared by many dates are listed once.
func TestScheduleIsSlim(t *testing.T) {
	var j op.JSON
	showSchedule(timetable(130)).WriteJSON(&j)
	if got := len(j.Bytes()); got > 34_000 {
		t.Errorf("130 dates are %d bytes", got)
	}
}

// TestScheduleTellsAll: each date is present with all of its values, and the output matches the document.
func TestScheduleTellsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := timetable(rapid.IntRange(1, 30).Draw(t, "dates"))
		in.Next = new(in.To.AddDays(rapid.IntRange(1, 9).Draw(t, "next")))
		for _, d := range in.Days {
			for i := range d.Occurrences {
				x := &d.Occurrences[i]
				x.Instructor = rapid.SampledFrom([]string{"", "Mia", "Ben & Söhne", `"Ana"`}).Draw(t, "instructor")
				x.Space = rapid.SampledFrom([]string{"", "Loft", "Room\n2"}).Draw(t, "space")
				x.Course = rapid.Bool().Draw(t, "course")
			}
		}
		out := showSchedule(in)
		var j op.JSON
		out.WriteJSON(&j)
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if out.Instructors == nil {
			out.Instructors = []string{}
		}
		if out.Spaces == nil {
			out.Spaces = []string{}
		}
		if err := enc.Encode(out); err != nil || !bytes.Equal(j.Bytes(), bytes.TrimSpace(want.Bytes())) {
			t.Fatalf("%v\nwrote %s\nwant  %s", err, j.Bytes(), want.Bytes())
		}
		for i, d := range in.Days {
			for k, x := range d.Occurrences {
				s := out.Days[i].Slots[k]
				o := out.Offerings[s.Offering]
				if o != (ScheduledOffering{x.OfferingID, x.Kind, x.Slug, x.Name, x.PriceAmount,
					order.FullPriceOf(x.PriceAmount, x.Party, x.Pricing, in.Location.Currency)}) || nameOf(out.Instructors, s.Instructor) != x.Instructor ||
					nameOf(out.Spaces, s.Space) != x.Space || s.OccurrenceID != x.ID || !s.StartsAt.Equal(x.StartsAt) || !s.EndsAt.Equal(x.EndsAt) ||
					s.Spots != x.Spots || s.Waitlist != x.Waitlist || s.Course != x.Course {
					t.Fatalf("%+v is shown as %+v", x, s)
				}
			}
		}
	})
}

func nameOf(names []string, at *int) string {
	if at == nil {
		return ""
	}
	return names[*at]
}
