package today_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
)

func TestTodayShowsWhatIsOn(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Sunrise Vinyasa" })
	s.AddOccurrence(t, class, apptest.Start.Add(30*time.Minute))
	s.As(t, consoletest.Owner).Get("").Is(t, 200).Says(t, "Today", "Sunrise Vinyasa", "0 of 0 here", "Nobody is expected")
}
