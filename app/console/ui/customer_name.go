package ui

import (
	"cmp"

	"foyer/app/view"
)

// Who returns the name of a booking's person in a list: the attendee, with the customer of a guest.
func Who(sh Shell, attendee, customer, email string) string {
	name := cmp.Or(customer, email, sh.T("Walk-in customer"))
	if attendee == "" {
		return name
	}
	return view.Joined(" ", attendee, sh.T("(with {name})", "name", name))
}
