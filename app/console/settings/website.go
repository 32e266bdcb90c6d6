package settings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

// website mounts the embed code for the studio's own website, and the website's address.
func (s *screens) website() {
	const path = "/settings/places/:location/website"
	s.Page("getLocation", path, s.showWebsite)
	s.Form("updateLocation", path, desk.Form{Do: s.putWebsite, Show: s.showWebsite, Inputs: []string{"website"}})
	s.File("getLocation", path+"/page", s.websitePage)
}

// placeLines returns links from the settings to the most used screens of a location: branding, and embed code. Of
// several locations it is the selected one, or the first.
func placeLines(c *desk.Call) []line {
	l := c.Location
	if l == nil && len(c.Workspace.Locations) > 0 {
		l = &c.Workspace.Locations[0]
	}
	if l == nil {
		return nil
	}
	return []line{
		{Text: c.UI.T("Branding"), More: c.UI.T("Accent, background, typeface and corners of the booking page of {place}", "place", l.Name), Href: of(c, l.ID, "/look")},
		{Text: c.UI.T("Website"), More: c.UI.T("Code that shows your schedule on your website"), Href: of(c, l.ID, "/website")},
	}
}

// builder is the snippet with the choices made.
type builder struct {
	business.Location
	Guide   view.Guide
	Choices []agenda.OfferingRow // offerings with times
	What    string               // the name of a tag, "frame", "live" or "link"
	Theme   string
	Listing string // of svc-times
	Group   string // of svc-listings
	Tag     view.GuideTag
}

// Snippets beside the tags.
const (
	whatFrame = "frame"
	whatLive  = "live"
	whatLink  = "link"
)

func (s *screens) built(c *desk.Call) (builder, error) {
	l, err := s.place(c)
	if err != nil {
		return builder{}, err
	}
	v := builder{Location: l, What: c.Query("what"), Theme: c.Query("theme"), Listing: c.Query("listing"), Group: c.Query("group")}
	shelf, err := s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{LocationID: l.ID})
	first := ""
	for _, o := range shelf {
		if o.State == catalog.Published {
			v.Choices = append(v.Choices, o)
		}
	}
	if id, bad := uuid.Parse(v.Listing); bad == nil || len(v.Choices) > 0 {
		first, err = s.slugOf(c, v.Choices, id)
	}
	if v.Group == "" {
		v.Group = c.Workspace.Business.ClassWord
	}
	v.Guide = view.Guide{Studio: c.Workspace.Business.Name, Base: s.BaseURL, Slug: l.Slug}
	v.Guide.Tags = view.GuideTags(c.Workspace.Business.Name, s.BaseURL+"/"+l.Slug, first, v.Group)
	for _, t := range v.Guide.Tags {
		if t.Name == v.What {
			v.Tag = t
		}
	}
	if v.Tag.Name == "" && v.What != whatFrame && v.What != whatLive && v.What != whatLink {
		v.Tag, v.What = v.Guide.Tags[0], v.Guide.Tags[0].Name
	}
	return v, err
}

// slugOf returns the slug of the chosen listing, else of the first; empty when there is none.
func (s *screens) slugOf(c *desk.Call, list []agenda.OfferingRow, id uuid.UUID) (string, error) {
	for i, o := range list {
		if o.ID == id || id == uuid.Nil && i == 0 {
			found, err := s.Catalog.Get(c.Context(), c.Scope, o.ID)
			return found.Slug, err
		}
	}
	return "", nil
}

// snippet returns the code to paste.
func (v builder) snippet() string {
	switch v.What {
	case whatFrame:
		return v.Guide.Frame()
	case whatLive:
		return v.Guide.Live()
	case whatLink:
		return v.Guide.Base + "/" + v.Slug
	}
	return v.Guide.Snippet(v.Tag, v.Theme)
}

func (s *screens) showWebsite(c *desk.Call) (ui.Screen, error) {
	v, err := s.built(c)
	if err != nil {
		return ui.Screen{}, err
	}
	screen := aPlace(c, v.Location, "/website")
	screen.Step = "website"
	screen.Body = websiteBody(c, v)
	return screen, nil
}

// websitePage sends an empty page with the snippet, for the frame beside the code.
func (s *screens) websitePage(c *desk.Call) error {
	v, err := s.built(c)
	if err != nil {
		return err
	}
	return c.Picture(snippetPage(v))
}

func (s *screens) putWebsite(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Business.UpdateLocation(ctx, c.Scope, business.UpdateLocationInput{LocationID: id, Version: c.Version(), Website: given(c, "website")})
	return desk.Done{Said: c.UI.T("Saved. Customers who come from your website can return to it.")}, err
}
