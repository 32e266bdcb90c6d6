package customers

import (
	"context"
	"errors"

	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/view"
	"foyer/app/words"
	"foyer/policy"
)

// The fields of a freeze. fieldRenews is the next payment that the page has shown; empty without one.
const (
	fieldStart  = "startsOn"
	fieldLast   = "lastDay"
	fieldNote   = "note"
	fieldRenews = "renewsOn"
)

var freezeInputs = []string{fieldStart, fieldLast, fieldNote}

// freezeRefusals are the reasons that a freeze is refused.
var freezeRefusals = map[rules.WhyNot]words.Text{
	rules.FreezeNotOffered: "Customers cannot freeze this plan.",
	rules.FreezeInPast:     "A freeze begins today or later.",
	rules.FreezeOverlaps:   "The plan is already frozen in that time.",
	rules.FreezeTooShort:   "The freeze is shorter than the plan allows.",
	rules.FreezeTooLong:    "The freeze is longer than the plan allows.",
	rules.FreezeNotWhole:   "A freeze of this plan begins and ends with billing periods.",
	rules.FreezeNotOnFirst: "A freeze of this plan begins on the first day of a month.",
	rules.FreezeTooOften:   "The plan was frozen as often as it allows in twelve months.",
	rules.FreezeTooClose:   "The freeze is too soon after the previous one.",
	rules.FreezeTooEarly:   "More billing periods must be paid before the first freeze.",
	rules.FreezeTooLate:    "The days of notice before the freeze are too few.",
	rules.FreezeTooFar:     "The freeze begins after the next billing period. Set it later.",
	rules.FreezeAfterEnd:   "The plan ends before that day.",
}

// changeRefusals are the reasons that a change of plan is refused.
var changeRefusals = map[plan.ChangeRefusal]words.Text{
	plan.ChangeSame:       "The customer has this plan already.",
	plan.ChangeNotOffered: "Customers cannot change to this plan.",
	plan.ChangeNotSold:    "This plan is not sold at the location of the membership.",
	plan.ChangeTooEarly:   "More billing periods must be paid before a change to a lower price.",
	plan.ChangeEnds:       "A membership with an end date cannot be changed, nor to a plan that ends by itself.",
	plan.ChangeFrozen:     "End the freeze of this membership first.",
}

// inWords returns the refusal of a freeze or of a change of plan with its reason as a sentence; any other error as it
// is.
func inWords(sh ui.Shell, err error) error {
	f := fault.From(err)
	if !errors.Is(err, plan.ErrFreeze) && !errors.Is(err, plan.ErrChange) {
		return err
	}
	why, _ := f.Details["why"].(string)
	text, found := freezeRefusals[rules.WhyNot(why)]
	if errors.Is(err, plan.ErrChange) {
		text, found = changeRefusals[plan.ChangeRefusal(why)]
	}
	if !found {
		return err
	}
	return fault.New(f.Kind, f.Reason, sh.T(text))
}

// today returns the day at the location of a customer's plan.
func today(sh ui.Shell, m plan.Membership) civil.Date {
	return civil.LocalDate(sh.Now, civil.ZoneOrUTC(m.Zone))
}

// freezeOf returns the freeze of a customer's plan that is running, or the next one; nil without one.
func freezeOf(sh ui.Shell, m plan.Membership) *plan.Frozen {
	if m.State != plan.Active {
		return nil
	}
	return m.Freeze(today(sh, m))
}

// frozen reports whether a customer's plan is frozen today.
func frozen(sh ui.Shell, m plan.Membership) bool {
	f := freezeOf(sh, m)
	return f != nil && !f.StartsOn.After(today(sh, m))
}

// heldOpen reports whether the next billing period is not charged yet: it begins in a freeze without an end.
func heldOpen(m plan.Membership) bool {
	for _, f := range m.Freezes {
		if f.EndsOn == nil && m.Next != nil && !m.Next.Due && !m.Next.StartsOn.Before(f.StartsOn) {
			return true
		}
	}
	return false
}

// frozenDays renders the days of a freeze, without a full stop.
func frozenDays(sh ui.Shell, f plan.Frozen) string {
	if f.EndsOn == nil {
		return sh.T("Frozen from {date}, without an end date", "date", day(sh, f.StartsOn))
	}
	return sh.T("Frozen from {from} to {to}", "from", day(sh, f.StartsOn), "to", day(sh, f.EndsOn.AddDays(-1)))
}

// freezable reports whether the caller may freeze a plan that can be frozen now.
func freezable(c *desk.Call, m plan.Membership) bool {
	return m.State == plan.Active && (m.Kind == plan.Renewing || m.EndsOn != nil) && freezeOf(c.UI, m) == nil &&
		!(m.Kind == plan.Renewing && due(c.UI, m)) && (m.Change == nil || !m.Change.Due) &&
		c.MayAt("freezePlan", m.LocationID)
}

// unfreezable reports whether the caller may end the freeze of a plan.
func unfreezable(c *desk.Call, m plan.Membership) bool {
	return freezeOf(c.UI, m) != nil && c.MayAt("unfreezePlan", m.LocationID)
}

// managed reads the plan of the address, for a caller who manages it.
func (s *screens) managed(c *desk.Call) (holding, error) {
	h, err := s.holding(c)
	if err == nil {
		err = policy.RequireAt(c.Scope, policy.MembershipManage, h.LocationID)
	}
	return h, err
}

// freezing is a customer's plan with a freeze in the form, and its effects.
type freezing struct {
	holding
	plan.Freezing
	Chosen  bool // it has effects
	Refused string
}

// lastText renders the last day of the freeze as a field has it; empty without an end.
func (v freezing) lastText() string {
	if v.Freezing.EndsOn == nil {
		return ""
	}
	return v.Freezing.EndsOn.AddDays(-1).String()
}

// freezeInput reads the freeze in the form.
func freezeInput(c *desk.Call) (in plan.FreezeInput, err error) {
	if in.CustomerID, in.MembershipID, err = ids(c); err != nil {
		return in, err
	}
	in.Note, in.Version = c.Value(fieldNote), c.Version()
	if in.StartsOn, err = civil.ParseDate(c.Value(fieldStart)); err != nil {
		return in, fault.Invalid(fieldStart, c.UI.T("Choose a day."))
	}
	if text := c.Value(fieldLast); text != "" {
		last, err := civil.ParseDate(text)
		if err != nil {
			return in, fault.Invalid(fieldLast, c.UI.T("Choose a day."))
		}
		in.EndsOn = new(last.AddDays(1))
	}
	return in, nil
}

// askFreeze asks for the days of a freeze, and shows its effects.
func (s *screens) askFreeze(c *desk.Call) (ui.Screen, error) {
	h, err := s.managed(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := freezing{holding: h}
	first := !c.Inputs().Has(fieldStart)
	in, wrong := freezeInput(c)
	if first {
		in, wrong = plan.FreezeInput{CustomerID: h.CustomerID, MembershipID: h.ID, StartsOn: today(c.UI, h.Membership)}, nil
	}
	if wrong == nil {
		_, v.Freezing, wrong = plan.FreezingOf(c.Context(), s.DB.View(c.Scope.Tenant), in, true)
	}
	v.Chosen = wrong == nil && !first
	switch {
	case wrong == nil, first && errors.Is(wrong, plan.ErrFreeze): // the days are not chosen yet
	case fault.IsKind(wrong, fault.Validation) && c.Told(wrong):
	case errors.Is(wrong, plan.ErrFreeze):
		v.Refused, err = c.Cannot(inWords(c.UI, wrong))
	default:
		err = wrong
	}
	return ui.Screen{
		Title: c.UI.T("Freeze {plan}", "plan", h.Name), Lead: ui.Who(c.UI, "", h.Customer.Name, h.Customer.Email),
		Area: "customers", Up: &view.Link{Text: h.Name, Href: of(c, h.Membership, "")}, Body: freezeBody(c, v), Sheet: true,
	}, err
}

// outcomes are the effects of the freeze.
func (v freezing) outcomes(sh ui.Shell) []ui.Outcome {
	f := plan.Frozen{StartsOn: v.Freezing.StartsOn, EndsOn: v.Freezing.EndsOn}
	out := []ui.Outcome{
		{Text: sh.T("{freeze}.", "freeze", frozenDays(sh, f))}, {Text: sh.T("It pays for no bookings in that time.")},
	}
	if f.EndsOn == nil {
		return append(out, ui.Outcome{Text: sh.T("Its dates are postponed by the days of the freeze, once you end it.")})
	}
	if v.Freezing.RenewsOn != nil {
		text := sh.T("The next payment stays on {date}.", "date", day(sh, *v.Freezing.RenewsOn))
		if *v.Freezing.RenewsOn != v.Next.StartsOn {
			text = sh.T("The next payment is postponed to {date}.", "date", day(sh, *v.Freezing.RenewsOn))
		}
		out = append(out, ui.Outcome{Text: text, Amount: sh.Cash(v.Amount, v.Currency)})
	}
	if v.Ends != nil {
		out = append(out, ui.Outcome{Text: sh.T("Its last day is postponed to {date}.", "date", day(sh, v.Ends.AddDays(-1)))})
	}
	return out
}

// fields are the hidden fields of the form that sets the freeze.
func (v freezing) fields() []view.Param {
	renews := ""
	if v.Freezing.RenewsOn != nil {
		renews = v.Freezing.RenewsOn.String()
	}
	return []view.Param{
		versionOf(v.Membership), {Name: fieldStart, Value: v.Freezing.StartsOn.String()},
		{Name: fieldLast, Value: v.lastText()}, {Name: fieldRenews, Value: renews},
	}
}

// bookings returns the address of the customer's bookings in the time of the freeze.
func (v freezing) bookings(c *desk.Call) string {
	return c.To("/bookings", "customer", v.CustomerID.String(), "from", v.Freezing.StartsOn.String(), "to", v.lastText())
}

func (s *screens) freeze(c *desk.Call, ctx context.Context) (desk.Done, error) {
	in, err := freezeInput(c)
	if err != nil {
		return desk.Done{}, err
	}
	if in.Version == 0 { // the page has it
		return desk.Done{}, fault.ErrStale
	}
	if text := c.Value(fieldRenews); text != "" {
		shown, err := civil.ParseDate(text)
		if err != nil {
			return desk.Done{}, fault.ErrStale
		}
		in.RenewsOn = &shown
	}
	m, err := s.Plans.Freeze(ctx, c.Scope, in)
	return desk.Done{
		To: address(c, in.CustomerID, in.MembershipID), Said: c.UI.T("Froze {plan}.", "plan", m.Name),
	}, inWords(c.UI, err)
}

// unfreezing is a customer's plan, and the effects of the end of its freeze.
type unfreezing struct {
	holding
	plan.Unfreezing
}

// askUnfreeze shows the effects of the end of a freeze.
func (s *screens) askUnfreeze(c *desk.Call) (ui.Screen, error) {
	h, err := s.managed(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := unfreezing{holding: h}
	v.Unfreezing, err = plan.UnfreezingOf(c.Context(), s.DB.View(c.Scope.Tenant), h.Membership)
	return ui.Screen{
		Title: c.UI.T("End the freeze of {plan}?", "plan", h.Name), Area: "customers", Body: unfreezeBody(c, v), Sheet: true,
		Lead: ui.Who(c.UI, "", h.Customer.Name, h.Customer.Email),
		Up:   &view.Link{Text: h.Name, Href: of(c, h.Membership, "")},
	}, err
}

// outcomes are the effects of the end of the freeze.
func (v unfreezing) outcomes(sh ui.Shell) []ui.Outcome {
	out := []ui.Outcome{{Text: sh.T("The freeze is removed before it begins.")}}
	if v.Began {
		out = []ui.Outcome{{Text: sh.T("The freeze ends now, and the plan pays for bookings from today.")}}
	}
	if v.Unfreezing.RenewsOn != nil {
		out = append(out, ui.Outcome{
			Text:   sh.T("The next payment is on {date}.", "date", day(sh, *v.Unfreezing.RenewsOn)),
			Amount: sh.Cash(v.Unfreezing.Amount, v.Currency),
		})
	}
	if v.Ends != nil {
		out = append(out, ui.Outcome{Text: sh.T("Its last day is {date}.", "date", day(sh, v.Ends.AddDays(-1)))})
	}
	return out
}

func (s *screens) unfreeze(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	if c.Version() == 0 { // the page has it
		return desk.Done{}, fault.ErrStale
	}
	m, err := s.Plans.Unfreeze(ctx, c.Scope, plan.UnfreezeInput{
		CustomerID: customer, MembershipID: membership, Version: c.Version(),
	})
	return desk.Done{
		To: address(c, customer, membership), Said: c.UI.T("Ended the freeze of {plan}.", "plan", m.Name),
	}, inWords(c.UI, err)
}
