// Package welcome is the opening of a studio: five steps that can be left and found again, each done on its own screen, which leads on
// to the next one.
package welcome

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/policy"
)

type screens struct{ *desk.Desk }

// Register mounts the screen. Who may not connect an account cannot do all of the steps, and is not shown them.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("updateBusiness", "/welcome", s.welcome)
	d.Opening("/welcome", s.steps)
}

// welcome lists the steps. From here on the screens of the steps lead on to each other, until all are done.
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
	place := Place(c)
	screen := ui.Screen{
		Title: c.UI.T("Getting ready"), Area: "today", Lead: c.UI.T("Five steps to your first booking. Leave at any time: what is done stays done."),
		Body: stepsBody(c, list, left, place),
	}
	switch {
	case place == nil:
		screen.Lead = c.UI.T("Start with a location.")
	case left.Key == "":
		screen.Title, screen.Lead = c.UI.T("{studio} is ready", "studio", c.Workspace.Business.Name), c.UI.T("People can find you, book and pay.")
	}
	return screen, nil
}

// Place is the location that the studio opens with, which is its oldest; nil while there is none. A later one has its own screens, and no
// steps.
func Place(c *desk.Call) (oldest *business.Location) {
	for i, l := range c.Workspace.Locations {
		if oldest == nil || l.CreatedAt.Before(oldest.CreatedAt) {
			oldest = &c.Workspace.Locations[i]
		}
	}
	return oldest
}

// Opens tells whether the caller opens the studio.
func Opens(c *desk.Call) bool { return c.Scope.Grants.At(policy.BusinessManage, uuid.Nil) }

func (s *screens) steps(c *desk.Call) ([]ui.Step, error) {
	place := Place(c)
	if place == nil {
		return []ui.Step{{Key: "hours", Text: c.UI.T("Location"), About: c.UI.T("Where is it?"), Href: c.To("/settings/places/new")}}, nil
	}
	got, err := s.Agenda.Opening(c.Context(), c.Scope, agenda.OpeningInput{Env: s.Billing.Env()})
	return Steps(c, *place, got), err
}

// Steps are the five of a studio that has come so far. Today shows them until all are done. Payment comes before the first offering:
// nothing with a price is published that nobody could pay.
func Steps(c *desk.Call, place business.Location, o agenda.Opening) []ui.Step {
	sh, at := c.UI, c.To("/settings/places/"+place.ID.String())
	first := ui.Step{
		Key: "offering", Done: o.Sells, Text: sh.T("First offering"), Href: c.To("/catalog/new"),
		About: sh.T("Start from a template, give it days and a time, and publish it."),
	}
	switch {
	case o.Sells:
		first.Href, first.About = c.To("/catalog"), sh.T("It is on your booking page.")
	case o.DraftID != nil:
		first.Href, first.About = c.To("/catalog/"+o.DraftID.String()), sh.T("{name} is a draft: see what it lacks, and publish it.", "name", o.DraftName)
	}
	looks := func(l business.Location) bool { return l.Branding.Chosen() }
	sites := func(l business.Location) bool { return l.Website != "" }
	return []ui.Step{
		{Key: "hours", Text: sh.T("Opening hours"), About: sh.T("When {place} is open, on its own clock.", "place", place.Name), Href: at + "/hours", Done: o.Hours},
		{Key: "payments", Text: sh.T("Payment"), About: sh.T("Connect an account for cards, or let customers pay at the studio."), Href: c.To("/settings/payments"), Done: o.Pays},
		first,
		{Key: "look", Text: sh.T("Look"), About: sh.T("Your colour and ground on the booking page."), Href: at + "/look", Done: slices.ContainsFunc(c.Workspace.Locations, looks)},
		{Key: "website", Text: sh.T("Your website"), About: sh.T("Put your times on your own pages."), Href: at + "/website", Done: slices.ContainsFunc(c.Workspace.Locations, sites)},
	}
}
