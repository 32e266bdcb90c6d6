package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
)

// TestE58_TimesOfAnEmbed: without its script a fragment's links and form come here, with the same from and after, and
// get the same page of times. E46, E54, E96.
func TestE58_TimesOfAnEmbed(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 30)
	v := s.visit(t)
	path := s.path(yoga, nil)
	after := yoga.Dates[9].StartsAt.Format(time.RFC3339)
	v.get(path+"?after="+after).want(200, "Jun 21").lacks("Jun 20", "Next times")
	v.get(path+"?from=2026-07-01&after="+after).want(200, "Jun 21")                                    // after wins
	v.get(path+"?from=2026-07-01&after=soon").want(200, "Jul 1").lacks("Jun 30")                       // invalid values are ignored
	v.get(path+"?after="+strings.Replace(after, "Z", "+00:00", 1)).want(200, "Jun 21").lacks("Jun 20") // a form makes a space of the plus
	for _, far := range []string{"?from=9500-01-01", "?after=9500-01-01T00:00:00Z"} {
		v.get(path+far).want(200, "Tomorrow")
	}
	s.massage(t)
	v.get("/harbour/massage?after=2026-06-13T03:59:59Z").want(200, "Saturday Jun 13").lacks("Tomorrow")
	v.get("/harbour/massage?from=2026-06-18&after=2026-06-13T03:59:59Z").want(200, "Saturday Jun 13")
}

// TestE30_TimeOfAService: a fragment's link with a free time leads to a page that offers it, with nothing else to
// choose; for a time booked by another customer meanwhile the page has a message and the day.
func TestE30_TimeOfAService(t *testing.T) {
	t.Parallel()
	s := open(t)
	m, ana, jo := s.massage(t)
	v := s.visit(t)
	at := ten.AddDate(0, 0, 7)
	link := "/harbour/massage?time=" + start(at)
	p := v.get(link).want(200, "Your time", "10:00 to 11:00 am", "Thursday, June 18", "Book this time", "Thursday Jun 18").lacks("Tomorrow", "no longer available")
	p.form("/massage").post("start", start(at)).wantTo("/cart/").follow().want(200, "Deep tissue massage", "10:00 to 11:00 am")
	for _, member := range []int{0, 1} {
		s.AddBusy(t, m, at.Add(2*time.Hour), func(b *apptest.BusyRow) { b.Members = m.Members[member : member+1] })
	}
	v.get("/harbour/massage?time="+start(at.Add(2*time.Hour))).want(200, "That time is no longer available. These times are.", "Thursday Jun 18").lacks("Your time")
	v.get(link+"&with="+jo.ID.String()).want(200, "Your time", "Jo Park")
	for _, odd := range []string{"soon", "2020-01-01T00:00:00Z", ana.ID.String()} {
		v.get("/harbour/massage?time="+odd).want(200, "Today Jun 10").lacks("Your time")
	}
	v.get(link+"&from=2026-06-12").want(200, "Friday Jun 12")
	s.SQL(t, "update offerings set approval = true where id = $1", m.ID)
	v.get(link).want(200, "Request this time")
	s.Pause(t)
	v.get(link).want(200, "is not taking online bookings at the moment").lacks("Your time", "If that happens after the free-cancellation deadline, you have")
}
