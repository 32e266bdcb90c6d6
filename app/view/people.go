package view

import (
	"slices"
	"strings"

	"foyer/app/crm"
)

// PeoplePrompt is the form field for the number of people at a date or a course, and their names.
type PeoplePrompt struct {
	Most  int    // number of people that there is room for
	N     int    // the number filled in
	Names string // of the attendees beside the customer, as typed
	Have  int    // number in the cart for it already: these are added
}

// Several reports whether more than one person can attend.
func (p *PeoplePrompt) Several() bool { return p != nil && p.Most+p.Have > 1 }

// label is the question.
func (p *PeoplePrompt) label(w Words) string {
	if p.Have > 0 {
		return w.T("How many more people?")
	}
	return w.T("How many people?")
}

// hint returns the most people possible.
func (p *PeoplePrompt) hint(w Words) string {
	if p.Most == 1 {
		return w.T("There is room for one.")
	}
	return w.T("Up to {n}. The price is per person.", "n", p.Most)
}

// have returns the number in the cart already.
func (p *PeoplePrompt) have(w Words) string {
	return w.N(p.Have, "Already in your cart: {n} person. You are adding more.", "Already in your cart: {n} people. You are adding more.")
}

// Attendee returns the name of an attendee. An unnamed attendee is stored as "Guest 2", and shown so in the reader's
// language.
func (w Words) Attendee(name string) string {
	if n := crm.GuestNumber(name); n > 0 {
		return w.T("Guest {n}", "n", n)
	}
	return name
}

// Together joins lines that differ only in the attendee: two friends at one class read as one.
func Together(w Words, list []Line) []Line {
	var out []Line
	people := map[int][]string{} // by the index in out
	for _, l := range list {
		i := slices.IndexFunc(out, func(o Line) bool { return o.SameBut(l) })
		if i < 0 {
			i, out = len(out), append(out, l)
		}
		people[i] = append(people[i], l.Who)
	}
	for i, names := range people {
		if len(names) > 1 {
			out[i].Party, out[i].Who, out[i].Terms = len(names), company(w, names), forEach(w, out[i].Terms)
			if out[i].Plan != "" {
				out[i].Plan = forEach(w, []string{out[i].Plan})[0]
			}
		}
	}
	return out
}

// forEach adds to the terms of one booking that they apply to each: the bookings are cancelled one by one.
func forEach(w Words, terms []string) []string {
	terms = slices.Clone(terms)
	if len(terms) > 0 {
		terms[0] = w.T("For each person: {terms}", "terms", w.inside(terms[0]))
	}
	return terms
}

// SameBut reports whether two lines, each for one person, differ only in that person.
func (l Line) SameBut(o Line) bool {
	return l.Quantity+o.Quantity == 0 && l.Party < 2 && o.Party < 2 && l.Name == o.Name &&
		l.Start.Equal(o.Start) && l.Minutes == o.Minutes && l.Where == o.Where &&
		l.State == o.State && l.Plan == o.Plan && slices.Equal(l.Terms, o.Terms) && slices.EqualFunc(l.Dates, o.Dates,
		CourseDate.equal)
}

func (d CourseDate) equal(o CourseDate) bool {
	return d.Start.Equal(o.Start) && d.Minutes == o.Minutes && d.State == o.State
}

// company is "you, Ben and Guest 3": the customer is the one without a name, and comes first.
func company(w Words, names []string) string {
	names = slices.Clone(names)
	if i := slices.Index(names, ""); i >= 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, w.C("who comes", "you"))
	}
	last := len(names) - 1
	return w.T("{names} and {last}", "names", strings.Join(names[:last], ", "), "last", names[last])
}
