package availability

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// SlotRequestAt is a requested time of an appointment or a rental.
type SlotRequestAt struct {
	OfferingID        uuid.UUID
	StartsAt          time.Time
	Minutes           int        // 0: the offering's default length
	MemberID          *uuid.UUID // nil: any of its instructors
	SpaceID           *uuid.UUID // nil: any of its spaces
	Party             int        // 0: one person
	ExcludeOccurrence uuid.UUID  // a booking being rescheduled, counted as free; Nil: none
}

// Audience is the party that books. It decides which rules apply.
type Audience struct {
	Staff    bool // any minute and any length inside the hours, and offerings that are not published
	Override bool // the policy, the caps and a pause are overridden: booking.override, with a reason
}

// The audiences.
var (
	Storefront    = Audience{}
	Staff         = Audience{Staff: true}
	StaffOverride = Audience{Staff: true, Override: true}
)

// Placement is a time with its person and space.
type Placement struct {
	OfferingID  uuid.UUID
	Kind        catalog.Kind // of the offering
	LocationID  uuid.UUID
	StartsAt    time.Time
	EndsAt      time.Time
	BlockedFrom time.Time // with the buffers: the time to be claimed
	BlockedTo   time.Time
	MemberID    *uuid.UUID
	SpaceID     *uuid.UUID
	Shared      bool // the space is shared: Party of its seats are occupied
	Party       int
	PriceAmount int64 // of the whole booking, minor units
}

// AssignTx finds a person and a space for every request, in the order of asks, all of them or none. It locks all
// candidates, reads the facts in later statements and decides as the storefront and the search do, so that every
// listed time can be booked, and only once. The locks last until the transaction ends: claim the result in it. A
// request that begins where the one before it ends follows it, as the services of a visit.
//
// Errors:
//   - Validation for an impossible length, party or start
//   - not found for an offering that the audience does not see or that has no computed times, and for requests at
//     two locations
//   - ErrPartySize
//   - the refusals of Code: the code is their reason, details.ask is the index of the request and
//     details.alternatives has up to three other times (Alternative)
func AssignTx(ctx context.Context, tx *pg.Tx, asks []SlotRequestAt, who Audience) ([]Placement, error) {
	if err := checkAsks(asks); err != nil {
		return nil, err
	}
	k, err := factsUnderLock(ctx, tx, asks, needs(asks, who))
	if err != nil {
		return nil, err
	}
	wishes, err := k.wishes(asks, who)
	if err != nil {
		return nil, err
	}
	picks, refusal := k.Assign(wishes, who)
	if refusal == nil {
		return k.placed(wishes, picks), nil
	}
	others, err := otherTimes(ctx, tx, asks, refusal.Wish, who)
	if err != nil {
		return nil, err
	}
	return nil, refused(refusal.Codes).With("ask", refusal.Wish).With("alternatives", others)
}

// The limits of a request.
const (
	SlotsMax = 60
	PartyMax = 1000
)

func checkAsks(asks []SlotRequestAt) error {
	var c fault.Checks
	c.That(len(asks) > 0 && len(asks) <= SlotsMax, "startsAt", fmt.Sprintf("Request 1 to %d times.", SlotsMax))
	for _, a := range asks {
		checkMinutes(&c, "minutes", a.Minutes)
		checkParty(&c, a.Party)
		c.That(a.StartsAt.Year() > 2000 && a.StartsAt.Year() < schedule.LastYear, "startsAt", "This is too far away.")
	}
	return c.Err()
}

// checkMinutes allows a length, and 0 for the default one.
func checkMinutes(c *fault.Checks, field string, n int) {
	c.That(n == 0 || n >= schedule.MinutesMin && n <= schedule.MinutesMax, field,
		fmt.Sprintf("Use %d to %d minutes.", schedule.MinutesMin, schedule.MinutesMax))
}

// checkParty allows a party, and 0 for the smallest one.
func checkParty(c *fault.Checks, n int) {
	c.That(n >= 0 && n <= PartyMax, "party", fmt.Sprintf("Use 1 to %d people.", PartyMax))
}

// needs selects the facts for asks.
func needs(asks []SlotRequestAt, who Audience) factsOf {
	in := factsOf{from: asks[0].StartsAt, to: asks[0].StartsAt, uncapped: who.Override, members: []uuid.UUID{}}
	for _, a := range asks {
		if !slices.Contains(in.offerings, a.OfferingID) {
			in.offerings = append(in.offerings, a.OfferingID)
		}
		if a.StartsAt.Before(in.from) {
			in.from = a.StartsAt
		}
		minutes := a.Minutes
		if minutes == 0 {
			minutes = schedule.MinutesMax
		}
		if end := a.StartsAt.Add(time.Duration(minutes) * time.Minute); end.After(in.to) {
			in.to = end
		}
		if a.MemberID == nil {
			in.members = nil
		} else if in.members != nil {
			in.members = append(in.members, *a.MemberID)
		}
		if a.ExcludeOccurrence != uuid.Nil {
			in.exclude = append(in.exclude, a.ExcludeOccurrence)
		}
	}
	return in
}

// wishes converts asks to the indices of the facts.
func (k *known) wishes(asks []SlotRequestAt, who Audience) ([]SlotRequest, error) {
	out := make([]SlotRequest, len(asks))
	for i, a := range asks {
		at, is := k.offer[a.OfferingID]
		if !is {
			return nil, fault.Missing()
		}
		o := &k.Offers[at]
		if o.Kind == catalog.Class || !who.Staff && !k.public(o) {
			return nil, fault.Missing()
		}
		part, err := k.part(at, a.Minutes, a.Party, who)
		if err != nil {
			return nil, err
		}
		if a.MemberID != nil && o.NeedsPerson {
			part.People = pointAt(k.who, *a.MemberID)
		}
		if a.SpaceID != nil && o.NeedsSpace {
			part.Space = &pointAt(k.space, *a.SpaceID)[0]
		}
		out[i] = SlotRequest{Part: part, StartsAt: a.StartsAt}
	}
	return out, nil
}

// pointAt is the index of an id; one that nothing has when there is no such id.
func pointAt(index map[uuid.UUID]int, id uuid.UUID) []int {
	if i, is := index[id]; is {
		return []int{i}
	}
	return []int{-1}
}

// part is a service of a length for a party, within the limits of an audience.
func (k *known) part(offer, minutes, party int, who Audience) (Part, error) {
	o := &k.Offers[offer]
	if minutes == 0 {
		minutes = o.Lengths.Default()
	}
	if _, sold := o.Lengths.Price(minutes, 1); !sold && !who.Staff {
		return Part{}, fault.Invalid("minutes", "This length is not available.")
	}
	least, most := o.parties()
	if party == 0 {
		party = least
	}
	if (party < least || party > most) && !who.Override {
		return Part{}, ErrPartySize.With("min", least).With("max", most)
	}
	return Part{Offer: offer, Minutes: minutes, Party: party}, nil
}

// placed converts the picks to placements.
func (k *known) placed(wishes []SlotRequest, picks []Pick) []Placement {
	out := make([]Placement, len(picks))
	for i, p := range picks {
		w := wishes[i]
		o := &k.Offers[w.Offer]
		out[i] = Placement{
			OfferingID: o.ID, Kind: o.Kind, LocationID: k.spot.LocationID, StartsAt: w.StartsAt.UTC(),
			EndsAt:      w.StartsAt.UTC().Add(time.Duration(w.Minutes) * time.Minute),
			BlockedFrom: p.From, BlockedTo: p.To, Shared: o.Shared(), Party: w.Party, PriceAmount: o.Price(w.Minutes, w.Party),
		}
		if p.Person >= 0 {
			out[i].MemberID = &k.People[p.Person].ID
		}
		if p.Space >= 0 {
			out[i].SpaceID = &k.Spaces[p.Space].ID
		}
	}
	return out
}
