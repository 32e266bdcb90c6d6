package view

import (
	"cmp"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/words"
)

// The clauses of the sentence: the time of a cost. apptest/terms reads them back.
const (
	CostNever         words.Text = "Free to cancel any time before it begins"
	CostNeverCourse   words.Text = "Free to cancel any time before its last date begins"
	CostNotOnline     words.Text = "This cannot be cancelled online"
	CostNow           words.Text = "If you cancel, {cost}"
	CostUntilFree     words.Text = "Free cancellation until {when}"
	CostUntilBack     words.Text = "The price is refundable until {when}"
	CostUntil         words.Text = "Until {when} {cost}"
	CostAfter         words.Text = "after that {cost}"
	CostThen          words.Text = "then {cost}"
	CostFrom          words.Text = "from {when}, {cost}"
	CostOnceConfirmed words.Text = "Free to withdraw until the studio answers; once confirmed, {then}"
	// Of a course.
	CostBeforeEach        words.Text = "less than {span} before each date {cost}"
	CostBeforeEachNow     words.Text = "less than {span} before each date, as now, {cost}"
	CostFreeBeforeEach    words.Text = "Free to cancel, but less than {span} before each date {cost}"
	CostFreeBeforeEachNow words.Text = "Free to cancel, but less than {span} before each date, as now, {cost}"
)

// CostAnd puts a clause behind those before it. Each language has its own sign between them, and its own space before
// that.
const CostAnd words.Text = "{before}; {clause}"

// The clauses of the sentence: the cost.
const (
	CostsNotOnline     words.Text = "it cannot be cancelled online"
	CostsNothing       words.Text = "it is free"
	CostsPrice         words.Text = "you lose {price}"
	CostsServiceFee    words.Text = "you lose only the service fee of {price}"
	CostsAlsoPrice     words.Text = "you also lose {price}"
	CostsFee           words.Text = "you pay a late-cancellation fee of {fee}"
	CostsAlsoFee       words.Text = "you also pay a late-cancellation fee of {fee}"
	CostsBoth          words.Text = "you lose {price} and pay a late-cancellation fee of {fee}"
	CostsServiceAndFee words.Text = "you lose only the service fee of {price} and pay a late-cancellation fee of {fee}"
	// A fee waived by a grace rule: always, or a number of times in a number of days.
	CostsWaived              words.Text = "the {fee} late-cancellation fee is waived"
	CostsWaivedNth           words.Text = "the {fee} late-cancellation fee is waived (up to {times} in {days}, and this would be the {nth})"
	CostsPriceWaived         words.Text = "you lose {price}, and the {fee} late-cancellation fee is waived"
	CostsPriceWaivedNth      words.Text = "you lose {price}, and the {fee} late-cancellation fee is waived (up to {times} in {days}, and this would be the {nth})"
	CostsServiceFeeWaived    words.Text = "you lose only the service fee of {price}, and the {fee} late-cancellation fee is waived"
	CostsServiceFeeWaivedNth words.Text = "you lose only the service fee of {price}, and the {fee} late-cancellation fee is waived (up to {times} in {days}, and this would be the {nth})"
)

// CancelTerms returns one sentence: until when cancelling a booking is free of charge and what it costs afterwards,
// as instants on the location's wall clock. It is derived from booking.Costs and therefore matches the cost of
// cancelling. For a course b is the next upcoming date. For an item that is not booked yet b is a booking without an
// id, with state Requested if the studio approves each booking. The sentence is empty for a booking that has begun or
// does not stand.
//
// The sentence consists of clauses (CostAnd). Each cost is a main clause: other languages put a colon before it, and
// so keep their word order.
func CancelTerms(w Words, b booking.Booking, s booking.CostBasis) string {
	costs := b.Costs(s, w.Now)
	if len(costs) == 0 {
		return ""
	}
	if b.State == booking.Requested {
		b.State = booking.Confirmed
		return w.T(CostOnceConfirmed, "then", w.inside(CancelTerms(w, b, s)))
	}
	if s.PlanCredits > 0 && !costs[0].Refused {
		credits := w.creditTerms(b, s)
		if len(costs) == 1 && costs[0].Free() {
			return credits
		}
		s.PlanCredits = 0
		return Joined(" ", credits, CancelTerms(w, b, s))
	}
	c := costWords{w, b, s}
	parts := c.sentence(costs, CostUntilFree, CostNever)
	if b.Course() {
		parts = c.course(costs)
	}
	sentence := parts[0]
	for _, clause := range parts[1:] {
		sentence = w.T(CostAnd, "before", sentence, "clause", clause)
	}
	return sentence + "."
}

// costWords writes the cost of cancelling one booking.
type costWords struct {
	Words
	booking.Booking
	booking.CostBasis
}

// sentence returns the costs in order of time. free is the text for the time without a cost, and never the text for a
// booking that never costs anything to cancel.
func (c costWords) sentence(costs []booking.Cost, free, never words.Text) []string {
	costs = lasting(costs)
	first, rest := costs[0], costs[1:]
	switch {
	case len(rest) > 0:
	case first.Free():
		return []string{c.T(never)}
	case first.Refused:
		return []string{c.T(CostNotOnline)}
	default:
		return []string{c.T(CostNow, "cost", c.phrase(first, booking.Cost{}))}
	}
	until := c.ShortWhen(rest[0].From)
	parts := []string{c.T(free, "when", until)}
	if !first.Free() {
		parts[0] = c.T(CostUntil, "when", until, "cost", c.phrase(first, booking.Cost{}))
	}
	for i, cost := range rest {
		phrase := c.phrase(cost, costs[i])
		switch {
		case i > 0:
			parts = append(parts, c.T(CostFrom, "when", c.ShortWhen(cost.From), "cost", phrase))
		case len(rest) > 1:
			parts = append(parts, c.T(CostThen, "cost", phrase))
		default:
			parts = append(parts, c.T(CostAfter, "cost", phrase))
		}
	}
	return parts
}

// lasting drops costs that apply for less than a second: to readers, the last instant with a refund and the first
// late instant are the same.
func lasting(costs []booking.Cost) []booking.Cost {
	out := costs[:1:1]
	for i, c := range costs[1:] {
		if next := i + 2; next == len(costs) || costs[next].From.Sub(c.From) >= time.Second {
			out = append(out, c)
		}
	}
	return out
}

// phrase is the cost in one part of the time, given that of the part before.
func (c costWords) phrase(cost, before booking.Cost) string {
	price, fee := c.money(cost.LostAmount), c.money(cost.FeeAmount)
	service := c.CostBasis.PriceAmount > 0 && cost.LostAmount == c.CostBasis.FeeAmount // only the service fee is lost
	lost, paid := before.LostAmount == cost.LostAmount, before.FeeAmount == cost.FeeAmount
	switch {
	case cost.Refused:
		return c.T(CostsNotOnline)
	case cost.Free():
		return c.T(CostsNothing)
	case cost.WaivedAmount > 0:
		return c.waived(cost, service)
	case cost.FeeAmount == 0 && service:
		return c.T(CostsServiceFee, "price", price)
	case cost.FeeAmount == 0:
		return c.T(CostsPrice, "price", price)
	case cost.LostAmount == 0:
		return c.T(CostsFee, "fee", fee)
	case lost && before.FeeAmount == 0:
		return c.T(CostsAlsoFee, "fee", fee)
	case paid && before.LostAmount == 0:
		return c.T(CostsAlsoPrice, "price", price)
	case service:
		return c.T(CostsServiceAndFee, "price", price, "fee", fee)
	}
	return c.T(CostsBoth, "price", price, "fee", fee)
}

// waived is a fee that is waived by a grace rule, with the number of times that the policy allows and has counted,
// if it is limited.
func (c costWords) waived(cost booking.Cost, service bool) string {
	always, counted := CostsPriceWaived, CostsPriceWaivedNth
	switch {
	case cost.LostAmount == 0:
		always, counted = CostsWaived, CostsWaivedNth
	case service:
		always, counted = CostsServiceFeeWaived, CostsServiceFeeWaivedNth
	}
	values := []any{"price", c.money(cost.LostAmount), "fee", c.money(cost.WaivedAmount)}
	f := c.Rules.Grace
	if f.Days == 0 {
		return c.T(always, values...)
	}
	return c.T(counted, append(values, "times", catalog.Times(c.Lang(), f.LateCancels), "days", c.N(f.Days, "{n} day", "{n} days"), "nth", c.nth(cost.Nth))...)
}

// course returns the cost of cancelling a course. The price is refunded until the first date, and the fee depends on
// the next date at that time.
func (c costWords) course(costs []booking.Cost) []string {
	plain := c.Booking
	plain.Rules.Cancel.LateFeeAmount = 0
	price := plain.Costs(c.CostBasis, c.Now)
	fee := costs[len(costs)-1]
	if fee.FeeAmount+fee.WaivedAmount == 0 {
		return c.sentence(price, CostUntilFree, CostNeverCourse)
	}
	late, only := CostBeforeEach, CostFreeBeforeEach
	if costs[0].FeeAmount+costs[0].WaivedAmount > 0 {
		late, only = CostBeforeEachNow, CostFreeBeforeEachNow
	}
	before := booking.Cost{LostAmount: fee.LostAmount} // already in the sentence
	if fee.WaivedAmount > 0 {
		fee.LostAmount = 0
	}
	values := []any{"span", catalog.Span(c.Lang(), c.Rules.Cancel.LateFromMinutes), "cost", c.phrase(fee, before)}
	free := CostUntilFree
	switch {
	case price[len(price)-1].Free():
		return []string{c.T(only, values...)}
	case c.Rules.Cancel.LateFromMinutes > c.Rules.Cancel.FreeUntilMinutes: // a fee is possible before the price is lost
		free = CostUntilBack
	}
	return append(c.sentence(price, free, CostNeverCourse), c.T(late, values...))
}

// inside returns a sentence for the middle of another, after a comma or a colon. German begins it with a capital
// there too.
func (w Words) inside(sentence string) string {
	if w.Lang().Base() == "de" {
		return sentence
	}
	r, n := utf8.DecodeRuneInString(sentence)
	return string(unicode.ToLower(r)) + sentence[n:]
}

func (c costWords) money(minor int64) string {
	return c.Money(Price{Minor: minor, Currency: c.Currency})
}

// nth is an ordinal: "first" to "tenth" and then "11th" in English, and a plain number in every other language, as
// the sentences there are written for it.
func (w Words) nth(n int) string {
	if w.Lang().Base() != words.English {
		return w.Lang().Number(n)
	}
	names := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	if n <= len(names) {
		return names[n-1]
	}
	suffix := "th"
	if tens := n % 100; tens < 11 || tens > 13 {
		suffix = map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
	}
	return strconv.Itoa(n) + cmp.Or(suffix, "th")
}
