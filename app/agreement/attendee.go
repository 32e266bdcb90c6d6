package agreement

import (
	"slices"

	"foyer/app/crm"
	"foyer/app/names"
)

// A customer who books for others agrees for each of them by name, such as a child. An acceptance for one person does
// not count for another.

// nameOf returns the stored name of a person; empty: the customer, who also agrees for unnamed guests.
func nameOf(attendee string) string {
	name := names.Clean(attendee)
	if crm.GuestNumber(name) > 0 {
		return ""
	}
	return name
}

// samePerson reports whether two names are one person's, as names.Same does. Unnamed guests count as the customer.
func samePerson(a, b string) bool {
	return a == b || names.Same(nameOf(a), nameOf(b))
}

// with returns the people with one more, without duplicates.
func with(people []string, attendee string) []string {
	if slices.ContainsFunc(people, func(name string) bool { return samePerson(name, attendee) }) {
		return people
	}
	return append(people, nameOf(attendee))
}

// covers reports whether the acceptance is for the attendee of w.
func (a Acceptance) covers(w Subject) bool {
	if a.Attendee == nil {
		return same(a.CartID, w.CartID) || same(a.BookingID, w.BookingID) || samePerson(w.Attendee, "")
	}
	return samePerson(*a.Attendee, w.Attendee)
}

// For returns the name of the attendee agreed for; empty: the customer.
func (a Acceptance) For() string { return whom(a.Attendee) }

func whom(attendee *string) string {
	if attendee == nil {
		return ""
	}
	return *attendee
}
