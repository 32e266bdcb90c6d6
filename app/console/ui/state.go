package ui

import (
	"strings"

	"foyer/app/booking"
	"foyer/app/fees"
	"foyer/app/schedule"
)

// State is how a booking stands, in one or two words.
func State(sh Shell, s booking.State) (string, Tone) {
	switch s {
	case booking.Held:
		return sh.C("booking", "Held"), ""
	case booking.Expired:
		return sh.C("booking", "Let go"), ""
	case booking.Requested:
		return sh.C("booking", "Asked for"), "warn"
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
	return sh.C("booking", "Was there"), "ok"
}

// Fee is what became of a fee, in one or two words.
func Fee(sh Shell, s fees.State) (string, Tone) {
	switch s {
	case fees.Due:
		return sh.C("fee", "Due"), "bad"
	case fees.Paid:
		return sh.C("fee", "Paid"), "ok"
	case fees.Waived:
		return sh.C("fee", "Waived"), ""
	case fees.Forgiven:
		return sh.C("fee", "Forgiven"), ""
	}
	return sh.C("fee", "Taken back"), ""
}

// Edited is what an edit of a series, or of one of its dates, has done.
func Edited(sh Shell, e schedule.Edit) string {
	var list []string
	if e.Added > 0 {
		list = append(list, sh.N(e.Added, "{n} date added", "{n} dates added"))
	}
	if e.Removed > 0 {
		list = append(list, sh.N(e.Removed, "{n} date removed", "{n} dates removed"))
	}
	if e.Moved > 0 {
		list = append(list, sh.N(e.Moved, "{n} date moved", "{n} dates moved"))
	}
	if e.Changed > 0 {
		list = append(list, sh.N(e.Changed, "{n} date changed", "{n} dates changed"))
	}
	if len(list) == 0 {
		return sh.T("No date changed")
	}
	return strings.Join(list, ", ")
}

// Replacements are who teaches dates instead, where they are instead, and how many seats they have.
func Replacements(sh Shell, p schedule.Plan) (out []Outcome) {
	for _, r := range p.Instructors {
		text := sh.N(r.Dates, "{name} teaches {n} date, instead of {was}", "{name} teaches {n} dates, instead of {was}", "name", r.To, "was", r.From)
		switch {
		case r.From == "":
			text = sh.N(r.Dates, "{name} teaches {n} date that had no instructor", "{name} teaches {n} dates that had no instructor", "name", r.To)
		case r.To == "":
			text = sh.N(r.Dates, "{n} date has no instructor any more, instead of {was}", "{n} dates have no instructor any more, instead of {was}", "was", r.From)
		}
		out = append(out, Outcome{Text: text})
	}
	for _, r := range p.Spaces {
		text := sh.N(r.Dates, "{n} date is in {name}, instead of {was}", "{n} dates are in {name}, instead of {was}", "name", r.To, "was", r.From)
		switch {
		case r.From == "":
			text = sh.N(r.Dates, "{n} date that had no room is in {name}", "{n} dates that had no room are in {name}", "name", r.To)
		case r.To == "":
			text = sh.N(r.Dates, "{n} date has no room any more, instead of {was}", "{n} dates have no room any more, instead of {was}", "was", r.From)
		}
		out = append(out, Outcome{Text: text})
	}
	for _, r := range p.Seats {
		out = append(out, Outcome{Text: sh.N(r.Dates, "{n} date has {seats} seats, {online} of them sold online", "{n} dates have {seats} seats, {online} of them sold online",
			"seats", r.To, "online", r.OnlineTo)})
	}
	return out
}

// PartOfCourse is what a date of a course says of itself; empty for any other date.
func PartOfCourse(sh Shell, course bool) string {
	if course {
		return sh.T("Part of course")
	}
	return ""
}
