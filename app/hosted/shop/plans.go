package shop

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/kit"
	"foyer/app/order"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// plans is the page of the plans that a location sells online.
func (h *site) plans(c *fiber.Ctx, at kit.Location, slug string) error {
	return h.showPlans(c, at, slug, nil)
}

// showPlans is that page after a form with a problem.
func (h *site) showPlans(c *fiber.Ctx, at kit.Location, slug string, tr kit.Trouble) error {
	return h.ShowAnew(c, kit.Public{At: at, Slug: slug, Make: func(ctx context.Context) (kit.Made, error) {
		list, err := h.Plans.OnSaleAt(ctx, at.Tenant, at.Location)
		if err != nil {
			return kit.Made{}, err
		}
		details, err := h.detailsOf(ctx, at, list)
		if err != nil {
			return kit.Made{}, err
		}
		s, err := h.StudioAt(ctx, at)
		if err != nil {
			return kit.Made{}, err
		}
		path := kit.PlansPath(s.Home())
		sh := h.PublicShell(c, s, path)
		if _, sh.Bar, err = h.CartBar(c, s, sh.Words); err != nil {
			return kit.Made{}, err
		}
		v := Plans{Shop: kit.ShopPath(s.Home()), Trouble: tr.In(sh.Words)}
		if len(list) > 0 {
			sh.CSRF = h.TokenOf(c)
		}
		for _, p := range list {
			v.Plans = append(v.Plans, planOf(sh.Words, p, details, s.Home()))
		}
		return kit.Made{Studio: s, Shell: sh, Content: PlansPage(sh, v), ForOne: true}, nil
	}})
}

// details are what the pages of plans need beside them.
type details struct {
	plan.Details
	Discounts map[uuid.UUID][]discount.Discount // automatic ones of their members, by plan
}

func (h *site) detailsOf(ctx context.Context, at kit.Location, list []plan.Plan) (details, error) {
	d, err := h.Plans.DetailsAt(ctx, at.Tenant, at.Location, list)
	if err != nil {
		return details{}, err
	}
	var ids []uuid.UUID
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	discounts, err := h.Discount.ForMembers(ctx, at.Tenant, at.Location, ids)
	return details{d, discounts}, err
}

// planOf is a plan on the page. A membership has a page of its own, where its customer agrees to its renewals.
func planOf(w view.Words, p plan.Plan, d details, home string) Plan {
	v := Plan{
		ID: p.ID.String(), Name: p.Name, Text: p.Description,
		Price: w.MoneyShort(view.Shown(p.PriceAmount, 1, d.Pricing[p.ID], p.Currency)),
		Lines: view.PlanLines(w, p, view.NamesOf(d.Names)),
	}
	for _, off := range d.Discounts[p.ID] {
		v.Lines = append(v.Lines, view.MemberDiscount(w, off))
	}
	if p.Kind != plan.Renewing {
		v.Form = kit.FormTo(kit.PlansPath(home), view.Param{Name: fieldPlan, Value: p.ID.String()})
		return v
	}
	r := view.RenewalOf(p, d.Pricing[p.ID])
	v.Price, v.Href = r.RowPrice(w), kit.PlanPath(home, p.ID)
	v.Lines = append(v.Lines, view.RenewalTerms(w, r)...)
	v.Lines = append(v.Lines, view.FreezeTerms(w, p.Freeze)...)
	return v
}

// addPlan puts a plan into this browser's cart at the location, and shows the cart.
func (h *site) addPlan(c *fiber.Ctx) error {
	at, err := h.formLocation(c)
	if err != nil {
		return err
	}
	id, _ := uuid.Parse(c.FormValue(fieldPlan))
	is := func(l checkout.Line) bool { return l.Kind == order.Plan && l.Subject == id }
	item := order.CartItem{Kind: order.Plan, Subject: id, Quantity: 1}
	add := func(ctx context.Context, sc tenancy.Scope, token string) (checkout.Cart, error) {
		return h.Checkout.AddNonSeat(ctx, sc, token, item)
	}
	b, err := cart.Put(h.Site, c, at, is, add)
	if errors.Is(err, plan.ErrConsent) {
		return kit.See(c, kit.CarriedOnly(c), kit.PlanPath("/"+c.Params("slug"), id))
	}
	if f := fault.From(err); f != nil && f.Kind != fault.Internal {
		return h.showPlans(c, at, "", refusedPlan(f))
	}
	if err != nil {
		return err
	}
	return b.Show(c)
}

// refusedPlan says why a plan was not added.
func refusedPlan(f *fault.Error) kit.Trouble {
	if f.Kind == fault.NotFound {
		f = plan.ErrUnavailable
	}
	return refusedAs(f)
}
