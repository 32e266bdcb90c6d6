package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// CourseMax is the most dates of a course that are booked at once.
const CourseMax = 400

// CourseOf returns the dates of a course that are still to come, in the order of their start: what somebody gets who joins
// now. A course is a class whose enrolment is the series, and all series of the offering form it. Cancelled dates are not
// part of it. One statement.
func CourseOf(ctx context.Context, r pg.Reader, offering uuid.UUID) ([]Slot, error) {
	return courseDates(ctx, r, offering)
}
