package view

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/discount"
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// PlanNames returns the name of an offering or of a location; empty, if it is unknown.
type PlanNames func(id uuid.UUID) string

// NamesOf returns the PlanNames of a map.
func NamesOf(names map[uuid.UUID]string) PlanNames {
	return func(id uuid.UUID) string { return names[id] }
}

// PlanLines returns sentences about a plan in plain words: its benefits, the time for which it is valid, its limits,
// and the customers who can buy it. The sentences of one benefit are a line each; of several, each benefit is one line.
// A membership has its price and its renewal in RenewalTerms.
//
//	10 credits for all classes, valid for 3 months from the first class.
//	At most 1 booking a day.
func PlanLines(w Words, p plan.Plan, names PlanNames) []string {
	var lines []string
	switch len(p.Benefits) {
	case 0:
	case 1:
		b := p.Benefits[0]
		first := w.valid(BenefitOf(w, b, names), p.Validity, p.Benefits)
		if p.Kind == plan.Renewing {
			first = w.eachPeriod(b, names)
		}
		lines = append(lines, first)
		lines = append(lines, BenefitTerms(w, b, names)...)
	default:
		for _, b := range p.Benefits {
			sentence := w.T("{benefit}.", "benefit", BenefitOf(w, b, names))
			if p.Kind == plan.Renewing {
				sentence = w.eachPeriod(b, names)
			}
			lines = append(lines, Joined(" ", append([]string{sentence}, BenefitTerms(w, b, names)...)...))
		}
		if p.Kind != plan.Renewing {
			lines = append(lines, ValidityOf(w, p.Validity, p.Benefits))
		}
	}
	if p.NewCustomers {
		lines = append(lines, w.T("For new customers."))
	}
	if p.CustomerMax > 0 {
		lines = append(lines, w.N(p.CustomerMax, "At most {n} purchase per customer.", "At most {n} purchases per customer."))
	}
	return lines
}

// BenefitOf returns what a benefit gives, without a full stop: "10 credits for all classes".
func BenefitOf(w Words, b plan.Benefit, names PlanNames) string {
	covered := w.covered(b, names)
	if b.Credits == nil && covered == w.T("all bookings") {
		return w.T("Unlimited bookings")
	}
	if b.Credits == nil {
		return w.T("Unlimited bookings for {offerings}", "offerings", covered)
	}
	if b.GuestsOnly {
		return w.N(*b.Credits, "{n} guest pass for {offerings}", "{n} guest passes for {offerings}", "offerings", covered)
	}
	return w.N(*b.Credits, "{n} credit for {offerings}", "{n} credits for {offerings}", "offerings", covered)
}

// eachPeriod returns what a benefit of a membership gives, as a sentence.
func (w Words) eachPeriod(b plan.Benefit, names PlanNames) string {
	benefit := BenefitOf(w, b, names)
	if b.Credits == nil {
		return w.T("{benefit}.", "benefit", benefit)
	}
	if b.GuestsOnly {
		return w.T("{benefit} in each billing period. Passes that are not used expire with it.", "benefit", benefit)
	}
	if b.RolloverMax > 0 {
		return w.N(b.RolloverMax,
			"{benefit} in each billing period. At most {n} credit that is not used carries over into the next one.",
			"{benefit} in each billing period. At most {n} credits that are not used carry over into the next one.",
			"benefit", benefit)
	}
	return w.T("{benefit} in each billing period. Credits that are not used expire with it.", "benefit", benefit)
}

// BenefitTerms returns sentences about the limits of a benefit; none without a limit.
func BenefitTerms(w Words, b plan.Benefit, names PlanNames) []string {
	var out []string
	if len(b.ExcludedIDs) > 0 {
		out = append(out, w.T("Not for {offerings}.", "offerings", w.listed(nil, b.ExcludedIDs, names)))
	}
	if len(b.LocationIDs) > 0 {
		out = append(out, w.T("Valid at {locations}.", "locations", w.listed(nil, b.LocationIDs, names)))
	}
	out = append(out, w.costs(b, names)...)
	if b.DayMax > 0 {
		out = append(out, w.N(b.DayMax, "At most {n} booking a day.", "At most {n} bookings a day."))
	}
	if b.WeekMax > 0 {
		out = append(out, w.N(b.WeekMax, "At most {n} booking a week.", "At most {n} bookings a week."))
	}
	if b.UpcomingMax > 0 {
		out = append(out, w.N(b.UpcomingMax, "At most {n} upcoming booking at once.",
			"At most {n} upcoming bookings at once."))
	}
	if b.ForGuests {
		out = append(out, w.T("Pays for guests too."))
	}
	return out
}

// MemberDiscount returns a discount as a benefit of a plan, in a sentence or more: "Workshops: 20% off bookings."
func MemberDiscount(w Words, d discount.Discount) string {
	off := w.Lang().Percent(d.PPM)
	if d.PPM == 0 {
		off = w.MoneyShort(Price{Minor: d.Amount, Currency: d.Currency})
	}
	some := len(d.OfferingIDs)+len(d.Weekdays) > 0
	args := []any{"discount", d.Name, "amount", off}
	var first string
	switch {
	case d.AppliesTo == discount.Goods:
		first = w.T("{discount}: {amount} off products.", args...)
	case d.AppliesTo == discount.All && some:
		first = w.T("{discount}: {amount} off some bookings, and off products.", args...)
	case d.AppliesTo == discount.All:
		first = w.T("{discount}: {amount} off bookings and products.", args...)
	case some:
		first = w.T("{discount}: {amount} off some bookings.", args...)
	default:
		first = w.T("{discount}: {amount} off bookings.", args...)
	}
	out := []string{first}
	if d.LeastAmount > 0 {
		least := w.MoneyShort(Price{Minor: d.LeastAmount, Currency: d.Currency})
		out = append(out, w.T("For a price of {amount} or more.", "amount", least))
	}
	if d.CustomerUsesMax > 0 {
		out = append(out, w.N(d.CustomerUsesMax, "Once per customer.", "{n} times per customer."))
	}
	if d.LastDay != nil {
		out = append(out, w.T("Until {date}.", "date", w.Day(Noon(*d.LastDay, w.Zone))))
	}
	return Joined(" ", out...)
}

// costs returns a sentence for each offering that costs another number of credits than one.
func (w Words) costs(b plan.Benefit, names PlanNames) (out []string) {
	if b.Credits == nil {
		return nil
	}
	named := map[string]int{}
	for id, n := range b.Costs {
		if name := names.of(id); name != "" && n > 1 {
			named[name] = n
		}
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		out = append(out, w.N(named[name], "{offering} costs {n} credit.", "{offering} costs {n} credits.", "offering", name))
	}
	return out
}

// covered returns the offerings of a benefit: "all classes and Reformer".
func (w Words) covered(b plan.Benefit, names PlanNames) string {
	if len(b.Kinds)+len(b.OfferingIDs) == 0 || len(b.Kinds) == len(catalog.Kind("").All()) {
		return w.T("all bookings")
	}
	var kinds []string
	for _, k := range b.Kinds {
		kinds = append(kinds, w.allOf(k))
	}
	return w.listed(kinds, b.OfferingIDs, names)
}

func (w Words) allOf(k catalog.Kind) string {
	switch k {
	case catalog.Appointment:
		return w.T("all appointments")
	case catalog.Rental:
		return w.T("all rentals")
	}
	return w.T("all classes")
}

// namesShown is the highest number of names in a sentence; of more it has the number.
const namesShown = 8

// listed returns words, and the names of ids behind them, as a list.
func (w Words) listed(list []string, ids []uuid.UUID, names PlanNames) string {
	list = slices.Clone(list)
	more := 0
	for _, id := range ids {
		if name := names.of(id); name != "" && len(list) < namesShown {
			list = append(list, name)
		} else {
			more++
		}
	}
	if more > 0 && len(list) == 0 {
		return w.C("offerings or locations", "selected ones")
	}
	if more > 0 {
		list = append(list, w.C("offerings or locations", "{n} more", "n", more))
	}
	return w.And(list)
}

// And returns a list in words: "Yin, Vinyasa and Reformer".
func (w Words) And(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return w.T("{names} and {last}", "names", strings.Join(list[:last], ", "), "last", list[last])
}

func (names PlanNames) of(id uuid.UUID) string {
	if names == nil {
		return ""
	}
	return names(id)
}

// byAppointment reports whether benefits are for no class.
func byAppointment(list []plan.Benefit) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(b plan.Benefit) bool {
		return len(b.Kinds) == 0 || len(b.OfferingIDs) > 0 || slices.Contains(b.Kinds, catalog.Class)
	})
}

// valid returns a benefit with the time for which it is valid, as a sentence.
func (w Words) valid(benefit string, v plan.Validity, of []plan.Benefit) string {
	span := SpanOf(w, v.Count, v.Unit)
	switch {
	case v.Count == 0:
		return w.T("{benefit}, without an end date.", "benefit", benefit)
	case v.FromFirstUse && byAppointment(of):
		return w.T("{benefit}, valid for {span} from the first appointment.", "benefit", benefit, "span", span)
	case v.FromFirstUse:
		return w.T("{benefit}, valid for {span} from the first class.", "benefit", benefit, "span", span)
	}
	return w.T("{benefit}, valid for {span} from the purchase.", "benefit", benefit, "span", span)
}

// ValidityOf returns the time for which a plan with these benefits is valid, as a sentence.
func ValidityOf(w Words, v plan.Validity, of []plan.Benefit) string {
	span := SpanOf(w, v.Count, v.Unit)
	switch {
	case v.Count == 0:
		return w.T("No end date.")
	case v.FromFirstUse && byAppointment(of):
		return w.T("Valid for {span} from the first appointment.", "span", span)
	case v.FromFirstUse:
		return w.T("Valid for {span} from the first class.", "span", span)
	}
	return w.T("Valid for {span} from the purchase.", "span", span)
}

// SpanOf returns "3 months".
func SpanOf(w Words, n int, unit rules.Unit) string {
	switch unit {
	case rules.Day:
		return w.N(n, "{n} day", "{n} days")
	case rules.Week:
		return w.N(n, "{n} week", "{n} weeks")
	case rules.Year:
		return w.N(n, "{n} year", "{n} years")
	}
	return w.N(n, "{n} month", "{n} months")
}

// RemainingCredits returns what is left of a grant: "7 credits left", "2 guest passes left", or "Unlimited bookings".
func RemainingCredits(w Words, b plan.Benefit, balance int) string {
	if b.Credits == nil {
		return w.T("Unlimited bookings")
	}
	if b.GuestsOnly {
		return w.N(balance, "{n} guest pass left", "{n} guest passes left")
	}
	return w.N(balance, "{n} credit left", "{n} credits left")
}

// MembershipEnd returns until when a plan of a customer is valid, or that it has ended, without a full stop.
func MembershipEnd(w Words, m plan.Membership) string {
	switch {
	case m.State == plan.Canceled, m.State == plan.Over && m.EndsOn == nil:
		return w.T("Ended")
	case m.EndsOn == nil && m.FromFirstUse && m.Count > 0:
		v := plan.Validity{Count: m.Count, Unit: rules.Unit(m.Unit), FromFirstUse: true}
		return strings.TrimSuffix(ValidityOf(w, v, benefitsOf(m)), ".")
	case m.EndsOn == nil && m.Count > 0: // only a membership has a length and no end
		return w.T("Renews until you cancel it")
	case m.EndsOn == nil:
		return w.T("No end date")
	}
	day := w.Day(Noon(m.LastDay(), w.Zone))
	if m.State == plan.Over {
		return w.T("Ended on {date}", "date", day)
	}
	return w.T("Valid until {date}", "date", day)
}

func benefitsOf(m plan.Membership) []plan.Benefit {
	out := make([]plan.Benefit, len(m.Grants))
	for i, g := range m.Grants {
		out[i] = g.Benefit
	}
	return out
}
