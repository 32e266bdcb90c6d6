package my

import (
	"time"

	"foyer/app/view"
	"foyer/app/words"
)

// Profile has the editable facts about a person. It posts "name", "phone" and "locale".
type Profile struct {
	Form     view.Form
	Email    string // the account's: verified by the sign-in codes, and fixed
	Name     string
	Phone    string
	Locale   string // "de"; empty: as the studio writes
	Back     string // address of My bookings
	Desk     string // address of the console that linked here; empty without one
	Sessions []Session
	SignOut  view.Form // everywhere
	Trouble  *view.Trouble
}

// Session is one sign-in of the person.
type Session struct {
	Agent   string // the browser's name for itself; may be empty
	Since   time.Time
	Seen    time.Time
	Current bool // it is this one
}

// tongues are the languages to choose from, each in its own name; none is the studio's.
func (v Profile) tongues(w view.Words) []view.Option {
	list := []view.Option{{Text: w.T("The studio’s language")}}
	for _, l := range words.Languages() {
		list = append(list, view.Option{Value: l.Tag, Text: l.Name})
	}
	return list
}

// agentMost is the length of the browser's name shown, in characters.
const agentMost = 60

func (s Session) named(w view.Words) string {
	if s.Current {
		return w.T("This browser")
	}
	if s.Agent == "" {
		return w.T("Another browser")
	}
	return view.Teaser(s.Agent, agentMost)
}
