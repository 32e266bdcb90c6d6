// Package keys is the page of keyboard shortcuts, with the switch for single keys.
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

// line is a shortcut; group is a list of related ones.
type line struct {
	Keys []string // one after the other
	Text string
}

type group struct {
	Title string
	Lines []line
}

func (s *screens) keys(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{Title: c.UI.T("Keyboard shortcuts"), Body: body(c, list(c.UI)), Sheet: true}, nil
}

// list returns the shortcuts of the scripts (console/keys.ts, console/palette.ts, calendar.ts), and those of the
// shell's entries.
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
		{sh.T("General"), []line{
			{[]string{"/"}, sh.T("Search")}, {[]string{"⌘ K"}, sh.T("Search (Ctrl K without a ⌘ key)")}, {[]string{"?"}, sh.T("Keyboard shortcuts")},
			{[]string{"Esc"}, sh.T("Close the open panel")},
		}},
		screens, make,
		{sh.T("Lists"), []line{{[]string{"j"}, sh.T("Next row")}, {[]string{"k"}, sh.T("Previous row")}, {[]string{"Enter"}, sh.T("Open row")}}},
		{sh.T("Calendar"), []line{
			{[]string{"←"}, sh.T("Earlier")}, {[]string{"→"}, sh.T("Later")}, {[]string{"."}, sh.T("Today")},
			{[]string{"m"}, sh.T("Reschedule the selected item")},
		}},
	}
}
