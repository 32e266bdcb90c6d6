package my

import (
	"time"

	"foyer/app/agreement"
	"foyer/app/view"
)

// Agreements lists the agreements of one customer, the latest first.
type Agreements struct {
	Email  string
	Agreed []Agreement
	More   string // address of older ones
}

// Agreement is one line of it.
type Agreement struct {
	view.Agreed
	Zone     *time.Location // of the studio
	Studio   string
	Attendee string // the attendee agreed for; empty: themselves
	How      string // "Read to its end", "Signed on paper"; may be empty
}

// HowAgreed returns how a customer agreed, if not with a tick.
func HowAgreed(w view.Words, by agreement.Source, shown *agreement.Shown) string {
	switch {
	case by == agreement.SourceStaff:
		return w.T("Signed on paper")
	case shown != nil && *shown == agreement.ShownFull:
		return w.T("Read to the end")
	}
	return ""
}
