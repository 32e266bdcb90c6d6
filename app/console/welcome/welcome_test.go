package welcome_test

import (
	"strings"
	"testing"

	"foyer/app/business"
	"foyer/app/console/consoletest"
)

func TestTheStepsOfAnOpening(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/welcome").Is(t, 200).Shows(t, "Opening hours", "First offering", "Payment", "Branding", "Your website")
	if n := strings.Count(page.Text(), "Done"); n != 1 { // cards
		t.Errorf("%d steps are done: %s", n, page.Text())
	}
	s.AddOffering(t)
	s.AddHours(t, business.Interval{Weekday: 1, Opens: 540, Closes: 1020})
	if n := strings.Count(owner.Get("/welcome").Text(), "Done"); n != 3 {
		t.Errorf("%d steps are done", n)
	}
}
