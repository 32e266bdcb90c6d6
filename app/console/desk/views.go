package desk

import (
	"context"

	"foyer/app/business"
	"foyer/app/console/ui"
	"foyer/app/view"
)

// Views registers the forms that save views of a list, below its path. They need the feature of the list.
func (d *Desk) Views(op string, screen business.Screen) {
	base := "/" + string(screen) + "/views"
	d.Form(op, base, Form{Do: func(c *Call, ctx context.Context) (Done, error) {
		v, err := d.Business.SaveView(ctx, c.Scope, business.SaveViewInput{Screen: screen, Name: c.Value("name"), Query: c.Value("query")})
		return Done{To: c.viewed(v), Said: c.UI.T("Saved the view “{name}”.", "name", v.Name)}, err
	}})
	d.Form(op, base+"/:view", Form{Do: func(c *Call, ctx context.Context) (Done, error) {
		id, err := c.ID("view")
		if err != nil {
			return Done{}, err
		}
		v, err := d.Business.RenameView(ctx, c.Scope, screen, id, c.Value("name"))
		return Done{To: c.viewed(v), Said: c.UI.T("Renamed the view to “{name}”.", "name", v.Name)}, err
	}})
	d.Form(op, base+"/:view/delete", Form{Do: func(c *Call, ctx context.Context) (Done, error) {
		id, err := c.ID("view")
		if err != nil {
			return Done{}, err
		}
		v, err := d.Business.DeleteView(ctx, c.Scope, screen, id)
		again := []view.Param{{Name: "name", Value: v.Name}, {Name: "query", Value: v.Query}}
		return Done{
			To: c.To("/" + string(screen)), Said: c.UI.T("Deleted the view “{name}”.", "name", v.Name), Undo: &ui.Undo{Action: c.To(base), Fields: again},
		}, err
	}})
}

// viewed returns the address of the list with a view.
func (c *Call) viewed(v business.SavedView) string {
	to := c.To("/" + string(v.Screen))
	if v.Query != "" {
		to += "?" + v.Query
	}
	return to
}

// Kept are a member's saved views of a list.
type Kept struct {
	Tabs []ui.Tab // after the fixed ones
	Form ui.Views
}

// Kept reads the caller's saved views of a list. The one that equals the current query (url.Values.Encode) is
// selected.
func (c *Call) Kept(screen business.Screen, query string) (Kept, error) {
	list, err := c.Desk.Business.SavedViews(c.Context(), c.Scope, screen)
	out := Kept{Form: ui.Views{Action: c.To("/" + string(screen) + "/views"), Query: query}}
	for _, v := range list {
		now := v.Query == query && out.Form.ID == ""
		if now {
			out.Form.ID, out.Form.Name = v.ID.String(), v.Name
		}
		out.Tabs = append(out.Tabs, ui.Tab{Text: v.Name, Href: c.viewed(v), Now: now})
	}
	return out, err
}
