// Package welcome is the opening of a studio: five steps that can be left and found again, each done on its own screen.
package welcome

import (
	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/tenancy"
	"foyer/policy"
)

type screens struct{ *desk.Desk }

// Register mounts the screen.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getBusiness", "/welcome", s.welcome)
}

// step is one thing to do, and where.
type step struct {
	Text, About, Href string
	Done              bool
}

// welcome lists the steps for the place that the screens are about, or for the first one.
func (s *screens) welcome(c *desk.Call) (ui.Screen, error) {
	place := c.Place
	if place == nil && len(c.House.Locations) > 0 {
		place = &c.House.Locations[0]
	}
	screen := ui.Screen{Title: c.UI.T("Getting ready"), Area: "today", Lead: c.UI.T("Five steps to your first booking. Leave at any time: what is done stays done.")}
	if place == nil {
		screen.Lead = c.UI.T("A studio has a place first.")
		screen.Body = stepsBody(c, []step{{Text: c.UI.T("Place"), About: c.UI.T("Where is it?"), Href: c.To("/settings/places/new")}})
		return screen, nil
	}
	list, err := s.steps(c, *place)
	screen.Body = stepsBody(c, list)
	return screen, err
}

func (s *screens) steps(c *desk.Call, place business.Location) ([]step, error) {
	var hours business.Hours
	var shelf []agenda.Offer
	pays := false
	err := desk.Together(
		func() (err error) {
			hours, err = s.Business.Hours(c.Context(), c.Scope, place.ID)
			return err
		},
		func() (err error) {
			shelf, err = s.Agenda.Shelf(c.Context(), c.Scope, agenda.ShelfInput{LocationID: place.ID})
			return err
		},
		func() (err error) {
			pays, err = s.pays(c, place)
			return err
		},
	)
	sells := false
	for _, o := range shelf {
		sells = sells || o.State == catalog.Published
	}
	at := c.To("/settings/places/" + place.ID.String())
	sh := c.UI
	return []step{
		{sh.T("Opening hours"), sh.T("When {place} is open, on its own clock.", "place", place.Name), at + "/hours", len(hours.Intervals) > 0},
		{sh.T("First offering"), sh.T("Start from a template, give it days and a time, and publish it."), c.To("/catalog/new"), sells},
		{sh.T("Payment"), sh.T("Connect an account for cards, or let customers pay at the studio."), c.To("/settings/payments"), pays},
		{sh.T("Look"), sh.T("Your colour and ground on the booking page."), at + "/look", place.Look.Chosen()},
		{sh.T("Your website"), sh.T("Put your times on your own pages."), at + "/website", place.Website != ""},
	}, err
}

// pays tells whether customers have a way to pay: the account takes cards, or the place lets them pay when they come. Who may not
// see the account sees the second only.
func (s *screens) pays(c *desk.Call, place business.Location) (bool, error) {
	rules, err := s.Catalog.LocationPolicy(c.Context(), c.Scope, place.ID)
	if err != nil || rules.Rules.PayAtStudio || !manages(c.Scope) {
		return rules.Rules.PayAtStudio, err
	}
	account, err := s.Billing.Connection(c.Context(), c.Scope)
	return account.Takes(place.Currency), err
}

func manages(sc tenancy.Scope) bool { return sc.Grants.At(policy.BusinessManage, uuid.Nil) }
