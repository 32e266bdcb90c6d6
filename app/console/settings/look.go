package settings

import (
	"context"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
)

// looks are how the booking pages and embeds of a place look.
func (s *screens) looks() {
	s.Page("getTheme", "/settings/places/:location/look", s.showLook)
	s.Form("replaceTheme", "/settings/places/:location/look", desk.Form{Do: s.putLook, Show: s.showLook, Inputs: []string{"accent", "ground", "type", "corners"}})
}

func (s *screens) showLook(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	screen := aPlace(c, l, "/look")
	screen.Step = "look"
	screen.Body = lookBody(c, l)
	return screen, nil
}

func (s *screens) putLook(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Business.PutTheme(ctx, c.Scope, business.Theme{LocationID: id, Version: c.Version(), Look: business.Look{
		Accent: c.Value("accent"), Ground: c.Value("ground"), Type: c.Value("type"), Corners: c.Value("corners"),
	}})
	return desk.Done{Said: c.UI.T("The pages look like this now.")}, err
}
