package availability

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
)

// Reasons why a time is unavailable, besides ErrStaffBusy and ErrSpaceBusy. The reason is the Code.
var (
	ErrClosed    = fault.New(fault.Conflict, string(CodeClosed), "This time is not available.")
	ErrPaused    = fault.New(fault.Conflict, string(CodePaused), "The studio is not taking bookings right now.")
	ErrTooEarly  = fault.New(fault.Conflict, string(CodeTooEarly), "This cannot be booked so far in advance.")
	ErrTooLate   = fault.New(fault.Conflict, string(CodeTooLate), "It is too late to book this time.")
	ErrFull      = fault.New(fault.Conflict, string(CodeFull), "No spots are left at this time.")
	ErrPartySize = fault.New(fault.Conflict, "party_size", "It cannot be booked for this number of people. details.min and details.max are the limits.")
)

var refusals = map[Code]*fault.Error{
	CodeClosed: ErrClosed, CodePaused: ErrPaused, CodeTooEarly: ErrTooEarly, CodeTooLate: ErrTooLate,
	CodeStaffBusy: claim.ErrStaffBusy, CodeSpaceBusy: claim.ErrSpaceBusy, CodeFull: ErrFull, CodeWaitlist: ErrFull,
}

func refused(c Codes) *fault.Error { return refusals[c.First()] }

// Alternative is another available time for the same request: details.alternatives of a refusal.
type Alternative struct {
	StartsAt time.Time  `json:"startsAt"`
	EndsAt   time.Time  `json:"endsAt"`
	MemberID *uuid.UUID `json:"memberId,omitempty"` // if one was requested
	SpaceID  *uuid.UUID `json:"spaceId,omitempty"`  // if one was requested
}

// AlternativesMax is the maximum number of alternatives.
const AlternativesMax = 3

// Alternatives are searched on the days around the requested one.
const (
	daysBefore = 3
	daysAfter  = 11
)

// otherTimes releases the locks of AssignTx and finds the bookable starts that are nearest to an ask, those of the
// same day first. Of services in a row the whole visit is shifted.
func otherTimes(ctx context.Context, tx *pg.Tx, asks []SlotRequestAt, ask int, who Audience) ([]Alternative, error) {
	asks = visitOf(asks, ask)
	wanted := asks[0].StartsAt
	in := needs(asks, who)
	in.from, in.to = wanted.AddDate(0, 0, -daysBefore), wanted.AddDate(0, 0, daysAfter)
	if in.from.Before(tx.Now()) {
		in.from = tx.Now()
	}
	if !in.from.Before(in.to) {
		in.to = in.from.AddDate(0, 0, daysAfter)
	}
	k, err := factsWithoutLock(ctx, tx, in)
	if err != nil {
		return nil, err
	}
	if who.Override {
		k.uncap()
	}
	wishes, err := k.wishes(asks, who)
	if err != nil {
		return nil, err
	}
	q := Question{From: in.from, To: in.to.Add(-visitMax)}
	for _, w := range wishes {
		q.Parts = append(q.Parts, w.Part)
	}
	return k.nearest(asks[0], wanted, q, who), nil
}

// visitMax limits the services of a visit, with the busy time after the last start.
const visitMax = 24 * time.Hour

// visitOf returns the asks that follow each other and include that one.
func visitOf(asks []SlotRequestAt, ask int) []SlotRequestAt {
	follows := func(i int) bool {
		before := asks[i-1]
		return before.Minutes > 0 && asks[i].StartsAt.Equal(before.StartsAt.Add(time.Duration(before.Minutes)*time.Minute))
	}
	first, end := ask, ask+1
	for first > 0 && follows(first) {
		first--
	}
	for end < len(asks) && follows(end) {
		end++
	}
	return asks[first:end]
}

func (k *known) nearest(ask SlotRequestAt, wanted time.Time, q Question, who Audience) []Alternative {
	day := civil.LocalDate(wanted, k.Zone)
	nearer := func(a, b *Start) int {
		return cmp.Or(-compareBool(a.Date == day, b.Date == day), cmp.Compare(a.StartsAt.Sub(wanted).Abs(), b.StartsAt.Sub(wanted).Abs()))
	}
	var best []*Start
	starts := k.Find(q)
	for i := range starts {
		s := &starts[i]
		if !s.Bookable() && !(who.Override && s.Available()) {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, s, func(a, b *Start) int { return cmp.Or(nearer(a, b), -1) }) // behind its equals
		if at < AlternativesMax {
			best = slices.Insert(best, at, s)
			best = best[:min(len(best), AlternativesMax)]
		}
	}
	out := make([]Alternative, len(best))
	for i, s := range best {
		out[i] = Alternative{StartsAt: s.StartsAt, EndsAt: s.EndsAt, MemberID: ask.MemberID, SpaceID: ask.SpaceID}
	}
	return out
}

// compareBool puts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
