package agreement

import (
	"slices"

	"foyer/app/crm"
	"foyer/app/names"
)

// Somebody who books for others agrees for each of them by name: for their child, or for whoever lets them. What is agreed to for one
// person is not agreed to for another.

// nameOf is the name of whom something is for, as it is kept and shown; empty: the customer themselves, who also answers for guests whom
// nobody has named.
func nameOf(attendee string) string {
	name := names.Clean(attendee)
	if crm.GuestNumber(name) > 0 {
		return ""
	}
	return name
}

// samePerson reports whether two names are one person's, as names.Same does. Guests whom nobody has named are the customer.
func samePerson(a, b string) bool {
	return a == b || names.Same(nameOf(a), nameOf(b))
}

// with are the people and one more, who may be among them.
func with(people []string, attendee string) []string {
	if slices.ContainsFunc(people, func(name string) bool { return samePerson(name, attendee) }) {
		return people
	}
	return append(people, nameOf(attendee))
}

// covers tells whether the acceptance is for whom w is for.
func (a Acceptance) covers(w Subject) bool {
	if a.Attendee == nil {
		return same(a.CartID, w.CartID) || same(a.BookingID, w.BookingID) || samePerson(w.Attendee, "")
	}
	return samePerson(*a.Attendee, w.Attendee)
}

// For is whom the customer agreed for, by name; empty: themselves.
func (a Acceptance) For() string { return whom(a.Attendee) }

func whom(attendee *string) string {
	if attendee == nil {
		return ""
	}
	return *attendee
}
