// Package agenda reads what a studio looks at all day: the dates of a span of time with who comes, and what needs somebody. It
// writes nothing; what it shows is other packages' and is read in one trip.
//
// What a caller sees follows booking.view: the dates of everywhere, of certain locations, or the ones that they teach.
package agenda
