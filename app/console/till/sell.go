package till

import (
	"cmp"
	"context"
	"errors"
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
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/product"
	"foyer/app/view"
	"foyer/billing/tender"
)

// sellAt is the path of the page that sells goods and plans.
const sellAt = desk.SellAt

// giftAt is the address of the form with the code of a gift card: it is posted, so that no address has the code.
const giftAt = sellAt + "/gift-card"

// sellFields are the fields of a sale. None is a part of its quote, whose effects are compared.
var sellFields = []string{
	"line", "plan", fieldPeriod, "q", "who", "customer", ui.FieldMethod, ui.FieldRemaining, ui.FieldReceived,
	ui.FieldCard, ui.FieldCode, ui.FieldTender, "receipt", "payment", "charge",
}

// payFields are those of its payment.
var payFields = []string{ui.FieldMethod, ui.FieldRemaining, ui.FieldReceived, ui.FieldCard}

// selling is a sale of goods and plans in the address or the form, and what of it is read.
type selling struct {
	Lines    []owed.Goods
	Plans    []uuid.UUID
	Period   uuid.UUID     // a billing period of a membership of the customer; uuid.Nil: none
	Customer *crm.Customer // nil: a walk-in
	Pay      ui.Payment
	Currency money.Currency

	Query, Who string
	Found      []product.Sellable // by the query
	Names      map[uuid.UUID]product.Sellable
	People     []crm.Customer   // found by that name
	OnSale     []plan.Plan      // plans that the location sells
	Member     *plan.Membership // of the period; nil: it is not to be paid next
	Sale       owed.Sale        // promised
	Refused    string

	Receipt string          // of the sale before; empty: none
	Charge  *owed.SaleState // of a saved card, for the sale before; nil: none
}

// sellingOf reads a sale from the address or the form. Its error is that of its payment.
func sellingOf(c *desk.Call) (s selling, err error) {
	s = selling{
		Query: c.Value("q"), Who: c.Value("who"), Currency: c.Location.Currency, Receipt: c.Value("receipt"),
	}
	for _, text := range c.Values("line") {
		id, quantity, _ := strings.Cut(text, ":")
		variant, err := uuid.Parse(id)
		n, wrong := strconv.Atoi(quantity)
		if err == nil && wrong == nil {
			s.add(variant, n)
		}
	}
	for _, text := range c.Values("plan") {
		id, err := uuid.Parse(text)
		if err == nil && !slices.Contains(s.Plans, id) {
			s.Plans = append(s.Plans, id)
		}
	}
	methods := []tender.Kind{tender.Cash, tender.Other, tender.GiftCard}
	if c.UUID("customer") != uuid.Nil {
		methods = append(methods, tender.AccountCredit, owed.SavedCard)
		s.Period = c.UUID(fieldPeriod)
	}
	s.Pay, err = c.Payment(s.Currency, methods...)
	return s, err
}

// known sets the customer of a posted sale, with the id alone.
func (s *selling) known(c *desk.Call) {
	if id := c.UUID("customer"); id != uuid.Nil {
		s.Customer = &crm.Customer{ID: id}
	}
}

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

// withPlan returns the sale with a plan; without it, if it has it already.
func (s selling) withPlan(id uuid.UUID) selling {
	s.Plans = slices.Clone(s.Plans)
	if i := slices.Index(s.Plans, id); i >= 0 {
		s.Plans = slices.Delete(s.Plans, i, i+1)
	} else {
		s.Plans = append(s.Plans, id)
	}
	return s
}

// empty reports whether the sale has no items.
func (s selling) empty() bool { return len(s.Lines)+len(s.Plans) == 0 && s.Period == uuid.Nil }

// lacksCustomer reports whether the sale has a plan, but nobody to give it to.
func (s selling) lacksCustomer() bool { return len(s.Plans) > 0 && s.Customer == nil }

// plan returns a plan of the sale; false if it is not sold here any more.
func (s selling) plan(id uuid.UUID) (plan.Plan, bool) {
	i := slices.IndexFunc(s.OnSale, func(p plan.Plan) bool { return p.ID == id })
	if i < 0 {
		return plan.Plan{}, false
	}
	return s.OnSale[i], true
}

// planAmount returns the amount of a plan of a promised sale; empty if it cannot be sold.
func (s selling) planAmount(sh ui.Shell, id uuid.UUID) string {
	for _, p := range s.Sale.Plans {
		if p.PlanID == id {
			return sh.Cash(p.Amount, s.Sale.Currency)
		}
	}
	return ""
}

// by returns the sale with another payment.
func (s selling) by(p ui.Payment) selling {
	s.Pay = p
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
	for _, id := range s.Plans {
		add("plan", id.String())
	}
	if s.Customer != nil {
		add("customer", s.Customer.ID.String())
		if s.Period != uuid.Nil {
			add(fieldPeriod, s.Period.String())
		}
	}
	for _, p := range s.Pay.Fields() {
		add(p.Name, p.Value)
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

// sale returns the verb for the tenders of the sale.
func (s *screens) sale(c *desk.Call, v selling) func(context.Context, []owed.Tender) (owed.Sale, error) {
	in := owed.PaymentInput{Goods: v.Lines, Plans: v.Plans, PeriodID: v.Period, LocationID: c.LocationID()}
	if v.Customer != nil {
		in.CustomerID = v.Customer.ID
	}
	return func(ctx context.Context, tenders []owed.Tender) (owed.Sale, error) {
		in.Tenders = tenders
		return s.Owed.RecordPayment(ctx, c.Scope, in)
	}
}

// sell is the page that sells goods and plans: its sale is in the address, so that it needs no script, and a quote.
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
	wrong := err != nil
	if wrong && !c.Told(err) {
		return ui.Screen{}, err
	}
	if err := errors.Join(s.look(c, &v), s.plansOnSale(c, &v), s.member(c, &v), s.chargeState(c, &v)); err != nil {
		return ui.Screen{}, err
	}
	if !v.empty() && !v.lacksCustomer() && !wrong && v.Pay.Ready() {
		if v.Sale, v.Refused, err = c.QuotePayment(&v.Pay, s.sale(c, v)); err != nil {
			return ui.Screen{}, err
		}
	}
	if len(v.OnSale) > 0 {
		out.Title = c.UI.T("Sell goods and plans")
	}
	if v.Period != uuid.Nil {
		out.Title, out.Up = c.UI.T("Take payment"), v.up(c)
	}
	out.Body, out.Acts = sellBody(c, v), sellActs(c)
	return out, nil
}

// useGiftCard pays the sale with the gift card of a code: the sale goes on with the card in its address.
func (s *screens) useGiftCard(c *desk.Call, ctx context.Context) (desk.Done, error) {
	if c.Location == nil {
		return desk.Done{To: c.To(sellAt)}, nil
	}
	v, _ := sellingOf(c) // the code is what counts here; the page shows what is wrong besides
	v.known(c)
	card, said, err := c.EnterGiftCard(ctx, v.Currency)
	v.Pay.Method, v.Pay.Card = tender.GiftCard, card
	return desk.Done{To: v.to(c), Said: said}, err
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
		card, found, err := s.Owed.CardOf(c.Context(), c.Scope, id)
		if err != nil {
			return err
		}
		if found {
			v.Pay.SavedCard = ui.SavedCardName(c.UI, card)
		}
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

// plansOnSale reads the plans that the location sells at the desk.
func (s *screens) plansOnSale(c *desk.Call, v *selling) error {
	if !c.MayAt("listPlans", c.LocationID()) {
		return nil
	}
	page, err := s.Plans.List(c.Context(), c.Scope, plan.ListInput{
		In: paging.In[plan.Key]{Limit: paging.Max}, State: plan.Published,
	})
	for _, p := range page.Items {
		if p.SoldAt(c.LocationID(), v.Currency) {
			v.OnSale = append(v.OnSale, p)
		}
	}
	return err
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
	v.known(c)
	sale, err := c.RedeemPayment(ctx, v.Pay, s.sale(c, v))
	if err != nil {
		return desk.Done{}, err
	}
	payment := ""
	if len(sale.Payments) > 0 {
		payment = sale.Payments[0].ID.String()
	}
	if sale.Charge != nil {
		payment = sale.Charge.PaymentID.String()
		if charging, err := s.charged(c, ctx, sale); charging != "" || err != nil {
			to := cmp.Or(v.back(c), c.To(sellAt, "charge", sale.OrderID.String(), "payment", payment))
			return desk.Done{To: to, Said: charging}, err
		}
	}
	if to := v.back(c); to != "" {
		return desk.Done{To: to, Said: ui.ChangeDue(c.UI, paidPeriod(c, sale), sale)}, nil
	}
	said := ui.ChangeDue(c.UI, c.UI.T("Sold for {amount}.", "amount", c.UI.Cash(sale.Amount, sale.Currency)), sale)
	return desk.Done{
		To: c.To(sellAt, "receipt", s.Orders.ReceiptToken(sale.OrderID), "payment", payment), Said: said,
	}, nil
}

// errNotSold means that the saved card of a sale could not be charged.
var errNotSold = fault.New(fault.Conflict, "card_declined", "The card could not be charged.")

// charged charges the saved card of a sale while the customer waits. It returns a notice if the charge is in progress,
// and a refusal if it failed: nothing was sold then.
func (s *screens) charged(c *desk.Call, ctx context.Context, sale owed.Sale) (string, error) {
	state, err := s.Owed.ChargeSale(ctx, c.Scope, sale.OrderID)
	switch {
	case err != nil:
		return "", err
	case state.InProgress():
		return c.UI.T("Charging {amount} to {card}. This takes a moment.", "amount", c.UI.Cash(sale.Amount, sale.Currency),
			"card", ui.SavedCardName(c.UI, sale.Charge.Card)), nil
	case state.Order != order.Fulfilled:
		return "", errNotSold.WithMessage(notSold(c.UI, state))
	}
	return "", nil
}

// notSold tells that the charge of a sale failed.
func notSold(sh ui.Shell, state owed.SaleState) string {
	why := view.FeeTrouble(sh.Words, state.Failed).Text
	return sh.T("The card could not be charged: {why} Choose another payment method.", "why", why)
}

// chargeState reads the charge of a sale that was in progress.
func (s *screens) chargeState(c *desk.Call, v *selling) error {
	id := c.UUID("charge")
	if id == uuid.Nil {
		return nil
	}
	state, err := s.Owed.SaleState(c.Context(), c.Scope, id)
	if err != nil {
		return err
	}
	v.Charge = &state
	if state.Order == order.Fulfilled {
		v.Receipt = s.Orders.ReceiptToken(id)
	}
	return nil
}

// priceOf renders the price of one of a variant, and what is available of it.
func priceOf(sh ui.Shell, f product.Sellable, cur money.Currency) string {
	stock := ""
	if f.Available != nil {
		stock = sh.T("{n} available", "n", sh.Lang().Number(max(0, *f.Available)))
	}
	return view.Joined(" · ", sh.Cash(f.PriceAmount, cur), stock, f.SKU)
}

// totals returns the totals of a promised sale.
func totals(sh ui.Shell, v selling) []ui.Outcome {
	var tax int64
	for _, g := range v.Sale.Goods {
		tax += g.TaxAmount
	}
	for _, p := range v.Sale.Plans {
		tax += p.TaxAmount
	}
	amount := func(n int64) string { return sh.Cash(n, v.Sale.Currency) }
	var out []ui.Outcome
	if tax > 0 {
		out = append(out, ui.Outcome{Text: sh.T("Tax"), Amount: amount(tax)})
	}
	out = append(out, ui.Outcome{Text: sh.T("Total"), Amount: amount(v.Sale.Amount)})
	return append(out, ui.PaidWith(sh, v.Sale)...)
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
