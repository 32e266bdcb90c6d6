package plans

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/patch"
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// inputs are the fields of the form that errors are shown at.
var inputs = append(benefitInputs(), "name", "description", "priceAmount", "currency", "taxRateId", "locationIds",
	"validCount", "customerMax", "position", "benefits", fieldIntroAmount, fieldIntroPeriods, fieldMinPeriods,
	fieldNoticeDays, fieldBillingDay, fieldDowngrade, fieldChanges, freezeAllowed, freezeMinDays, freezeMaxDays,
	freezeWhole, freezeOnFirst, freezePerYear, freezeApart, freezePaid, freezeNotice)

func benefitInputs() (out []string) {
	for i := range plan.BenefitsMax {
		for _, name := range []string{
			"credits", fieldGuests, "kinds", "offeringIds", "excludedIds", "costs", "locationIds", "dayMax", "weekMax",
			"upcomingMax", "rolloverMax",
		} {
			out = append(out, inBenefit(i, name))
		}
	}
	return out
}

// The fields of the benefits. A form has the number of each of its benefits in fieldBenefit, as one of them can be
// removed.
const (
	fieldBenefit = "benefit"
	fieldThen    = "then" // the button that was pressed
	thenAdd      = "add"
	thenRemove   = "remove-" // and the number of the benefit
	thenPreview  = "preview"
	thenPublish  = "publish"
)

// The values of what a benefit gives.
const (
	givesCredits   = "credits"
	givesUnlimited = "unlimited"
)

// The values of the choice for whom a benefit pays; empty: for the customer. Its field has the name of the domain's
// errors about it.
const (
	fieldGuests = "guestsOnly"
	guestsToo   = "too"
	guestsOnly  = "only"
)

// The fields of a membership, by their names in the domain's errors.
const (
	fieldIntroAmount  = "renewal.introAmount"
	fieldIntroPeriods = "renewal.introPeriods"
	fieldMinPeriods   = "renewal.minPeriods"
	fieldEnds         = "renewal.ends"
	fieldNoticeDays   = "renewal.noticeDays"
	fieldBillingDay   = "renewal.billingDay"
	fieldDowngrade    = "renewal.downgradePeriods"
	fieldChanges      = "changeIds"
)

// inBenefit returns the name of a field of a benefit.
func inBenefit(i int, name string) string { return fmt.Sprintf("benefits[%d].%s", i, name) }

// costOf returns the name of the field with the credits for a booking of an offering.
func costOf(i int, offering uuid.UUID) string { return inBenefit(i, "cost."+offering.String()) }

// changesForm reports whether the button that was pressed only changes the form.
func changesForm(c *desk.Call) bool {
	then := c.Value(fieldThen)
	return then == thenAdd || then == thenPreview || strings.HasPrefix(then, thenRemove)
}

// row is a benefit in a form, with its number.
type row struct {
	N int
	plan.Benefit
	New bool // it was added just now
}

// rowsOf returns the benefits of a plan as rows.
func rowsOf(list []plan.Benefit) (out []row) {
	for i, b := range list {
		out = append(out, row{N: i, Benefit: b})
	}
	return out
}

// numbers returns the numbers of the benefits in a posted form.
func numbers(c *desk.Call) (out []int) {
	for _, text := range c.Values(fieldBenefit) {
		n, err := strconv.Atoi(text)
		if err == nil && n >= 0 && n < plan.BenefitsMax && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// typedRows returns the benefits of a posted form, after its button that adds or removes one.
func typedRows(c *desk.Call) []row {
	f := reader{Call: c}
	removed, then := -1, c.Value(fieldThen)
	if text, found := strings.CutPrefix(then, thenRemove); found {
		removed, _ = strconv.Atoi(text)
	}
	var out []row
	list := numbers(c)
	for _, n := range list {
		if n != removed {
			out = append(out, row{N: n, Benefit: f.benefit(n)})
		}
	}
	for n := range plan.BenefitsMax {
		if then == thenAdd && !slices.Contains(list, n) {
			return append(out, row{N: n, Benefit: plan.Benefit{Credits: new(1)}, New: true})
		}
	}
	return out
}

// reader reads fields and collects their errors.
type reader struct {
	*desk.Call
	checks fault.Checks
}

// number returns a whole number; 0 for an empty field.
func (f *reader) number(name string) int {
	text := f.Value(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	f.checks.That(err == nil, name, f.UI.T("Enter a whole number."))
	return n
}

// benefit returns the benefit with a number.
func (f *reader) benefit(i int) plan.Benefit {
	name := func(field string) string { return inBenefit(i, field) }
	b := plan.Benefit{
		OfferingIDs: f.UUIDs(name("offeringIds")), LocationIDs: f.UUIDs(name("locationIds")),
		ExcludedIDs: f.UUIDs(name("excludedIds")), Costs: map[uuid.UUID]int{},
		ForGuests: f.Value(name(fieldGuests)) == guestsToo, GuestsOnly: f.Value(name(fieldGuests)) == guestsOnly,
		DayMax: f.number(name("dayMax")), WeekMax: f.number(name("weekMax")), UpcomingMax: f.number(name("upcomingMax")),
		RolloverMax: f.number(name("rolloverMax")),
	}
	for _, k := range f.Values(name("kinds")) {
		b.Kinds = append(b.Kinds, catalog.Kind(k))
	}
	if f.Value(name("gives")) != givesUnlimited {
		n := f.number(name("credits"))
		f.checks.That(f.Value(name("credits")) != "", name("credits"), f.UI.T("Enter the number of credits."))
		b.Credits = &n
	}
	f.costs(i, &b)
	return b
}

// costs reads the credits for a booking of each offering; 1 is left out.
func (f *reader) costs(i int, b *plan.Benefit) {
	prefix := inBenefit(i, "cost.")
	for key := range f.Inputs() {
		text, found := strings.CutPrefix(key, prefix)
		id, err := uuid.Parse(text)
		if !found || err != nil || f.Value(key) == "" {
			continue
		}
		n, err := strconv.Atoi(f.Value(key))
		f.checks.That(err == nil, inBenefit(i, "costs"), f.UI.T("Enter a whole number."))
		if n != 1 {
			b.Costs[id] = n
		}
	}
}

// read returns the plan in the form, of a kind and a currency. Its error is at the fields.
func read(c *desk.Call, kind plan.Kind, cur money.Currency) (plan.CreateInput, error) {
	f := reader{Call: c}
	in := plan.CreateInput{
		Name: c.Value("name"), Description: strings.ReplaceAll(c.Value("description"), "\r\n", "\n"), Kind: kind,
		Currency: cur, SoldOnline: c.Ticked("soldOnline"), LocationIDs: c.UUIDs("locationIds"),
		CustomerMax: f.number("customerMax"), NewCustomers: c.Ticked("newCustomers"), Position: f.number("position"),
		Validity: plan.Validity{Count: f.number("validCount")},
	}
	if in.Count != 0 {
		in.Unit, in.FromFirstUse = rules.Unit(c.Value("validUnit")), c.Ticked("fromFirstUse")
	}
	if id := c.UUID("taxRateId"); id != uuid.Nil {
		in.TaxRateID = &id
	}
	if kind != plan.Comp {
		in.PriceAmount = f.price("priceAmount", cur, true)
	}
	if kind == plan.Renewing {
		given := !slices.Contains([]string{"", "0"}, c.Value("validCount"))
		f.checks.That(given, "validCount", c.UI.T("Enter the length of a billing period."))
		in.FromFirstUse, in.Renewal, in.ChangeIDs = false, f.renewal(cur), c.UUIDs(fieldChanges)
	}
	in.Freeze = f.freeze()
	for _, n := range numbers(c) {
		in.Benefits = append(in.Benefits, f.benefit(n))
	}
	return in, f.checks.Err()
}

// price returns a price; 0 for an empty field, which is an error if the price is needed.
func (f *reader) price(name string, cur money.Currency, needed bool) int64 {
	amount, err := f.Amount(name, cur)
	if wrong := fault.From(err); wrong != nil {
		for _, w := range wrong.Fields {
			f.checks.That(false, w.Field, w.Message)
		}
		return 0
	}
	if amount == nil {
		f.checks.That(!needed, name, f.UI.T("Enter a price. 0 is free."))
		return 0
	}
	return *amount
}

// renewal returns the terms of a membership.
func (f *reader) renewal(cur money.Currency) plan.Renewal {
	r := plan.Renewal{
		IntroPeriods: f.number(fieldIntroPeriods), MinPeriods: f.number(fieldMinPeriods), Ends: f.Ticked(fieldEnds),
		NoticeDays: f.number(fieldNoticeDays), BillingDay: f.number(fieldBillingDay),
		DowngradePeriods: f.number(fieldDowngrade),
	}
	r.IntroAmount = f.price(fieldIntroAmount, cur, r.IntroPeriods > 0)
	return r
}

// change returns the form as changes of a plan.
func change(in plan.CreateInput, p plan.Plan, version int64) plan.UpdateInput {
	out := plan.UpdateInput{
		ID: p.ID, Version: version, Name: &in.Name, Description: &in.Description, PriceAmount: &in.PriceAmount,
		TaxRateID: patch.Field[uuid.UUID]{Set: true, Value: in.TaxRateID}, SoldOnline: &in.SoldOnline,
		LocationIDs: &in.LocationIDs, ValidCount: patch.None[int](), ValidUnit: patch.None[rules.Unit](),
		FromFirstUse: &in.FromFirstUse, CustomerMax: &in.CustomerMax, NewCustomers: &in.NewCustomers,
		Position: &in.Position, Benefits: &in.Benefits, Renewal: &in.Renewal, Freeze: &in.Freeze,
		ChangeIDs: &in.ChangeIDs,
	}
	if in.Count != 0 {
		out.ValidCount, out.ValidUnit = patch.Some(in.Count), patch.Some(in.Unit)
	}
	return out
}

var benefitField = regexp.MustCompile(`^benefits\[(\d+)\]`)

// atBenefit puts an error about a benefit at its fields in the form: the domain counts those of the plan.
func atBenefit(c *desk.Call, err error) error {
	f := fault.From(err)
	if f == nil || len(f.Fields) == 0 {
		return err
	}
	list := numbers(c)
	return f.At(func(field string) string {
		return benefitField.ReplaceAllStringFunc(field, func(text string) string {
			i, wrong := strconv.Atoi(benefitField.FindStringSubmatch(text)[1])
			if wrong != nil || i >= len(list) {
				return text
			}
			return fmt.Sprintf("benefits[%d]", list[i])
		})
	})
}

// currencies returns those of the business and its locations, the business's first.
func currencies(c *desk.Call) []ui.Option {
	list := []money.Currency{c.Workspace.Business.Currency}
	for _, l := range c.Workspace.Locations {
		if !slices.Contains(list, l.Currency) {
			list = append(list, l.Currency)
		}
	}
	var out []ui.Option
	for _, cur := range list {
		out = append(out, ui.Option{Value: string(cur), Text: string(cur)})
	}
	return out
}

// currencyOf returns the currency of a new plan: the chosen one, else the business's.
func currencyOf(c *desk.Call) money.Currency {
	for _, o := range currencies(c) {
		if o.Value == c.Value("currency") {
			return money.Currency(o.Value)
		}
	}
	return c.Workspace.Business.Currency
}
