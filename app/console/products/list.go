package products

import (
	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/product"
	"foyer/app/view"
)

// shelf is a page of the list with its filter.
type shelf struct {
	desk.Leaf[product.Product]
	Totals map[uuid.UUID]product.Total
	Query  string
	State  product.State // empty: drafts and published ones
}

// active returns the number of active filters.
func (v shelf) active() (n int) {
	if v.Query != "" {
		n++
	}
	if v.State != "" {
		n++
	}
	return n
}

// rowsAPage is the number of products on a page.
const rowsAPage = 50

func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	v := shelf{Query: c.Value("q"), State: product.State(c.Value("state"))}
	if !v.State.Valid() {
		v.State = ""
	}
	screen := ui.Screen{Title: c.UI.T("Products"), Area: area}
	screen.Acts = listActs(c)
	t := desk.TurnOnward[product.Key](c, "products", v.Query, v.State)
	page, err := s.Products.List(c.Context(), c.Scope, product.ListInput{
		In: t.In(rowsAPage), State: v.State, Query: v.Query,
	})
	if err != nil && c.Refused(err, []string{"q"}) {
		err = nil
	}
	if err == nil {
		v.Leaf = desk.LeafOf(c, t, page, func(p product.Product) product.Key {
			return product.Key{Name: p.Name, ID: p.ID}
		})
		v.Totals, err = s.totals(c, v.Items)
	}
	screen.Body = listBody(c, v)
	return screen, err
}

// totals reads the prices and the stock of a page's products.
func (s *screens) totals(c *desk.Call, list []product.Product) (map[uuid.UUID]product.Total, error) {
	in := product.TotalsInput{LocationID: c.LocationID()}
	for _, p := range list {
		in.ProductIDs = append(in.ProductIDs, p.ID)
	}
	out := map[uuid.UUID]product.Total{}
	if len(list) == 0 {
		return out, nil
	}
	rows, err := s.Products.Totals(c.Context(), c.Scope, in)
	for _, t := range rows {
		out[t.ProductID] = t
	}
	return out, err
}

// prices renders the range of a product's prices.
func (v shelf) prices(sh ui.Shell, p product.Product) string {
	t, ok := v.Totals[p.ID]
	switch {
	case !ok:
		return sh.T("No price yet")
	case t.LeastAmount == t.MostAmount:
		return price(sh, t.LeastAmount, p.Currency)
	}
	cash := func(minor int64) string { return sh.Money(view.Price{Minor: minor, Currency: p.Currency}) }
	return sh.T("{least} to {most}", "least", cash(t.LeastAmount), "most", cash(t.MostAmount))
}

// about renders the line under a name.
func (v shelf) about(sh ui.Shell, p product.Product) string {
	if len(p.Options) == 0 && p.Variants < 2 {
		return ""
	}
	return sh.N(p.Variants, "{n} variant", "{n} variants")
}

func states(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("Not archived")}}
	for _, s := range product.State("").All() {
		text, _ := badge(sh, s)
		out = append(out, ui.Option{Value: string(s), Text: text})
	}
	return out
}
