// Package waiting has the pages to join the waitlist of a full date and to manage an entry.
package waiting
