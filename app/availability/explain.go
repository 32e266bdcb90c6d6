package availability

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ExplainInput selects one start of one offering.
type ExplainInput struct {
	LocationID       uuid.UUID
	StartsAt         time.Time
	Segment          // the offering and its length, people and space; Match is any
	Party            int
	ExcludeBookingID *uuid.UUID
}

// Explanation is every rule applied to a start, and the result.
type Explanation struct {
	StartsAt  time.Time
	EndsAt    time.Time
	Available bool // people and spaces are free
	Bookable  bool // and the policy allows it, for the storefront
	Codes     []Code
	Rules     []RuleResult
}

// Explain returns every rule that is applied to one start of an offering, in order, with its finding: the reasons why
//
//	a time is available or unavailable. One round trip. It needs location.view. Errors: as Search.
func (s *Service) Explain(ctx context.Context, sc tenancy.Scope, in ExplainInput) (Explanation, error) {
	if err := policy.RequireAt(sc, policy.LocationView, in.LocationID); err != nil {
		return Explanation{}, err
	}
	v := s.db.View(sc.Tenant)
	if err := in.check(v.Now()); err != nil {
		return Explanation{}, err
	}
	need := factsOf{offerings: []uuid.UUID{in.OfferingID}, from: in.StartsAt, to: in.StartsAt.Add(visitMax), dates: true}
	k, err := factsAt(ctx, v, in.LocationID, in.ExcludeBookingID, need)
	if err != nil {
		return Explanation{}, err
	}
	if k.Offers[0].Kind == catalog.Class {
		return k.explainDate(in), nil
	}
	return k.explain(in)
}

func (in ExplainInput) check(now time.Time) error {
	var c fault.Checks
	checkTime(&c, "startsAt", in.StartsAt, now)
	c.That(in.StartsAt.Equal(in.StartsAt.Truncate(time.Minute)), "startsAt", "Use whole minutes.")
	checkMinutes(&c, "minutes", in.Minutes)
	checkParty(&c, in.Party)
	c.That(len(in.MemberIDs) <= filterMax, "memberIds", fmt.Sprintf("Name at most %d people.", filterMax))
	return c.Err()
}

func (k *known) explain(in ExplainInput) (Explanation, error) {
	o := &k.Offers[0]
	part, err := k.part(0, in.Minutes, in.Party, StaffOverride)
	if err != nil {
		return Explanation{}, err
	}
	k.narrow(&part, o, in.Segment)
	list, codes := k.Facts.Explain(SlotRequest{Part: part, StartsAt: in.StartsAt})
	end := in.StartsAt.Add(time.Duration(part.Minutes) * time.Minute)
	out := Explanation{StartsAt: in.StartsAt, EndsAt: end, Codes: codes.List(), Rules: list}
	out.Available, out.Bookable = codes&resourceBits == 0, codes == 0
	for _, v := range list {
		out.Bookable = out.Bookable && (v.Holds || v.Rule != RuleParty)
	}
	return out, nil
}

// explainDate explains a date of a class, or that there is none.
func (k *known) explainDate(in ExplainInput) Explanation {
	o := &k.Offers[0]
	out := Explanation{StartsAt: in.StartsAt, EndsAt: in.StartsAt}
	e := explainer{n: &finder{f: &k.Facts}, f: &k.Facts, t: &task{from: floor(in.StartsAt)}}
	p := e.n.limits(o)
	e.p = &p
	e.policy()
	var codes Codes
	var date *dateFact
	for i := range k.classes {
		if k.classes[i].StartsAt.Equal(in.StartsAt) && in.taughtBy(k.classes[i].MemberID) {
			date = &k.classes[i]
			break
		}
	}
	e.say(RuleDate, date != nil, CodeClosed, "The class has a date at this time.", "The class has no date at this time.")
	if date == nil {
		codes = closedBit | e.n.policy(&p, e.t.from)
	} else {
		out.EndsAt = date.EndsAt
		party := max(1, in.Party)
		codes = k.date(o, *date, party).Codes
		seats := fmt.Sprintf("%d of %d seats are booked.", date.Taken, date.Capacity)
		e.say(RuleSeats, codes&fullBit == 0, CodeFull, seats, seats)
		waiting := fmt.Sprintf("%d seats are on offer to the waitlist.", date.Offered)
		e.say(RuleWaitlist, codes&waitlistBit == 0, CodeWaitlist, waiting, waiting+" The available seats are reserved for it.")
	}
	out.Codes, out.Available, out.Bookable = codes.List(), codes&resourceBits == 0, codes == 0
	out.Rules = e.out
	return out
}
