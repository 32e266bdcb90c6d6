package studio

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/hosted/kit"
	"foyer/app/schedule"
	"foyer/app/view"
)

// narrowing is one way to narrow a timetable: by the class, the instructor or the space.
type narrowing struct {
	name  string
	words func(w view.Words) (label, all string)
	of    func(x schedule.PublicOccurrence) view.Option // the value of a date; empty for none
}

var narrowings = []narrowing{
	{"class", func(w view.Words) (label, all string) { return w.C("label", "Class"), w.T("All classes") }, func(x schedule.PublicOccurrence) view.Option { return view.Option{Value: x.Slug, Text: x.Name} }},
	{"with", func(w view.Words) (label, all string) { return w.C("label", "Instructor"), w.T("Any instructor") }, func(x schedule.PublicOccurrence) view.Option {
		return view.Option{Value: x.Instructor, Text: x.Instructor}
	}},
	{"in", func(w view.Words) (label, all string) { return w.C("label", "Room"), w.T("Any room") }, func(x schedule.PublicOccurrence) view.Option { return view.Option{Value: x.Space, Text: x.Space} }},
}

// filter is the filter in the address of a timetable. Values without a date are ignored.
type filter struct {
	chosen  url.Values
	selects []view.Select
}

// filterOf reads the choice among the values of the dates, and offers it if there is more than one.
func filterOf(c *fiber.Ctx, w view.Words, t schedule.Timetable) filter {
	f := filter{chosen: url.Values{}}
	for _, n := range narrowings {
		label, all := n.words(w)
		s := view.Select{Name: n.name, Label: label, Options: n.options(t)}
		if wanted := c.Query(n.name); slices.ContainsFunc(s.Options, func(o view.Option) bool { return o.Value == wanted }) {
			s.Value = wanted
			f.chosen.Set(n.name, wanted)
		}
		if len(s.Options) > 1 {
			s.Options = append([]view.Option{{Text: all}}, s.Options...)
			f.selects = append(f.selects, s)
		}
	}
	return f
}

// filtered reports whether an address has a filter.
func filtered(c *fiber.Ctx) bool {
	return slices.ContainsFunc(narrowings, func(n narrowing) bool { return c.Query(n.name) != "" })
}

// options are the values of the dates, by name.
func (n narrowing) options(t schedule.Timetable) []view.Option {
	var out []view.Option
	for _, d := range t.Days {
		for _, x := range d.Occurrences {
			if o := n.of(x); o.Value != "" && !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	slices.SortFunc(out, func(a, b view.Option) int { return strings.Compare(a.Text, b.Text) })
	return out
}

// takes reports whether a date matches the filter.
func (f filter) takes(x schedule.PublicOccurrence) bool {
	return !slices.ContainsFunc(narrowings, func(n narrowing) bool { return f.chosen.Has(n.name) && n.of(x).Value != f.chosen.Get(n.name) })
}

// href is an address of the timetable that keeps the choice; day may be empty.
func (f filter) href(path, day string) string {
	v := url.Values{}
	for name := range f.chosen {
		v.Set(name, f.chosen.Get(name))
	}
	if day != "" {
		v.Set("day", day)
	}
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// view is the choice on the page; nil where there is nothing to choose. day is the one the address names.
func (f filter) view(path, day string) *view.Filter {
	if len(f.selects) == 0 && len(f.chosen) == 0 {
		return nil
	}
	v := &view.Filter{Action: path, Selects: f.selects, On: len(f.chosen) > 0, Reset: path}
	if day != "" {
		v.Hidden, v.Reset = []view.Param{{Name: "day", Value: day}}, kit.Query(path, "day", day)
	}
	return v
}
