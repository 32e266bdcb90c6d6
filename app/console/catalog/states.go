package catalog

import (
	"context"
	"errors"

	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
)

// publish publishes it. After a refusal, the page lists missing fields with links.
func (s *screens) publish(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("offering")
	if err != nil {
		return desk.Done{}, err
	}
	o, err := s.Catalog.Publish(ctx, c.Scope, id)
	return desk.Done{
		To: c.To("/catalog/" + id.String()), Said: c.UI.T("Published {name} to your booking page.", "name", o.Name),
		Undo: &ui.Undo{Action: c.To("/catalog/" + id.String() + "/unpublish")},
	}, err
}

func (s *screens) unpublish(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("offering")
	if err != nil {
		return desk.Done{}, err
	}
	o, err := s.Catalog.Unpublish(ctx, c.Scope, id)
	return desk.Done{
		To: c.To("/catalog/" + id.String()), Said: c.UI.T("Unpublished {name}. Existing bookings are unchanged.", "name", o.Name),
		Undo: &ui.Undo{Action: c.To("/catalog/" + id.String() + "/publish")},
	}, err
}

func (s *screens) restore(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("offering")
	if err != nil {
		return desk.Done{}, err
	}
	o, err := s.Catalog.Restore(ctx, c.Scope, id)
	return desk.Done{To: c.To("/catalog/" + id.String()), Said: c.UI.T("Restored {name} as a draft.", "name", o.Name)}, err
}

func (s *screens) duplicate(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("offering")
	if err != nil {
		return desk.Done{}, err
	}
	o, err := s.Catalog.Duplicate(ctx, c.Scope, id)
	return desk.Done{To: c.To("/catalog/" + o.ID.String()), Said: c.UI.T("This is the copy: a draft without dates.")}, err
}

// leaving is the effect of archiving an offering, or the reason why it is refused.
type leaving struct {
	catalog.ArchivedOffering
	Refused string
}

func (s *screens) askArchive(c *desk.Call) (ui.Screen, error) {
	o, err := s.found(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := leaving{ArchivedOffering: catalog.ArchivedOffering{Offering: o}}
	away, err := desk.Quote(c, "archiveOffering", func(ctx context.Context) (catalog.ArchivedOffering, error) {
		return s.Catalog.Archive(ctx, c.Scope, o.ID)
	})
	switch {
	case err == nil:
		v.ArchivedOffering = away
	case errors.Is(err, catalog.ErrFutureBookings):
		n, _ := fault.From(err).Details["bookings"].(int)
		v.Refused = c.UI.N(n, "{n} booking is upcoming. Reschedule or cancel it first, or unpublish the offering to stop new bookings.",
			"{n} bookings are upcoming. Reschedule or cancel them first, or unpublish the offering to stop new bookings.")
	default:
		return ui.Screen{}, err
	}
	up := view.Link{Text: o.Name, Href: c.To("/catalog/" + o.ID.String())}
	return ui.Screen{Title: c.UI.T("Archive {name}?", "name", o.Name), Area: "catalog", Up: &up, Body: archiveBody(c, v), Sheet: true}, nil
}

func (s *screens) archive(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("offering")
	if err != nil {
		return desk.Done{}, err
	}
	away, err := desk.Redeem(c, ctx, "archiveOffering", func(ctx context.Context) (catalog.ArchivedOffering, error) {
		return s.Catalog.Archive(ctx, c.Scope, id)
	})
	return desk.Done{
		To: c.To("/catalog", "tab", "archived"), Said: c.UI.T("Archived {name}.", "name", away.Name),
		Undo: &ui.Undo{Action: c.To("/catalog/" + id.String() + "/restore"), Text: c.UI.T("Restore")},
	}, err
}
