// Package civil is the calendar and the wall clock: dates and times of day without a zone, and their instants in a
// zone, in gaps and folds too. It is pure, and the only package that resolves a wall clock reading.
package civil
