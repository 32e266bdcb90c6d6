// Package settings is how a studio is set up: the business, its places, team, taxes, payments, keys and the record of changes. Each
// screen stands in a file of its name, beside its templ file.
package settings

import (
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/view"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getBusiness", "/settings", s.index)
	for _, mount := range []func(){
		s.house, s.closing, s.places, s.details, s.hours, s.closures, s.rooms, s.room, s.blocks, s.looks, s.website, s.putAway, s.taxes, s.payments,
	} {
		mount()
	}
}

// area is the entry of the rail that these screens are lit on.
const area = "settings"

// most is one page of a list that a studio reads whole: places, people, rooms, rates, keys.
var most = paging.In[uuid.UUID]{Limit: paging.Max}

// up leads back to a screen.
func up(c *desk.Call, text, path string) *view.Link {
	return &view.Link{Text: text, Href: c.To(path)}
}

func (s *screens) index(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{Title: c.UI.T("Settings"), Area: area, Body: indexBody(c)}, nil
}

// line is one entry of the list: what it is, how it stands, and the way there.
type line struct {
	Text, More, Href, Badge string
	Tone                    ui.Tone
}

func groups(c *desk.Call) []group {
	sh, b := c.UI, c.House.Business
	state, tone := statusWords(sh, b.Status)
	studio := group{Title: sh.T("Studio"), Lines: []line{
		{Text: sh.T("Business"), More: view.Joined(" · ", b.Name, string(b.Currency), b.Zone), Href: c.To("/settings/business"), Badge: state, Tone: tone},
		{Text: sh.T("Places"), More: sh.N(len(c.House.Locations), "{n} place with its hours, rooms and look", "{n} places with their hours, rooms and looks"),
			Href: c.To("/settings/places")},
	}}
	studio.Lines = append(studio.Lines, placeLines(c)...)

	selling := group{Title: sh.T("Selling"), Lines: []line{
		{Text: sh.T("Policies"), More: sh.T("When customers may book, cancel and move, and what it costs"), Href: c.To("/settings/policies")},
	}}
	selling.Lines = append(selling.Lines, line{Text: sh.T("Taxes"), More: sh.T("Rates that prices are taxed with"), Href: c.To("/settings/taxes")})
	if c.May("getProcessor") {
		selling.Lines = append(selling.Lines, line{Text: sh.T("Payments"), More: sh.T("The account that card payments go to"), Href: c.To("/settings/payments")})
	}
	you := group{Title: sh.T("You"), Lines: []line{
		{Text: sh.T("Profile and sessions"), More: c.Scope.Email, Href: "/my/profile"},
	}}
	return []group{studio, selling, you}
}

type group struct {
	Title string
	Lines []line
}

func statusWords(sh ui.Shell, s business.Status) (string, ui.Tone) {
	switch s {
	case business.Paused:
		return sh.T("Paused"), "warn"
	case business.Closed:
		return sh.T("Closed"), "bad"
	}
	return sh.T("Takes bookings"), "ok"
}

// asked are the fields of a question, for the form that does what it promises: they have to be the same.
func asked(c *desk.Call) []view.Param {
	var out []view.Param
	list := c.Asked()
	list.Del("at")
	for _, name := range slices.Sorted(maps.Keys(list)) {
		for _, v := range list[name] {
			out = append(out, view.Param{Name: name, Value: v})
		}
	}
	return out
}

// at names a field of a verb as the form does, where it has another name for it.
func at(err error, place func(field string) string) error {
	if f := fault.From(err); f != nil && len(f.Fields) > 0 {
		return f.At(place)
	}
	return err
}

// given is a field of the form as a verb takes what may be left alone.
func given(c *desk.Call, name string) *string {
	v := c.Value(name)
	return &v
}
