package till

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/owed"
	"foyer/app/product"
	"foyer/app/view"
	"foyer/billing/giftcard"
	"foyer/billing/tender"
)

// sellAt is the path of the page that sells goods.
const sellAt = "/till/sell"

// giftAt is the address of the form with the code of a gift card: it is posted, so that no address has the code.
const giftAt = sellAt + "/gift-card"

// sellFields are the fields of a sale of goods. None is a part of its quote, whose effects are compared.
var sellFields = []string{
	"line", "q", "who", "customer", "method", "receivedAmount", "card", "code",
	"receipt", "payment",
}

// selling is a sale of goods in the address or the form, and what of it is read.
type selling struct {
	Lines    []owed.Goods
	Customer *crm.Customer // nil: a walk-in
	Method   tender.Kind
	GiftCard uuid.UUID // that pays; uuid.Nil: its code was not entered yet
	Received *int64    // in cash; nil: the exact amount
	Currency money.Currency

	Query, Who string
	Found      []product.Sellable // by the query
	Names      map[uuid.UUID]product.Sellable
	People     []crm.Customer // found by that name
	Sale       owed.Sale      // promised
	Refused    string
}

// sellingOf reads a sale from the address or the form.
func sellingOf(c *desk.Call) (s selling, err error) {
	s = selling{
		Method: tender.Kind(c.Value("method")), Query: c.Value("q"), Who: c.Value("who"), Currency: c.Location.Currency,
	}
	for _, text := range c.Values("line") {
		id, quantity, _ := strings.Cut(text, ":")
		variant, err := uuid.Parse(id)
		n, wrong := strconv.Atoi(quantity)
		if err == nil && wrong == nil {
			s.add(variant, n)
		}
	}
	if !s.Method.Valid() || s.Method == tender.AccountCredit && c.UUID("customer") == uuid.Nil {
		s.Method = tender.Cash
	}
	if s.Method == tender.Cash {
		s.Received, err = c.Amount("receivedAmount", s.Currency)
	}
	if s.Method == tender.GiftCard {
		s.GiftCard = c.UUID("card")
	}
	return s, err
}

// paid reports whether the sale has all that its payment method needs.
func (s selling) paid() bool { return s.Method != tender.GiftCard || s.GiftCard != uuid.Nil }

// add adds so many of a variant to the lines.
func (s *selling) add(variant uuid.UUID, n int) {
	i := slices.IndexFunc(s.Lines, func(g owed.Goods) bool { return g.VariantID == variant })
	if i < 0 {
		i = len(s.Lines)
		s.Lines = append(s.Lines, owed.Goods{VariantID: variant})
	}
	if s.Lines[i].Quantity += n; s.Lines[i].Quantity <= 0 {
		s.Lines = slices.Delete(s.Lines, i, i+1)
	}
}

// with returns the sale with so many more of a variant.
func (s selling) with(variant uuid.UUID, n int) selling {
	s.Lines = slices.Clone(s.Lines)
	s.add(variant, n)
	return s
}

// fields returns the fields of the sale, without those that a form has itself.
func (s selling) fields(without ...string) (out []view.Param) {
	add := func(name, value string) {
		if value != "" && !slices.Contains(without, name) {
			out = append(out, view.Param{Name: name, Value: value})
		}
	}
	for _, g := range s.Lines {
		add("line", g.VariantID.String()+":"+strconv.Itoa(g.Quantity))
	}
	if s.Customer != nil {
		add("customer", s.Customer.ID.String())
	}
	add("method", string(s.Method))
	add("receivedAmount", ui.Amount(s.Received, s.Currency))
	if s.GiftCard != uuid.Nil {
		add("card", s.GiftCard.String())
	}
	return out
}

// to returns the address of the sale.
func (s selling) to(c *desk.Call, without ...string) string {
	q := url.Values{}
	for _, p := range s.fields(without...) {
		q.Add(p.Name, p.Value)
	}
	if len(q) == 0 {
		return c.To(sellAt)
	}
	return c.To(sellAt) + "?" + q.Encode()
}

// input returns the verb's input.
func (s selling) input(c *desk.Call) owed.PaymentInput {
	in := owed.PaymentInput{Goods: s.Lines, LocationID: c.LocationID(), Tenders: owed.Pays(s.Method)}
	if s.Customer != nil {
		in.CustomerID = s.Customer.ID
	}
	in.Tenders[0].Source = s.GiftCard
	if s.Received != nil {
		in.Tenders[0].Received = *s.Received
	}
	return in
}

// sell is the page that sells goods: its sale is in the address, so that it needs no script, and a quote.
func (s *screens) sell(c *desk.Call) (ui.Screen, error) {
	out := ui.Screen{Title: c.UI.T("Sell goods"), Area: "sales"}
	if c.Location == nil {
		out.Body = placesBody(c, sellAt)
		return out, nil
	}
	c.Apart(sellFields...)
	c.UI.Zone = civil.ZoneOrUTC(c.Location.Zone)
	out.Lead, out.Up = c.Location.Name, &view.Link{Text: c.UI.T("Cash drawer"), Href: c.To("/till")}
	v, err := sellingOf(c)
	if err != nil {
		if v.Refused, err = c.Cannot(err); err != nil {
			return ui.Screen{}, err
		}
	}
	if err := s.look(c, &v); err != nil {
		return ui.Screen{}, err
	}
	if len(v.Lines) > 0 && v.Refused == "" && v.paid() {
		in := v.input(c)
		v.Sale, err = desk.Quote(c, "createSale", func(ctx context.Context) (owed.Sale, error) {
			return s.Owed.RecordPayment(ctx, c.Scope, in)
		})
		if err != nil {
			if v.Refused, err = c.Cannot(err); err != nil {
				return ui.Screen{}, err
			}
		}
	}
	out.Body, out.Acts = sellBody(c, v), sellActs(c)
	return out, nil
}

// useGiftCard pays the sale with the gift card of a code: the sale goes on with the card in its address.
func (s *screens) useGiftCard(c *desk.Call, ctx context.Context) (desk.Done, error) {
	if c.Location == nil {
		return desk.Done{To: c.To(sellAt)}, nil
	}
	v, err := sellingOf(c)
	if err != nil {
		return desk.Done{}, err
	}
	if id := c.UUID("customer"); id != uuid.Nil {
		v.Customer = &crm.Customer{ID: id}
	}
	card, err := s.GiftCards.ByCode(ctx, c.Scope, c.Value("code"))
	if err == nil && (card.Currency != v.Currency || !card.Usable(c.UI.Now)) {
		err = giftcard.ErrUnusable
	}
	if f := fault.From(err); f != nil && f.Reason == giftcard.ErrUnusable.Reason {
		return desk.Done{}, fault.Invalid("code", f.Message)
	}
	if err != nil {
		return desk.Done{}, err
	}
	v.Method, v.GiftCard = tender.GiftCard, card.ID
	balance := c.UI.Cash(card.Balance, card.Currency)
	said := c.UI.T("{card} has {amount}.", "card", c.UI.GiftCardNamed(card.Label()), "amount", balance)
	return desk.Done{To: v.to(c), Said: said}, nil
}

// look reads what the page looks for: goods and customers. The only one with the SKU or barcode that was typed or
// scanned is added to the sale.
func (s *screens) look(c *desk.Call, v *selling) error {
	find := func() (list []product.Sellable, err error) {
		in := product.SellableInput{LocationID: c.LocationID(), Query: v.Query}
		for _, g := range v.Lines {
			in.VariantIDs = append(in.VariantIDs, g.VariantID)
		}
		return s.Products.Sellable(c.Context(), c.Scope, in)
	}
	list, err := find()
	if err != nil {
		if !c.Told(err) {
			return err
		}
		return nil
	}
	v.Names = map[uuid.UUID]product.Sellable{}
	for _, f := range list {
		v.Names[f.VariantID] = f
		if v.Query != "" && (f.Exact || strings.Contains(strings.ToLower(f.Name), strings.ToLower(v.Query))) {
			v.Found = append(v.Found, f)
		}
	}
	inexact := func(f product.Sellable) bool { return !f.Exact }
	if exact := slices.DeleteFunc(slices.Clone(v.Found), inexact); len(exact) == 1 {
		v.add(exact[0].VariantID, 1)
		v.Found, v.Query = nil, ""
	}
	if id := c.UUID("customer"); id != uuid.Nil {
		who, err := s.CRM.Get(c.Context(), c.Scope, id)
		if err != nil {
			return err
		}
		v.Customer = &who
	}
	if v.Who != "" && v.Customer == nil {
		found, err := s.CRM.List(c.Context(), c.Scope, crm.ListInput{Query: v.Who, Limit: 8})
		if err != nil && !c.Told(err) {
			return err
		}
		v.People = found.Customers
	}
	return nil
}

func (s *screens) charge(c *desk.Call, ctx context.Context) (desk.Done, error) {
	if c.Location == nil {
		return desk.Done{To: c.To(sellAt)}, nil
	}
	c.Apart(sellFields...)
	v, err := sellingOf(c)
	if err != nil {
		return desk.Done{}, err
	}
	if id := c.UUID("customer"); id != uuid.Nil {
		v.Customer = &crm.Customer{ID: id}
	}
	in := v.input(c)
	sale, err := desk.Redeem(c, ctx, "createSale", func(ctx context.Context) (owed.Sale, error) {
		return s.Owed.RecordPayment(ctx, c.Scope, in)
	})
	if err != nil {
		return desk.Done{}, err
	}
	payment := ""
	if len(sale.Payments) > 0 {
		payment = sale.Payments[0].ID.String()
	}
	said := c.UI.T("Sold for {amount}.", "amount", c.UI.Cash(sale.Amount, sale.Currency))
	if sale.ChangeAmount > 0 {
		said = view.Joined(" ", said, c.UI.T("Change due: {amount}.", "amount", c.UI.Cash(sale.ChangeAmount, sale.Currency)))
	}
	return desk.Done{
		To: c.To(sellAt, "receipt", s.Orders.ReceiptToken(sale.OrderID), "payment", payment), Said: said,
	}, nil
}

// priceOf renders the price of one of a variant, and what is available of it.
func priceOf(sh ui.Shell, f product.Sellable, cur money.Currency) string {
	stock := ""
	if f.Available != nil {
		stock = sh.T("{n} available", "n", sh.Lang().Number(max(0, *f.Available)))
	}
	return view.Joined(" · ", sh.Cash(f.PriceAmount, cur), stock, f.SKU)
}

// methods returns the choices of the payment method; account credit only with a customer.
func methods(sh ui.Shell, v selling) []ui.Option {
	out := []ui.Option{
		{Value: string(tender.Cash), Text: sh.T("Cash")},
		{Value: string(tender.Other), Text: sh.T("Card terminal or transfer")},
		{Value: string(tender.GiftCard), Text: sh.T("Gift card")},
	}
	if v.Customer != nil {
		out = append(out, ui.Option{Value: string(tender.AccountCredit), Text: sh.T("Account credit")})
	}
	return out
}

// totals returns the totals of a promised sale.
func totals(sh ui.Shell, v selling) []ui.Outcome {
	var tax int64
	for _, g := range v.Sale.Goods {
		tax += g.TaxAmount
	}
	amount := func(n int64) string { return sh.Cash(n, v.Sale.Currency) }
	var out []ui.Outcome
	if tax > 0 {
		out = append(out, ui.Outcome{Text: sh.T("Tax"), Amount: amount(tax)})
	}
	out = append(out, ui.Outcome{Text: sh.T("Total"), Amount: amount(v.Sale.Amount)})
	for _, t := range v.Sale.Tenders {
		if t.Method == tender.GiftCard {
			out = append(out, ui.Outcome{Text: sh.GiftCardNamed(t.Label), Amount: amount(t.Amount)})
		}
	}
	if v.Received != nil {
		out = append(out, ui.Outcome{Text: sh.T("Change due"), Amount: amount(v.Sale.ChangeAmount)})
	}
	return out
}

// amountOf returns the amount of a line of a promised sale; empty if it cannot be sold.
func amountOf(sh ui.Shell, v selling, variant uuid.UUID) string {
	for _, g := range v.Sale.Goods {
		if g.VariantID == variant {
			return sh.Cash(g.Amount, v.Sale.Currency)
		}
	}
	return ""
}
