package customers

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/view"
)

// fieldEnd is the day that the page of a cancellation has shown: the first one without the membership.
const fieldEnd = "endsOn"

// due reports whether the next billing period of a customer's membership has begun, and is not paid.
func due(sh ui.Shell, m plan.Membership) bool {
	return m.Next != nil && (m.Next.Due || !m.Next.StartsOn.After(today(sh, m)) && !heldOpen(m))
}

// day renders a day of a customer's plan.
func day(sh ui.Shell, d civil.Date) string { return sh.Day(view.Noon(d, sh.Zone)) }

// validity renders until when a customer's plan is valid or when it renews, without a full stop.
func validity(sh ui.Shell, m plan.Membership) string {
	switch {
	case m.State == plan.Active && frozen(sh, m) && !(m.Kind == plan.Renewing && due(sh, m)):
		return frozenDays(sh, *freezeOf(sh, m))
	case m.Kind != plan.Renewing || m.State != plan.Active:
		return view.MembershipEnd(sh.Words, m)
	case due(sh, m):
		return dueSince(sh, m)
	case m.CanceledAt != nil:
		return sh.T("Cancelled, valid until {date}", "date", day(sh, m.LastDay()))
	case m.Next == nil && m.EndsOn == nil:
		return ""
	case m.Next != nil:
		return sh.T("Renews on {date}", "date", day(sh, m.Next.StartsOn))
	}
	return view.MembershipEnd(sh.Words, m)
}

// dueSince renders since when the next billing period of a membership is due.
func dueSince(sh ui.Shell, m plan.Membership) string {
	if m.Next.PastDue {
		return sh.T("Past due since {date}", "date", day(sh, m.Next.StartsOn))
	}
	return sh.T("Payment due since {date}", "date", day(sh, m.Next.StartsOn))
}

// renewalFacts are what is known of a customer's membership that renews.
func renewalFacts(sh ui.Shell, m plan.Membership) []ui.Fact {
	sold := ui.SoldAs(m)
	terms := append([]string{ui.PriceTerms(sh, sold)}, ui.RenewalTerms(sh, sold)...)
	terms = append(terms, ui.FreezeTerms(sh, sold)...)
	out := []ui.Fact{{Name: sh.T("Terms"), Text: view.Joined(" ", terms...)}}
	if m.State != plan.Active {
		return append(out, ui.Fact{Name: sh.T("Validity"), Text: view.MembershipEnd(sh.Words, m)})
	}
	if m.Next != nil {
		on, paid := day(sh, m.Next.StartsOn), sh.T("Pays by link or at the desk")
		switch {
		case due(sh, m):
			on = dueSince(sh, m)
		case heldOpen(m):
			on = sh.T("after the freeze")
		}
		if m.ConsentedAt != nil {
			paid = sh.T("Charged to the saved card")
		}
		out = append(out,
			ui.Fact{Name: sh.T("Next payment"), Text: view.Joined(" · ", sh.Cash(nextAmount(m), m.Currency), on)},
			ui.Fact{Name: sh.T("Payment method"), Text: paid})
	}
	if m.CanceledAt != nil {
		out = append(out, ui.Fact{Name: sh.T("Cancelled on"), Text: sh.Day(*m.CanceledAt)})
	}
	return append(out, ui.Fact{Name: sh.T("Last day"), Text: lastDay(sh, m)})
}

// nextAmount returns the price of the next billing period, with which a change of plan begins that is to come.
func nextAmount(m plan.Membership) int64 {
	if m.Change != nil && !m.Change.Due {
		return m.Change.Price
	}
	return m.Next.Amount
}

// takePayment returns the address of the payment of a membership's next billing period at the desk; empty without one,
// or without the right to take payments there. A period that waits for the end of a freeze or for a change of plan is
// not paid in advance.
func takePayment(c *desk.Call, m plan.Membership) string {
	if m.State != plan.Active || m.Next == nil || m.Next.Amount == 0 || heldOpen(m) || m.Change != nil && !due(c.UI, m) {
		return ""
	}
	return payAt(c, m, m.Next.ID)
}

// payAt returns the address of the payment of a billing period, or of a change of plan, at the desk; empty without the
// right to take payments there.
func payAt(c *desk.Call, m plan.Membership, period uuid.UUID) string {
	if !c.MayAt("createSale", m.LocationID) {
		return ""
	}
	return c.To(desk.SellAt, "at", m.LocationSlug, "customer", m.CustomerID.String(), desk.FieldPeriod, period.String())
}

// cancelable reports whether a plan is a membership that the caller may cancel. In a freeze without an end it has no
// last day yet.
func cancelable(c *desk.Call, m plan.Membership) bool {
	if f := freezeOf(c.UI, m); f != nil && f.EndsOn == nil && f.StartsOn.Before(today(c.UI, m)) {
		return false
	}
	return m.Kind == plan.Renewing && m.State == plan.Active && m.EndsOn == nil && c.MayAt("cancelPlan", m.LocationID)
}

// notCharged renders the reason that the saved card was not charged for the next billing period; empty if it was not
// tried, or not declined.
func notCharged(sh ui.Shell, m plan.Membership) string {
	if m.State != plan.Active || m.Next == nil || m.Next.Failed == "" {
		return ""
	}
	return sh.T("The card could not be charged: {why} The customer has a payment link.",
		"why", view.FeeTrouble(sh.Words, m.Next.Failed).Text)
}

// canceling is a customer's membership, and the effects of its cancellation.
type canceling struct {
	holding
	plan.Ending
}

// last returns the last day of the membership after its cancellation.
func (v canceling) last() civil.Date { return v.Ending.EndsOn.AddDays(-1) }

// askCancel shows the effects of a cancellation.
func (s *screens) askCancel(c *desk.Call) (ui.Screen, error) {
	h, err := s.managed(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := canceling{holding: h}
	v.Membership, v.Ending, err = plan.EndingOf(c.Context(), s.DB.View(c.Scope.Tenant), h.CustomerID, h.ID)
	return ui.Screen{
		Title: c.UI.T("Cancel {plan}?", "plan", h.Name), Lead: ui.Who(c.UI, "", h.Customer.Name, h.Customer.Email),
		Area: "customers", Up: &view.Link{Text: h.Name, Href: of(c, h.Membership, "")}, Body: cancelBody(c, v), Sheet: true,
	}, err
}

// outcomes are the effects of the cancellation.
func (v canceling) outcomes(sh ui.Shell) []ui.Outcome {
	if v.Now {
		return []ui.Outcome{
			{Text: sh.T("The membership ends today, because its billing period is not paid.")},
			{Text: sh.T("No more payments are due.")},
		}
	}
	out := []ui.Outcome{{Text: sh.T("The last day of the membership is {date}.", "date", day(sh, v.last()))}}
	if v.Periods == 0 {
		return append(out, ui.Outcome{Text: sh.T("No more payments are due.")})
	}
	return append(out, ui.Outcome{
		Text:   sh.N(v.Periods, "{n} more payment is due until then.", "{n} more payments are due until then."),
		Amount: sh.Cash(v.Amount, v.Currency),
	})
}

func (s *screens) cancel(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	shown, err := civil.ParseDate(c.Value(fieldEnd))
	if err != nil || c.Version() == 0 { // the page has both
		return desk.Done{}, fault.ErrStale
	}
	m, err := s.Owed.CancelPlan(ctx, c.Scope, owed.CancelInput{
		CustomerID: customer, MembershipID: membership, Version: c.Version(), EndsOn: shown,
	})
	said := c.UI.T("Cancelled {plan}. It has ended.", "plan", m.Name)
	if m.State == plan.Active {
		said = c.UI.T("Cancelled {plan}. Its last day is {date}.", "plan", m.Name, "date", day(c.UI, m.LastDay()))
	}
	return desk.Done{To: address(c, customer, membership), Said: said}, err
}
