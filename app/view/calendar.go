package view

import "time"

// Calendar is what a page offers to whoever keeps a calendar: a file, and the forms of calendars on the web.
type Calendar struct {
	File  string // address of the .ics file; empty offers nothing
	Add   []CalendarEntry
	Quiet bool // the page has something more urgent to press
}

// CalendarEntry is one thing that can be put into a calendar on the web.
type CalendarEntry struct {
	Name    string
	Start   time.Time
	Google  string // absolute addresses of a filled-in form
	Outlook string
}

// addLinks are the forms as links, each with what it adds where there are several.
func (w Words) addLinks(list []CalendarEntry) []Link {
	var out []Link
	for _, e := range list {
		google, outlook := w.T("Add to Google Calendar"), w.T("Add to Outlook")
		if len(list) > 1 {
			when := w.ShortWhen(e.Start)
			google = w.T("Add to Google Calendar: {what}, {when}", "what", e.Name, "when", when)
			outlook = w.T("Add to Outlook: {what}, {when}", "what", e.Name, "when", when)
		}
		out = append(out, Link{google, e.Google}, Link{outlook, e.Outlook})
	}
	return out
}
