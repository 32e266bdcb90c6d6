package desk

import (
	"foyer/app/agreement"
	"foyer/app/console/ui"
)

// AgreedHow renders the origin of an acceptance: at booking or on paper.
func AgreedHow(sh ui.Shell, r agreement.Record) string {
	by := r.RecordedBy()
	switch {
	case by != nil && *by != "":
		return sh.T("on paper, recorded by {name}", "name", *by)
	case by != nil:
		return sh.T("on paper")
	case r.Shown != nil && *r.Shown == agreement.ShownFull:
		return sh.T("when booking, read to the end")
	}
	return sh.T("when booking")
}
