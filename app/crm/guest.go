package crm

import (
	"strconv"
	"strings"
)

// guestWord begins the name of an unnamed guest: the second person of a booking is "Guest 2".
const guestWord = "Guest "

// Guest returns the name of an unnamed guest, from the second person on.
func Guest(n int) string { return guestWord + strconv.Itoa(n) }

// GuestNumber returns the number of an unnamed guest by a name from Guest, two or more; 0 for every other name.
func GuestNumber(name string) int {
	if n, err := strconv.Atoi(strings.TrimPrefix(name, guestWord)); err == nil && n > 1 && name == Guest(n) {
		return n
	}
	return 0
}
