package products

import (
	"context"
	"slices"
	"strconv"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/product"
	"foyer/app/view"
	"foyer/app/words"
	"foyer/policy"
)

// stockInputs are the fields of the forms that change stock.
var stockInputs = []string{"quantity", "toLocationId", "reason"}

// moving is a way to change the stock of a variant at a location.
type moving struct {
	Kind        product.MoveKind
	Path        string
	Text, Title words.Text // of the link and of its screen
	Full        bool       // it needs stock.manage without its limit
}

var movings = []moving{
	{product.Receive, "receive", "Receive", "Receive stock", false},
	{product.Count, "count", "Count", "Count stock", true},
	{product.Adjust, "adjust", "Adjust", "Adjust stock", true},
	{product.TransferOut, "transfer", "Transfer", "Transfer stock", true},
}

// fits reports whether the caller can make the change at a location.
func (m moving) fits(c *desk.Call, p product.Product, v product.Variant, at place) bool {
	count := m.Kind == product.Count
	switch {
	case v.TrackedAt == nil || at.Currency != p.Currency:
		return false
	case m.Full && !full(c, at.ID) || !c.MayAt("changeStock", at.ID):
		return false
	case (v.ArchivedAt != nil || p.State == product.Archived) && !count:
		return false
	case at.ArchivedAt != nil && !count && m.Kind != product.TransferOut:
		return false
	}
	return m.Kind != product.TransferOut || at.Level != nil && len(others(c, p, at.ID)) > 0
}

// moved is the data of a form that changes stock.
type moved struct {
	moving
	Product product.Product
	Variant product.Variant
	At      place
	Level   product.Level // empty where it is not stocked
	To      []ui.Option   // of a transfer
	Then    then          // of a count
}

// then is the stock that the form of a count was opened with.
type then struct{ OnHand, LastNumber int }

// moved reads the variant and the location of the address.
func (s *screens) moved(c *desk.Call, m moving) (out moved, err error) {
	out.moving = m
	id, err := c.ID("location")
	if err != nil {
		return out, err
	}
	if out.Product, out.Variant, err = s.both(c); err != nil {
		return out, err
	}
	if i := slices.IndexFunc(c.Workspace.Locations, func(l business.Location) bool { return l.ID == id }); i >= 0 {
		out.At.Location = c.Workspace.Locations[i]
	} else if out.At.Location, err = s.Business.Location(c.Context(), c.Scope, id); err != nil {
		return out, err
	}
	if out.At.Level = levelAt(out.Variant, id); out.At.Level != nil {
		out.Level = *out.At.Level
	}
	if err := policy.RequireAt(c.Scope, policy.StockManage, id); err != nil {
		return out, err
	}
	if m.Full && !full(c, id) {
		return out, policy.ErrMissingFeature.With("feature", string(policy.StockManage))
	}
	out.To, out.Then = others(c, out.Product, id), out.then(c)
	return out, nil
}

// then returns the stock that the form was opened with: a returned form keeps it.
func (v moved) then(c *desk.Call) then {
	n, err := strconv.Atoi(c.Value("lastNumber"))
	onHand, wrong := strconv.Atoi(c.Value("onHand"))
	if c.UI.Posted == nil && !c.Posts() || err != nil || wrong != nil {
		return then{v.Level.OnHand, v.Level.LastNumber}
	}
	return then{onHand, n}
}

func (s *screens) askMove(m moving) desk.Page {
	return func(c *desk.Call) (ui.Screen, error) {
		v, err := s.moved(c, m)
		if err != nil {
			return ui.Screen{}, err
		}
		up := view.Link{Text: name(v.Product, v.Variant), Href: ofVariant(c, v.Variant, "/stock")}
		screen := ui.Screen{Title: c.UI.T(m.Title), Area: area, Up: &up, Sheet: true}
		screen.Lead = view.Joined(" · ", label(v.Product, v.Variant), v.At.Name)
		if m.fits(c, v.Product, v.Variant, v.At) {
			screen.Body = moveBody(c, v)
		} else {
			screen.Body = ui.Nothing(c.UI, c.UI.T(v.impossible()), "")
		}
		return screen, nil
	}
}

// impossible returns why a change cannot be made.
func (v moved) impossible() words.Text {
	switch {
	case v.Variant.TrackedAt == nil:
		return "The stock of this variant is not tracked."
	case v.At.Currency != v.Product.Currency:
		return "This location has another currency than the product."
	case v.Variant.ArchivedAt != nil || v.Product.State == product.Archived:
		return "It is archived: its stock can only be counted."
	case v.At.ArchivedAt != nil:
		return "This location is archived: stock can only leave it."
	}
	return "There is nothing to transfer, or no other location with this currency where you manage stock."
}

// label returns the name of a product and of its variant.
func label(p product.Product, v product.Variant) string {
	return view.Joined(" · ", append([]string{p.Name}, v.Choices...)...)
}

func (s *screens) move(m moving) func(*desk.Call, context.Context) (desk.Done, error) {
	return func(c *desk.Call, ctx context.Context) (desk.Done, error) {
		v, err := s.moved(c, m)
		if err != nil {
			return desk.Done{}, err
		}
		n, ok := c.Number("quantity")
		if !ok {
			return desk.Done{}, fault.Invalid("quantity", c.UI.T("Enter a whole number."))
		}
		did, err := s.change(c, ctx, v, n)
		if err != nil {
			return desk.Done{}, short(err)
		}
		return desk.Done{To: ofVariant(c, v.Variant, "/stock"), Said: saidOf(c, v, did)}, nil
	}
}

// change calls the verb.
func (s *screens) change(c *desk.Call, ctx context.Context, v moved, n int) (product.Change, error) {
	at := product.StockInput{ProductID: v.Product.ID, VariantID: v.Variant.ID, LocationID: v.At.ID}
	note := c.Value("reason")
	switch v.Kind {
	case product.Receive:
		return s.Products.Receive(ctx, c.Scope, product.ReceiveInput{StockInput: at, Quantity: n, Note: note})
	case product.Count:
		last := v.Then.LastNumber
		return s.Products.Count(ctx, c.Scope, product.CountInput{StockInput: at, Counted: n, LastNumber: &last, Note: note})
	case product.TransferOut:
		return s.Products.Transfer(ctx, c.Scope, product.TransferInput{
			StockInput: at, To: c.UUID("toLocationId"), Quantity: n, Note: note,
		})
	}
	if n < 1 || n > product.QuantityMax {
		return product.Change{}, fault.Invalid("quantity", c.UI.T("Enter a number from 1 to 99999."))
	}
	if c.Value("way") != more {
		n = -n
	}
	return s.Products.Adjust(ctx, c.Scope, product.AdjustInput{StockInput: at, Quantity: n, Reason: note})
}

// The ways of an adjustment.
const less, more = "less", "more"

// short puts the refusal of more than there is at the number.
func short(err error) error {
	for _, about := range []*fault.Error{product.ErrShort, product.ErrFull} {
		if f := fault.From(err); f != nil && f.Reason == about.Reason {
			return f.And("quantity", about.Message)
		}
	}
	return err
}

// saidOf renders what a change has done, with the stock afterwards.
func saidOf(c *desk.Call, v moved, did product.Change) string {
	sh, n := c.UI, did.Moves[0].Quantity
	now := sh.T("On hand at {location}: {n}.", "location", v.At.Name, "n", number(sh, did.Levels[0].OnHand))
	done := ""
	switch v.Kind {
	case product.Receive:
		done = sh.T("Received {n}.", "n", number(sh, n))
	case product.Count:
		done = sh.T("Counted. The count was as expected.")
		if n != 0 {
			done = sh.T("Counted. Difference: {n}.", "n", change(sh, n))
		}
	case product.TransferOut:
		to := c.UUID("toLocationId")
		done = sh.T("Transferred {n} to {location}.", "n", number(sh, -n), "location", textOf(v.To, &to))
	default:
		done = sh.T("Adjusted by {n}.", "n", change(sh, n))
	}
	return view.Joined(" ", done, now)
}
