// Package waiting is where people put themselves on the waitlist of a date that is full, and where they answer for their place on it.
package waiting
