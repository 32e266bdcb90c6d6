package my

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/view"
)

// freezes adds to a plan what is frozen of it, and the addresses to freeze it and to end that. It reports whether it is
// frozen without an end, so that nothing is due.
func (h *site) freezes(w view.Words, v *Plan, m plan.Membership) (open bool) {
	today := civil.LocalDate(w.Now, w.Zone)
	day := func(d civil.Date) string { return w.Day(view.Noon(d, w.Zone)) }
	f := m.Freeze(today)
	if f == nil {
		if m.FreezeRules.Allowed && (m.Next == nil || !m.Next.Due) && (m.Change == nil || !m.Change.Due) {
			v.Freeze = planPath(m.ID) + "/freeze"
		}
		return false
	}
	if m.Unfreezes(*f, today, false) {
		v.Unfreeze = planPath(m.ID) + "/unfreeze"
	}
	if f.EndsOn != nil {
		v.Notes = append(v.Notes, w.T("Frozen from {from} to {to}.", "from", day(f.StartsOn),
			"to", day(f.EndsOn.AddDays(-1))))
		return false
	}
	v.Notes = append(v.Notes, w.T("Frozen from {date} on. Nothing is charged until you end the freeze.",
		"date", day(f.StartsOn)))
	return true
}

// askFreeze is the page to choose the days of a freeze; with them, it shows what the freeze does.
func (h *site) askFreeze(c *fiber.Ctx, b *myPlan) error {
	if !b.FreezeRules.Allowed {
		return b.back(c)
	}
	if c.Query(fieldFrom) == "" {
		return b.freezeDays(c, nil)
	}
	in, invalid := freezeOf(b, c.Query(fieldFrom), c.Query(fieldLast))
	if invalid != nil {
		return b.freezeDays(c, invalid)
	}
	return h.confirmFreeze(c, b, in, nil)
}

// freezeOf returns the freeze of entered days.
func freezeOf(b *myPlan, from, last string) (in plan.FreezeInput, invalid *view.Trouble) {
	tell := func(field string) *view.Trouble {
		return &view.Trouble{Fields: []fault.Field{{Field: field, Message: b.Shell.T("Enter a date.")}}}
	}
	in = plan.FreezeInput{CustomerID: b.CustomerID, MembershipID: b.ID}
	var err error
	if in.StartsOn, err = civil.ParseDate(from); err != nil || in.StartsOn.IsZero() {
		return in, tell(fieldFrom)
	}
	if last == "" {
		return in, nil
	}
	d, err := civil.ParseDate(last)
	if err != nil || d.IsZero() || d.Before(in.StartsOn) {
		return in, tell(fieldLast)
	}
	d = d.AddDays(1)
	in.EndsOn = &d
	return in, nil
}

func (b *myPlan) freezeDays(c *fiber.Ctx, tr *view.Trouble) error {
	sh := b.Shell
	v := FreezeForm{
		Act: Act{
			Title: sh.T("Freeze your plan"), Name: b.Name, Studio: b.studio(), Texts: view.FreezeTerms(sh.Words, b.FreezeRules),
			Keep: sh.C("link", "Back"), Plan: b.path(""), Trouble: tr,
		},
		Action: b.path("/freeze"), From: c.Query(fieldFrom), Last: c.Query(fieldLast),
		LastOptional: b.FreezeRules.MaxDays == 0,
	}
	return kit.Show(kit.Troubled(c, tr), sh, FreezePage(sh, v))
}

// confirmFreeze shows what a freeze does, and a form to confirm it.
func (h *site) confirmFreeze(c *fiber.Ctx, b *myPlan, in plan.FreezeInput, tr *view.Trouble) error {
	sh := b.Shell
	m, f, err := plan.FreezingOf(c.UserContext(), b.DB.View(b.BusinessID), in, false)
	if told := b.freezeTrouble(err); told != nil {
		return b.freezeDays(c, told)
	}
	if err != nil {
		return err
	}
	b.Membership = m
	hidden := []view.Param{{Name: fieldFrom, Value: in.StartsOn.String()}}
	if in.EndsOn != nil {
		hidden = append(hidden, view.Param{Name: fieldLast, Value: in.EndsOn.AddDays(-1).String()})
	}
	if f.RenewsOn != nil {
		hidden = append(hidden, view.Param{Name: fieldNext, Value: f.RenewsOn.String()})
	}
	v := Act{
		Title: sh.T("Freeze this plan?"), Name: b.Name, Studio: b.studio(), Points: b.freezing(f), Plan: b.path(""),
		Do: sh.T("Freeze plan"), Keep: sh.C("link", "Back"), Trouble: tr, Form: kit.FormTo(b.path("/freeze"), hidden...),
	}
	if f.Booked > 0 {
		v.Form = view.Form{}
		v.Blocked = sh.N(f.Booked, "This plan pays for {n} booking on these days. Cancel that booking first.",
			"This plan pays for {n} bookings on these days. Cancel those bookings first.")
	}
	return kit.Show(kit.Troubled(c, tr), sh, ActPage(sh, v))
}

// freezing are the effects of a freeze.
func (b *myPlan) freezing(f plan.Freezing) []Outcome {
	w := b.Shell.Words
	w.Zone = civil.ZoneOrUTC(b.Zone)
	day := func(d civil.Date) string { return w.Date(view.Noon(d, w.Zone)) }
	days := w.T("From {date}, until you end it", "date", day(f.StartsOn))
	if f.EndsOn != nil {
		days = w.T("From {from} to {to}", "from", day(f.StartsOn), "to", day(f.EndsOn.AddDays(-1)))
	}
	out := []Outcome{{Label: w.T("Frozen"), Text: days + ". " + w.T("The plan pays for no bookings on these days.")}}
	switch {
	case b.Kind == plan.Renewing && f.RenewsOn != nil:
		amount := view.MyRenewal(b.Membership, b.pay.pricing[b.ID]).Shown(f.Amount)
		out = append(out, Outcome{Label: w.T("Next payment"), Amount: &amount,
			Text: w.T("on {date}", "date", day(*f.RenewsOn))})
	case b.Kind == plan.Renewing && f.EndsOn == nil:
		out = append(out, Outcome{Label: w.T("Payments"), Text: w.T("Nothing is charged until you end the freeze.")})
	case b.Kind == plan.Renewing:
		out = append(out, Outcome{Label: w.T("Payments"), Text: w.T("Nothing more is charged.")})
	}
	if f.Ends != nil {
		out = append(out, Outcome{Label: w.T("Last day"), Text: w.T("{date}. You can book with it until then.",
			"date", day(f.Ends.AddDays(-1)))})
	}
	return out
}

// freezeTrouble says why a freeze is refused; nil for any other error.
func (b *myPlan) freezeTrouble(err error) *view.Trouble {
	w := b.Shell.Words
	var f *fault.Error
	if !errors.As(err, &f) {
		return nil
	}
	switch {
	case errors.Is(err, plan.ErrFreeze):
		why, _ := f.Details["why"].(string)
		return &view.Trouble{Text: view.FreezeRefusal(w, b.FreezeRules, rules.WhyNot(why))}
	case errors.Is(err, plan.ErrPeriodDue), errors.Is(err, plan.ErrChanging):
		return &view.Trouble{Text: w.Message(f.Message)}
	case fault.IsKind(err, fault.Validation):
		return &view.Trouble{Text: w.T("Freeze it for at most a year.")}
	}
	return nil
}

// freeze freezes a plan as the page has shown, or shows the page again if that has changed.
func (h *site) freeze(c *fiber.Ctx, b *myPlan) error {
	in, invalid := freezeOf(b, c.FormValue(fieldFrom), c.FormValue(fieldLast))
	if invalid != nil {
		return b.freezeDays(c, invalid)
	}
	if next, err := civil.ParseDate(c.FormValue(fieldNext)); err == nil && !next.IsZero() {
		in.RenewsOn = &next
	}
	err := h.Once(c, func(ctx context.Context) error {
		_, err := h.Plans.FreezeMine(ctx, b.Scope.Principal, in)
		return err
	})
	told := b.freezeTrouble(err)
	switch {
	case errors.Is(err, fault.ErrStale):
		return h.confirmFreeze(c, b, in, b.changed())
	case errors.Is(err, plan.ErrFreezeBooked):
		return h.confirmFreeze(c, b, in, nil)
	case told != nil:
		return b.freezeDays(c, told)
	case err != nil:
		return err
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneFrozen))
}

// askUnfreeze is the page to end a freeze.
func (h *site) askUnfreeze(c *fiber.Ctx, b *myPlan) error {
	sh := b.Shell
	w := sh.Words
	w.Zone = civil.ZoneOrUTC(b.Zone)
	today := civil.LocalDate(w.Now, w.Zone)
	f := b.Freeze(today)
	if f == nil || !b.Unfreezes(*f, today, false) {
		return b.back(c)
	}
	text := w.T("The plan pays for bookings from today on. Its dates become earlier by the days that were left of the " +
		"freeze.")
	if f.EndsOn == nil {
		text = w.T("The plan pays for bookings from today on. Its dates are postponed by the days that it was frozen.")
	}
	if f.StartsOn.After(today) {
		text = w.T("The plan stays active, with its earlier dates.")
	}
	v := Act{
		Title: sh.T("End this freeze?"), Name: b.Name, Studio: b.studio(), Texts: []string{text}, Plan: b.path(""),
		Do: sh.T("End the freeze"), Keep: sh.T("Keep the freeze"), Form: kit.FormTo(b.path("/unfreeze")),
	}
	return kit.Show(c, sh, ActPage(sh, v))
}

// unfreeze ends the freeze of a plan.
func (h *site) unfreeze(c *fiber.Ctx, b *myPlan) error {
	err := h.Once(c, func(ctx context.Context) error {
		_, err := h.Plans.UnfreezeMine(ctx, b.Scope.Principal, plan.UnfreezeInput{MembershipID: b.ID})
		return err
	})
	switch {
	case errors.Is(err, plan.ErrNotFrozen), errors.Is(err, plan.ErrFreeze), errors.Is(err, plan.ErrEnded):
		return b.back(c)
	case err != nil:
		return err
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneUnfrozen))
}
