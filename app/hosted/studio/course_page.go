package studio

import "foyer/app/view"

// Course is a class that is booked with all its dates.
type Course struct {
	view.About // the price is of all dates together
	Dates      []view.CourseDate
	Total      int // how many dates it has with those that have begun; more than Dates when it has
	Spots      int // free on every date; told when few
	Form       view.Form
	People     *view.PeopleAsk // asked where several can come
	Note       string          // why it cannot be booked, in place of Form
}

// begun says that who joins now joins a course that has begun; empty when it has not.
func (v Course) begun(w view.Words) string {
	if v.Total <= len(v.Dates) || len(v.Dates) == 0 {
		return ""
	}
	return w.N(len(v.Dates), "It has begun: {n} of {all} dates is still to come. The price is that of the whole course.",
		"It has begun: {n} of {all} dates are still to come. The price is that of the whole course.", "all", v.Total)
}
