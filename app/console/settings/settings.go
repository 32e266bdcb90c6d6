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
	"foyer/billing"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getBusiness", "/settings", s.index)
	for _, mount := range []func(){
		s.house, s.closing, s.places, s.details, s.hours, s.closures, s.rooms, s.room, s.blocks, s.looks, s.website, s.putAway, s.taxes, s.payments,
		s.team, s.member, s.memberHours, s.keys, s.changes, s.counting,
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
	var now state
	err := desk.Together(
		func() (err error) { now.Standing, err = s.Business.Standing(c.Context(), c.Scope); return err },
		func() (err error) {
			if c.May("getProcessor") {
				now.Account, err = s.Billing.Connection(c.Context(), c.Scope)
			}
			return err
		},
	)
	return ui.Screen{Title: c.UI.T("Settings"), Area: area, Body: indexBody(c, groups(c, now))}, err
}

// state is how the settings stand.
type state struct {
	business.Standing
	Account billing.Connection
}

// line is one entry of the list: what it is, how it stands, and the way there.
type line struct {
	Text, More, Href, Badge string
	Tone                    ui.Tone
}

type group struct {
	Title string
	Lines []line
}

// groups are all settings that the caller may see.
func groups(c *desk.Call, now state) []group {
	out := []group{{Title: c.UI.T("Studio"), Lines: studioLines(c, now)}, {Title: c.UI.T("People"), Lines: peopleLines(c, now)}, {Title: c.UI.T("Selling"), Lines: sellingLines(c, now)}}
	if list := recordLines(c, now); len(list) > 0 {
		out = append(out, group{Title: c.UI.T("Programs and records"), Lines: list})
	}
	you := []line{{Text: c.UI.T("Profile and sessions"), More: c.Scope.Email, Href: c.UI.Profile()}}
	if c.Workspace.Member != uuid.Nil {
		you = append(you, line{Text: c.UI.T("Your hours and time off"), More: c.UI.T("When you can be booked"), Href: memberAt(c, c.Workspace.Member, "/hours")})
	}
	return append(out, group{Title: c.UI.T("You"), Lines: you})
}

func studioLines(c *desk.Call, now state) []line {
	sh, b := c.UI, c.Workspace.Business
	status, tone := statusWords(sh, b.Status)
	places := sh.N(len(c.Workspace.Locations), "{n} place with its hours, rooms and look", "{n} places with their hours, rooms and looks")
	if now.Rooms > 0 {
		places = view.Joined(", ", sh.N(len(c.Workspace.Locations), "{n} place", "{n} places"), sh.N(now.Rooms, "{n} room", "{n} rooms"))
	}
	out := []line{
		{Text: sh.T("Business"), More: view.Joined(" · ", b.Name, string(b.Currency), b.Zone), Href: c.To("/settings/business"), Badge: status, Tone: tone},
		{Text: sh.T("Places"), More: places, Href: c.To("/settings/places")},
	}
	return append(out, placeLines(c)...)
}

func peopleLines(c *desk.Call, now state) []line {
	sh, away := c.UI, ""
	if now.Away > 0 {
		away = sh.N(now.Away, "{n} deactivated", "{n} deactivated")
	}
	return []line{
		{Text: sh.T("Team"), More: view.Joined(", ", sh.N(now.People, "{n} person", "{n} people"), away), Href: c.To("/settings/team")},
		{Text: sh.T("Roles"), More: sh.T("What each of them may do"), Href: c.To("/settings/team/roles")},
	}
}

func sellingLines(c *desk.Call, now state) []line {
	sh, rates := c.UI, c.UI.T("None: what you sell is untaxed")
	if now.Rates > 0 {
		rates = sh.N(now.Rates, "{n} rate", "{n} rates")
	}
	var out []line
	if c.May("listPolicies") {
		out = append(out, line{Text: sh.T("Policies"), More: sh.T("When customers may book, cancel and move, and what it costs"), Href: c.To("/settings/policies")})
	}
	out = append(out, line{Text: sh.T("Taxes"), More: rates, Href: c.To("/settings/taxes")})
	if c.May("getProcessor") {
		badge, tone := accountBadge(sh, now.Account.State)
		out = append(out, line{Text: sh.T("Payments"), More: sh.T("The account that card payments go to"), Href: c.To("/settings/payments"), Badge: badge, Tone: tone})
	}
	return out
}

func recordLines(c *desk.Call, now state) (out []line) {
	sh := c.UI
	if c.May("listApiKeys") {
		keys := sh.T("None: no program acts for you")
		if now.Keys > 0 {
			keys = sh.N(now.Keys, "{n} key", "{n} keys")
		}
		out = append(out, line{Text: sh.T("API keys"), More: keys, Href: c.To("/settings/keys")})
	}
	if c.May("listAudit") {
		out = append(out, line{Text: sh.T("Record of changes"), More: sh.T("Who changed what, and when"), Href: c.To("/settings/changes")})
	}
	if c.May("checkIntegrity") {
		out = append(out, line{Text: sh.T("Integrity"), More: sh.T("Counts everything again"), Href: c.To("/settings/integrity")})
	}
	return out
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
