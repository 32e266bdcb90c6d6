package journeys_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestManagerMovesASeries reschedules a class by an hour from next week on, reads the effects first, and undoes it.
func TestManagerMovesASeries(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		_, series := weekly(t, s)
		s.Join(t, "mia@team.example.com", apptest.Everywhere(policy.Manager))
		mia := signedIn(t, s, w, "mia@team.example.com")
		begins := func() []string {
			return apptest.Value[[]string](t, s.World, `select array_agg(distinct to_char(starts_at at time zone 'America/New_York', 'HH24:MI'))
				from occurrences where business_id = $1 and state = 'scheduled' and series_id in (select id from series where offering_id = $2)`,
				s.Studio.Business.ID, series.OfferingID)
		}
		mia.area("Catalog")
		mia.press("Morning Flow")
		mia.press("Dates")
		mia.press("Every Monday and Wednesday")
		mia.tick("From a date")
		mia.fill("From date", "2026-06-15")
		mia.fill("Start time", "10:00")
		mia.press("Review changes")
		mia.reads("10 dates are rescheduled to another time", "1 booking on", "is rescheduled with its date", "1 customer is notified by e-mail", "You can undo this within a day")
		if got := begins(); len(got) != 1 || got[0] != "09:00" {
			t.Fatalf("%s: while the plan is read the dates begin at %v", w, got)
		}
		mia.press("Change dates")
		mia.reads("Changed: Every Monday and Wednesday")
		if got := begins(); len(got) != 1 || got[0] != "10:00" {
			t.Fatalf("%s: the dates begin at %v", w, got)
		}
		mia.press("Every Monday and Wednesday")
		mia.press("Undo: 10 dates rescheduled")
		mia.reads("Undid the change to the series.")
		if got := begins(); len(got) != 1 || got[0] != "09:00" {
			t.Errorf("%s: after the undo the dates begin at %v", w, got)
		}
		mia.leaves()
	})
}

// TestInstructorSeesTheirOwn: an instructor sees only their own dates, on Today, in the calendar, and by a shared
// address.
func TestInstructorSeesTheirOwn(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		d := busy(t, s)
		const email = "ben@team.example.com"
		s.Join(t, email, apptest.Everywhere(policy.Instructor))
		id := memberOf(t, s, email)
		mine := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Bens Barre" })
		date := s.AddOccurrence(t, mine, d.Today.StartsAt, func(o *apptest.OccurrenceRow) { o.Member = &id })
		s.Seat(t, date.ID, "Nora Field", "")
		ben := signedIn(t, s, w, email)
		ben.reads("Bens Barre")
		ben.misses("Sunrise Vinyasa", "Noon Stretch", "Cleo Marin")
		ben.press("Bens Barre")
		ben.reads("Nora Field")
		ben.misses("Reschedule…", "Edit…")
		ben.area("Calendar")
		ben.reads("Bens Barre")
		if n := browser.Eval[int](ben.Page, "document.querySelectorAll(\"main a[href*='/dates/']:not([href$='"+date.ID.String()+"'])\").length"); n > 0 {
			t.Errorf("%s: the calendar of an instructor has %d dates that are not theirs", w, n)
		}
		ben.area("Customers")
		ben.reads("Nora Field")
		ben.misses("Cleo Marin")
		for path, says := range map[string]string{
			"/dates/" + d.Early.ID.String(): "Page not found", "/catalog/new": "Your role does not", "/settings/payments": "Your role does not",
		} {
			ben.at(path)
			ben.reads(says)
			ben.misses("Cleo Marin", "Choose a template", "Connect an account")
		}
		ben.Complaints() // the refusals are expected
		ben.at("")
		ben.leaves()
	})
}
