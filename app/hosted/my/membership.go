package my

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/billing"
)

// membershipPages mount the pages on which a membership is cancelled, or its automatic payment is agreed to.
func (h *site) membershipPages() {
	h.Get("/my/plans/:plan/agree", h.Own(h.ownPlan(h.askAgree)))
	h.Post("/my/plans/:plan/agree", op.RateStorefrontWrite, h.Own(h.ownPlan(h.agree)))
	h.Get("/my/plans/:plan/cancel", h.Own(h.ownPlan(h.askCancelPlan)))
	h.Post("/my/plans/:plan/cancel", op.RateStorefrontWrite, h.Own(h.ownPlan(h.cancelPlan)))
	h.Get("/my/plans/:plan/freeze", h.Own(h.ownActive(h.askFreeze)))
	h.Post("/my/plans/:plan/freeze", op.RateStorefrontWrite, h.Own(h.ownActive(h.freeze)))
	h.Get("/my/plans/:plan/unfreeze", h.Own(h.ownActive(h.askUnfreeze)))
	h.Post("/my/plans/:plan/unfreeze", op.RateStorefrontWrite, h.Own(h.ownActive(h.unfreeze)))
	h.Get("/my/plans/:plan/change", h.Own(h.ownPlan(h.askChange)))
	h.Post("/my/plans/:plan/change", op.RateStorefrontWrite, h.Own(h.ownPlan(h.change)))
	h.Get("/my/plans/:plan/withdraw", h.Own(h.ownPlan(h.askWithdraw)))
	h.Post("/my/plans/:plan/withdraw", op.RateStorefrontWrite, h.Own(h.ownPlan(h.withdraw)))
}

// paying is what is known about the payments of memberships, by their ids.
type paying struct {
	pricing map[uuid.UUID]catalog.Pricing
	cards   map[uuid.UUID]billing.SavedCard // that is charged, if the customer agreed to that
}

// paying reads that for the memberships that renew. It reads nothing if there are none.
func (h *site) paying(c *fiber.Ctx, list []plan.Membership) (paying, error) {
	out := paying{pricing: map[uuid.UUID]catalog.Pricing{}, cards: map[uuid.UUID]billing.SavedCard{}}
	sold := map[kit.Location][]plan.Membership{}
	for _, m := range list {
		if m.Kind == plan.Renewing && m.State == plan.Active {
			at := kit.Location{Tenant: m.BusinessID, Location: m.LocationID}
			sold[at] = append(sold[at], m)
		}
	}
	if len(sold) == 0 {
		return out, nil
	}
	for at, of := range sold {
		plans := make([]plan.Plan, len(of))
		for i, m := range of {
			plans[i].ID = m.PlanID
		}
		d, err := h.Plans.DetailsAt(c.UserContext(), at.Tenant, at.Location, plans)
		if err != nil {
			return out, err
		}
		card, found, err := h.Owed.RenewalCard(c.UserContext(), at.Tenant, of[0].CustomerID)
		if err != nil {
			return out, err
		}
		for _, m := range of {
			out.pricing[m.ID] = d.Pricing[m.PlanID]
			if found {
				out.cards[m.ID] = card
			}
		}
	}
	return out, nil
}

// card is the name of the card that is charged for a membership; empty without one.
func (p paying) card(w view.Words, m plan.Membership) string {
	k, saved := p.cards[m.ID]
	if !saved {
		return ""
	}
	return w.CardName(order.ReceiptCard{Brand: k.Brand, Last4: k.Last4, Wallet: k.Wallet})
}

// renewal adds to a plan what is paid for it next, and the addresses of what its customer can do. Other plans than
// memberships that are active have none.
func (h *site) renewal(w view.Words, v *Plan, m plan.Membership, pay paying) {
	if m.State != plan.Active {
		return
	}
	frozen := h.freezes(w, v, m)
	if m.Kind != plan.Renewing {
		return
	}
	h.changes(w, v, m, pay)
	if m.EndsOn == nil {
		v.Cancel = planPath(m.ID) + "/cancel"
	}
	if m.CanceledAt != nil {
		v.Notes = append(v.Notes, w.T("Cancelled. It does not renew."))
	}
	next := m.Next
	if next == nil {
		return
	}
	if m.ConsentedAt == nil {
		v.Agree = planPath(m.ID) + "/agree"
	}
	r := view.MyRenewal(m, pay.pricing[m.ID])
	amount, from := w.Money(r.Shown(next.Amount)), w.Day(view.Noon(next.StartsOn, w.Zone))
	card := ""
	if m.ConsentedAt != nil {
		card = pay.card(w, m)
	}
	if frozen { // nothing is charged before it ends
		return
	}
	if next.Due {
		v.due(w, *next, amount, from)
		if next.OrderID != nil {
			v.Pay = "/receipt/" + h.Orders.ReceiptToken(*next.OrderID) + "/pay"
		}
		return
	}
	switch {
	case next.Amount == 0:
		v.Notes = append(v.Notes, w.T("The next billing period begins on {date}. It is free of charge.", "date", from))
	case card != "":
		v.Notes = append(v.Notes, w.T("Next payment: {amount} on {date}, charged to {card}.", "amount", amount,
			"date", from, "card", card))
	default:
		v.Notes = append(v.Notes, w.T("Next payment: {amount} on {date}. You get a link to pay it by e-mail.",
			"amount", amount, "date", from))
	}
}

// due adds what is due for a billing period that has begun, and what happens if it is not paid.
func (v *Plan) due(w view.Words, next plan.Cycle, amount, from string) {
	v.Late = true
	if next.Failed != "" {
		v.Notes = append(v.Notes, w.T("Your card could not be charged."))
	}
	if next.PastDue {
		v.Notes = append(v.Notes, w.T("A payment of {amount} has been overdue since {date}. Until you pay it, the plan "+
			"pays for no more bookings.", "amount", amount, "date", from))
	} else {
		v.Notes = append(v.Notes, w.T("A payment of {amount} has been due since {date}.", "amount", amount, "date", from))
	}
	if next.FirstTriedAt != nil {
		ends := next.LapsesOn(civil.LocalDate(*next.FirstTriedAt, w.Zone))
		v.Notes = append(v.Notes, w.T("If it is not paid before {date}, the membership ends.",
			"date", w.Day(view.Noon(ends, w.Zone))))
	}
}

// The last action on a membership, in the address of its page.
const (
	doneAgreed        = "agreed"
	donePlanCancelled = "cancelled"
	doneFrozen        = "frozen"
	doneUnfrozen      = "unfrozen"
	doneChanged       = "changed"
	doneWithdrawn     = "withdrawn"
)

// saidOf confirms the last action on a membership.
func saidOf(w view.Words, m plan.Membership, done string) string {
	switch {
	case done == donePlanCancelled && (m.CanceledAt != nil || m.State == plan.Canceled):
		return w.T("Your membership is cancelled. We e-mailed you the details.")
	case done == doneFrozen && len(m.Freezes) > 0:
		return w.T("The freeze is set. We e-mailed you the details.")
	case done == doneUnfrozen:
		return w.T("The freeze has ended.")
	case done == doneChanged:
		return w.T("Your change is noted.")
	case done == doneWithdrawn && m.Change == nil:
		return w.T("The change is withdrawn.")
	case done == doneAgreed && m.ConsentedAt != nil:
		return w.T("You agreed to automatic payment.")
	}
	return ""
}

// myPlan is an active plan of the signed-in person, with its studio.
type myPlan struct {
	kit.StudioPage
	plan.Membership
	pay paying
}

// path is an address of this membership: "" for its page.
func (b *myPlan) path(step string) string { return planPath(b.ID) + step }

// back goes to the page of the membership.
func (b *myPlan) back(c *fiber.Ctx) error { return kit.See(c, b.Shell, b.path("")) }

// studio names the business and the location.
func (b *myPlan) studio() string {
	return view.Joined(", ", b.BusinessName, view.LocationSuffix(b.BusinessName, b.LocationName))
}

// ownPlan runs a page of one's own active membership that renews. Those of another plan lead to its page.
func (h *site) ownPlan(run func(*fiber.Ctx, *myPlan) error) func(*fiber.Ctx, tenancy.Principal) error {
	return h.ownActive(func(c *fiber.Ctx, b *myPlan) error {
		if b.Kind != plan.Renewing {
			return b.back(c)
		}
		return run(c, b)
	})
}

// ownActive runs a page of one's own active plan. Those of another one lead to its page.
func (h *site) ownActive(run func(*fiber.Ctx, *myPlan) error) func(*fiber.Ctx, tenancy.Principal) error {
	return func(c *fiber.Ctx, p tenancy.Principal) error {
		id, err := uuid.Parse(c.Params("plan"))
		if err != nil {
			return fault.Missing()
		}
		b := &myPlan{}
		if b.Membership, err = h.Plans.MineOf(c.UserContext(), p, id); err != nil {
			return err
		}
		if b.State != plan.Active {
			return kit.See(c, kit.CarriedOnly(c), planPath(id))
		}
		if b.pay, err = h.paying(c, []plan.Membership{b.Membership}); err != nil {
			return err
		}
		if b.StudioPage, err = h.PageIn(c, kit.Location{Tenant: b.BusinessID, Location: b.LocationID}); err != nil {
			return err
		}
		b.Shell.Mine = "/my"
		return run(c, b)
	}
}

// consent are the words that the customer agrees to.
func (b *myPlan) consent() string {
	r := view.MyRenewal(b.Membership, b.pay.pricing[b.ID])
	return b.Shell.RenewalConsent(r, b.BusinessName, b.Name, false)
}

// askAgree is the page with the consent to automatic payment.
func (h *site) askAgree(c *fiber.Ctx, b *myPlan) error { return b.askAgree(c, nil) }

func (b *myPlan) askAgree(c *fiber.Ctx, tr *view.Trouble) error {
	if b.Next == nil {
		return b.back(c)
	}
	words := b.consent()
	v := Agree{
		Name: b.Name, Studio: b.studio(), Consent: words, Plan: b.path(""), Trouble: tr,
		Form: kit.FormTo(b.path("/agree"), view.Param{Name: fieldAgreed, Value: kit.ShownDigest(words)}),
	}
	if v.Card = b.pay.card(b.Shell.Words, b.Membership); v.Card == "" {
		v.NoCard = b.Shell.T("You have no saved card with {studio}. Until you save one, you get a link to pay by e-mail.",
			"studio", b.BusinessName)
	}
	return kit.Show(kit.Troubled(c, tr), b.Shell, AgreePage(b.Shell, v))
}

// agree handles the form with the consent. Words that have changed since are shown again.
func (h *site) agree(c *fiber.Ctx, b *myPlan) error {
	words := b.consent()
	if c.FormValue(fieldAgreed) != kit.ShownDigest(words) {
		return b.askAgree(c, b.changed())
	}
	if _, err := h.Plans.Agree(c.UserContext(), b.Scope.Principal, b.ID, words); errors.Is(err, plan.ErrEnded) {
		return b.back(c)
	} else if err != nil {
		return err
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneAgreed))
}

// changed says that the page was outdated.
func (b *myPlan) changed() *view.Trouble {
	return &view.Trouble{
		Title: b.Shell.T("The details have changed"),
		Text:  b.Shell.T("Nothing was done. Review the current details, then confirm again."),
	}
}

// askCancelPlan shows what a cancellation does, and a form to confirm. It changes nothing.
func (h *site) askCancelPlan(c *fiber.Ctx, b *myPlan) error { return b.askCancel(c, nil) }

func (b *myPlan) askCancel(c *fiber.Ctx, tr *view.Trouble) error {
	m, e, err := plan.EndingOf(c.UserContext(), b.DB.View(b.BusinessID), b.CustomerID, b.ID)
	if errors.Is(err, plan.ErrCanceled) || errors.Is(err, plan.ErrEnded) {
		return b.back(c)
	}
	if errors.Is(err, plan.ErrFrozen) {
		return kit.See(c, b.Shell, b.path("/unfreeze"))
	}
	if err != nil {
		return err
	}
	b.Membership = m
	v := CancelPlan{
		Name: b.Name, Studio: b.studio(), Points: b.ending(e), Plan: b.path(""), Trouble: tr,
		Form: kit.FormTo(b.path("/cancel"),
			view.Param{Name: fieldVersion, Value: strconv.FormatInt(m.Version, 10)},
			view.Param{Name: fieldEnds, Value: e.EndsOn.String()}),
	}
	if e.Booked > 0 {
		v.Form = view.Form{}
		v.Booked = b.Shell.N(e.Booked,
			"This membership pays for {n} booking after its last day. Cancel that booking first.",
			"This membership pays for {n} bookings after its last day. Cancel those bookings first.")
	}
	return kit.Show(kit.Troubled(c, tr), b.Shell, CancelPlanPage(b.Shell, v))
}

// ending are the effects of a cancellation.
func (b *myPlan) ending(e plan.Ending) []Outcome {
	w := b.Shell.Words
	w.Zone = civil.ZoneOrUTC(b.Zone)
	day := func(d civil.Date) string { return w.Date(view.Noon(d, w.Zone)) }
	if e.Now {
		return []Outcome{
			{Label: w.C("of a membership", "End"), Text: w.T(
				"It ends at once, because the billing period from {date} is not paid.", "date", day(b.Next.StartsOn))},
			{Label: w.T("Payments"), Text: w.T("That payment is no longer due, and nothing more is charged.")},
		}
	}
	out := []Outcome{{Label: w.T("Last day"), Text: w.T("{date}. You can book with it until then.",
		"date", day(e.EndsOn.AddDays(-1)))}}
	if e.Periods == 0 {
		return append(out, Outcome{Label: w.T("Payments"), Text: w.T("Nothing more is charged.")})
	}
	sum := view.MyRenewal(b.Membership, b.pay.pricing[b.ID]).Sum(b.Whole(b.Next.Number), e.Periods)
	return append(out, Outcome{Label: w.T("Payments"), Amount: &sum, Bad: true, Text: w.N(e.Periods,
		"{n} more payment is due until then.", "{n} more payments are due until then.")})
}

// cancelPlan cancels as the page has shown, or shows the page again if that has changed.
func (h *site) cancelPlan(c *fiber.Ctx, b *myPlan) error {
	version, err := strconv.ParseInt(c.FormValue(fieldVersion), 10, 64)
	ends, invalid := civil.ParseDate(c.FormValue(fieldEnds))
	if err != nil || invalid != nil || version == 0 || ends.IsZero() {
		return b.askCancel(c, b.changed())
	}
	in := owed.CancelInput{MembershipID: b.ID, Version: version, EndsOn: ends}
	err = h.Once(c, func(ctx context.Context) error {
		_, err := h.Owed.CancelMyPlan(ctx, b.Scope.Principal, in)
		return err
	})
	switch {
	case errors.Is(err, fault.ErrStale):
		return b.askCancel(c, b.changed())
	case errors.Is(err, plan.ErrBooked):
		return b.askCancel(c, nil)
	case errors.Is(err, checkout.ErrPaymentPending):
		return b.askCancel(c, &view.Trouble{
			Title: b.Shell.T("Your payment is being processed"),
			Text:  b.Shell.T("Nothing was cancelled. Try again when the payment is done."),
		})
	case errors.Is(err, plan.ErrCanceled), errors.Is(err, plan.ErrEnded):
		return b.back(c)
	case err != nil:
		return err
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", donePlanCancelled))
}
