// Package schedule says when classes take place.
//
// A series is a rule on the wall clock of its location: every Monday and Thursday at 09:30, from a first date on. An
// occurrence is one date of it: a row with a permanent id, two instants in UTC and the counters of its seats. Dates are
// written down 26 weeks ahead, when the series is made and then by a sweep, so that booking one is a matter of a row
// and never of a rule.
//
//	                EndSeries: nobody holds a seat
//	scheduled ----------------------------------------> cancelled
//
// Three files are pure and know no database: civil.go (dates and times of day), wallclock.go (what instant a wall clock
// reading is, in gaps and folds too) and recurrence.go (which dates a rule gives). horizon.go adds how far ahead dates
// are written.
//
// What always holds:
//
//   - The id of an occurrence never changes and is never used again; a date is cancelled, not deleted.
//   - A series gives each of its dates once: the database has a key on series and rule date, so that two sweeps, or a
//     sweep that runs twice, write nothing twice.
//   - Every date of a rule within the next 26 weeks is written, once the sweep has run.
//   - Days are days of the location: what is grouped, called today or left out is decided on its wall clock.
//   - 0 <= taken <= capacity and 0 <= online seats taken <= taken. Package booking moves the counters, in the statement
//     that writes the booking; nothing here does.
//
// Three kinds of reads: the operator's (Occurrences, SeriesOf), which show everything; the public ones (Schedule, Times,
// PublicSlot), which show published offerings, scheduled dates that have not begun and only the seats that are sold
// online, each in one round trip; and those for other packages (OccurrenceOf, OccurrencesOf, OccurrencesTx), which give
// an occurrence with all that a booking of it must know.
package schedule
