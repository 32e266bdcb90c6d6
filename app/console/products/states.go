package products

import (
	"context"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/paging"
	"foyer/app/product"
	"foyer/app/view"
	"foyer/policy"
)

// first is a page of one row.
var first = paging.In[uuid.UUID]{Limit: 1}

func plainLines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func number64(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// set gives the product of the address a state, whatever its version: no other field changes.
func (s *screens) set(c *desk.Call, ctx context.Context, state product.State) (product.Product, error) {
	p, err := s.product(c)
	if err != nil {
		return p, err
	}
	return s.Products.Update(ctx, c.Scope, product.UpdateInput{ID: p.ID, Version: p.Version, State: &state})
}

func (s *screens) publish(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.set(c, ctx, product.Published)
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{
		To: of(c, p.ID, ""), Said: publishedText(c, p), Undo: &ui.Undo{Action: of(c, p.ID, "/unpublish")},
	}, nil
}

// publishedText names the currency of a product's locations, if the caller sees locations of several.
func publishedText(c *desk.Call, p product.Product) string {
	if len(currencies(c)) > 1 {
		return c.UI.T("Published {name}. Locations with the currency {currency} sell it now.",
			"name", p.Name, "currency", p.Currency)
	}
	return c.UI.T("Published {name}. It is on sale now.", "name", p.Name)
}

func (s *screens) unpublish(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.set(c, ctx, product.Draft)
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{
		To: of(c, p.ID, ""), Undo: &ui.Undo{Action: of(c, p.ID, "/publish")},
		Said: c.UI.T("Unpublished {name}. Carts that hold it can still be paid.", "name", p.Name),
	}, nil
}

func (s *screens) restore(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.set(c, ctx, product.Draft)
	return desk.Done{To: of(c, p.ID, ""), Said: c.UI.T("Restored {name} as a draft.", "name", p.Name)}, err
}

func (s *screens) askArchive(c *desk.Call) (ui.Screen, error) {
	p, err := s.product(c)
	if err == nil {
		err = policy.Require(c.Scope, policy.CatalogManage)
	}
	up := view.Link{Text: p.Name, Href: of(c, p.ID, "")}
	return ui.Screen{
		Title: c.UI.T("Archive {name}?", "name", p.Name), Area: area, Up: &up, Body: archiveBody(c, p), Sheet: true,
	}, err
}

func (s *screens) archive(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("product")
	if err != nil {
		return desk.Done{}, err
	}
	p, err := s.Products.Archive(ctx, c.Scope, id)
	return desk.Done{
		To: c.To(at), Said: c.UI.T("Archived {name}.", "name", p.Name),
		Undo: &ui.Undo{Action: of(c, id, "/restore"), Text: c.UI.T("Restore")},
	}, err
}
