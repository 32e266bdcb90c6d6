package studio

import "foyer/app/view"

// Course is a class that is booked with all its dates.
type Course struct {
	view.About // the price is of all dates together
	Dates      []view.CourseDate
	Total      int // number of dates with those that have begun; more than Dates if there are any
	Spots      int // free on every date; shown when few
	Form       view.Form
	People     *view.PeoplePrompt // shown where several people can attend
	Note       string             // why it cannot be booked, in place of Form
}

// begun is the note that the course has already begun; empty when it has not.
func (v Course) begun(w view.Words) string {
	if v.Total <= len(v.Dates) || len(v.Dates) == 0 {
		return ""
	}
	return w.N(len(v.Dates), "This course has started: {n} of {all} dates remains. You pay the price of the whole course.",
		"This course has started: {n} of {all} dates remain. You pay the price of the whole course.", "all", v.Total)
}
