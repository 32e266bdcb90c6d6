package hosted

import (
	"net/url"
	"strconv"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/schedule"
	"foyer/app/view"
)

// The parameters of a choice, in addresses and in the form that books.
const (
	fieldMinutes = "minutes"
	fieldWith    = "with"
	fieldSpace   = "in"
	fieldParty   = "party"
	fieldStart   = "start"
)

// wish is what somebody has chosen of an appointment or a rental. What they have not chosen is zero.
type wish struct {
	Minutes int
	Member  uuid.UUID
	Space   uuid.UUID
	Party   int
}

// wishOf reads a choice. What cannot be read is as good as not chosen.
func wishOf(value func(name string) string) wish {
	number := func(name string) int {
		n, err := strconv.Atoi(value(name))
		if err != nil || n < 0 || n > schedule.MinutesMax {
			return 0
		}
		return n
	}
	id := func(name string) uuid.UUID {
		id, _ := uuid.Parse(value(name)) // Nil otherwise
		return id
	}
	return wish{Minutes: number(fieldMinutes), Member: id(fieldWith), Space: id(fieldSpace), Party: number(fieldParty)}
}

// asked is the choice of an address; posted that of a form.
func asked(c *fiber.Ctx) wish {
	return wishOf(func(name string) string { return c.Query(name) })
}

func posted(c *fiber.Ctx) wish {
	return wishOf(func(name string) string { return c.FormValue(name) })
}

// fit is the choice as the offering allows it: a length that it has, somebody who gives it, a party there is room for.
func (w wish) fit(p catalog.Page) wish {
	lengths := p.Lengths()
	if _, sold := lengths.Price(w.Minutes, 1); !sold || w.Minutes == lengths.Default() {
		w.Minutes = 0
	}
	if !choosesMember(p) || !named(p.Members, w.Member) {
		w.Member = uuid.Nil
	}
	if !choosesSpace(p) || !named(p.Spaces, w.Space) {
		w.Space = uuid.Nil
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

func named(list []catalog.Named, id uuid.UUID) bool {
	for _, x := range list {
		if x.ID == id {
			return true
		}
	}
	return false
}

// minutes is how long the choice is.
func (w wish) minutes(p catalog.Page) int {
	if w.Minutes == 0 {
		return p.Lengths().Default()
	}
	return w.Minutes
}

// party is for how many it is.
func (w wish) party(p catalog.Page) int {
	least, _ := p.Party()
	return max(w.Party, least)
}

// params are the parameters of the choice.
func (w wish) params() []view.Param {
	var out []view.Param
	add := func(chosen bool, name, value string) {
		if chosen {
			out = append(out, view.Param{Name: name, Value: value})
		}
	}
	add(w.Minutes != 0, fieldMinutes, strconv.Itoa(w.Minutes))
	add(w.Member != uuid.Nil, fieldWith, w.Member.String())
	add(w.Space != uuid.Nil, fieldSpace, w.Space.String())
	add(w.Party != 0, fieldParty, strconv.Itoa(w.Party))
	return out
}

// href is the address of the times for the choice; more are further parameters, names and values by turns.
func (w wish) href(path string, more ...string) string {
	v := url.Values{}
	for _, p := range w.params() {
		v.Set(p.Name, p.Value)
	}
	for i := 0; i+1 < len(more); i += 2 {
		v.Set(more[i], more[i+1])
	}
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// times asks for the free times of the choice.
func (w wish) times(in schedule.TimesInput) schedule.TimesInput {
	in.Minutes, in.Party = w.Minutes, w.Party
	if w.Member != uuid.Nil {
		in.MemberID = &w.Member
	}
	if w.Space != uuid.Nil {
		in.SpaceID = &w.Space
	}
	return in
}

// slot is a time of the choice as the cart takes it.
func (w wish) slot(p catalog.Page) checkout.Slot {
	s := checkout.Slot{OfferingID: p.ID, Minutes: w.minutes(p), Party: w.party(p)}
	if w.Member != uuid.Nil {
		s.MemberID = &w.Member
	}
	if w.Space != uuid.Nil {
		s.SpaceID = &w.Space
	}
	return s
}
