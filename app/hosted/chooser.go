package hosted

import (
	"strconv"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/view"
)

// rowOfLinks is how many ways a choice can have to be a row of links; one with more is a field of the form.
const rowOfLinks = 10

// chooser fills in what can be chosen on the page of an appointment or a rental.
type chooser struct {
	words view.Words
	path  string
	page  catalog.Page
	wish  wish
	from  string // the day that the visitor asked for, which a changed choice keeps; empty for the first
	view  *view.Times
}

// way is one way to choose: how a form names it, and how the page shows it.
type way struct {
	value string
	view.ChoiceOption
}

func (x chooser) rows() {
	x.add(fieldMinutes, x.words.T("Length"), x.lengths())
	x.whom()
	x.add(fieldParty, x.words.T("People"), x.parties())
}

// whom lets the customer choose who gives it and where.
func (x chooser) whom() {
	if choosesMember(x.page) {
		x.add(fieldWith, x.words.C("label", "With"), x.named(x.words.T("Anyone"), x.page.Members, x.wish.MemberID, func(w *wish, id *uuid.UUID) { w.MemberID = id }))
	}
	if choosesSpace(x.page) {
		x.add(fieldSpace, x.words.C("label", "Where"), x.named(x.words.T("Anywhere"), x.page.Spaces, x.wish.SpaceID, func(w *wish, id *uuid.UUID) { w.SpaceID = id }))
	}
}

// add shows a choice: nothing when there is only one way, a row of links, or a field when a row would be too long.
func (x chooser) add(name, label string, ways []way) {
	if len(ways) < 2 {
		return
	}
	row, field := view.Choice{Name: label}, view.Select{Name: name, Label: label}
	for _, w := range ways {
		row.Options = append(row.Options, w.ChoiceOption)
		field.Options = append(field.Options, view.Option{Value: w.value, Text: w.Text})
		if w.Chosen {
			field.Value = w.value
		}
	}
	if len(ways) > rowOfLinks {
		x.view.Selects = append(x.view.Selects, field)
		return
	}
	x.view.Choices = append(x.view.Choices, row)
	for _, kept := range x.wish.params() {
		if kept.Name == name {
			x.view.Jump.Hidden = append(x.view.Jump.Hidden, kept)
		}
	}
}

// with is the way to a changed choice.
func (x chooser) with(value, text string, chosen bool, change func(w *wish)) way {
	w := x.wish
	change(&w)
	return way{value, view.ChoiceOption{Text: text, Href: w.fit(x.page).href(x.path, "from", x.from), Chosen: chosen}}
}

func (x chooser) lengths() []way {
	var out []way
	for _, d := range x.page.Durations {
		w := x.with(strconv.Itoa(d.Minutes), x.words.Length(d.Minutes), d.Minutes == x.wish.minutes(x.page), func(w *wish) { w.Minutes = d.Minutes })
		w.Note = x.words.MoneyShort(view.Shown(d.PriceAmount, 1, x.page.Pricing, x.page.Currency))
		out = append(out, w)
	}
	return out
}

// named are those who can be chosen, after whoever is free.
func (x chooser) named(any string, list []catalog.Named, chosen *uuid.UUID, set func(w *wish, id *uuid.UUID)) []way {
	out := []way{x.with("", any, chosen == nil, func(w *wish) { set(w, nil) })}
	for _, n := range list {
		out = append(out, x.with(n.ID.String(), n.Name, chosen != nil && n.ID == *chosen, func(w *wish) { set(w, &n.ID) }))
	}
	return out
}

func (x chooser) parties() []way {
	var out []way
	least, most := x.page.Party()
	for n := least; n <= most; n++ {
		out = append(out, x.with(strconv.Itoa(n), x.words.Lang().Number(n), n == x.wish.party(x.page), func(w *wish) { w.Party = n }))
	}
	return out
}
