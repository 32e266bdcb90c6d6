// Package welcome is the setup of a studio: five steps that can be interrupted and resumed, each on its own screen
// with a link to the next one.
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

// Register mounts the screen. It is hidden from a caller without the right to connect an account, as they cannot do
// all steps.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("updateBusiness", "/welcome", s.welcome)
	d.Opening("/welcome", s.steps)
}

// welcome lists the steps. From here on the screens of the steps link to each other, until all are done.
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
	place := Location(c)
	screen := ui.Screen{
		Title: c.UI.T("Setup guide"), Area: "today", Lead: c.UI.T("Five steps to your first booking. Leave at any time: your progress is saved."),
		Body: stepsBody(c, list, left, place),
	}
	switch {
	case place == nil:
		screen.Lead = c.UI.T("Start with a location.")
	case left.Key == "":
		screen.Title, screen.Lead = c.UI.T("{studio} is ready", "studio", c.Workspace.Business.Name), c.UI.T("Customers can find you, book and pay.")
	}
	return screen, nil
}

// Location returns the location of the setup, the studio's oldest one; nil while there is none. A later one has its own
// screens, and no steps.
func Location(c *desk.Call) (oldest *business.Location) {
	for i, l := range c.Workspace.Locations {
		if oldest == nil || l.CreatedAt.Before(oldest.CreatedAt) {
			oldest = &c.Workspace.Locations[i]
		}
	}
	return oldest
}

// Opens reports whether the caller may set up the studio.
func Opens(c *desk.Call) bool { return c.Scope.Grants.At(policy.BusinessManage, uuid.Nil) }

func (s *screens) steps(c *desk.Call) ([]ui.Step, error) {
	place := Location(c)
	if place == nil {
		return []ui.Step{{Key: "hours", Text: c.UI.T("Location"), About: c.UI.T("Set the location."), Href: c.To("/settings/places/new")}}, nil
	}
	got, err := s.Agenda.Opening(c.Context(), c.Scope, agenda.OpeningInput{Env: s.Billing.Env()})
	return Steps(c, *place, got), err
}

// Steps returns the five steps with their progress. Today shows them until all are done. Payment comes before the
// first offering: an offering with a price needs a payment method.
func Steps(c *desk.Call, place business.Location, o agenda.Opening) []ui.Step {
	sh, at := c.UI, c.To("/settings/places/"+place.ID.String())
	first := ui.Step{
		Key: "offering", Done: o.Sells, Text: sh.T("First offering"), Href: c.To("/catalog/new"),
		About: sh.T("Start from a template, set its days and times, and publish it."),
	}
	switch {
	case o.Sells:
		first.Href, first.About = c.To("/catalog"), sh.T("Published on your booking page.")
	case o.DraftID != nil:
		first.Href, first.About = c.To("/catalog/"+o.DraftID.String()), sh.T("{name} is a draft. Complete it and publish it.", "name", o.DraftName)
	}
	looks := func(l business.Location) bool { return l.Branding.Chosen() }
	sites := func(l business.Location) bool { return l.Website != "" }
	return []ui.Step{
		{Key: "hours", Text: sh.T("Opening hours"), About: sh.T("Hours of {place}, in its time zone.", "place", place.Name), Href: at + "/hours", Done: o.Hours},
		{Key: "payments", Text: sh.T("Payment"), About: sh.T("Connect an account to accept cards, or let customers pay at the studio."), Href: c.To("/settings/payments"), Done: o.Pays},
		first,
		{Key: "look", Text: sh.T("Branding"), About: sh.T("Your accent and background on the booking page."), Href: at + "/look", Done: slices.ContainsFunc(c.Workspace.Locations, looks)},
		{Key: "website", Text: sh.T("Your website"), About: sh.T("Show your schedule on your website."), Href: at + "/website", Done: slices.ContainsFunc(c.Workspace.Locations, sites)},
	}
}
