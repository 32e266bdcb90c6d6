// Package civil is the calendar and the wall clock: dates and times of day without a zone, and what instant they are at a
// place, in gaps and folds too. It is pure, and the only package that resolves a wall clock reading.
package civil
