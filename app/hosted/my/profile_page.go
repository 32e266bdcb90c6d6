package my

import (
	"time"

	"foyer/app/view"
	"foyer/app/words"
)

// Profile is what the house knows of somebody, as they can change it. It posts "name", "phone" and "locale".
type Profile struct {
	Form     view.Form
	Email    string // the account's: it is what the codes prove, and stays
	Name     string
	Phone    string
	Locale   string // "de"; empty: as the studio writes
	Back     string // address of My bookings
	Desk     string // address of the console that somebody came from; empty: from none
	Sessions []Session
	SignOut  view.Form // everywhere
	Trouble  *view.Trouble
}

// Session is one place where somebody is signed in.
type Session struct {
	Agent string // what the browser called itself; may be empty
	Since time.Time
	Seen  time.Time
	Here  bool // it is this one
}

// tongues are the languages to choose from, each in itself; none is the studio's.
func (v Profile) tongues(w view.Words) []view.Option {
	list := []view.Option{{Text: w.T("As the studio writes")}}
	for _, l := range words.Languages() {
		list = append(list, view.Option{Value: l.Tag, Text: l.Name})
	}
	return list
}

// agentMost is how much of what a browser calls itself is shown, in characters.
const agentMost = 60

func (s Session) named(w view.Words) string {
	if s.Here {
		return w.T("This browser")
	}
	if s.Agent == "" {
		return w.T("Another browser")
	}
	return view.Teaser(s.Agent, agentMost)
}
