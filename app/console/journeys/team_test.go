package journeys_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
)

// TestSomebodyAtOnePlace: the owner adds a manager of one of two places, who signs in at a browser of her own with the code that is
// mailed to her, works at that place, and meets its limits.
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
		owner.press("Add somebody")
		owner.fill("E-mail address", email)
		owner.fill("Name", "Mia Lund")
		owner.tickIn("Manager", "At Harbour")
		owner.press("Add to the team")
		owner.reads("Mia Lund is on the team", "Manager at Harbour")
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
		mia.misses("Add somebody")
		const nothing, no = "There is nothing at this address", "Your role does not allow this"
		for path, says := range map[string]string{
			"/dates/" + there.ID.String(): nothing, "/settings/places/" + river.ID.String() + "/hours": no, "/settings/team/new": no, "/settings/payments/continue": no,
		} {
			mia.at(path)
			mia.reads(says)
			mia.misses("River Barre", "Riverside")
		}
		mia.Complaints() // the refusals are what was asked for
		mia.at("/dates/" + d.Early.ID.String())
		mia.reads("Cleo Marin", "Move…")
		mia.leaves()
	})
}
