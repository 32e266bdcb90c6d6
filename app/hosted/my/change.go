package my

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/plan"
	"foyer/app/view"
)

// changes adds to a membership its change to another plan, and the addresses to change it and to withdraw that.
func (h *site) changes(w view.Words, v *Plan, m plan.Membership, pay paying) {
	x := m.Change
	if x == nil {
		if m.MayChange && m.EndsOn == nil && m.Next != nil && !m.Next.Due &&
			m.Freeze(civil.LocalDate(w.Now, w.Zone)) == nil {
			v.Change = planPath(m.ID) + "/change"
		}
		return
	}
	v.Withdraw = planPath(m.ID) + "/withdraw"
	if !x.Due {
		v.Notes = append(v.Notes, w.T("It changes to {plan} on {date}.", "plan", x.Name,
			"date", w.Day(view.Noon(x.On, w.Zone))))
		return
	}
	amount := w.Money(view.MyRenewal(m, pay.pricing[m.ID]).Shown(x.Amount))
	if x.Failed != "" {
		v.Late = true
		v.Notes = append(v.Notes, w.T("Your card could not be charged."))
	}
	v.Notes = append(v.Notes, w.T("It changes to {plan} once {amount} is paid.", "plan", x.Name, "amount", amount))
	if x.OrderID != nil {
		v.Pay = "/receipt/" + h.Orders.ReceiptToken(*x.OrderID) + "/pay"
	}
}

// askChange lists the plans to change to; with one of them, it shows what the change does.
func (h *site) askChange(c *fiber.Ctx, b *myPlan) error {
	if to, err := uuid.Parse(c.Query(fieldPlan)); err == nil {
		return h.confirmChange(c, b, to, nil)
	}
	list, err := h.Plans.Changes(c.UserContext(), b.Membership, b.Shell.Now)
	if err != nil {
		return err
	}
	d, err := h.Plans.DetailsAt(c.UserContext(), b.BusinessID, b.LocationID, list)
	if err != nil {
		return err
	}
	v := ChangeList{Name: b.Name, Studio: b.studio(), Plan: b.path("")}
	for _, p := range list {
		offer := ChangeOffer{
			Name: p.Name, Price: view.RenewalOf(p, d.Pricing[p.ID]).RowPrice(b.Shell.Words),
			Href: kit.Query(b.path("/change"), fieldPlan, p.ID.String()),
		}
		for _, of := range p.Benefits {
			offer.Benefits = append(offer.Benefits, view.BenefitOf(b.Shell.Words, of, view.NamesOf(d.Names)))
		}
		v.Offers = append(v.Offers, offer)
	}
	return kit.Show(c, b.Shell, ChangesPage(b.Shell, v))
}

// newPricing returns how the price of a plan is shown at the studio of the membership.
func (h *site) newPricing(c *fiber.Ctx, b *myPlan, p plan.Plan) (view.Renewing, error) {
	d, err := h.Plans.DetailsAt(c.UserContext(), b.BusinessID, b.LocationID, []plan.Plan{p})
	p.Renewal.IntroAmount, p.Renewal.IntroPeriods, p.Today = 0, 0, nil // of a purchase
	return view.RenewalOf(p, d.Pricing[p.ID]), err
}

// confirmChange shows what a change does, and a form to confirm it.
func (h *site) confirmChange(c *fiber.Ctx, b *myPlan, to uuid.UUID, tr *view.Trouble) error {
	sh := b.Shell
	in := plan.ChangeInput{CustomerID: b.CustomerID, MembershipID: b.ID, PlanID: to}
	m, x, err := plan.ChangingOf(c.UserContext(), b.DB.View(b.BusinessID), in, false)
	v := Act{
		Title: sh.T("Change plan"), Name: b.Name, Studio: b.studio(), Plan: b.path(""), Keep: sh.T("Keep this plan"),
		Trouble: tr,
	}
	var f *fault.Error
	switch {
	case errors.Is(err, plan.ErrChange) && errors.As(err, &f):
		why, _ := f.Details["why"].(string)
		v.Blocked = view.ChangeRefused(sh.Words, m, plan.ChangeRefusal(why))
		return kit.Show(kit.Troubled(c, tr), sh, ActPage(sh, v))
	case errors.Is(err, plan.ErrPeriodDue), errors.Is(err, plan.ErrEnded):
		return b.back(c)
	case err != nil:
		return err
	}
	r, err := h.newPricing(c, b, x.To)
	if err != nil {
		return err
	}
	v.Title = sh.T("Change to {plan}?", "plan", x.To.Name)
	v.Points = b.changing(x, r)
	v.Do = sh.T("Change plan")
	consent := sh.RenewalConsent(r, b.BusinessName, x.To.Name, false)
	if b.ConsentedAt != nil {
		v.Consent = consent
	}
	v.Form = kit.FormTo(b.path("/change"), view.Param{Name: fieldPlan, Value: to.String()},
		view.Param{Name: fieldAmount, Value: strconv.FormatInt(x.Amount, 10)},
		view.Param{Name: fieldAgreed, Value: kit.ShownDigest(consent)})
	if x.Amount > 0 {
		v.Do = sh.T("Change plan and pay")
	}
	return kit.Show(kit.Troubled(c, tr), sh, ActPage(sh, v))
}

// changing are the effects of a change.
func (b *myPlan) changing(x plan.Changing, r view.Renewing) []Outcome {
	w := b.Shell.Words
	w.Zone = civil.ZoneOrUTC(b.Zone)
	day := func(d civil.Date) string { return w.Date(view.Noon(d, w.Zone)) }
	var out []Outcome
	if x.Now {
		now := r.Shown(x.Amount)
		paid := w.T("You get a link to pay it by e-mail. The plan changes once it is paid.")
		if card := b.pay.card(w, b.Membership); card != "" && b.ConsentedAt != nil {
			paid = w.T("charged to {card}", "card", card)
		}
		out = append(out, Outcome{Label: w.T("Now"), Amount: &now, Text: paid, More: []string{
			w.T("That is the price of the days until {date}, less what is not used of your present plan.",
				"date", day(x.RenewsOn.AddDays(-1))),
		}})
	} else {
		out = append(out, Outcome{Label: w.T("Begins"), Text: day(x.On) + ". " + w.T("Until then your plan stays as it is.")})
	}
	next := r.Shown(x.NextAmount)
	out = append(out, Outcome{Label: w.T("Next payment"), Amount: &next, Text: w.T("on {date}", "date", day(x.RenewsOn))})
	for i, n := range x.Credits {
		if x.Now {
			left := view.RemainingCredits(w, x.To.Benefits[i], zeroOr(n))
			out = append(out, Outcome{Label: w.C("plans", "Credits"), Text: left})
		}
	}
	return append(out, Outcome{Label: w.T("Bookings"), Text: w.T("Your bookings stay, and stay paid.")})
}

func zeroOr(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// change changes a membership as the page has shown, or shows the page again if that has changed.
func (h *site) change(c *fiber.Ctx, b *myPlan) error {
	to, err := uuid.Parse(c.FormValue(fieldPlan))
	amount, invalid := strconv.ParseInt(c.FormValue(fieldAmount), 10, 64)
	if err != nil || invalid != nil {
		return b.back(c)
	}
	list, err := h.Plans.Changes(c.UserContext(), b.Membership, b.Shell.Now)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(p plan.Plan) bool { return p.ID == to })
	if i < 0 {
		return h.confirmChange(c, b, to, nil)
	}
	r, err := h.newPricing(c, b, list[i])
	if err != nil {
		return err
	}
	consent := b.Shell.RenewalConsent(r, b.BusinessName, list[i].Name, false)
	if c.FormValue(fieldAgreed) != kit.ShownDigest(consent) {
		return h.confirmChange(c, b, to, b.changed())
	}
	in := plan.ChangeInput{MembershipID: b.ID, PlanID: to, Amount: &amount}
	if b.ConsentedAt != nil {
		in.Consent = consent
	}
	err = h.Once(c, func(ctx context.Context) error {
		_, err := h.Owed.ChangeMyPlan(ctx, b.Scope.Principal, in)
		return err
	})
	switch {
	case errors.Is(err, fault.ErrStale):
		return h.confirmChange(c, b, to, b.changed())
	case errors.Is(err, plan.ErrChange):
		return h.confirmChange(c, b, to, nil)
	case errors.Is(err, checkout.ErrPaymentPending):
		return h.confirmChange(c, b, to, b.paying())
	case errors.Is(err, plan.ErrPeriodDue), errors.Is(err, plan.ErrEnded):
		return b.back(c)
	case err != nil:
		return err
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneChanged))
}

// paying says that a payment is in progress.
func (b *myPlan) paying() *view.Trouble {
	return &view.Trouble{
		Title: b.Shell.T("Your payment is being processed"),
		Text:  b.Shell.T("Nothing was changed. Try again when the payment is done."),
	}
}

// askWithdraw is the page to withdraw a change.
func (h *site) askWithdraw(c *fiber.Ctx, b *myPlan) error { return b.askWithdraw(c, nil) }

func (b *myPlan) askWithdraw(c *fiber.Ctx, tr *view.Trouble) error {
	if b.Change == nil {
		return b.back(c)
	}
	sh := b.Shell
	v := Act{
		Title: sh.T("Withdraw this change?"), Name: b.Name, Studio: b.studio(), Plan: b.path(""), Trouble: tr,
		Texts: []string{sh.T("Your plan stays as it is, and does not change to {plan}.", "plan", b.Change.Name)},
		Do:    sh.T("Withdraw the change"), Keep: sh.T("Keep the change"), Form: kit.FormTo(b.path("/withdraw")),
	}
	return kit.Show(kit.Troubled(c, tr), sh, ActPage(sh, v))
}

// withdraw withdraws a change.
func (h *site) withdraw(c *fiber.Ctx, b *myPlan) error {
	err := h.Once(c, func(ctx context.Context) error {
		_, err := h.Owed.WithdrawMyChange(ctx, b.Scope.Principal, b.ID)
		return err
	})
	switch {
	case errors.Is(err, checkout.ErrPaymentPending):
		return b.askWithdraw(c, b.paying())
	case errors.Is(err, plan.ErrNoChange):
		return b.back(c)
	case err != nil:
		return err
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneWithdrawn))
}
