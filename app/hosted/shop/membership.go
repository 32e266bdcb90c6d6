package shop

import (
	"context"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/kit"
	"foyer/app/order"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/words"
)

// membership is the page of a membership on sale, with the consent to its renewals.
func (h *site) membership(c *fiber.Ctx, at kit.Location, slug string) error {
	return h.showMembership(c, at, slug, nil)
}

// showMembership is that page after a form with a problem.
func (h *site) showMembership(c *fiber.Ctx, at kit.Location, slug string, tr kit.Trouble) error {
	beside := kit.Carried(c, cart.FieldBeside)
	return h.ShowAnew(c, kit.Public{At: at, Slug: slug, Make: func(ctx context.Context) (kit.Made, error) {
		p, d, err := h.onSale(ctx, at, c.Params("plan"))
		if err != nil {
			return kit.Made{}, err
		}
		s, err := h.StudioAt(ctx, at)
		if err != nil {
			return kit.Made{}, err
		}
		path := kit.PlanPath(s.Home(), p.ID)
		sh := h.PublicShell(c, s, path)
		if _, sh.Bar, err = h.CartBar(c, s, sh.Words); err != nil {
			return kit.Made{}, err
		}
		sh.CSRF = h.TokenOf(c)
		consent := consentTo(sh.Words, s, p, d)
		v := Membership{
			Plan: planOf(sh.Words, p, d, s.Home()), Plans: kit.PlansPath(s.Home()), Consent: consent,
			Agreed: kit.ShownDigest(consent), Trouble: tr.In(sh.Words),
		}
		v.Form = kit.FormTo(path, view.Param{Name: cart.FieldBeside, Value: beside})
		return kit.Made{Studio: s, Shell: sh, Content: MembershipPage(sh, v), ForOne: true}, nil
	}})
}

// onSale reads a membership that a location sells online. It returns a not found error for any other plan.
func (h *site) onSale(ctx context.Context, at kit.Location, id string) (plan.Plan, details, error) {
	list, err := h.Plans.OnSaleAt(ctx, at.Tenant, at.Location)
	i := slices.IndexFunc(list, func(p plan.Plan) bool { return p.ID.String() == id && p.Kind == plan.Renewing })
	if err = fault.When(i < 0, fault.Missing(), err); err != nil {
		return plan.Plan{}, details{}, err
	}
	d, err := h.detailsOf(ctx, at, list[i:i+1])
	return list[i], d, err
}

// consentTo are the words that the buyer of a membership agrees to.
func consentTo(w view.Words, s *kit.Studio, p plan.Plan, d details) string {
	return w.RenewalConsent(view.RenewalOf(p, d.Pricing[p.ID]), s.Business.Name, p.Name, true)
}

// addMembership puts a membership into this browser's cart at the location and shows the cart. If it comes from the
// last step of held seats, it is bought in a cart of its own.
func (h *site) addMembership(c *fiber.Ctx) error {
	at, err := h.formLocation(c)
	if err != nil {
		return err
	}
	agreed, wrong, err := h.agreedTo(c, at)
	if err != nil {
		return err
	}
	if wrong != "" {
		return h.showMembership(c, at, "", func(w view.Words) *view.Trouble {
			return kit.FieldTrouble(fieldConsent, w.T(wrong))
		})
	}
	err = h.buyMembership(c, at, agreed)
	if f := fault.From(err); f != nil && f.Kind != fault.Internal && f.Kind != fault.NotFound {
		return h.showMembership(c, at, "", refusedPlan(f))
	}
	return err
}

// The errors at the box.
const (
	notTicked  words.Text = "Tick the box to agree."
	otherTerms words.Text = "These terms have changed. Read them, then tick the box."
)

// agreedTo returns the words that were agreed to, or what is wrong with the box: it is not ticked, or beside other
// words than those of now.
func (h *site) agreedTo(c *fiber.Ctx, at kit.Location) (agreed string, wrong words.Text, err error) {
	p, d, err := h.onSale(c.UserContext(), at, c.Params("plan"))
	if err != nil {
		return "", "", err
	}
	s, err := h.StudioOf(c, at)
	if err != nil {
		return "", "", err
	}
	agreed = consentTo(h.ShellOf(c, s, "").Words, s, p, d)
	switch c.FormValue(fieldConsent) {
	case kit.ShownDigest(agreed):
		return agreed, "", nil
	case "":
		return "", notTicked, nil
	}
	return "", otherTerms, nil
}

func (h *site) buyMembership(c *fiber.Ctx, at kit.Location, agreed string) error {
	id, err := uuid.Parse(c.Params("plan"))
	if err != nil {
		return fault.Missing()
	}
	item := order.CartItem{Kind: order.Plan, Subject: id, Quantity: 1, Consent: agreed}
	if c.FormValue(cart.FieldBeside) != "" {
		if done, err := cart.BuyBeside(h.Site, c, at, item); done || err != nil {
			return err
		}
	}
	is := func(l checkout.Line) bool { return l.Kind == order.Plan && l.Subject == id }
	add := func(ctx context.Context, sc tenancy.Scope, token string) (checkout.Cart, error) {
		return h.Checkout.AddNonSeat(ctx, sc, token, item)
	}
	b, err := cart.Put(h.Site, c, at, is, add)
	if err != nil {
		return err
	}
	return b.Show(c)
}
