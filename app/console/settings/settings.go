// Package settings has the settings of a studio: the business, its locations, team, taxes, payments, API keys and the
// activity log. Each screen is in a file of its name, beside its templ file.
package settings

import (
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/accounting"
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
		s.house, s.closing, s.places, s.details, s.hours, s.closures, s.rooms, s.room, s.blocks, s.looks, s.website,
		s.putAway, s.taxes, s.revenueCategories, s.payments,
		s.team, s.member, s.memberHours, s.keys, s.assistants, s.changes, s.counting,
	} {
		mount()
	}
}

// area is the highlighted entry of the rail.
const area = "settings"

// most is one page of a list that is read whole: locations, members, rooms, rates, keys.
var most = paging.In[uuid.UUID]{Limit: paging.Max}

// up returns a link back to a screen.
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
		func() (err error) {
			if c.May("getAccountingConnection") {
				now.Books, err = s.Accounting.Live(c.Context(), c.Scope)
			}
			return err
		},
	)
	return ui.Screen{Title: c.UI.T("Settings"), Area: area, Body: indexBody(c, groups(c, now))}, err
}

// state is a summary of the settings.
type state struct {
	business.Standing
	Account billing.Connection
	Books   *accounting.Connection // nil: never connected
}

// line is one entry of the list: its name, its state, and its address.
type line struct {
	Text, More, Href, Badge string
	Tone                    ui.Tone
}

type group struct {
	Title string
	Lines []line
}

// groups returns all settings visible to the caller.
func groups(c *desk.Call, now state) []group {
	out := []group{{Title: c.UI.T("Studio"), Lines: studioLines(c, now)}, {Title: c.UI.T("Team"), Lines: peopleLines(c, now)}, {Title: c.UI.T("Selling"), Lines: sellingLines(c, now)}}
	if list := recordLines(c, now); len(list) > 0 {
		out = append(out, group{Title: c.UI.T("Developers and logs"), Lines: list})
	}
	you := []line{{Text: c.UI.T("Profile and sessions"), More: c.Scope.Email, Href: c.UI.Profile()}}
	if c.Workspace.Member != uuid.Nil {
		you = append(you, line{Text: c.UI.T("Your hours and time off"), More: c.UI.T("Your bookable hours"), Href: memberAt(c, c.Workspace.Member, "/hours")})
	}
	return append(out, group{Title: c.UI.T("You"), Lines: you})
}

func studioLines(c *desk.Call, now state) []line {
	sh, b := c.UI, c.Workspace.Business
	status, tone := statusWords(sh, b.Status)
	places := sh.N(len(c.Workspace.Locations), "{n} location with its hours, rooms and branding", "{n} locations with their hours, rooms and branding")
	if now.Rooms > 0 {
		places = view.Joined(", ", sh.N(len(c.Workspace.Locations), "{n} location", "{n} locations"), sh.N(now.Rooms, "{n} room", "{n} rooms"))
	}
	out := []line{
		{Text: sh.T("Business"), More: view.Joined(" · ", b.Name, string(b.Currency), b.Zone), Href: c.To("/settings/business"), Badge: status, Tone: tone},
		{Text: sh.T("Locations"), More: places, Href: c.To("/settings/places")},
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
		{Text: sh.T("Roles"), More: sh.T("Permissions of each role"), Href: c.To("/settings/team/roles")},
	}
}

func sellingLines(c *desk.Call, now state) []line {
	sh, rates := c.UI, c.UI.T("None: sales are untaxed")
	if now.Rates > 0 {
		rates = sh.N(now.Rates, "{n} rate", "{n} rates")
	}
	var out []line
	if c.May("listPolicies") {
		out = append(out, line{Text: sh.T("Policies"), More: sh.T("Booking, cancellation and rescheduling rules, and fees"), Href: c.To("/settings/policies")})
	}
	categories := sh.T("None: income is booked by kind")
	if now.Categories > 0 {
		categories = sh.N(now.Categories, "{n} category", "{n} categories")
	}
	out = append(out,
		line{Text: sh.T("Taxes"), More: rates, Href: c.To("/settings/taxes")},
		line{Text: sh.T("Revenue categories"), More: categories, Href: c.To(categoriesAt)},
	)
	if c.May("getProcessor") {
		badge, tone := accountBadge(sh, now.Account.State)
		out = append(out, line{Text: sh.T("Payments"), More: sh.T("Account for card payments"), Href: c.To("/settings/payments"), Badge: badge, Tone: tone})
	}
	if c.May("getAccountingConnection") {
		badge, tone := booksBadge(sh, now.Books)
		out = append(out, line{
			Text: sh.T("Accounting"), More: sh.T("Daily entries in Ledger Online"), Href: c.To(desk.Accounting),
			Badge: badge, Tone: tone,
		})
	}
	return out
}

// booksBadge renders the status of the connection to the accounting provider; nil: never connected.
func booksBadge(sh ui.Shell, live *accounting.Connection) (string, ui.Tone) {
	switch {
	case live == nil || live.Status == accounting.Disconnected:
		return sh.T("Not connected"), ""
	case live.Status == accounting.NeedsReauth:
		return sh.T("Reconnect"), "bad"
	}
	return sh.T("Connected"), "ok"
}

func recordLines(c *desk.Call, now state) (out []line) {
	sh := c.UI
	if c.May("listApiKeys") {
		keys := sh.T("No API keys")
		if now.Keys > 0 {
			keys = sh.N(now.Keys, "{n} key", "{n} keys")
		}
		out = append(out, line{Text: sh.T("API keys"), More: keys, Href: c.To("/settings/keys")})
	}
	if c.May("listAssistants") {
		out = append(out, line{
			Text: sh.T("Connected assistants"), More: sh.T("Assistants that act for you or your team"), Href: c.To(assistantsAt),
		})
	}
	if c.May("listAudit") {
		out = append(out, line{Text: sh.T("Activity log"), More: sh.T("All changes, with name and time"), Href: c.To("/settings/changes")})
	}
	if c.May("checkIntegrity") {
		out = append(out, line{Text: sh.T("Data check"), More: sh.T("Recalculates and compares all totals"), Href: c.To("/settings/integrity")})
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
	return sh.T("Accepting bookings"), "ok"
}

// asked returns the fields of a quoted input, for the form that redeems the quote: they must be the same.
func asked(c *desk.Call) []view.Param {
	var out []view.Param
	list := c.Inputs()
	list.Del("at")
	for _, name := range slices.Sorted(maps.Keys(list)) {
		for _, v := range list[name] {
			out = append(out, view.Param{Name: name, Value: v})
		}
	}
	return out
}

// at renames a field of a verb to that of the form.
func at(err error, place func(field string) string) error {
	if f := fault.From(err); f != nil && len(f.Fields) > 0 {
		return f.At(place)
	}
	return err
}

// given returns an optional field of the form.
func given(c *desk.Call, name string) *string {
	v := c.Value(name)
	return &v
}
