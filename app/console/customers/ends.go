package customers

import (
	"context"
	"strconv"

	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/plan"
	"foyer/app/view"
)

// fieldEndFee is the fee that the page of an early end has shown, in minor units.
const fieldEndFee = "amount"

// endsEarly reports whether a plan is a membership that the caller may end early for a fee.
func endsEarly(c *desk.Call, m plan.Membership) bool {
	return m.EarlyEnd == nil && m.EarlyEnds(today(c.UI, m)) && c.MayAt("endPlanEarly", m.LocationID)
}

// resumable reports whether a plan is a canceled membership that the caller may keep.
func resumable(c *desk.Call, m plan.Membership) bool {
	return m.Resumes(today(c.UI, m)) && c.MayAt("resumePlan", m.LocationID)
}

// earlyEndText renders an early end that waits for its fee.
func earlyEndText(sh ui.Shell, m plan.Membership) string {
	text := sh.T("The last day of the membership is {date} once its fee of {amount} is paid.",
		"date", day(sh, m.EarlyEnd.EndsOn.AddDays(-1)), "amount", sh.Cash(m.EarlyEnd.Amount, m.Currency))
	if m.EarlyEnd.Failed == "" {
		return text
	}
	return view.Joined(" ", text, sh.T("The card could not be charged: {why} The customer has a payment link.",
		"why", view.FeeTrouble(sh.Words, m.EarlyEnd.Failed).Text))
}

// endingEarly is a customer's membership, and the effects of its early end.
type endingEarly struct {
	holding
	plan.EarlyEnding
}

// last returns the last day of the membership after its early end.
func (v endingEarly) last() civil.Date { return v.EarlyEnding.EndsOn.AddDays(-1) }

// askEndEarly shows the effects of an early end.
func (s *screens) askEndEarly(c *desk.Call) (ui.Screen, error) {
	h, err := s.managed(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := endingEarly{holding: h}
	v.Membership, v.EarlyEnding, err = plan.EarlyEndingOf(c.Context(), s.DB.View(c.Scope.Tenant), h.CustomerID, h.ID)
	return ui.Screen{
		Title: c.UI.T("End {plan} early?", "plan", h.Name), Lead: ui.Who(c.UI, "", h.Customer.Name, h.Customer.Email),
		Area: "customers", Up: &view.Link{Text: h.Name, Href: of(c, h.Membership, "")}, Body: endEarlyBody(c, v), Sheet: true,
	}, err
}

// outcomes are the effects of the early end.
func (v endingEarly) outcomes(sh ui.Shell) []ui.Outcome {
	paid := sh.T("The customer is e-mailed a link to pay the fee. The membership ends once it is paid.")
	if v.ConsentedAt != nil {
		paid = sh.T("The fee is charged to the saved card. The membership ends once it is paid.")
	}
	return []ui.Outcome{
		{Text: sh.T("The last day of the membership is {date}.", "date", day(sh, v.last()))},
		{Text: paid, Amount: sh.Cash(v.EarlyEnding.Amount, v.Currency)},
		{Text: sh.T("No more payments are due.")},
	}
}

func (s *screens) endEarly(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	shown, err := civil.ParseDate(c.Value(fieldEnd))
	fee, wrong := strconv.ParseInt(c.Value(fieldEndFee), 10, 64)
	if err != nil || wrong != nil || c.Version() == 0 { // the page has all of them
		return desk.Done{}, fault.ErrStale
	}
	m, err := s.Owed.EndPlanEarly(ctx, c.Scope, plan.EndEarlyInput{
		CustomerID: customer, MembershipID: membership, Version: c.Version(), EndsOn: shown, Amount: &fee,
	})
	return desk.Done{
		To: address(c, customer, membership), Said: c.UI.T("{plan} ends early once its fee is paid.", "plan", m.Name),
	}, err
}

// askResume shows what happens if a canceled membership is kept.
func (s *screens) askResume(c *desk.Call) (ui.Screen, error) {
	h, err := s.managed(c)
	if err == nil && !h.Resumes(today(c.UI, h.Membership)) {
		err = plan.ErrNotCanceled
	}
	return ui.Screen{
		Title: c.UI.T("Keep {plan}?", "plan", h.Name), Lead: ui.Who(c.UI, "", h.Customer.Name, h.Customer.Email),
		Area: "customers", Up: &view.Link{Text: h.Name, Href: of(c, h.Membership, "")}, Body: resumeBody(c, h), Sheet: true,
	}, err
}

// resumeOutcomes are the effects if a canceled membership is kept.
func resumeOutcomes(sh ui.Shell, m plan.Membership) []ui.Outcome {
	out := []ui.Outcome{{Text: sh.T("The membership is no longer cancelled.")}}
	if m.EarlyEnd != nil {
		out[0].Text = sh.T("The membership does not end early, and its fee is no longer due.")
	}
	if on, amount, found := m.Resuming(); found {
		out = append(out, ui.Outcome{
			Text: sh.T("The next payment is on {date}.", "date", day(sh, on)), Amount: sh.Cash(amount, m.Currency),
		})
	}
	return out
}

func (s *screens) resume(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	if c.Version() == 0 { // the page has it
		return desk.Done{}, fault.ErrStale
	}
	m, err := s.Owed.ResumePlan(ctx, c.Scope, plan.ResumeInput{
		CustomerID: customer, MembershipID: membership, Version: c.Version(),
	})
	return desk.Done{To: address(c, customer, membership), Said: c.UI.T("{plan} continues.", "plan", m.Name)}, err
}
