package availability

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
)

// Rule names of an explanation. The list is closed.
const (
	RulePublished   = "published"
	RuleOpen        = "not_paused"
	RuleNotice      = "notice"
	RuleWindow      = "window"
	RuleClosure     = "closure"
	RuleHours       = "opening_hours"
	RuleGrid        = "grid"
	RuleLastStart   = "last_start"
	RuleDailyCap    = "location_daily_cap"
	RuleMemberHours = "member_hours"
	RuleTimeOff     = "member_time_off"
	RuleMemberBusy  = "member_booked"
	RuleMemberDay   = "member_daily_cap"
	RuleMemberWeek  = "member_weekly_cap"
	RuleSpaceHours  = "space_hours"
	RuleSpaceBlock  = "space_block"
	RuleSpaceBusy   = "space_booked"
	RuleSpaceSeats  = "space_seats"
	RuleServed      = "served"
	RuleParty       = "party"
	RuleDate        = "date"
	RuleSeats       = "seats"
	RuleWaitlist    = "waitlist"
)

// RuleResult is the finding of one rule about a start.
type RuleResult struct {
	Rule     string // a name of the closed list
	Holds    bool
	Code     Code       // meaning of a rule that does not hold; empty when it only informs
	MemberID *uuid.UUID // the member concerned; nil: none in particular
	SpaceID  *uuid.UUID
	Text     string // for a person, on the location's wall clock
}

// Explain applies every rule to one start, one after the other, and returns their findings; codes is the result that
// Find and Place have for it.
func (f *Facts) Explain(w SlotRequest) (list []RuleResult, codes Codes) {
	n, tasks := f.tasks([]SlotRequest{w})
	e := explainer{n: n, f: f, t: &tasks[0], p: tasks[0].part}
	e.policy()
	e.place()
	for _, r := range e.p.people {
		e.person(r)
	}
	for _, r := range e.p.spaces {
		e.space(r)
	}
	if _, refusal := f.Assign([]SlotRequest{w}, Storefront); refusal != nil {
		codes = refusal.Codes
	}
	return e.out, codes
}

type explainer struct {
	n   *finder
	f   *Facts
	t   *task
	p   *readyPart
	out []RuleResult
}

// say adds the finding of a rule: yes when it holds, else no.
func (e *explainer) say(rule string, holds bool, code Code, yes, no string) {
	v := RuleResult{Rule: rule, Holds: holds, Text: yes}
	if !holds {
		v.Code, v.Text = code, no
	}
	e.out = append(e.out, v)
}

// clock renders an instant on the location's wall clock.
func (e *explainer) clock(unix int64) string {
	return time.Unix(unix, 0).In(e.f.Zone).Format("Monday 2 January 15:04")
}

func (e *explainer) policy() {
	o := e.p.offer
	e.say(RulePublished, o.State == "published", "", "It is published.", "It is not published: only staff see it.")
	e.say(RuleOpen, !e.f.Paused, CodePaused, "The business is taking bookings.", "The business is not taking bookings right now.")
	until := e.t.from - int64(o.Rules.NoticeMinutes)*60
	notice := fmt.Sprintf("It can be booked until %d minutes before the start", o.Rules.NoticeMinutes)
	e.say(RuleNotice, e.t.from >= e.p.lateBefore, CodeTooLate, notice+".", notice+": until "+e.clock(until)+".")
	days := int(o.window() / (24 * time.Hour))
	e.say(RuleWindow, e.t.from <= e.p.earlyAfter, CodeTooEarly, fmt.Sprintf("It can be booked up to %d days ahead.", days),
		fmt.Sprintf("It can be booked from %d days before the start on, from %s.", days, e.clock(e.t.from-int64(days)*civil.SecondsPerDay)))
}

func (e *explainer) place() {
	o, day := e.p.offer, e.n.cal.days[e.t.day]
	for _, s := range e.f.Special {
		if s.has(day.date) && len(s.Hours) == 0 {
			e.say(RuleClosure, false, CodeClosed, "", "The location is closed on this day: "+s.Name+".")
		} else if s.has(day.date) {
			e.say(RuleClosure, true, "", "The location has special hours on this day: "+s.Name+".", "")
		}
	}
	if o.NeedsSpace {
		hours := cursor{set: setOf(e.n.cal.ofLocation())}
		e.say(RuleHours, hours.covers(e.t.from, e.t.to), CodeClosed, "The location is open from start to end.", "The location is not open from start to end.")
	}
	e.say(RuleServed, e.p.served(), CodeClosed, "It has an instructor or a space.", "It has no instructor, or no space.")
	e.party()
	if o.LastStart != nil {
		at := civil.LocalClock(time.Unix(e.t.from, 0), e.f.Zone)
		e.say(RuleLastStart, at <= *o.LastStart, CodeClosed, "No start is later than "+o.LastStart.String()+".", "No start is later than "+o.LastStart.String()+".")
	}
	if e.f.DailyCap > 0 {
		e.say(RuleDailyCap, e.n.spare[e.t.day] > 0, CodeFull, fmt.Sprintf("The location has %d of at most %d bookings on this day.", e.f.Given[day.date], e.f.DailyCap),
			fmt.Sprintf("The location has reached its limit of %d bookings a day.", e.f.DailyCap))
	}
}

// party adds whether it can be booked for so many: an offer without room for a party is full for it, and a limit of
// the policy is independent of the time.
func (e *explainer) party() {
	o := e.p.offer
	least, most := o.parties()
	code := CodeFull
	if e.p.Party <= o.Capacity {
		code = ""
	}
	text := fmt.Sprintf("It can be booked for %d to %d people", least, most)
	e.say(RuleParty, e.p.Party >= least && e.p.Party <= most, code, text+".", fmt.Sprintf("%s, not for %d.", text, e.p.Party))
}

// grid adds whether the openings of a person or a space have the start.
func (e *explainer) grid(r *resource, name string) {
	on := len(e.n.marks(r, e.p, e.p.length, e.t.from, e.t.from+1)) > 0
	text := fmt.Sprintf("Starts with %s are every %d minutes from each opening, as long as they end by closing", name, e.p.step)
	e.say(RuleGrid, on, CodeClosed, text+".", text+"; none is at this time.")
}

func (e *explainer) person(r *resource) {
	p, about := &e.f.People[r.index], len(e.out)
	if !e.p.offer.NeedsSpace {
		e.grid(r, p.Name)
	}
	e.say(RuleMemberHours, r.hours.covers(e.t.from, e.t.to), CodeClosed, p.Name+" works from start to end.", p.Name+" does not work from start to end.")
	e.busy(p.Busy, p.Name, RuleTimeOff, "has no time off", "has time off", CodeStaffBusy, func(b Busy) bool { return b.Kind == TimeOffReason })
	e.busy(p.Busy, p.Name, RuleMemberBusy, "is not booked", "is booked", CodeStaffBusy, func(b Busy) bool { return b.Kind != TimeOffReason })
	if p.DailyCap > 0 {
		given := p.Given[e.n.cal.days[e.t.day].date]
		text := fmt.Sprintf("%s has a limit of %d appointments a day and has %d.", p.Name, p.DailyCap, given)
		e.say(RuleMemberDay, given < p.DailyCap, CodeStaffBusy, text, text)
	}
	if p.WeeklyCap > 0 {
		text := fmt.Sprintf("%s has a limit of %d appointments a week and has %d.", p.Name, p.WeeklyCap, p.WeeklyCap-r.leftOfWeek[e.t.day])
		e.say(RuleMemberWeek, r.leftOfWeek[e.t.day] > 0, CodeStaffBusy, text, text)
	}
	for i := about; i < len(e.out); i++ {
		e.out[i].MemberID = &p.ID
	}
}

// busy adds whether a person or a space has a busy time chosen by a filter, buffers included.
func (e *explainer) busy(list []Busy, name, rule, yes, no string, code Code, is func(Busy) bool) {
	from, to := e.t.from-e.p.before, e.t.to+e.p.after
	text := name + " " + yes
	if e.p.before+e.p.after > 0 {
		text += fmt.Sprintf(", also not in the %d minutes before and %d after", e.p.before/60, e.p.after/60)
	}
	for _, b := range list {
		if is(b) && b.From < to && from < b.To {
			e.say(rule, false, code, "", fmt.Sprintf("%s %s from %s to %s.", name, no, e.clock(b.From), e.clock(b.To)))
			return
		}
	}
	e.say(rule, true, "", text+".", "")
}

func (e *explainer) space(r *resource) {
	space, about, shared := &e.f.Spaces[r.index], len(e.out), e.p.offer.Shared()
	e.grid(r, space.Name)
	e.say(RuleSpaceHours, r.hours.covers(e.t.from, e.t.to), CodeClosed, space.Name+" is open from start to end.", space.Name+" is not open from start to end.")
	var busy []Busy
	for i := range e.f.Spaces {
		if e.f.related(i, r.index) {
			busy = append(busy, e.f.Spaces[i].Busy...)
		}
	}
	e.busy(busy, space.Name, RuleSpaceBlock, "is not blocked", "is out of use", CodeSpaceBusy, func(b Busy) bool { return b.Kind == TimeOffReason })
	e.busy(busy, space.Name, RuleSpaceBusy, "is not booked", "is booked", CodeSpaceBusy, func(b Busy) bool {
		return b.Kind == Claimed || !shared && b.Kind != TimeOffReason
	})
	seats := r.capacity - r.seats.peak(e.t.from-e.p.before, e.t.to+e.p.after)
	text := fmt.Sprintf("%s has room for %d more.", space.Name, max(0, seats))
	e.say(RuleSpaceSeats, seats >= e.p.Party, CodeFull, text, text)
	for i := about; i < len(e.out); i++ {
		e.out[i].SpaceID = &space.ID
	}
}
