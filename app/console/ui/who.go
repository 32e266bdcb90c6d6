package ui

import (
	"cmp"

	"foyer/app/view"
)

// Who is how a booking's person is called on a list: who comes, and whose guest they are.
func Who(sh Shell, attendee, customer, email string) string {
	name := cmp.Or(customer, email, sh.T("Somebody at the door"))
	if attendee == "" {
		return name
	}
	return view.Joined(" ", attendee, sh.T("(with {name})", "name", name))
}
