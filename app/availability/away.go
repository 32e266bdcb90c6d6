package availability

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/schedule"
)

// Absence is a time at which a member is away from all locations, or a space, with its parts, is out of use.
type Absence struct {
	ID        uuid.UUID
	StartsAt  time.Time
	EndsAt    time.Time
	Note      string // why: of time off, for the member and whoever runs the team; empty for others
	CreatedAt time.Time
}

// The bounds of time off and blocks.
const (
	AwayMaxDays = 366 // the longest
	NoteMax     = 200 // characters
)

// AddedAbsence is time off or a block with whom it hits.
type AddedAbsence struct {
	Absence
	Hits Hits
}

// Effects are the bookings that are hit.
func (a AddedAbsence) Effects() any { return a.Hits }

// newAbsence is the row of an absence; the note is trimmed.
func newAbsence(id uuid.UUID, from, to time.Time, note string, now time.Time) (Absence, error) {
	a := Absence{ID: id, StartsAt: from, EndsAt: to, Note: strings.TrimSpace(note), CreatedAt: now}
	var c fault.Checks
	c.That(from.Before(to), "endsAt", "The end must be after the beginning.")
	c.That(to.After(now), "endsAt", "This is over already.")
	c.That(!to.After(from.AddDate(0, 0, AwayMaxDays)), "endsAt", "Use at most 366 days.")
	c.That(!from.After(now.AddDate(0, 0, schedule.StartMaxDays)), "startsAt", "Use a beginning within two years.")
	checkNote(&c, "note", a.Note)
	return a, c.Err()
}

// checkNote allows one line, short.
func checkNote(c *fault.Checks, field, s string) {
	bad := func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }
	c.That(utf8.RuneCountInString(s) <= NoteMax && !strings.ContainsFunc(s, bad), field,
		fmt.Sprintf("Write at most %d characters on one line.", NoteMax))
}

// AwayInput chooses times off of a member, or blocks of a space: they are in the order of their end.
type AwayInput struct {
	From time.Time // what ends after it; zero: after now
	Page paging.In[paging.Moment]
}

// start is the key behind which a list begins.
func (in AwayInput) start(now time.Time) paging.Moment {
	from := in.From
	if from.IsZero() {
		from = now
	}
	if after := in.Page.After; after != nil && !after.At.Before(from) {
		return *after
	}
	return paging.Moment{At: from, ID: uuid.Max} // behind everything that ends at from
}

// page makes a page of rows that were read with one more than its size.
func (in AwayInput) page(rows []Absence) paging.Page[Absence, paging.Moment] {
	return paging.Of(rows, in.Page.Size(), func(a Absence) paging.Moment { return paging.Moment{At: a.EndsAt, ID: a.ID} })
}

func (in AwayInput) check() error {
	var c fault.Checks
	in.Page.Check(&c)
	return c.Err()
}
