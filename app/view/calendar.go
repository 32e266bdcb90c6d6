package view

import "time"

// Calendar has a page's offers for the customer's calendar: a file, and links to web calendars.
type Calendar struct {
	File  string // address of the .ics file; if empty, nothing is offered
	Add   []CalendarEntry
	Quiet bool // the page has a more important button
}

// CalendarEntry is one event that can be added to a web calendar.
type CalendarEntry struct {
	Name    string
	Start   time.Time
	Google  string // absolute addresses of prefilled forms
	Outlook string
}

// addLinks returns links to the forms; with several entries each names its own.
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
