package catalog

import (
	"encoding/json"
	"fmt"
	"time"

	"foyer/app/fault"
	"foyer/app/money"
)

// Rules are the rules of a policy for booking, cancelling and waiting. A booking keeps a copy of the rules as they
// were when it was made, and everything about it is decided from that copy. All lengths are elapsed minutes before
// the start, so that a change of the clocks neither lengthens nor shortens them; amounts are minor units of the
// location's currency.
type Rules struct {
	NoticeMinutes int             `json:"noticeMinutes" doc:"Lead time: minutes before the start until which it can be booked."`
	WindowDays    int             `json:"windowDays" doc:"Booking window, in days. 0: no limit."`
	PartyMin      int             `json:"partyMin" doc:"Minimum number of people of one rental or appointment."`
	PartyMax      int             `json:"partyMax" doc:"Maximum number of people of one rental or appointment. 0: limited by the capacity only."`
	PayAtStudio   bool            `json:"payAtStudio" doc:"Customers may book without a card and pay at the studio."`
	Deposit       DepositRules    `json:"deposit" doc:"Deposit that is paid when booking. The balance due is payable at the studio."`
	Cancel        CancelRules     `json:"cancel"`
	NoShow        NoShowRules     `json:"noShow"`
	Reschedule    RescheduleRules `json:"reschedule"`
	Grace         GraceRules      `json:"grace"`
	Waitlist      WaitlistRules   `json:"waitlist"`
	CollectFees   bool            `json:"collectFees" doc:"Fees are charged to the saved card after their review period."`
}

// CancelRules has two independent windows: the deadline of a refund, and the beginning of late cancellations, with a
// fee.
type CancelRules struct {
	Allowed          bool  `json:"allowed" doc:"Customers may cancel."`
	FreeUntilMinutes int   `json:"freeUntilMinutes" doc:"Minutes before the start until which a cancellation refunds the price."`
	LateFromMinutes  int   `json:"lateFromMinutes" doc:"Minutes before the start from which a cancellation is late."`
	LateFeeAmount    int64 `json:"lateFeeAmount" doc:"Late-cancellation fee, in minor units."`
}

// NoShowRules are the rules for no-shows.
type NoShowRules struct {
	FeeAmount     int64 `json:"feeAmount" doc:"No-show fee, in minor units."`
	ReviewMinutes int   `json:"reviewMinutes" doc:"Review period of a fee before it is charged, in minutes. It also applies to late-cancellation fees."`
}

// RescheduleRules are the rules for rescheduling a booking.
type RescheduleRules struct {
	Allowed      bool `json:"allowed" doc:"Customers may reschedule a booking."`
	UntilMinutes int  `json:"untilMinutes" doc:"Minutes before the start until which a booking can be rescheduled."`
	Max          int  `json:"max" doc:"Maximum number of reschedulings of a booking. 0: no limit."`
}

// GraceRules are the grace rule: they waive some fees of the last days, counted separately by kind.
type GraceRules struct {
	Days        int `json:"days" doc:"Length of the grace window, in days."`
	LateCancels int `json:"lateCancels" doc:"Late cancellations without a fee in the window."`
	NoShows     int `json:"noShows" doc:"No-shows without a fee in the window."`
}

// WaitlistMode is the mode of assigning free seats to a waitlist.
type WaitlistMode string

// The modes: no waitlist; the first entry is booked and notified; the first entry gets an offer for some minutes,
// then the next; all are notified and the first to accept wins.
const (
	WaitlistOff   WaitlistMode = "off"
	WaitlistAuto  WaitlistMode = "auto"
	WaitlistOffer WaitlistMode = "offer"
	WaitlistRace  WaitlistMode = "race"
)

// All lists them.
func (WaitlistMode) All() []WaitlistMode {
	return []WaitlistMode{WaitlistOff, WaitlistAuto, WaitlistOffer, WaitlistRace}
}

// WaitlistRules are the rules of the waitlist.
type WaitlistRules struct {
	Mode          WaitlistMode `json:"mode" enum:"off,auto,offer,race"`
	OfferMinutes  int          `json:"offerMinutes" doc:"Time to accept an offer, in minutes."`
	CutoffMinutes int          `json:"cutoffMinutes" doc:"Minutes before the start from which the waitlist is closed: no entries are added and no offers made."`
	GraceMinutes  int          `json:"graceMinutes" doc:"Minutes of free cancellation after a late booking from the waitlist."`
}

// StandardRules returns the rules without a policy: until the day before, cancelling is free; after that the price is
// not refunded.
func StandardRules() Rules {
	const day = 24 * 60
	return Rules{
		PartyMin:    1,
		Cancel:      CancelRules{Allowed: true, FreeUntilMinutes: day, LateFromMinutes: day},
		NoShow:      NoShowRules{ReviewMinutes: 12 * 60},
		Reschedule:  RescheduleRules{Allowed: true, UntilMinutes: day},
		Grace:       GraceRules{Days: 90},
		Waitlist:    WaitlistRules{Mode: WaitlistOffer, OfferMinutes: 10, CutoffMinutes: 60, GraceMinutes: 30},
		CollectFees: true,
	}
}

// UnmarshalJSON parses rules in their stored form. A missing rule, from before it existed, is the standard one; null
// is the standard rules.
func (r *Rules) UnmarshalJSON(data []byte) error {
	type named Rules // Rules without this method
	rules := named(StandardRules())
	if err := json.Unmarshal(data, &rules); err != nil {
		return fmt.Errorf("catalog: rules: %w", err)
	}
	*r = Rules(rules)
	return nil
}

// ReadRules is UnmarshalJSON for text.
func ReadRules(text []byte) (rules Rules, err error) {
	err = json.Unmarshal(text, &rules)
	return rules, err
}

// The limits of rules.
const (
	leadMax   = 366 * 24 * 60
	windowMax = 731
	feeMax    = 99_999_999
)

// Check adds the problems of the rules to checks; path is their path in the input, "rules." for example.
func (r Rules) Check(checks *fault.Checks, path string) {
	within := func(field string, v, low, high int) {
		checks.That(v >= low && v <= high, path+field, fmt.Sprintf("Use %d to %d.", low, high))
	}
	fee := func(field string, v int64) {
		checks.That(v >= 0 && v <= feeMax, path+field, fmt.Sprintf("Use 0 to %d.", feeMax))
	}
	within("noticeMinutes", r.NoticeMinutes, 0, leadMax)
	within("windowDays", r.WindowDays, 0, windowMax)
	within("partyMin", r.PartyMin, 1, 1000)
	within("partyMax", r.PartyMax, 0, 1000)
	checks.That(r.PartyMax == 0 || r.PartyMin <= r.PartyMax, path+"partyMax", "The largest party must not be smaller than the smallest.")
	r.checkDeposit(checks, path)
	within("cancel.freeUntilMinutes", r.Cancel.FreeUntilMinutes, 0, leadMax)
	within("cancel.lateFromMinutes", r.Cancel.LateFromMinutes, 0, leadMax)
	fee("cancel.lateFeeAmount", r.Cancel.LateFeeAmount)
	fee("noShow.feeAmount", r.NoShow.FeeAmount)
	within("noShow.reviewMinutes", r.NoShow.ReviewMinutes, 0, 31*24*60)
	within("reschedule.untilMinutes", r.Reschedule.UntilMinutes, 0, leadMax)
	within("reschedule.max", r.Reschedule.Max, 0, 100)
	within("grace.days", r.Grace.Days, 0, 366)
	within("grace.lateCancels", r.Grace.LateCancels, 0, 100)
	within("grace.noShows", r.Grace.NoShows, 0, 100)
	switch r.Waitlist.Mode {
	case WaitlistOff, WaitlistAuto, WaitlistOffer, WaitlistRace:
	default:
		checks.That(false, path+"waitlist.mode", "Use off, auto, offer or race.")
	}
	within("waitlist.offerMinutes", r.Waitlist.OfferMinutes, 1, 7*24*60)
	within("waitlist.cutoffMinutes", r.Waitlist.CutoffMinutes, 0, leadMax)
	within("waitlist.graceMinutes", r.Waitlist.GraceMinutes, 0, 24*60)
}

// FreeUntil returns the last instant at which a cancellation refunds the price of a booking with that start.
func (r Rules) FreeUntil(start time.Time) time.Time { return before(start, r.Cancel.FreeUntilMinutes) }

// LateFrom returns the instant from which a cancellation is late.
func (r Rules) LateFrom(start time.Time) time.Time { return before(start, r.Cancel.LateFromMinutes) }

// HasLateGrace reports whether a late-cancellation fee may be waived by the grace rule, so that it matters which
// customer cancels.
func (r Rules) HasLateGrace() bool { return r.Cancel.LateFeeAmount > 0 && r.Grace.LateCancels > 0 }

// LateFee returns the late-cancellation fee in a currency, rounded down to a step of the currency, so that a card can
// pay it.
func (r Rules) LateFee(cur money.Currency) int64 { return cur.Floor(r.Cancel.LateFeeAmount) }

// NoShowFee returns the no-show fee, rounded like LateFee.
func (r Rules) NoShowFee(cur money.Currency) int64 { return cur.Floor(r.NoShow.FeeAmount) }

// RescheduleUntil returns the last instant at which the customer may reschedule.
func (r Rules) RescheduleUntil(start time.Time) time.Time {
	return before(start, r.Reschedule.UntilMinutes)
}

// OffersUntil returns the instant from which the waitlist adds no entries and makes no offers: its own, or the last one
// for a booking at all, whichever is sooner.
func (r Rules) OffersUntil(start time.Time) time.Time {
	return before(start, max(r.NoticeMinutes, r.Waitlist.CutoffMinutes))
}

// BookUntil returns the last instant at which it can be booked.
func (r Rules) BookUntil(start time.Time) time.Time { return before(start, r.NoticeMinutes) }

func before(start time.Time, minutes int) time.Time {
	return start.Add(-time.Duration(minutes) * time.Minute)
}
