package view

import "cmp"

// SignIn asks for an e-mail address. The field posts as "email".
type SignIn struct {
	Form    Form
	Email   string
	Why     string // one line under the title; there is one for a checkout when empty
	Order   *Order
	Trouble *Trouble
}

// Code asks for the code that was mailed. The field posts as "code"; spaces in it are the visitor's right.
type Code struct {
	Form    Form
	Email   string // where the code went
	Resend  Form   // sends another one
	Wait    int    // seconds until another one may be sent
	Change  string // address of the page that asks for the e-mail address again
	Order   *Order
	Trouble *Trouble
}

// Details asks a new customer once for "name" and "phone".
type Details struct {
	Form    Form
	Name    string
	Phone   string
	Order   *Order
	Trouble *Trouble
}

// Hint is why an address is asked for.
func (v SignIn) Hint(w Words) string {
	return cmp.Or(v.Why, w.T("We send you a code to sign in and a receipt afterwards. No password."))
}
