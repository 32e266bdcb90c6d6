package apptest

import (
	"testing"
	"time"
)

// AddCourse writes a published class that is enrolled in as a course, and so many of its dates: the first two days ahead, the
// others a week after each other. The changes are made to the offering.
func (s Studio) AddCourse(t testing.TB, dates int, changes ...func(*OfferingRow)) (OfferingRow, []OccurrenceRow) {
	t.Helper()
	o := s.AddOffering(t, changes...)
	s.w.SQL(t, "update offerings set enrolment = 'series' where id = $1", o.ID)
	out := make([]OccurrenceRow, dates)
	for i := range out {
		out[i] = s.AddOccurrence(t, o, s.w.Clock.Now().Add(48*time.Hour).AddDate(0, 0, 7*i))
	}
	return o, out
}
