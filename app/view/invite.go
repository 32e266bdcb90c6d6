package view

// InviteStudio asks for "business" (the studio's name) and "name" (the owner's).
type InviteStudio struct {
	Form     Form
	Business string
	Name     string
	Trouble  *Trouble
}

// InviteLocation asks for the first location: "location" (its name), "zone" (an IANA name) and "currency" (an ISO code).
// Guess lets the script choose zone and currency from the browser: true until the owner has chosen.
type InviteLocation struct {
	Form       Form
	Location   string
	Zone       string
	Zones      []Option
	Currency   string
	Currencies []Option
	Guess      bool
	Trouble    *Trouble
}

// InviteDone is the end of the wizard: where the studio is now, and what to call next.
type InviteDone struct {
	Business string
	Links    []Link // absolute addresses, with what each is
	Calls    []Call
}

// Call is one command to try, as it is typed.
type Call struct{ Title, Command string }

func (v InviteLocation) guess(what string) string {
	if v.Guess {
		return what
	}
	return ""
}
