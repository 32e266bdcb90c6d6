package view

import (
	"slices"
	"strings"

	"foyer/app/crm"
)

// PeopleAsk asks how many come to a date or a course, and who they are.
type PeopleAsk struct {
	Most  int    // as many as there is room for
	N     int    // what is filled in
	Names string // of those beside the customer, as typed
	Have  int    // how many the cart has for it already: these come on top
}

// Several tells whether more than one person can come.
func (p *PeopleAsk) Several() bool { return p != nil && p.Most+p.Have > 1 }

// label is the question.
func (p *PeopleAsk) label(w Words) string {
	if p.Have > 0 {
		return w.T("How many more people?")
	}
	return w.T("How many people?")
}

// hint says how many can come.
func (p *PeopleAsk) hint(w Words) string {
	if p.Most == 1 {
		return w.T("There is room for one.")
	}
	return w.T("Up to {n}, and the price is for each.", "n", p.Most)
}

// have says what the cart has already.
func (p *PeopleAsk) have(w Words) string {
	return w.N(p.Have, "In your cart: {n} person. What you add now comes on top.", "In your cart: {n} people. What you add now comes on top.")
}

// Attendee is the name of who comes. Whom nobody has named is kept as "Guest 2", and called so in the reader's language.
func (w Words) Attendee(name string) string {
	if n := crm.GuestNumber(name); n > 0 {
		return w.T("Guest {n}", "n", n)
	}
	return name
}

// Together joins lines that differ in nothing but who is coming: two friends at one class read as one.
func Together(w Words, list []Line) []Line {
	var out []Line
	people := map[int][]string{} // by the place in out
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
		}
	}
	return out
}

// forEach says that what is told of one booking is so of each: they are cancelled one by one.
func forEach(w Words, terms []string) []string {
	terms = slices.Clone(terms)
	if len(terms) > 0 {
		terms[0] = w.T("For each person: {terms}", "terms", w.inside(terms[0]))
	}
	return terms
}

// SameBut tells whether two lines, each for one person, differ in who that is only.
func (l Line) SameBut(o Line) bool {
	return l.Party < 2 && o.Party < 2 && l.Name == o.Name && l.Start.Equal(o.Start) && l.Minutes == o.Minutes && l.Where == o.Where &&
		l.State == o.State && slices.Equal(l.Terms, o.Terms) && slices.EqualFunc(l.Dates, o.Dates, CourseDate.equal)
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
