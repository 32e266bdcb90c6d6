package crm

import (
	"strconv"
	"strings"
)

// guestWord begins the name of somebody whom nobody has named: the second person of a date is "Guest 2".
const guestWord = "Guest "

// Guest is the name of a guest whom nobody has named, from the second person on.
func Guest(n int) string { return guestWord + strconv.Itoa(n) }

// GuestNumber is which guest a name that was given here is, two or more; 0 for every other name.
func GuestNumber(name string) int {
	if n, err := strconv.Atoi(strings.TrimPrefix(name, guestWord)); err == nil && n > 1 && name == Guest(n) {
		return n
	}
	return 0
}
