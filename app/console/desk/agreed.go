package desk

import (
	"foyer/app/agreement"
	"foyer/app/console/ui"
)

// AgreedHow is how an acceptance came about, in words: when booking or on paper.
func AgreedHow(sh ui.Shell, r agreement.Record) string {
	by := r.RecordedBy()
	switch {
	case by != nil && *by != "":
		return sh.T("on paper, written down by {name}", "name", *by)
	case by != nil:
		return sh.T("on paper")
	case r.Shown != nil && *r.Shown == agreement.ShownFull:
		return sh.T("when booking, read to its end")
	}
	return sh.T("when booking")
}
