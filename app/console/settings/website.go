package settings

import (
	"foyer/app/console/desk"
	"foyer/app/console/ui"
)

// website is the code that puts a place on the studio's own pages.
func (s *screens) website() {
	s.Page("getLocation", "/settings/places/:location/website", func(c *desk.Call) (ui.Screen, error) {
		l, err := s.place(c)
		if err != nil {
			return ui.Screen{}, err
		}
		screen := aPlace(c, l, "/website")
		screen.Step = "website"
		screen.Body = websiteBody(c, l, s.BaseURL)
		return screen, nil
	})
}
