package hosted

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
	fieldDate    = "occurrence"
	fieldMinutes = "minutes"
	fieldWith    = "with"
	fieldSpace   = "in"
	fieldParty   = "party"
	fieldStart   = "start"
	fieldPeople  = "people" // of a date of a class: how many come
	fieldNames   = "names"  // and who, beside the customer
)

// wish is what somebody has chosen of an appointment or a rental: its length, with whom, where and for how many. What they
// have not chosen is zero.
type wish checkout.Slot

// wishOf reads the choice of an address (c.Query) or of a form (c.FormValue). What cannot be read is as good as not chosen.
func wishOf(value func(name string, fallback ...string) string) wish {
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
	return wish{Minutes: number(fieldMinutes), MemberID: id(fieldWith), SpaceID: id(fieldSpace), Party: number(fieldParty)}
}

// fit is the choice as the offering allows it: a length that it has, somebody who gives it, a party there is room for.
func (w wish) fit(p catalog.Page) wish {
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

// choosesMember tells whether a customer chooses with whom; for a rental somebody attends, whoever it is.
func choosesMember(p catalog.Page) bool { return p.Kind == catalog.Appointment && len(p.Members) > 1 }

func choosesSpace(p catalog.Page) bool { return p.Kind == catalog.Rental && len(p.Spaces) > 1 }

func named(list []catalog.Named, id *uuid.UUID) bool {
	return id != nil && slices.ContainsFunc(list, func(x catalog.Named) bool { return x.ID == *id })
}

// minutes is how long the choice is.
func (w wish) minutes(p catalog.Page) int { return cmp.Or(w.Minutes, p.Lengths().Default()) }

// party is for how many it is.
func (w wish) party(p catalog.Page) int {
	least, _ := p.Party()
	return max(w.Party, least)
}

// params are the parameters of the choice.
func (w wish) params() []view.Param {
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

// href is the address of the times for the choice, with one more parameter unless its value is empty.
func (w wish) href(path, name, value string) string {
	v := url.Values{}
	for _, p := range w.params() {
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

// times asks for the free times of the choice.
func (w wish) times(in schedule.TimesInput) schedule.TimesInput {
	in.Minutes, in.Party, in.MemberID, in.SpaceID = w.Minutes, w.Party, w.MemberID, w.SpaceID
	return in
}

// slot is a time of the choice as the cart takes it.
func (w wish) slot(p catalog.Page, start time.Time) *checkout.Slot {
	w.OfferingID, w.StartsAt, w.Minutes, w.Party = p.ID, start, w.minutes(p), w.party(p)
	return (*checkout.Slot)(&w)
}
