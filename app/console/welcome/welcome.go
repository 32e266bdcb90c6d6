// Package welcome is the opening of a studio: five steps that can be left and found again, each done on its own screen, which leads on
// to the next one.
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
	d.Opening("/welcome", s.steps)
}

// welcome lists the steps for the place that the screens are about, or for the first one. From here on the screens of the steps lead
// on to each other, until all are done.
func (s *screens) welcome(c *desk.Call) (ui.Screen, error) {
	list, err := s.steps(c)
	if err != nil {
		return ui.Screen{}, err
	}
	left := ui.Step{}
	for _, step := range list {
		if !step.Done && left.Key == "" {
			left = step
		}
	}
	c.Opens(left.Key != "")
	screen := ui.Screen{
		Title: c.UI.T("Getting ready"), Area: "today", Lead: c.UI.T("Five steps to your first booking. Leave at any time: what is done stays done."),
		Body: stepsBody(c, list, left, placeOf(c)),
	}
	switch {
	case placeOf(c) == nil:
		screen.Lead = c.UI.T("A studio has a place first.")
	case left.Key == "":
		screen.Title, screen.Lead = c.UI.T("{studio} is ready", "studio", c.House.Business.Name), c.UI.T("People can find you, book and pay.")
	}
	return screen, nil
}

// placeOf is the place that the steps are about; nil while there is none.
func placeOf(c *desk.Call) *business.Location {
	if c.Place == nil && len(c.House.Locations) > 0 {
		return &c.House.Locations[0]
	}
	return c.Place
}

func (s *screens) steps(c *desk.Call) ([]ui.Step, error) {
	place, sh := placeOf(c), c.UI
	if place == nil {
		return []ui.Step{{Key: "hours", Text: sh.T("Place"), About: sh.T("Where is it?"), Href: c.To("/settings/places/new")}}, nil
	}
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
			pays, err = s.pays(c, *place)
			return err
		},
	)
	first := ui.Step{Key: "offering", Text: sh.T("First offering"), About: sh.T("Start from a template, give it days and a time, and publish it."), Href: c.To("/catalog/new")}
	for _, o := range shelf {
		switch {
		case o.State == catalog.Published:
			first.Done = true
		case o.State == catalog.Draft && !first.Done:
			first.Href, first.About = c.To("/catalog/"+o.ID.String()), sh.T("{name} is a draft: see what it lacks, and publish it.", "name", o.Name)
		}
	}
	if first.Done {
		first.Href, first.About = c.To("/catalog"), sh.T("It is on your booking page.")
	}
	at := c.To("/settings/places/" + place.ID.String())
	return []ui.Step{
		{Key: "hours", Text: sh.T("Opening hours"), About: sh.T("When {place} is open, on its own clock.", "place", place.Name), Href: at + "/hours", Done: len(hours.Intervals) > 0},
		first,
		{Key: "payments", Text: sh.T("Payment"), About: sh.T("Connect an account for cards, or let customers pay at the studio."), Href: c.To("/settings/payments"), Done: pays},
		{Key: "look", Text: sh.T("Look"), About: sh.T("Your colour and ground on the booking page."), Href: at + "/look", Done: place.Look.Chosen()},
		{Key: "website", Text: sh.T("Your website"), About: sh.T("Put your times on your own pages."), Href: at + "/website", Done: place.Website != ""},
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
