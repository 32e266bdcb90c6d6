package catalog

import (
	"encoding/json"
	"fmt"
	"time"

	"foyer/app/fault"
	"foyer/app/money"
)

// Rules are what a policy says about booking, cancelling and waiting. A booking keeps a copy of the rules as they were
// when it was made, and everything about it is decided from that copy. All lengths are elapsed minutes before the start,
// so that a change of the clocks neither lengthens nor shortens them; amounts are minor units of the location's currency.
type Rules struct {
	NoticeMinutes int             `json:"noticeMinutes" doc:"nobody books later than so many minutes before the start"`
	WindowDays    int             `json:"windowDays" doc:"how many days ahead can be booked; 0: as far as there are times"`
	PartyMin      int             `json:"partyMin" doc:"smallest number of people of one rental or appointment"`
	PartyMax      int             `json:"partyMax" doc:"largest; 0: as many as there is room for"`
	PayAtStudio   bool            `json:"payAtStudio" doc:"customers may book without a card and pay when they come"`
	Deposit       DepositRules    `json:"deposit" doc:"what of the price is paid when it is booked; the rest is due at the studio"`
	Cancel        CancelRules     `json:"cancel"`
	NoShow        NoShowRules     `json:"noShow"`
	Reschedule    RescheduleRules `json:"reschedule"`
	Forgive       ForgiveRules    `json:"forgive"`
	Waitlist      WaitlistRules   `json:"waitlist"`
	CollectFees   bool            `json:"collectFees" doc:"fees are charged to the card that the customer had the studio keep, when their review is over"`
}

// CancelRules has two windows, which are two numbers: until when the money or credit comes back, and from when a
// cancellation is late and may cost a fee.
type CancelRules struct {
	Allowed          bool  `json:"allowed" doc:"customers may cancel"`
	FreeUntilMinutes int   `json:"freeUntilMinutes" doc:"the price comes back until so many minutes before the start"`
	LateFromMinutes  int   `json:"lateFromMinutes" doc:"a cancellation is late from so many minutes before the start"`
	LateFeeAmount    int64 `json:"lateFeeAmount" doc:"fee of a late cancellation, in minor units"`
}

// NoShowRules are about those who do not come.
type NoShowRules struct {
	FeeAmount     int64 `json:"feeAmount" doc:"fee in minor units"`
	ReviewMinutes int   `json:"reviewMinutes" doc:"how long the studio can look at a fee, also for a late cancellation, before it is asked for"`
}

// RescheduleRules are about moving a booking to another time.
type RescheduleRules struct {
	Allowed      bool `json:"allowed" doc:"customers may move a booking"`
	UntilMinutes int  `json:"untilMinutes" doc:"until so many minutes before the start"`
	Max          int  `json:"max" doc:"how often; 0: as often as they like"`
}

// ForgiveRules let some slips of the last days pass without a fee, counted apart.
type ForgiveRules struct {
	Days        int `json:"days" doc:"length of the window that is looked back on"`
	LateCancels int `json:"lateCancels" doc:"late cancellations without a fee in the window"`
	NoShows     int `json:"noShows" doc:"no-shows without a fee in the window"`
}

// WaitlistMode is how a free seat finds its next person.
type WaitlistMode string

// The modes: nobody waits; the first one is booked and told; the first one is asked and has some minutes, then the next;
// all are told and the first to accept wins.
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

// WaitlistRules are about waiting for a seat.
type WaitlistRules struct {
	Mode          WaitlistMode `json:"mode" enum:"off,auto,offer,race"`
	OfferMinutes  int          `json:"offerMinutes" doc:"how long an offer stands"`
	CutoffMinutes int          `json:"cutoffMinutes" doc:"from so many minutes before the start nobody is added or asked"`
	GraceMinutes  int          `json:"graceMinutes" doc:"who was booked from the list when cancelling was late already may leave free of charge for so long"`
}

// StandardRules hold where no policy is named: the day before, cancelling is free; after that the price stays.
func StandardRules() Rules {
	const day = 24 * 60
	return Rules{
		PartyMin:    1,
		Cancel:      CancelRules{Allowed: true, FreeUntilMinutes: day, LateFromMinutes: day},
		NoShow:      NoShowRules{ReviewMinutes: 12 * 60},
		Reschedule:  RescheduleRules{Allowed: true, UntilMinutes: day},
		Forgive:     ForgiveRules{Days: 90},
		Waitlist:    WaitlistRules{Mode: WaitlistOffer, OfferMinutes: 10, CutoffMinutes: 60, GraceMinutes: 30},
		CollectFees: true,
	}
}

// UnmarshalJSON reads rules as policies and bookings keep them. A rule that they do not name, because they were written before
// there was that rule, is the standard one; null is the standard rules.
func (r *Rules) UnmarshalJSON(data []byte) error {
	type named Rules // Rules without this method
	rules := named(StandardRules())
	if err := json.Unmarshal(data, &rules); err != nil {
		return fmt.Errorf("catalog: rules: %w", err)
	}
	*r = Rules(rules)
	return nil
}

// ReadRules is UnmarshalJSON for the text of rules.
func ReadRules(text []byte) (rules Rules, err error) {
	err = json.Unmarshal(text, &rules)
	return rules, err
}

// The bounds of rules.
const (
	leadMax   = 366 * 24 * 60
	windowMax = 731
	feeMax    = 99_999_999
)

// Check adds what is wrong with the rules to checks; path is where they stand in the input, "rules." for example.
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
	within("forgive.days", r.Forgive.Days, 0, 366)
	within("forgive.lateCancels", r.Forgive.LateCancels, 0, 100)
	within("forgive.noShows", r.Forgive.NoShows, 0, 100)
	switch r.Waitlist.Mode {
	case WaitlistOff, WaitlistAuto, WaitlistOffer, WaitlistRace:
	default:
		checks.That(false, path+"waitlist.mode", "Use off, auto, offer or race.")
	}
	within("waitlist.offerMinutes", r.Waitlist.OfferMinutes, 1, 7*24*60)
	within("waitlist.cutoffMinutes", r.Waitlist.CutoffMinutes, 0, leadMax)
	within("waitlist.graceMinutes", r.Waitlist.GraceMinutes, 0, 24*60)
}

// FreeUntil is the last instant at which cancelling gives the price of a booking that starts then back.
func (r Rules) FreeUntil(start time.Time) time.Time { return before(start, r.Cancel.FreeUntilMinutes) }

// LateFrom is the instant from which a cancellation is late.
func (r Rules) LateFrom(start time.Time) time.Time { return before(start, r.Cancel.LateFromMinutes) }

// ForgivesLate tells whether a fee for cancelling late is forgiven at times, so that it matters who cancels.
func (r Rules) ForgivesLate() bool { return r.Cancel.LateFeeAmount > 0 && r.Forgive.LateCancels > 0 }

// LateFee is the fee of a late cancellation in a currency, as a card can pay it: rounded down to a step of the currency.
func (r Rules) LateFee(cur money.Currency) int64 { return cur.Floor(r.Cancel.LateFeeAmount) }

// NoShowFee is the fee for not coming, as LateFee is that for cancelling late.
func (r Rules) NoShowFee(cur money.Currency) int64 { return cur.Floor(r.NoShow.FeeAmount) }

// RescheduleUntil is the last instant at which the customer may move it.
func (r Rules) RescheduleUntil(start time.Time) time.Time {
	return before(start, r.Reschedule.UntilMinutes)
}

// AsksUntil is the instant from which nobody is put on a waitlist or asked: the list's own, or the last at which it can be
// booked at all, whichever is sooner.
func (r Rules) AsksUntil(start time.Time) time.Time {
	return before(start, max(r.NoticeMinutes, r.Waitlist.CutoffMinutes))
}

// BookUntil is the last instant at which it can be booked.
func (r Rules) BookUntil(start time.Time) time.Time { return before(start, r.NoticeMinutes) }

func before(start time.Time, minutes int) time.Time {
	return start.Add(-time.Duration(minutes) * time.Minute)
}
