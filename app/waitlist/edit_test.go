package waitlist_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/schedule"
	"foyer/app/waitlist"
	"foyer/billing/processor"
)

// Additional seats, and another time, have the list run like a released seat; cancelling the date closes it.
func TestWaitlistFollowsItsDate(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(1)
	a, b := l.join(o), l.join(o)
	dates := schedule.New(schedule.Options{DB: l.w.DB, Bookings: waitlist.Calendar(l.Booking), Cards: processor.EnvSimulated})
	more := 2
	if _, err := dates.EditDate(t.Context(), l.Owner, schedule.EditDateInput{
		OfferingID: l.offering(o), OccurrenceID: o.ID, Version: 1, Capacity: &more, // all seats were sold online, and still are
	}); err != nil {
		t.Fatal(err)
	}
	l.jobs()
	l.want(waitlist.Offered, a)
	l.want(waitlist.Waiting, b)
	if _, err := dates.CancelDate(t.Context(), l.Owner, schedule.CancelDateInput{
		OfferingID: l.offering(o), OccurrenceID: o.ID, Reason: "storm",
	}); err != nil {
		t.Fatal(err)
	}
	l.jobs()
	l.want(waitlist.Closed, a, b)
	if taken, offered := l.seats(o); taken != 0 || offered != 0 {
		t.Errorf("%d taken and %d offered", taken, offered)
	}
	l.check()
}

// The public view of a date: seats on offer are not available, and a full date reports whether it has a list.
func TestWaitlistInTheSchedule(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o, open := l.full(2), l.date(2)
	dates, times := apptest.Dates(l.w.DB), apptest.Times(l.w.DB)
	session := func(o apptest.OccurrenceRow) schedule.PublicOccurrence {
		t.Helper()
		page, err := times.Times(t.Context(), l.Business.ID, schedule.TimesInput{OfferingID: l.offering(o)})
		if err != nil || len(page.Days) != 1 {
			t.Fatalf("%v: %+v", err, page)
		}
		table, err := dates.Schedule(t.Context(), l.Business.ID, l.Location.ID, civil.Date{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range table.Days[0].Occurrences {
			if s.ID == o.ID && (s.Spots != page.Days[0].Occurrences[0].Spots || s.Waitlist != page.Days[0].Occurrences[0].Waitlist) {
				t.Errorf("the schedule says %+v, the times %+v", s, page.Days[0].Occurrences[0])
			}
		}
		return page.Days[0].Occurrences[0]
	}
	if s := session(open); s.Waitlist || s.Spots != 2 {
		t.Errorf("with room: %+v", s)
	}
	l.join(o)
	l.cancelOne(o) // the seat is on offer
	if s := session(o); !s.Waitlist || s.Spots != 0 {
		t.Errorf("full: %+v", s)
	}
	l.w.Clock.Advance(47 * time.Hour)
	if s := session(o); s.Waitlist {
		t.Errorf("after the cut-off: %+v", s)
	}
	off := l.rules
	off.Waitlist.Mode = catalog.WaitlistOff
	l.setRules(off)
	l.w.Clock.Advance(-47 * time.Hour)
	if s := session(o); s.Waitlist {
		t.Errorf("off: %+v", s)
	}
}
