package products

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/product"
	"foyer/app/view"
	"foyer/app/words"
)

// scanning is a screen on which the stock of a location is received or counted, one code after the other.
type scanning struct {
	Kind                      product.MoveKind
	Path                      string
	Title, Number, Save, Hint words.Text
}

var scannings = []scanning{
	{
		product.Receive, "/receive", "Receive stock", "Received", "Receive stock",
		"Scan or type each item that arrived. Each scan adds one.",
	},
	{
		product.Count, "/count", "Count stock", "Counted", "Save count",
		"Scan or type each item on the shelf. Each scan adds one. Sales made while you count stay right.",
	},
}

// scans mounts the screens. They come before products: their addresses would match a product's.
func (s *screens) scans() {
	for _, g := range scannings {
		s.Page("changeStock", at+g.Path, s.showScan(g))
		s.Form("changeStock", at+g.Path, desk.Form{Do: s.saveScan(g), Show: s.showScan(g)})
	}
}

// tray is the data of the screen.
type tray struct {
	scanning
	At        *business.Location // nil: not chosen yet
	Locations []business.Location
	Rows      []scanned
	Code      string // that was looked up
	Wrong     string // why it is not in Rows
}

// scanned is a variant with the number that was scanned or typed.
type scanned struct {
	product.Stocked
	Number string
	Seen   int // Stocked.LastNumber when its row was added
}

// The fields of the form. A row has its variant's id in the name of its number.
const (
	fieldCode = "code"
	fieldItem = "item"
)

func numberOf(variant uuid.UUID) string { return "quantity[" + variant.String() + "]" }

// item identifies a row in the form: product, variant, and the last move that was seen.
func (r scanned) item() string { return fmt.Sprintf("%s/%s/%d", r.ProductID, r.ID, r.Seen) }

// codes are the codes that add one to a row, for the script.
func (r scanned) codes() string {
	list := slices.DeleteFunc([]string{r.SKU, r.Barcode}, func(s string) bool { return s == "" })
	return strings.ToLower(strings.Join(list, "\n"))
}

// label returns the name of the product with the choices of the variant.
func (r scanned) label() string {
	return view.Joined(" · ", append([]string{r.Name}, r.Choices...)...)
}

// locations returns the locations where the caller can do this.
func (g scanning) locations(c *desk.Call) (out []business.Location) {
	for _, l := range c.Workspace.Locations {
		if l.ArchivedAt == nil && c.MayAt("changeStock", l.ID) && (g.Kind == product.Receive || full(c, l.ID)) {
			out = append(out, l)
		}
	}
	return out
}

// tray reads the location of the screen, and the rows of a returned form.
func (s *screens) tray(c *desk.Call, g scanning) (v tray, posted []product.BatchItem, err error) {
	v = tray{scanning: g, Locations: g.locations(c)}
	if v.At = c.OneLocation(); v.At == nil && len(v.Locations) == 1 {
		v.At = &v.Locations[0]
	}
	if v.At != nil && !slices.ContainsFunc(v.Locations, func(l business.Location) bool { return l.ID == v.At.ID }) {
		v.At = nil // the caller chooses one of the others
	}
	for _, text := range c.Values(fieldItem) {
		it, ok := parseItem(text)
		if !ok {
			return v, nil, fault.Missing()
		}
		posted = append(posted, it)
	}
	return v, posted, nil
}

func parseItem(text string) (it product.BatchItem, ok bool) {
	parts := strings.Split(text, "/")
	if len(parts) != 3 {
		return it, false
	}
	seen, err := strconv.Atoi(parts[2])
	it.LastNumber = &seen
	var bad [2]error
	it.ProductID, bad[0] = uuid.Parse(parts[0])
	it.VariantID, bad[1] = uuid.Parse(parts[1])
	return it, err == nil && bad[0] == nil && bad[1] == nil
}

func (s *screens) showScan(g scanning) desk.Page {
	return func(c *desk.Call) (ui.Screen, error) {
		v, posted, err := s.tray(c, g)
		if err != nil {
			return ui.Screen{}, err
		}
		up := view.Link{Text: c.UI.T("Products"), Href: c.To(at)}
		screen := ui.Screen{Title: c.UI.T(g.Title), Area: area, Up: &up, Script: "scan.js"}
		if v.At == nil {
			screen.Body = scanLocations(c, v)
			return screen, nil
		}
		screen.Lead = v.At.Name
		if err := s.fill(c, &v, posted); err != nil {
			return ui.Screen{}, err
		}
		screen.Body = scanBody(c, v)
		return screen, nil
	}
}

// fill reads the rows of a returned form, and of the code in the address.
func (s *screens) fill(c *desk.Call, v *tray, posted []product.BatchItem) error {
	in := product.LookupInput{LocationID: v.At.ID}
	for _, it := range posted {
		in.VariantIDs = append(in.VariantIDs, it.VariantID)
	}
	if !c.Posts() {
		v.Code = strings.TrimSpace(c.Value(fieldCode))
		in.Code = v.Code
	}
	list, err := s.Products.Lookup(c.Context(), c.Scope, in)
	if err != nil {
		return err
	}
	for _, it := range posted {
		if i := slices.IndexFunc(list, func(x product.Stocked) bool { return x.ID == it.VariantID }); i >= 0 {
			v.Rows = append(v.Rows, scanned{list[i], c.Value(numberOf(it.VariantID)), *it.LastNumber})
		}
	}
	if v.Code == "" {
		return nil
	}
	switch {
	case len(list) == 0:
		v.Wrong = c.UI.T("No product has the code {code}.", "code", v.Code)
	case !list[0].Tracked:
		v.Wrong = c.UI.T("The stock of {name} is not tracked.", "name", scanned{Stocked: list[0]}.label())
	case list[0].Currency != v.At.Currency:
		v.Wrong = c.UI.T("{name} has another currency than this location.", "name", scanned{Stocked: list[0]}.label())
	default:
		v.Rows = []scanned{{list[0], "1", list[0].LastNumber}}
	}
	return nil
}

func (s *screens) saveScan(g scanning) func(*desk.Call, context.Context) (desk.Done, error) {
	return func(c *desk.Call, ctx context.Context) (desk.Done, error) {
		v, items, err := s.tray(c, g)
		if err != nil || v.At == nil {
			return desk.Done{}, fault.When(err == nil, fault.Missing(), err)
		}
		if len(items) == 0 {
			return desk.Done{}, fault.Invalid(fieldCode, "Scan or enter a code first.")
		}
		var checks fault.Checks
		for i := range items {
			name := numberOf(items[i].VariantID)
			n, ok := c.Number(name)
			checks.That(ok, name, c.UI.T("Enter a whole number."))
			if items[i].Quantity = n; g.Kind == product.Receive {
				items[i].LastNumber = nil
			}
		}
		if err := checks.Err(); err != nil {
			return desk.Done{}, err
		}
		done, err := s.Products.ChangeStock(ctx, c.Scope, product.BatchInput{
			LocationID: v.At.ID, Kind: g.Kind, Items: items, Note: c.Value("note"),
		})
		if err != nil {
			return desk.Done{}, atRow(err, items)
		}
		return desk.Done{To: c.To(at+g.Path, "location", v.At.ID.String()), Said: g.said(c.UI, done)}, nil
	}
}

// atRow puts the refusal of an item at the number of its row.
func atRow(err error, items []product.BatchItem) error {
	f := fault.From(err)
	if f == nil || len(f.Fields) == 0 {
		return err
	}
	return f.At(func(field string) string {
		for i, it := range items {
			if at := fmt.Sprintf("items[%d]", i); field == at || strings.HasPrefix(field, at+".") {
				return numberOf(it.VariantID)
			}
		}
		return field
	})
}

// said renders what was saved.
func (g scanning) said(sh ui.Shell, done []product.Change) string {
	sum, different := 0, 0
	for _, d := range done {
		if sum += d.Moves[0].Quantity; d.Moves[0].Quantity != 0 {
			different++
		}
	}
	switch {
	case g.Kind == product.Receive:
		return sh.N(sum, "Received {n} item.", "Received {n} items.")
	case different == 0:
		return sh.T("Counted. The count was as expected.")
	}
	return sh.T("Counted. Difference: {n}.", "n", change(sh, sum))
}
