// Package welcome is the opening of a studio: five steps that can be left and found again, each done on its own screen.
package welcome

import (
	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/policy"
)

type screens struct{ *desk.Desk }

// Register mounts the screen.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getBusiness", "/welcome", s.welcome)
}

// welcome lists the steps for the place that the screens are about, or for the first one.
func (s *screens) welcome(c *desk.Call) (ui.Screen, error) {
	screen := ui.Screen{Title: c.UI.T("Getting ready"), Area: "today", Lead: c.UI.T("Five steps to your first booking. Leave at any time: what is done stays done.")}
	place := Place(c)
	if place == nil {
		screen.Lead = c.UI.T("A studio has a place first.")
		screen.Body = ui.Steps(c.UI, []ui.Step{{Text: c.UI.T("Place"), About: c.UI.T("Where is it?"), Href: c.To("/settings/places/new")}})
		return screen, nil
	}
	got, err := s.read(c, *place)
	screen.Body = ui.Steps(c.UI, Steps(c, *place, got))
	return screen, err
}

// Place is the one whose opening the steps are about; nil when there is none yet.
func Place(c *desk.Call) *business.Location {
	if c.Place == nil && len(c.House.Locations) > 0 {
		return &c.House.Locations[0]
	}
	return c.Place
}

// Opens tells whether the caller opens the studio: whoever may not connect an account cannot do all of the steps.
func Opens(c *desk.Call) bool { return c.Scope.Grants.At(policy.BusinessManage, uuid.Nil) }

// read is how far the place has come, as far as the caller may know: who may not see the account sees whether people pay at the studio.
func (s *screens) read(c *desk.Call, place business.Location) (o agenda.Opening, err error) {
	if Opens(c) {
		return s.Agenda.Opening(c.Context(), c.Scope, agenda.OpeningInput{LocationID: place.ID, Env: s.Billing.Env()})
	}
	err = desk.Together(
		func() error {
			hours, err := s.Business.Hours(c.Context(), c.Scope, place.ID)
			o.Hours = len(hours.Intervals) > 0
			return err
		},
		func() error {
			shelf, err := s.Agenda.Shelf(c.Context(), c.Scope, agenda.ShelfInput{LocationID: place.ID})
			for _, x := range shelf {
				o.Sells = o.Sells || x.State == catalog.Published
			}
			return err
		},
		func() error {
			rules, err := s.Catalog.LocationPolicy(c.Context(), c.Scope, place.ID)
			o.Pays = rules.Rules.PayAtStudio
			return err
		},
	)
	return o, err
}

// Steps are the five of a place that has come so far. Today shows them until all are done.
func Steps(c *desk.Call, place business.Location, o agenda.Opening) []ui.Step {
	at := c.To("/settings/places/" + place.ID.String())
	sh := c.UI
	return []ui.Step{
		{Text: sh.T("Opening hours"), About: sh.T("When {place} is open, on its own clock.", "place", place.Name), Href: at + "/hours", Done: o.Hours},
		{Text: sh.T("First offering"), About: sh.T("Start from a template, give it days and a time, and publish it."), Href: c.To("/catalog/new"), Done: o.Sells},
		{Text: sh.T("Payment"), About: sh.T("Connect an account for cards, or let customers pay at the studio."), Href: c.To("/settings/payments"), Done: o.Pays},
		{Text: sh.T("Look"), About: sh.T("Your colour and ground on the booking page."), Href: at + "/look", Done: place.Look.Chosen()},
		{Text: sh.T("Your website"), About: sh.T("Put your times on your own pages."), Href: at + "/website", Done: place.Website != ""},
	}
}
