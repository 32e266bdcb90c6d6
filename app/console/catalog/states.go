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

// publish shows it to the public. When it is refused, the page says what is missing and where that is mended.
func (s *screens) publish(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("offering")
	if err != nil {
		return desk.Done{}, err
	}
	o, err := s.Catalog.Publish(ctx, c.Scope, id)
	return desk.Done{
		To: c.To("/catalog/" + id.String()), Said: c.UI.T("{name} is on your booking page.", "name", o.Name),
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
		To: c.To("/catalog/" + id.String()), Said: c.UI.T("Nobody can book {name} any more. Bookings that there are stay.", "name", o.Name),
		Undo: &ui.Undo{Action: c.To("/catalog/" + id.String() + "/publish")},
	}, err
}

func (s *screens) restore(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("offering")
	if err != nil {
		return desk.Done{}, err
	}
	o, err := s.Catalog.Restore(ctx, c.Scope, id)
	return desk.Done{To: c.To("/catalog/" + id.String()), Said: c.UI.T("{name} is a draft again.", "name", o.Name)}, err
}

func (s *screens) duplicate(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("offering")
	if err != nil {
		return desk.Done{}, err
	}
	o, err := s.Catalog.Duplicate(ctx, c.Scope, id)
	return desk.Done{To: c.To("/catalog/" + o.ID.String()), Said: c.UI.T("This is the copy. It is a draft, and has no dates yet.")}, err
}

// leaving is what goes with an offering that is archived, or why it cannot be.
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
		v.Refused = c.UI.N(n, "{n} booking is ahead. Move or cancel it first, or take the offering from the booking page, so that no more are made.",
			"{n} bookings are ahead. Move or cancel them first, or take the offering from the booking page, so that no more are made.")
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
