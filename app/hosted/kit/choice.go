package kit

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/schedule"
	"foyer/app/view"
)

// The parameters of a choice, in addresses and in the form that books; and of a date of a class, in forms.
const (
	FieldDate    = "occurrence"
	fieldMinutes = "minutes"
	fieldWith    = "with"
	fieldSpace   = "in"
	fieldParty   = "party"
	FieldStart   = "start"
	FieldPeople  = "people" // of a date of a class: number of people
	FieldNames   = "names"  // and the attendees' names, besides the customer
)

// Wish is a customer's choice for an appointment or a rental: its length, the instructor, the space and the number of
// people. Open choices are zero.
type Wish checkout.Slot

// WishOf reads the choice of an address (c.Query) or of a form (c.FormValue). It ignores invalid values.
func WishOf(value func(name string, fallback ...string) string) Wish {
	number := func(name string) int {
		n, err := strconv.Atoi(value(name))
		if err != nil || n < 0 || n > schedule.MinutesMax {
			return 0
		}
		return n
	}
	id := func(name string) *uuid.UUID {
		id, err := uuid.Parse(value(name))
		if err != nil || id == uuid.Nil {
			return nil
		}
		return &id
	}
	return Wish{Minutes: number(fieldMinutes), MemberID: id(fieldWith), SpaceID: id(fieldSpace), Party: number(fieldParty)}
}

// Fit returns the choice limited to the offering: a length it has, one of its instructors, and a party that it has
// room for.
func (w Wish) Fit(p catalog.Page) Wish {
	lengths := p.Lengths()
	if _, sold := lengths.Price(w.Minutes, 1); !sold || w.Minutes == lengths.Default() {
		w.Minutes = 0
	}
	if !choosesMember(p) || !named(p.Members, w.MemberID) {
		w.MemberID = nil
	}
	if !choosesSpace(p) || !named(p.Spaces, w.SpaceID) {
		w.SpaceID = nil
	}
	least, most := p.Party()
	if w.Party = min(max(w.Party, least), most); w.Party == least {
		w.Party = 0
	}
	return w
}

// choosesMember reports whether a customer chooses the instructor; for a rental any member attends.
func choosesMember(p catalog.Page) bool { return p.Kind == catalog.Appointment && len(p.Members) > 1 }

func choosesSpace(p catalog.Page) bool { return p.Kind == catalog.Rental && len(p.Spaces) > 1 }

func named(list []catalog.Named, id *uuid.UUID) bool {
	return id != nil && slices.ContainsFunc(list, func(x catalog.Named) bool { return x.ID == *id })
}

// Lasts returns the length of the choice in minutes.
func (w Wish) Lasts(p catalog.Page) int { return cmp.Or(w.Minutes, p.Lengths().Default()) }

// People returns the number of people of the choice.
func (w Wish) People(p catalog.Page) int {
	least, _ := p.Party()
	return max(w.Party, least)
}

// Params returns the parameters of the choice.
func (w Wish) Params() []view.Param {
	var out []view.Param
	add := func(name string, value any) { out = append(out, view.Param{Name: name, Value: fmt.Sprint(value)}) }
	if w.Minutes != 0 {
		add(fieldMinutes, w.Minutes)
	}
	if w.MemberID != nil {
		add(fieldWith, w.MemberID)
	}
	if w.SpaceID != nil {
		add(fieldSpace, w.SpaceID)
	}
	if w.Party != 0 {
		add(fieldParty, w.Party)
	}
	return out
}

// Href returns the address of the times for the choice, with one more parameter unless its value is empty.
func (w Wish) Href(path, name, value string) string {
	v := url.Values{}
	for _, p := range w.Params() {
		v.Set(p.Name, p.Value)
	}
	if value != "" {
		v.Set(name, value)
	}
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// Times adds the choice to a query for free times.
func (w Wish) Times(in schedule.TimesInput) schedule.TimesInput {
	in.Minutes, in.Party, in.MemberID, in.SpaceID = w.Minutes, w.Party, w.MemberID, w.SpaceID
	return in
}

// Slot returns a time of the choice in the form for the cart.
func (w Wish) Slot(p catalog.Page, start time.Time) *checkout.Slot {
	w.OfferingID, w.StartsAt, w.Minutes, w.Party = p.ID, start, w.Lasts(p), w.People(p)
	return (*checkout.Slot)(&w)
}
