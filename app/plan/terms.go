package plan

import (
	"foyer/app/fault"
	"foyer/app/plan/rules"
)

// Terms are what a membership costs besides its price, and how it is ended.
type Terms struct {
	JoiningAmount int64 `json:"joiningAmount"` // once, with the first period; 0: nothing
	// JoiningWhole has the first whole period paid at the purchase, with the part of one that comes before it.
	JoiningWhole bool `json:"joiningWhole"`
	OnWeekdays   bool `json:"onWeekdays"` // what is due on a weekend is charged on the next weekday
	// Of a cancellation: months of notice besides the days of it, or the last day of a month for an end with the next
	// month, which both can be 0; and whether it is for the end of a quarter of the year, not of a billing period.
	NoticeMonths int  `json:"noticeMonths"`
	NoticeBy     int  `json:"noticeBy"`
	EndsQuarter  bool `json:"endsQuarter"`
	// TermRenews has the least number of periods begin again with each end of them.
	TermRenews bool `json:"termRenews"`
	// What it costs to end it before the least number of periods: an amount, and a share of the prices of the periods
	// that remain, in parts per million. Without either it cannot be ended before.
	EndAmount int64 `json:"endAmount"`
	EndPPM    int64 `json:"endPpm"`
	// What a payment costs that is so many days late; 0: nothing.
	LateAmount int64 `json:"lateAmount"`
	LateDays   int   `json:"lateDays"`
}

// check records every error of the terms of a plan.
func (t Terms) check(c *fault.Checks, p Plan) {
	for field, n := range map[string]int64{
		"joiningAmount": t.JoiningAmount, "endAmount": t.EndAmount, "lateAmount": t.LateAmount,
	} {
		c.That(n >= 0 && n <= PriceMax, "renewal."+field, "Use 0 to 99999999.")
	}
	c.That(!t.JoiningWhole || p.BillingDay > 0, "renewal.joiningWhole", "This needs a billing day.")
	c.That(t.NoticeMonths >= 0 && t.NoticeMonths <= 12, "renewal.noticeMonths", "Use 0 to 12.")
	c.That(t.NoticeBy >= 0 && t.NoticeBy <= 28, "renewal.noticeBy", "Use 1 to 28.")
	c.That(t.NoticeBy == 0 || t.NoticeMonths == 0 && p.NoticeDays == 0, "renewal.noticeBy",
		"Use this, or a notice in days and months.")
	onFirst := p.BillingDay == 1 && p.Unit == rules.Month && p.Count == 1
	c.That(t.NoticeBy == 0 || onFirst, "renewal.noticeBy", "This needs billing periods of one month from the first.")
	c.That(!t.EndsQuarter || onFirst, "renewal.endsQuarter", "This needs billing periods of one month from the first.")
	c.That(!t.TermRenews || p.MinPeriods > 0 && !p.Ends, "renewal.termRenews",
		"This needs a least number of periods, after which it does not end by itself.")
	c.That(t.EndPPM >= 0 && t.EndPPM <= 1_000_000, "renewal.endPpm", "Use 0 to 1000000.")
	c.That(t.EndAmount == 0 && t.EndPPM == 0 || p.MinPeriods > 0, "renewal.endAmount",
		"This needs a least number of periods.")
	c.That(t.LateDays >= 0 && t.LateDays < LapseDays, "renewal.lateDays", "Use 1 to 13.")
	c.That((t.LateAmount > 0) == (t.LateDays > 0), "renewal.lateDays", "Enter the fee and the days.")
}
