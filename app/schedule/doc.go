// Package schedule says when classes take place.
//
// A series is a rule on the wall clock of its location: every Monday and Thursday at 09:30, from a first date on. An
// occurrence is one date of it: a row with a permanent id, two instants in UTC and the counters of its seats. Dates are
// written down 26 weeks ahead, when the series is made and then by a sweep, so that booking one is a matter of a row
// and never of a rule. The dates of a course (an offering with enrolment "series") are booked together: its series all
// end, and are written to the end at once, however far that is (course.go).
//
//	           EndSeries, EditSeries: the rule does not give it any more
//	scheduled ------------------------------------------------------------> taken away
//	   |  ^   <------------------------------------------------------------
//	   |  |    EditSeries: the rule gives it again
//	   |  +-- RestoreDate
//	   +----- CancelDate --> cancelled by hand, and no edit brings it back
//
// Edits. An edit of a series has a scope: all dates to come, or those from a date on, and then the series is split; one
// date is changed by EditDate. Fields that a date has of its own are named in its overrides and do not follow the series.
// edit_rule.go says what the rule is then, edit_match.go which date becomes which, edit_plan.go what happens to each row:
// these are pure. edit_carry.go does it, in the same number of statements however many dates there are, and returns a Plan
// that a dry run shows. Each edit is kept with the rows as they were, and UndoEdit takes it back for a day.
//
// A date keeps its instructor and its space busy through package claim. The times of appointments and rentals are package
// availability's; the occurrence of one, once it is booked, is a row here, too (single_store.go).
//
// Who is booked is the business of package booking. What it has to do when dates go or move is asked of it in Bookings.
//
// Two files are pure and know no database: recurrence.go and pattern.go (which dates a rule gives). horizon.go adds how far
// ahead dates are written.
//
// What always holds:
//
//   - The id of an occurrence never changes and is never used again, also when the date moves or comes back; a date is
//     cancelled, not deleted, but for what an edit made that is undone.
//   - What has begun stays as it was, to the byte.
//   - A scheduled date claims its instructor and its space for its time, and a cancelled one claims nothing. Claims overlap
//     only where somebody allowed it, or where the sweep wrote a date of an announced class: those are marked forced.
//   - A series gives each of its dates once: the database has a key on series and rule date, so that two sweeps, or a
//     sweep that runs twice, write nothing twice.
//   - Every date of a rule within the next 26 weeks is written, once the sweep has run.
//   - Days are days of the location: what is grouped, called today or left out is decided on its wall clock.
//   - 0 <= taken <= capacity and 0 <= online seats taken <= taken. Package booking moves the counters, in the statement
//     that writes the booking; nothing here does.
//
// Three kinds of reads: the operator's (Occurrences, SeriesOf), which show everything; the public ones (Schedule, ClassTimes),
// which show published offerings, scheduled dates that have not begun and only the seats that are sold online, each in
// one round trip; and those for other packages (OccurrenceOf, OccurrencesOf), which give an occurrence with all that a
// booking of it must know.
package schedule
