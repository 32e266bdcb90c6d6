package kit

import (
	"strconv"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/view"
)

// rowOfLinks is the highest number of options shown as a row of links; a choice with more is a field of the form.
const rowOfLinks = 10

// Chooser adds the choices of an appointment or a rental to its page.
type Chooser struct {
	Words view.Words
	Path  string
	Page  catalog.Page
	Wish  Wish
	From  string // the requested day, kept by a changed choice; empty for the first
	View  *view.Times
}

// way is one option: its value in a form, and its text on the page.
type way struct {
	value string
	view.ChoiceOption
}

// Rows adds choices of the length, the instructor, the space and the party size.
func (x Chooser) Rows() {
	x.add(fieldMinutes, x.Words.T("Length"), x.lengths())
	x.Assignment()
	x.add(fieldParty, x.Words.T("People"), x.parties())
}

// Assignment adds choices of the instructor and the space.
func (x Chooser) Assignment() {
	if choosesMember(x.Page) {
		x.add(fieldWith, x.Words.C("label", "Instructor"), x.named(x.Words.T("Any instructor"), x.Page.Members, x.Wish.MemberID, func(w *Wish, id *uuid.UUID) { w.MemberID = id }))
	}
	if choosesSpace(x.Page) {
		x.add(fieldSpace, x.Words.C("label", "Room"), x.named(x.Words.T("Any room"), x.Page.Spaces, x.Wish.SpaceID, func(w *Wish, id *uuid.UUID) { w.SpaceID = id }))
	}
}

// add shows a choice: nothing with only one option, a row of links, or a field when a row would be too long.
func (x Chooser) add(name, label string, ways []way) {
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
		x.View.Selects = append(x.View.Selects, field)
		return
	}
	x.View.Choices = append(x.View.Choices, row)
	for _, kept := range x.Wish.Params() {
		if kept.Name == name {
			x.View.Jump.Hidden = append(x.View.Jump.Hidden, kept)
		}
	}
}

// with is an option that changes the choice.
func (x Chooser) with(value, text string, chosen bool, change func(w *Wish)) way {
	w := x.Wish
	change(&w)
	return way{value, view.ChoiceOption{Text: text, Href: w.Fit(x.Page).Href(x.Path, "from", x.From), Chosen: chosen}}
}

func (x Chooser) lengths() []way {
	var out []way
	for _, d := range x.Page.Durations {
		w := x.with(strconv.Itoa(d.Minutes), x.Words.Length(d.Minutes), d.Minutes == x.Wish.Lasts(x.Page), func(w *Wish) { w.Minutes = d.Minutes })
		w.Note = x.Words.MoneyShort(view.Shown(d.PriceAmount, 1, x.Page.Pricing, x.Page.Currency))
		out = append(out, w)
	}
	return out
}

// named are the options by name, after the one for any that is free.
func (x Chooser) named(any string, list []catalog.Named, chosen *uuid.UUID, set func(w *Wish, id *uuid.UUID)) []way {
	out := []way{x.with("", any, chosen == nil, func(w *Wish) { set(w, nil) })}
	for _, n := range list {
		out = append(out, x.with(n.ID.String(), n.Name, chosen != nil && n.ID == *chosen, func(w *Wish) { set(w, &n.ID) }))
	}
	return out
}

func (x Chooser) parties() []way {
	var out []way
	least, most := x.Page.Party()
	for n := least; n <= most; n++ {
		out = append(out, x.with(strconv.Itoa(n), x.Words.Lang().Number(n), n == x.Wish.People(x.Page), func(w *Wish) { w.Party = n }))
	}
	return out
}
