package products

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/paging"
	"foyer/app/product"
	"foyer/app/view"
	"foyer/policy"
)

// stock mounts the stock of a variant, and the forms that change it at a location.
func (s *screens) stock(path string) {
	s.Page("listStock", path, s.showStock)
	for _, m := range movings {
		at := path + "/:location/" + m.Path
		s.Page("changeStock", at, s.askMove(m))
		s.Form("changeStock", at, desk.Form{Do: s.move(m), Show: s.askMove(m), Inputs: stockInputs})
	}
}

// shop is the stock of a variant.
type shop struct {
	product.Product
	Variant product.Variant
	Rows    []place
	Several bool // locations: the ledger names them
	Ledger  desk.Leaf[product.Move]
}

// place is the stock of a variant at a location.
type place struct {
	business.Location
	Level *product.Level // nil: it is not stocked there
}

// entriesAPage is the number of ledger entries on a page.
const entriesAPage = 50

func (s *screens) showStock(c *desk.Call) (ui.Screen, error) {
	p, v, err := s.both(c)
	if err != nil {
		return ui.Screen{}, err
	}
	out := shop{Product: p, Variant: v, Several: c.Location == nil && len(c.Workspace.Locations) > 1}
	t := desk.TurnOnward[paging.Moment](c, "product.stock", v.ID, c.LocationID())
	page, err := s.Products.Moves(c.Context(), c.Scope, product.MovesInput{
		In: t.In(entriesAPage), ProductID: p.ID, VariantID: v.ID, LocationID: c.LocationID(),
	})
	if err == nil {
		out.Rows, err = s.places(c, p, v)
	}
	if err != nil {
		return ui.Screen{}, err
	}
	out.Ledger = desk.LeafOf(c, t, page, func(m product.Move) paging.Moment {
		return paging.Moment{At: m.CreatedAt, ID: m.ID}
	})
	tab := "variants"
	var only *product.Variant
	if len(p.Options) == 0 && v.ArchivedAt == nil {
		tab, only = "stock", &v
	}
	screen := s.about(c, p, only, tab)
	screen.Body = stockBody(c, out)
	if only == nil {
		screen.Title, screen.Lead = name(p, v), view.Joined(" · ", p.Name, v.SKU)
		screen.Tabs, screen.Up = nil, &view.Link{Text: p.Name, Href: of(c, p.ID, "/variants")}
		screen.Acts = variantActs(c, p, v)
	}
	return screen, nil
}

// places returns the locations where a variant can be stocked, and those where it is. With a selected location it is
// that alone.
func (s *screens) places(c *desk.Call, p product.Product, v product.Variant) ([]place, error) {
	var out []place
	for _, l := range c.Workspace.Locations {
		level := levelAt(v, l.ID)
		if (c.Location == nil || c.Location.ID == l.ID) && (l.Currency == p.Currency || level != nil) {
			out = append(out, place{l, level})
		}
	}
	for _, level := range v.Levels { // what is left at an archived location
		if known(c, level.LocationID) || c.Location != nil || level.OnHand == 0 {
			continue
		}
		l, err := s.Business.Location(c.Context(), c.Scope, level.LocationID)
		if err != nil {
			return nil, err
		}
		out = append(out, place{l, &level})
	}
	return out, nil
}

func known(c *desk.Call, location uuid.UUID) bool {
	return slices.ContainsFunc(c.Workspace.Locations, func(l business.Location) bool { return l.ID == location })
}

func levelAt(v product.Variant, location uuid.UUID) *product.Level {
	if i := slices.IndexFunc(v.Levels, func(l product.Level) bool { return l.LocationID == location }); i >= 0 {
		return &v.Levels[i]
	}
	return nil
}

// full reports whether the caller may change stock at a location in every way; others may receive it at most.
func full(c *desk.Call, location uuid.UUID) bool {
	return policy.WhereFull(c.Scope, policy.StockManage).At(location)
}

// acts returns the changes that the caller can make at a location.
func (v shop) acts(c *desk.Call, at place) (out []moving) {
	for _, m := range movings {
		if m.fits(c, v.Product, v.Variant, at) {
			out = append(out, m)
		}
	}
	return out
}

// others returns the locations to which the caller can transfer a variant.
func others(c *desk.Call, p product.Product, from uuid.UUID) (out []ui.Option) {
	for _, l := range c.Workspace.Locations {
		if l.ID != from && l.Currency == p.Currency && full(c, l.ID) {
			out = append(out, ui.Option{Value: l.ID.String(), Text: l.Name})
		}
	}
	return out
}

// locationName returns the name of the location of a ledger entry; empty for one that is not listed.
func (v shop) locationName(id uuid.UUID) string {
	for _, at := range v.Rows {
		if at.ID == id {
			return at.Name
		}
	}
	return ""
}

// when renders the time of a ledger entry, in the time zone of its location.
func (v shop) when(sh ui.Shell, m product.Move) string {
	w := sh.Words
	for _, at := range v.Rows {
		if at.ID == m.LocationID {
			w.Zone = civil.ZoneOrUTC(at.Zone)
		}
	}
	return w.ShortWhen(m.CreatedAt)
}

// kindName renders the kind of a ledger entry.
func kindName(sh ui.Shell, k product.MoveKind) string {
	switch k {
	case product.Receive:
		return sh.C("stock", "Received")
	case product.Sell:
		return sh.C("stock", "Sold")
	case product.Return:
		return sh.C("stock", "Returned")
	case product.TransferOut:
		return sh.C("stock", "Transferred out")
	case product.TransferIn:
		return sh.C("stock", "Transferred in")
	case product.Count:
		return sh.C("stock", "Counted")
	}
	return sh.C("stock", "Adjusted")
}

// change renders the change of a ledger entry, with its sign.
func change(sh ui.Shell, n int) string {
	if n > 0 {
		return "+" + number(sh, n)
	}
	return number(sh, n)
}
