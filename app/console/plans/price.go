package plans

import (
	"context"

	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/plan"
	"foyer/app/view"
	"foyer/policy"
)

// The fields of a new price for members.
const (
	fieldPrice    = "priceAmount"
	fieldStarts   = "startsOn"
	fieldForSales = "forSales"
)

var priceInputs = []string{fieldPrice, fieldStarts}

// pricing is a plan with a new price for its members in the form, and its effects.
type pricing struct {
	plan.Plan
	Quote   plan.PriceQuote
	Chosen  bool // it has effects
	Refused string
}

// priceInput reads the new price in the form.
func priceInput(c *desk.Call, p plan.Plan) (plan.PriceInput, error) {
	in := plan.PriceInput{PlanID: p.ID, ForSales: c.Ticked(fieldForSales)}
	amount, err := c.Amount(fieldPrice, p.Currency)
	if err != nil {
		return in, err
	}
	if amount == nil {
		return in, fault.Invalid(fieldPrice, c.UI.T("Enter a price. 0 is free."))
	}
	in.PriceAmount = *amount
	if text := c.Value(fieldStarts); text != "" {
		if in.StartsOn, err = civil.ParseDate(text); err != nil {
			return in, fault.Invalid(fieldStarts, c.UI.T("Choose a day."))
		}
	}
	return in, nil
}

// askPrice asks for a new price for the members of a plan, and shows its effects.
func (s *screens) askPrice(c *desk.Call) (ui.Screen, error) {
	p, err := s.plan(c)
	if err == nil {
		err = policy.Require(c.Scope, policy.CatalogManage)
	}
	if err != nil {
		return ui.Screen{}, err
	}
	v := pricing{Plan: p}
	if c.Inputs().Has(fieldPrice) {
		in, wrong := priceInput(c, p)
		if wrong == nil {
			_, v.Quote, wrong = s.Plans.QuotePrice(c.Context(), c.Scope, in)
		}
		v.Chosen = wrong == nil && v.Quote.Members > 0
		switch {
		case wrong == nil && v.Quote.Members == 0:
			v.Refused = c.UI.T("No member has another price.")
		case wrong == nil, fault.IsKind(wrong, fault.Validation) && c.Told(wrong):
		default:
			v.Refused, err = c.Cannot(wrong)
		}
	}
	return ui.Screen{
		Title: c.UI.T("New price for members"), Lead: p.Name, Area: area, Sheet: true, Body: priceBody(c, v),
		Up: &view.Link{Text: p.Name, Href: of(c, p.ID, "")},
	}, err
}

// outcomes are the effects of the new price.
func (v pricing) outcomes(sh ui.Shell) (out []ui.Outcome) {
	say := func(text string) { out = append(out, ui.Outcome{Text: text}) }
	on := sh.Date(view.Noon(v.Quote.StartsOn, sh.Zone))
	was := perPeriod(sh, v.Plan, v.Quote.LeastAmount)
	if v.Quote.LeastAmount != v.Quote.MostAmount {
		was = sh.T("{least} to {most}", "least", sh.Cash(v.Quote.LeastAmount, v.Currency),
			"most", perPeriod(sh, v.Plan, v.Quote.MostAmount))
	}
	say(sh.N(v.Quote.Members, "{n} member pays {old} now, and {new} for billing periods that begin on {date} or later.",
		"{n} members pay {old} now, and {new} for billing periods that begin on {date} or later.", "old", was,
		"new", perPeriod(sh, v.Plan, v.Quote.PriceAmount), "date", on))
	say(sh.T("Each is e-mailed now. Introductory prices stay, and so does the price of a membership that has an end."))
	if v.Quote.Raised > 0 {
		say(sh.N(v.Quote.Raised, "{n} member pays more, and can cancel until the day before they first do, whatever your terms.",
			"{n} members pay more, and can cancel until the day before they first do, whatever your terms."))
	}
	if v.Quote.Unmailed > 0 {
		out = append(out, ui.Outcome{Bad: true, Text: sh.N(v.Quote.Unmailed,
			"{n} member has no e-mail address. Tell them yourself.", "{n} members have no e-mail address. Tell them yourself.")})
	}
	return out
}

// perPeriod renders a price of a billing period of a plan.
func perPeriod(sh ui.Shell, p plan.Plan, amount int64) string {
	p.PriceAmount = amount
	return ui.PricePerPeriod(sh, p)
}

// fields are the hidden fields of the form that sets the new price.
func (v pricing) fields() []view.Param {
	return []view.Param{
		{Name: fieldPrice, Value: ui.Amount(&v.Quote.PriceAmount, v.Currency)},
		{Name: fieldStarts, Value: v.Quote.StartsOn.String()},
	}
}

func (s *screens) setPrice(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.plan(c)
	if err != nil {
		return desk.Done{}, err
	}
	in, err := priceInput(c, p)
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Plans.SchedulePrice(ctx, c.Scope, in)
	return desk.Done{
		To: of(c, p.ID, ""), Said: c.UI.T("Set the new price for members of {name}. They are e-mailed now.", "name", p.Name),
	}, err
}

func (s *screens) withdrawPrice(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.plan(c)
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Plans.WithdrawPrice(ctx, c.Scope, p.ID)
	return desk.Done{
		To:   of(c, p.ID, ""),
		Said: c.UI.T("Withdrew the new price for members of {name}. They are e-mailed now.", "name", p.Name),
	}, err
}

// askWithdrawPrice shows the effects before the new price of a plan is withdrawn.
func (s *screens) askWithdrawPrice(c *desk.Call) (ui.Screen, error) {
	p, err := s.plan(c)
	if err == nil {
		err = policy.Require(c.Scope, policy.CatalogManage)
	}
	return ui.Screen{
		Title: c.UI.T("Withdraw the new price?"), Lead: p.Name, Area: area, Sheet: true, Body: withdrawPriceBody(c, p),
		Up: &view.Link{Text: p.Name, Href: of(c, p.ID, "")},
	}, err
}

// priceState renders the state of a new price.
func priceState(sh ui.Shell, s plan.PriceState) (string, ui.Tone) {
	switch s {
	case plan.PriceComing:
		return sh.T("Scheduled"), "warn"
	case plan.PriceDone:
		return sh.C("of a price", "In effect"), "ok"
	}
	return sh.C("of a price", "Withdrawn"), ""
}

// coming reports whether a new price for the members of the plan is to come.
func (v sheet) coming() bool { return len(v.Prices) > 0 && v.Prices[0].State == plan.PriceComing }
