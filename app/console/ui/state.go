package ui

import (
	"strings"

	"foyer/app/booking"
	"foyer/app/fees"
	"foyer/app/schedule"
)

// State renders the state of a booking, in one or two words.
func State(sh Shell, s booking.State) (string, Tone) {
	switch s {
	case booking.Held:
		return sh.C("booking", "Held"), ""
	case booking.Expired:
		return sh.C("booking", "Expired"), ""
	case booking.Requested:
		return sh.C("booking", "Requested"), "warn"
	case booking.Declined:
		return sh.C("booking", "Declined"), ""
	case booking.Confirmed:
		return sh.C("booking", "Booked"), ""
	case booking.Cancelled:
		return sh.C("booking", "Cancelled"), ""
	case booking.LateCancelled:
		return sh.C("booking", "Cancelled late"), "bad"
	case booking.StudioCancelled:
		return sh.C("booking", "Cancelled by the studio"), ""
	case booking.CheckedIn:
		return sh.C("booking", "Checked in"), "ok"
	case booking.NoShow:
		return sh.C("booking", "No-show"), "bad"
	}
	return sh.C("booking", "Attended"), "ok"
}

// Fee renders the state of a fee, in one or two words.
func Fee(sh Shell, s fees.State) (string, Tone) {
	switch s {
	case fees.Due:
		return sh.C("fee", "Due"), "bad"
	case fees.Paid:
		return sh.C("fee", "Paid"), "ok"
	case fees.Waived:
		return sh.C("fee", "Waived"), ""
	case fees.GraceWaived:
		return sh.C("fee", "Waived (grace)"), ""
	}
	return sh.C("fee", "Withdrawn"), ""
}

// Edited renders the effect of an edit of a series, or of one of its dates.
func Edited(sh Shell, e schedule.Edit) string {
	var list []string
	if e.Added > 0 {
		list = append(list, sh.N(e.Added, "{n} date added", "{n} dates added"))
	}
	if e.Removed > 0 {
		list = append(list, sh.N(e.Removed, "{n} date removed", "{n} dates removed"))
	}
	if e.Moved > 0 {
		list = append(list, sh.N(e.Moved, "{n} date rescheduled", "{n} dates rescheduled"))
	}
	if e.Changed > 0 {
		list = append(list, sh.N(e.Changed, "{n} date changed", "{n} dates changed"))
	}
	if len(list) == 0 {
		return sh.T("No dates changed")
	}
	return strings.Join(list, ", ")
}

// Replacements returns the changes of instructors, spaces and seats in a plan.
func Replacements(sh Shell, p schedule.Plan) (out []Outcome) {
	for _, r := range p.Instructors {
		text := sh.N(r.Dates, "{name} teaches {n} date, instead of {was}", "{name} teaches {n} dates, instead of {was}", "name", r.To, "was", r.From)
		switch {
		case r.From == "":
			text = sh.N(r.Dates, "{name} teaches {n} date that had no instructor", "{name} teaches {n} dates that had no instructor", "name", r.To)
		case r.To == "":
			text = sh.N(r.Dates, "{n} date no longer has {was} as instructor", "{n} dates no longer have {was} as instructor", "was", r.From)
		}
		out = append(out, Outcome{Text: text})
	}
	for _, r := range p.Spaces {
		text := sh.N(r.Dates, "{n} date is in {name}, instead of {was}", "{n} dates are in {name}, instead of {was}", "name", r.To, "was", r.From)
		switch {
		case r.From == "":
			text = sh.N(r.Dates, "{n} date that had no room is in {name}", "{n} dates that had no room are in {name}", "name", r.To)
		case r.To == "":
			text = sh.N(r.Dates, "{n} date is no longer in {was}", "{n} dates are no longer in {was}", "was", r.From)
		}
		out = append(out, Outcome{Text: text})
	}
	for _, r := range p.Seats {
		out = append(out, Outcome{Text: sh.N(r.Dates, "{n} date has {seats} spots, {online} of them sold online", "{n} dates have {seats} spots, {online} of them sold online",
			"seats", r.To, "online", r.OnlineTo)})
	}
	return out
}

// PartOfCourse returns the label of a course's date; empty for any other date.
func PartOfCourse(sh Shell, course bool) string {
	if course {
		return sh.T("Part of course")
	}
	return ""
}
