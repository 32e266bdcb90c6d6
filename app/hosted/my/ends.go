package my

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/plan"
	"foyer/app/view"
)

// ends adds to a membership that it is cancelled or waits for the fee of an early end, and the addresses to pay that
// and to keep the membership.
func (h *site) ends(w view.Words, v *Plan, m plan.Membership, pay paying) {
	if m.CanceledAt != nil {
		v.Notes = append(v.Notes, w.T("Cancelled. It does not renew."))
	}
	if m.Resumes(civil.LocalDate(w.Now, w.Zone)) {
		v.Resume = planPath(m.ID) + "/resume"
	}
	e := m.EarlyEnd
	if e == nil {
		return
	}
	if e.Failed != "" {
		v.Late = true
		v.Notes = append(v.Notes, w.T("Your card could not be charged."))
	}
	v.Notes = append(v.Notes, w.T("Its last day is {date} once {amount} is paid.",
		"date", w.Day(view.Noon(e.EndsOn.AddDays(-1), w.Zone)),
		"amount", w.Money(view.MyRenewal(m, pay.pricing[m.ID]).Shown(e.Amount))))
	if e.OrderID != nil {
		v.Pay = "/receipt/" + h.Orders.ReceiptToken(*e.OrderID) + "/pay"
	}
}

// version is the membership as it was read, in a form.
func (b *myPlan) version() view.Param {
	return view.Param{Name: fieldVersion, Value: strconv.FormatInt(b.Version, 10)}
}

// day renders a day at the studio.
func (b *myPlan) day(d civil.Date) string {
	return b.Shell.Date(view.Noon(d, civil.ZoneOrUTC(b.Zone)))
}

// booked says that the membership pays for bookings after an end; empty for none.
func (b *myPlan) booked(n int) string {
	if n == 0 {
		return ""
	}
	return b.Shell.N(n, "This membership pays for {n} booking after its last day. Cancel that booking first.",
		"This membership pays for {n} bookings after its last day. Cancel those bookings first.")
}

// early is an earlier end for a fee, with its effects; nil without one.
func (b *myPlan) early(e *plan.EarlyEnding) *EndEarly {
	if e == nil {
		return nil
	}
	w := b.Shell.Words
	fee := view.MyRenewal(b.Membership, b.pay.pricing[b.ID]).Shown(e.Amount)
	paid := w.T("You get a link to pay it by e-mail. The membership ends once it is paid.")
	if card := b.pay.card(w, b.Membership); card != "" && b.ConsentedAt != nil {
		paid = w.T("charged to {card}", "card", card)
	}
	return &EndEarly{
		Booked: b.booked(e.Booked),
		Points: []Outcome{
			{Label: w.T("Last day"), Text: w.T("{date}. You can book with it until then.", "date", b.day(e.EndsOn.AddDays(-1)))},
			{Label: w.T("Fee"), Amount: &fee, Bad: true, Text: paid},
			{Label: w.T("Payments"), Text: w.T("Nothing more is charged.")},
		},
		Form: kit.FormTo(b.path("/end-early"), b.version(),
			view.Param{Name: fieldEnds, Value: e.EndsOn.String()},
			view.Param{Name: fieldAmount, Value: strconv.FormatInt(e.Amount, 10)}),
	}
}

// endEarly ends a membership as the page has shown, or shows the page again if that has changed.
func (h *site) endEarly(c *fiber.Ctx, b *myPlan) error {
	version, err := strconv.ParseInt(c.FormValue(fieldVersion), 10, 64)
	amount, wrong := strconv.ParseInt(c.FormValue(fieldAmount), 10, 64)
	ends, invalid := civil.ParseDate(c.FormValue(fieldEnds))
	if err != nil || wrong != nil || invalid != nil || version == 0 {
		return b.askCancel(c, b.changed())
	}
	in := plan.EndEarlyInput{MembershipID: b.ID, Version: version, EndsOn: ends, Amount: &amount}
	err = h.Once(c, func(ctx context.Context) error {
		_, err := h.Owed.EndMyPlanEarly(ctx, b.Scope.Principal, in)
		return err
	})
	switch {
	case errors.Is(err, fault.ErrStale), errors.Is(err, plan.ErrNoEarlyEnd):
		return b.askCancel(c, b.changed())
	case errors.Is(err, plan.ErrBooked):
		return b.askCancel(c, nil)
	case errors.Is(err, checkout.ErrPaymentPending):
		return b.askCancel(c, b.paying())
	case errors.Is(err, plan.ErrCanceled), errors.Is(err, plan.ErrEnded), errors.Is(err, plan.ErrFrozen),
		errors.Is(err, plan.ErrPeriodDue):
		return b.back(c)
	case err != nil:
		return err
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneEnding))
}

// askResume shows what happens if a cancelled membership is kept.
func (h *site) askResume(c *fiber.Ctx, b *myPlan) error { return b.askResume(c, nil) }

func (b *myPlan) askResume(c *fiber.Ctx, tr *view.Trouble) error {
	sh := b.Shell
	sh.Zone = civil.ZoneOrUTC(b.Zone)
	if !b.Resumes(civil.LocalDate(sh.Now, sh.Zone)) {
		return b.back(c)
	}
	v := Act{
		Title: sh.T("Keep this membership?"), Name: b.Name, Studio: b.studio(), Plan: b.path(""), Trouble: tr,
		Texts: []string{sh.T("It is no longer cancelled.")},
		Do:    sh.T("Keep this membership"), Keep: sh.C("link", "Back"), Form: kit.FormTo(b.path("/resume"), b.version()),
	}
	r := view.MyRenewal(b.Membership, b.pay.pricing[b.ID])
	if b.EarlyEnd != nil {
		v.Texts = []string{sh.T("It does not end early, and its fee is no longer due.")}
	}
	v.Texts = append(v.Texts, view.RenewalTerms(sh.Words, r)...)
	if on, amount, found := b.Resuming(); found {
		next := r.Shown(amount)
		v.Points = []Outcome{{Label: sh.T("Next payment"), Amount: &next, Text: sh.T("on {date}", "date", b.day(on))}}
	}
	return kit.Show(kit.Troubled(c, tr), b.Shell, ActPage(sh, v))
}

// resume keeps a membership.
func (h *site) resume(c *fiber.Ctx, b *myPlan) error {
	version, err := strconv.ParseInt(c.FormValue(fieldVersion), 10, 64)
	if err != nil {
		return b.back(c)
	}
	err = h.Once(c, func(ctx context.Context) error {
		_, err := h.Owed.ResumeMyPlan(ctx, b.Scope.Principal, plan.ResumeInput{MembershipID: b.ID, Version: version})
		return err
	})
	switch {
	case errors.Is(err, fault.ErrStale):
		return b.askResume(c, b.changed())
	case errors.Is(err, checkout.ErrPaymentPending):
		return b.askResume(c, b.paying())
	case errors.Is(err, plan.ErrNotCanceled), errors.Is(err, plan.ErrEnded):
		return b.back(c)
	case err != nil:
		return err
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneResumed))
}
