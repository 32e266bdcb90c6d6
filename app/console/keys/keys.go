// Package keys is the page of the keyboard: which keys do what, and the switch for the single ones.
package keys

import (
	"foyer/app/console/desk"
	"foyer/app/console/ui"
)

type screens struct{ *desk.Desk }

// Register mounts the screen.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getBusiness", "/keys", s.keys)
}

// line is what keys do; group is lines that belong together.
type line struct {
	Keys []string // one after the other
	Text string
}

type group struct {
	Title string
	Lines []line
}

func (s *screens) keys(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{Title: c.UI.T("Keyboard"), Body: body(c, list(c.UI)), Sheet: true}, nil
}

// list is what the scripts listen to (console/keys.ts, console/palette.ts, calendar.ts), and what the shell's entries say of theirs.
func list(sh ui.Shell) []group {
	screens := group{Title: sh.T("Go to")}
	for _, e := range sh.Rail {
		screens.Lines = append(screens.Lines, line{[]string{"g", e.Key}, e.Text})
	}
	make := group{Title: sh.C("menu", "New")}
	for _, e := range sh.Makes {
		if e.Key != "" {
			make.Lines = append(make.Lines, line{[]string{e.Key}, e.Text})
		}
	}
	return []group{
		{sh.T("Everywhere"), []line{
			{[]string{"/"}, sh.T("Search")}, {[]string{"⌘ K"}, sh.T("Search; Ctrl K where there is no ⌘")}, {[]string{"?"}, sh.T("This list")},
			{[]string{"Esc"}, sh.T("Close what is open")},
		}},
		screens, make,
		{sh.T("In lists"), []line{{[]string{"j"}, sh.T("Next row")}, {[]string{"k"}, sh.T("Row before")}, {[]string{"Enter"}, sh.T("Open it")}}},
		{sh.T("In the calendar"), []line{
			{[]string{"←"}, sh.T("Earlier")}, {[]string{"→"}, sh.T("Later")}, {[]string{"."}, sh.T("Today")},
			{[]string{"m"}, sh.T("Move what has the focus")},
		}},
	}
}
