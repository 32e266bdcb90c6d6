package kit

import (
	"cmp"

	"foyer/app/view"
)

// SignIn is the page with the field for an e-mail address. The field posts as "email".
type SignIn struct {
	Form    view.Form
	Email   string
	Why     string // one line under the title; by default that of a checkout
	Order   *view.Order
	Trouble *view.Trouble
}

// Code is the page with the field for the mailed code. The field posts as "code"; it may contain spaces.
type Code struct {
	Form    view.Form
	Email   string    // recipient of the code
	Resend  view.Form // sends another one
	Wait    int       // seconds until another one may be sent
	Change  string    // address of the page with the e-mail address
	Order   *view.Order
	Trouble *view.Trouble
}

// Details is the page with "name" and "phone" for a new customer.
type Details struct {
	Form    view.Form
	Name    string
	Phone   string
	Order   *view.Order
	Trouble *view.Trouble
}

// Hint returns the reason for the e-mail address.
func (v SignIn) Hint(w view.Words) string {
	return cmp.Or(v.Why, w.T("We send you a code to sign in and a receipt afterwards. No password."))
}
