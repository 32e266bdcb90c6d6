package sales

import (
	"context"
	"strconv"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/sales"
	"foyer/app/view"
	"foyer/billing"
)

// The fields of the page of a return: of each line its quantity, and whether it is for sale again; the rest is refunded
// where "to" says.
const (
	quantityOf = "quantity."
	stockOf    = "stock."
	unsellable = "0"       // the value of stockOf: not for sale again
	noRefund   = "nothing" // the value of to
)

// returning is a return in the address or the form.
type returning struct {
	In sales.ReturnInput
	To string
}

// returningOf reads a return of goods of a payment's order.
func returningOf(c *desk.Call, d sales.Detail) returning {
	r := returning{In: sales.ReturnInput{OrderID: d.OrderID, Refund: true}, To: c.Value("to")}
	switch {
	case r.To == noRefund:
		r.In.Refund = false
	case !billing.Destination(r.To).Valid():
		r.To = string(billing.ToOriginal)
		fallthrough
	default:
		r.In.Destination = billing.Destination(r.To)
	}
	for _, l := range returnable(d) {
		if n, ok := c.Number(quantityOf + l.ID.String()); ok && n != 0 {
			r.In.Lines = append(r.In.Lines, sales.ReturnLine{
				LineID: *l.ID, Quantity: n, Restock: c.Value(stockOf+l.ID.String()) != unsellable,
			})
		}
	}
	return r
}

// kept returns the fields of a return, for the form that redeems it.
func (r returning) kept() []view.Param {
	out := []view.Param{{Name: "to", Value: r.To}}
	for _, l := range r.In.Lines {
		stock := "1"
		if !l.Restock {
			stock = unsellable
		}
		id := l.LineID.String()
		out = append(out, view.Param{Name: quantityOf + id, Value: strconv.Itoa(l.Quantity)},
			view.Param{Name: stockOf + id, Value: stock})
	}
	return out
}

// apart names the fields of a return: the effects that its quote promises have all that they change.
func apart(d sales.Detail) []string {
	out := []string{"note", "to"}
	for _, l := range d.Lines {
		if l.ID != nil {
			out = append(out, quantityOf+l.ID.String(), stockOf+l.ID.String())
		}
	}
	return out
}

// askReturn shows the exact effects of the return in the address.
func (s *screens) askReturn(c *desk.Call) (ui.Screen, error) {
	d, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	c.Apart(apart(d)...)
	r, refused := returningOf(c, d), ""
	var told sales.Returned
	if len(r.In.Lines) > 0 {
		told, err = desk.Quote(c, "returnGoods", func(ctx context.Context) (sales.Returned, error) {
			return s.Sales.Return(ctx, c.Scope, r.In)
		})
		if err != nil {
			if refused, err = cannot(c, d, err); err != nil {
				return ui.Screen{}, err
			}
		}
	}
	sh := c.UI
	return ui.Screen{
		Title: sh.T("Return items"), Lead: view.Joined(" · ", who(sh, d.Payment), means(sh, d.Payment), at(c, d.Payment)),
		Area: "sales", Up: &view.Link{Text: sh.Cash(d.Amount, d.Currency), Href: c.To(path(d.Payment, ""))},
		Body: returnBody(c, d, r, told, refused), Sheet: true,
	}, nil
}

func (s *screens) returnGoods(c *desk.Call, ctx context.Context) (desk.Done, error) {
	d, err := s.find(c)
	if err != nil {
		return desk.Done{}, err
	}
	c.Apart(apart(d)...)
	in := returningOf(c, d).In
	in.Note = c.Value("note")
	got, err := desk.Redeem(c, ctx, "returnGoods", func(ctx context.Context) (sales.Returned, error) {
		return s.Sales.Return(ctx, c.Scope, in)
	})
	if err != nil {
		return desk.Done{}, err
	}
	said := c.UI.T("Items returned.")
	if got.Amount > 0 {
		said = view.Joined(" ", said, c.UI.T("Refunded: {amount}.", "amount", c.UI.Cash(got.Amount, got.Currency)))
	}
	return desk.Done{To: c.To(path(d.Payment, "")), Said: said}, nil
}

// returnOutcomes returns all effects of a return.
func returnOutcomes(sh ui.Shell, g sales.Returned) (out []ui.Outcome) {
	for _, l := range g.Lines {
		text := sh.T("{what}, {n} for sale again", "what", l.Label, "n", sh.Lang().Number(l.Quantity))
		if !l.Restock {
			text = sh.T("{what}, {n} not for sale again", "what", l.Label, "n", sh.Lang().Number(l.Quantity))
		}
		out = append(out, ui.Outcome{Text: text, Amount: sh.Some(l.Amount, g.Currency)})
	}
	for _, r := range g.Refunds {
		out = append(out, ui.Outcome{Text: goesTo(sh, r), Amount: sh.Cash(r.Refund.Amount, g.Currency), Bad: true})
	}
	if g.TaxAmount > 0 {
		out = append(out, ui.Outcome{
			Text: sh.T("Tax included, no longer due"), Amount: sh.Cash(g.TaxAmount, g.Currency),
		})
	}
	if len(g.Refunds) == 0 {
		out = append(out, ui.Outcome{Text: sh.T("Nothing is refunded")})
	}
	return out
}

// returnButton returns the label of the button.
func returnButton(sh ui.Shell, g sales.Returned) string {
	if g.Amount == 0 {
		return sh.T("Return items without a refund")
	}
	return sh.T("Return items and refund {amount}", "amount", sh.Cash(g.Amount, g.Currency))
}

// listed is the largest quantity that is chosen from a list.
const listed = 20

// quantities returns the choices of a quantity.
func quantities(sh ui.Shell, most int) (out []ui.Option) {
	for n := range most + 1 {
		out = append(out, ui.Option{Value: strconv.Itoa(n), Text: sh.Lang().Number(n)})
	}
	return out
}

// returnTo returns the choices of the destination of the refund.
func returnTo(sh ui.Shell) []ui.Option {
	return []ui.Option{
		{Value: string(billing.ToOriginal), Text: sh.T("Original payment method")},
		{Value: string(billing.ToCredit), Text: sh.T("Account credit")},
		{Value: noRefund, Text: sh.T("No refund")},
	}
}
