// Package schedule manages the dates of classes.
//
// A series is a rule on the wall clock of its location: every Monday and Thursday at 09:30, from a first date on. An
// occurrence is one date of it: a row with a permanent id, two instants in UTC and the counters of its seats. Dates
// are written 26 weeks ahead, when the series is made and then by a sweep, so that booking one is a matter of a row
// and never of a rule. The dates of a course (an offering with enrolment "series") are booked together: its series
// all end, and are written to the end at once, however far that is (course.go).
//
//	           EndSeries, EditSeries: the rule has no such date any more
//	scheduled ------------------------------------------------------------> removed
//	   |  ^   <------------------------------------------------------------
//	   |  |    EditSeries: the rule has it again
//	   |  +-- RestoreDate
//	   +----- CancelDate --> cancelled by hand, and no edit brings it back
//
// Edits. An edit of a series has a scope: all upcoming dates, or those from a date on, and then the series is split;
// one date is changed by EditDate. Fields that a date has of its own are named in its overrides and do not follow the
// series. edit_rule.go computes the new rule, edit_match.go the matching of old and new dates, edit_plan.go the
// change of each row: these are pure. edit_carry.go carries it out, in the same number of statements however many
// dates there are, and returns a Plan for the dry run. Each edit is kept with the rows as they were, and can be
// undone by UndoEdit for a day.
//
// A date claims its instructor and its space through package claim. The times of appointments and rentals are package
// availability's; the occurrence of one, once it is booked, is a row here, too (single_store.go).
//
// Bookings belong to package booking. Its work when dates are cancelled or rescheduled is behind Bookings.
//
// Two files are pure, without a database: recurrence.go and pattern.go (the dates of a rule). horizon.go adds the
// horizon up to which dates are written.
//
// Invariants:
//
//   - The id of an occurrence never changes and is never used again, also when the date is rescheduled or comes
//     back; a date is cancelled, not deleted, except for dates of an edit that is undone.
//   - Dates that have begun stay as they were, to the byte.
//   - A scheduled date claims its instructor and its space for its time, and a cancelled one claims nothing. Claims
//     overlap only by an override, or where the sweep wrote a date of an announced class: those are marked forced.
//   - A series has each of its dates once: the database has a key on series and rule date, so that two sweeps, or a
//     sweep that runs twice, write nothing twice.
//   - Every date of a rule within the next 26 weeks is written, once the sweep has run.
//   - Days are days of the location: groups, today and exceptions are decided on its wall clock.
//   - 0 <= taken <= capacity and 0 <= online seats taken <= taken. Package booking changes the counters, in the
//     statement that writes the booking; nothing here does.
//
// Three kinds of reads: the operator's (Occurrences, SeriesOf), of everything; the public ones (Schedule,
// ClassTimes), of published offerings, scheduled dates that have not begun and only the seats that are sold online,
// each in one round trip; and those for other packages (OccurrenceOf, OccurrencesOf), of an occurrence with all facts
// for a booking of it.
package schedule
