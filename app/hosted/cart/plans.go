package cart

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/app/words"
)

// planPages mounts the choice of plans that pay.
func (h *site) planPages() {
	h.Post("/cart/:token/items/:item/plan", op.RateStorefrontWrite, h.with(h.choosePlan))
	h.Post("/cart/:token/plans", op.RateStorefrontWrite, h.with(h.buyPlan))
}

// The values of a choice besides the id of a plan's grant.
const (
	fieldPlan   = "plan"
	paysPrice   = "price"
	anyPlanPays = ""
)

// seatPlans are what pays for each seat of a held cart, by item, and the plans on sale that would pay for one that none
// pays. The forms carry the params.
func (b *Basket) seatPlans(c *fiber.Ctx, carry ...view.Param) (map[uuid.UUID]*SeatPlan, []PlanOnSale, error) {
	if !b.Cart.HasPlans || !b.Cart.HasSeats() || !b.Cart.BelongsTo(b.Scope.Person()) {
		return nil, nil, nil
	}
	list, err := b.Checkout.CompatiblePlans(c.UserContext(), b.Scope, b.Token)
	if errors.Is(err, checkout.ErrNotHeld) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	seats := map[uuid.UUID]*SeatPlan{}
	var sale []PlanOnSale
	for _, o := range list {
		i := slices.IndexFunc(b.Cart.Lines, func(l checkout.Line) bool { return l.ItemID == o.ItemID })
		if i < 0 {
			continue
		}
		l := b.Cart.Lines[i]
		if v := b.seatPlan(l, o, carry); len(v.Options) > 0 || v.Paid != "" || o.PaysPrice {
			seats[o.ItemID] = v
		}
		if l.Cover == nil {
			sale = b.withSale(sale, o.ForSale)
		}
	}
	return seats, sale, nil
}

// seatPlan is what pays for one seat.
func (b *Basket) seatPlan(l checkout.Line, o checkout.PlanOptions, carry []view.Param) *SeatPlan {
	w := b.Shell.Words
	v := &SeatPlan{
		ID: l.ItemID.String(), Name: view.Joined(", ", l.Name, w.ShortWhen(l.StartsAt), w.Attendee(l.Attendee)),
		Paid: w.Covered(l.Cover), Form: kit.FormTo(b.path("/items/"+l.ItemID.String()+"/plan"), carry...),
	}
	if o.PaysPrice {
		v.Form.Hidden = append(slices.Clone(carry), view.Param{Name: fieldPlan, Value: anyPlanPays})
		return v
	}
	usable := false
	for _, p := range o.Owned {
		x := PlanChoice{
			Value: p.GrantID.String(), Name: p.Name, Note: view.RemainingCredits(w, p.Benefit, p.Balance),
			Chosen: l.Cover != nil && l.Cover.GrantID == p.GrantID,
		}
		if !p.Pays && p.Why != rules.Behind && p.Why != rules.NotChosen {
			x.Note, x.Off = cmp.Or(w.WhyNot(p.Why), x.Note), true
		}
		usable = usable || !x.Off
		v.Options = append(v.Options, x)
	}
	if v.Choice = usable; usable {
		v.Options = append(v.Options, PlanChoice{
			Value: paysPrice, Chosen: l.Cover == nil,
			Name: w.T("Pay the price: {price}", "price", w.Money(b.price(l.ListedAmount))),
		})
	}
	return v
}

// withSale adds plans on sale to a list, each once.
func (b *Basket) withSale(list []PlanOnSale, plans []plan.Plan) []PlanOnSale {
	for _, p := range plans {
		if !slices.ContainsFunc(list, func(x PlanOnSale) bool { return x.ID == p.ID.String() }) {
			list = append(list, b.onSale(p))
		}
	}
	return list
}

// onSale is a plan on sale. A membership is bought on its page, where its customer agrees to its renewals.
func (b *Basket) onSale(p plan.Plan) PlanOnSale {
	v := PlanOnSale{ID: p.ID.String(), Name: p.Name}
	if p.Kind == plan.Renewing {
		v.Price = view.RenewalOf(p, catalog.Pricing{}).RowPrice(b.Shell.Words)
		v.Href = b.planPage(p.ID)
		return v
	}
	v.Price = b.Shell.MoneyShort(view.Price{Minor: p.PriceAmount, Currency: p.Currency})
	v.Form = kit.FormTo(b.path("/plans"), view.Param{Name: fieldPlan, Value: p.ID.String()})
	return v
}

// pays is the section about plans of the last step.
func (b *Basket) pays(c *fiber.Ctx) (*PayPlans, error) {
	seats, sale, err := b.seatPlans(c, atPayment)
	if err != nil || len(seats)+len(sale) == 0 {
		return nil, err
	}
	v := &PayPlans{Sale: sale, Shop: kit.PlansPath(b.Studio.Home())}
	for _, l := range b.Cart.Lines {
		if s := seats[l.ItemID]; s != nil {
			v.Seats = append(v.Seats, s)
		}
	}
	return v, nil
}

// choosePlan handles the form with the choice of what pays for a seat.
func (h *site) choosePlan(c *fiber.Ctx, b *Basket) error {
	l := b.item(c)
	if l == nil {
		return b.see(c, codeStep(c))
	}
	in := checkout.PlanChoice{PaysPrice: c.FormValue(fieldPlan) == paysPrice}
	if !in.PaysPrice {
		in.GrantID, _ = uuid.Parse(c.FormValue(fieldPlan))
	}
	_, err := h.Checkout.ChoosePlan(c.UserContext(), b.Scope, b.Token, l.ItemID, in)
	switch f := fault.From(err); {
	case err == nil, fault.IsKind(err, fault.NotFound):
		return b.see(c, codeStep(c))
	case errors.Is(err, plan.ErrNotPaid):
		why, _ := f.Details["why"].(string)
		return b.notPaid(c, cmp.Or(b.Shell.WhyNot(rules.Why(why)), b.Shell.T("Choose another plan.")))
	}
	return b.refused(c, err)
}

// notPaid shows the page of the form again, with the reason that a plan does not pay.
func (b *Basket) notPaid(c *fiber.Ctx, why string) error {
	tr := &view.Trouble{Title: b.Shell.T("This plan cannot pay for this booking"), Text: why}
	if codeStep(c) != "" {
		return (&site{b.Site}).payWith(c, b, func(v *Pay) { v.Trouble = tr })
	}
	v, err := b.page(c, "")
	if err != nil {
		return err
	}
	v.Trouble = tr
	return kit.Show(kit.Troubled(c, tr), b.Shell, CartPage(b.Shell, v))
}

// buyPlan handles the form of a plan on sale on the last step: it is bought in a cart of its own, so that it can pay
// for the seats of this one, which stay held.
func (h *site) buyPlan(c *fiber.Ctx, b *Basket) error {
	id, err := uuid.Parse(c.FormValue(fieldPlan))
	if err != nil {
		return b.see(c, "/pay")
	}
	beside, err := b.aside(c, order.CartItem{Kind: order.Plan, Subject: id, Quantity: 1})
	if errors.Is(err, plan.ErrConsent) {
		return kit.See(c, b.Shell, b.planPage(id))
	}
	if f := fault.From(err); f != nil && (f.Kind == fault.Conflict || f.Kind == fault.NotFound) {
		return h.payWith(c, b, func(v *Pay) {
			v.Trouble = &view.Trouble{Title: b.Shell.T("This plan cannot be bought"), Text: b.Shell.Message(f.Message)}
		})
	}
	if err != nil {
		return err
	}
	return b.buyFirst(c, beside)
}

// FieldBeside is the field of the form of a membership that is bought to pay for held seats.
const FieldBeside = "beside"

// planPage is the address of the page of a membership, which sells it beside this cart.
func (b *Basket) planPage(id uuid.UUID) string {
	return kit.Query(kit.PlanPath(b.Studio.Home(), id), FieldBeside, "1")
}

// BuyBeside buys a plan in a cart of its own, as buyPlan, beside the cart of this browser at a location. done is false
// if that holds no seats of the visitor: then nothing is done.
func BuyBeside(h *kit.Site, c *fiber.Ctx, at kit.Location, item order.CartItem) (done bool, err error) {
	token := h.Cookies.Get(c, kit.CartCookie(at.Location))
	if token == "" {
		return false, nil
	}
	b, err := (&site{h}).openOf(c, token)
	switch {
	case fault.IsKind(err, fault.NotFound):
		return false, nil
	case err != nil:
		return false, err
	case !b.signedIn() || !b.Cart.OpenTo(b.Scope.Person()) || b.Cart.Hold == nil || !b.Cart.HasSeats():
		return false, nil
	}
	beside, err := b.aside(c, item)
	if err != nil {
		return false, err
	}
	return true, b.buyFirst(c, beside)
}

// aside makes a cart with a plan, once for each form.
func (b *Basket) aside(c *fiber.Ctx, item order.CartItem) (*Basket, error) {
	beside := &Basket{StudioPage: b.StudioPage}
	err := b.Once(c, func(ctx context.Context) error {
		in := checkout.CreateInput{LocationID: b.Cart.LocationID, Ref: b.Shell.Ref}
		made, err := b.Checkout.Create(ctx, b.Scope, in)
		beside.Cart, beside.Token = made.Cart, made.Token
		return err
	})
	if err == nil {
		err = beside.addPlan(c, item)
	}
	return beside, err
}

// buyFirst goes on to pay for a plan in a cart of its own. The browser keeps this cart for later.
func (b *Basket) buyFirst(c *fiber.Ctx, beside *Basket) error {
	if err := b.forPlans(c); err != nil {
		return b.refused(c, err)
	}
	b.Cookies.Set(c, kit.CartCookie(b.Cart.LocationID), b.Token, kit.CartAge)
	return beside.Proceed(c, nil)
}

// errThere means that the cart has its plan already.
var errThere = errors.New("the cart has a plan")

// addPlan adds a plan to the cart that was made for it, unless the same form has done so.
func (b *Basket) addPlan(c *fiber.Ctx, item order.CartItem) error {
	if b.Cart.Sells(order.Plan) {
		return nil
	}
	once := func(_ context.Context, _ *pg.Tx, cart checkout.Cart) error {
		if cart.Sells(order.Plan) {
			return errThere
		}
		return nil
	}
	cart, err := b.Checkout.AddMade(c.UserContext(), b.Scope, b.Token, item, once)
	if errors.Is(err, errThere) {
		cart, err = b.Checkout.Cart(c.UserContext(), b.Scope, b.Token)
	}
	b.Cart = cart
	return err
}

// forPlans abandons a payment of this cart that has begun, whose seats a plan is to pay: they stay held.
func (b *Basket) forPlans(c *fiber.Ctx) error {
	if b.Cart.Order == nil {
		return nil
	}
	i := slices.IndexFunc(b.Cart.Lines, func(l checkout.Line) bool { return l.Kind.Seat() && l.Cover == nil })
	if i < 0 {
		return nil
	}
	_, err := b.Checkout.ChoosePlan(c.UserContext(), b.Scope, b.Token, b.Cart.Lines[i].ItemID, checkout.PlanChoice{})
	return err
}

// plansLater notes that a plan in the cart does not pay for the seats beside it; empty without both.
func (b *Basket) plansLater() string {
	unpaid := func(l checkout.Line) bool { return l.Kind.Seat() && l.Cover == nil && l.ListedAmount > 0 }
	if !b.Cart.Sells(order.Plan) || !slices.ContainsFunc(b.Cart.Lines, unpaid) {
		return ""
	}
	return b.Shell.T(
		"A plan pays for the bookings that you make after you buy it. To pay for these with it, buy it first.",
	)
}

// gonePlan is why a plan cannot be bought any more, by the reason of its refusal.
var gonePlan = map[string]words.Text{
	plan.ErrUnavailable.Reason: "This plan is not sold here any more.",
	plan.ErrOwned.Reason:       "You have this plan already. It can be bought only so often.",
	plan.ErrNotNew.Reason:      "This plan is for new customers.",
	plan.ErrConsent.Reason:     "Agree to the renewals of this membership first.",
}

// renews reports whether an item is a membership whose customer has agreed to its renewals.
func (b *Basket) renews() bool {
	return slices.ContainsFunc(b.Cart.Lines, func(l checkout.Line) bool { return l.Consent != "" })
}

// renewals says that the card is saved for the renewals of a membership, or that no card is; empty without one.
func (b *Basket) renewals() string {
	w, studio := b.Shell.Words, b.Cart.BusinessName
	switch {
	case !b.renews():
		return ""
	case b.Cart.Totals.DueNow() == 0:
		return w.T("No card pays now, so none is saved. If no card of yours is saved with {studio}, you get a link to pay "+
			"each renewal by e-mail.", "studio", studio)
	}
	return w.T("{studio} saves the card that you pay with for the renewals that you agreed to.", "studio", studio)
}
