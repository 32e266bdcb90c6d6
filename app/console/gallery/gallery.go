// Package gallery shows every component of the console in every state, as a reference for new screens. It is served
// in dev.
package gallery

import (
	"context"
	"net/url"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
)

// Register mounts the page, and a form that is returned in each of its states.
func Register(d *desk.Desk) {
	d.Page("getBusiness", "/gallery", show)
	d.Page("getBusiness", "/gallery/sheet", func(c *desk.Call) (ui.Screen, error) {
		return ui.Screen{Title: "A side sheet", Lead: "One thing, without leaving the page.", Sheet: true, Body: sheet(c.UI)}, nil
	})
	d.Form("updateBusiness", "/gallery", desk.Form{Show: show, Do: func(c *desk.Call, _ context.Context) (desk.Done, error) {
		switch c.Value("outcome") {
		case "refused":
			return desk.Done{}, fault.Invalid("name", "Write a name.").And("price", "Write an amount, like 22.00.")
		case "stale":
			return desk.Done{}, fault.Stale(1, 2)
		}
		return desk.Done{Said: "Saved.", Undo: &ui.Undo{Action: c.To("/gallery"), Fields: []view.Param{{Name: "outcome", Value: "done"}}}}, nil
	}})
}

func show(c *desk.Call) (ui.Screen, error) {
	sh := c.UI
	if c.Value("state") == "refused" && sh.Trouble == nil {
		sh.Trouble = &view.Trouble{Fields: []fault.Field{{Field: "name", Message: "Write a name."}}}
		sh.Posted = url.Values{"name": {""}}
	}
	return ui.Screen{
		Title: "Gallery", Lead: "Every component, in every state.", Area: "settings", Body: gallery(sh),
		Up: &view.Link{Text: "Settings", Href: c.To("/settings")}, Acts: acts(sh),
		Tabs: []ui.Tab{{Text: "One", Href: c.To("/gallery"), Now: true}, {Text: "Two", Href: c.To("/gallery"), Count: 3}},
	}, nil
}
