package kit

import (
	"cmp"

	"foyer/app/view"
)

// SignIn asks for an e-mail address. The field posts as "email".
type SignIn struct {
	Form    view.Form
	Email   string
	Why     string // one line under the title; there is one for a checkout when empty
	Order   *view.Order
	Trouble *view.Trouble
}

// Code asks for the code that was mailed. The field posts as "code"; spaces in it are the visitor's right.
type Code struct {
	Form    view.Form
	Email   string    // where the code went
	Resend  view.Form // sends another one
	Wait    int       // seconds until another one may be sent
	Change  string    // address of the page that asks for the e-mail address again
	Order   *view.Order
	Trouble *view.Trouble
}

// Details asks a new customer once for "name" and "phone".
type Details struct {
	Form    view.Form
	Name    string
	Phone   string
	Order   *view.Order
	Trouble *view.Trouble
}

// Hint is why an address is asked for.
func (v SignIn) Hint(w view.Words) string {
	return cmp.Or(v.Why, w.T("We send you a code to sign in and a receipt afterwards. No password."))
}
