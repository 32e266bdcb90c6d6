package journeys_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
)

// TestSomebodyAtOnePlace: the owner adds a manager of one of two locations. She signs in at a browser of her own with
// the mailed code, works at that location, and is limited to it.
func TestSomebodyAtOnePlace(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		const email = "mia@team.example.com"
		d := busy(t, s)
		river := s.AddLocation(t, "Riverside")
		barre := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Location = "River Barre", river.ID })
		there := s.AddOccurrence(t, barre, s.Clock.Now().Add(time.Hour))
		owner := signedIn(t, s, w, s.Owner.Email)
		owner.reads("River Barre", "Sunrise Vinyasa")
		owner.area("Settings")
		owner.press("Team")
		owner.press("Add staff member")
		owner.fill("E-mail address", email)
		owner.fill("Name", "Mia Lund")
		owner.tickIn("Manager", "At Harbour")
		owner.press("Add to team")
		owner.reads("Added Mia Lund to the team", "Manager at Harbour")
		owner.leaves()

		mia := come(t, s, w)
		mia.Goto(s.URL + "/manage")
		mia.fill("E-mail address", email)
		code := s.NextCode(t, email, func() { mia.press("Send me a code") })
		mia.fill("Code", code)
		mia.press("Sign in")
		mia.reads("Sunrise Vinyasa")
		mia.misses("River Barre")
		mia.area("Calendar")
		mia.reads("Noon Stretch")
		mia.misses("River Barre", "Riverside")
		mia.area("Settings")
		mia.press("Team")
		mia.misses("Add staff member")
		const nothing, no = "Page not found", "Your role does not allow this"
		for path, says := range map[string]string{
			"/dates/" + there.ID.String(): nothing, "/settings/places/" + river.ID.String() + "/hours": no, "/settings/team/new": no, "/settings/payments/continue": no,
		} {
			mia.at(path)
			mia.reads(says)
			mia.misses("River Barre", "Riverside")
		}
		mia.Complaints() // the refusals are expected
		mia.at("/dates/" + d.Early.ID.String())
		mia.reads("Cleo Marin", "Reschedule…")
		mia.leaves()
	})
}
