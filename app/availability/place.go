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

// SlotRequestAt is a time of an appointment or a rental that somebody wants to book.
type SlotRequestAt struct {
	OfferingID        uuid.UUID
	StartsAt          time.Time
	Minutes           int        // 0: the offering's default length
	MemberID          *uuid.UUID // nil: anyone who gives it
	SpaceID           *uuid.UUID // nil: any of its spaces
	Party             int        // 0: one person
	ExcludeOccurrence uuid.UUID  // a booking that is being moved: what it takes is free; Nil: none
}

// Audience is for whom a place is looked for, and with that which rules count.
type Audience struct {
	Staff    bool // any minute and any length inside the hours, and offerings that are not published
	Override bool // the policy, the caps and a pause are set aside: booking.override, with a reason
}

// The audiences.
var (
	Storefront    = Audience{}
	Staff         = Audience{Staff: true}
	StaffOverride = Audience{Staff: true, Override: true}
)

// Placement is a time with the person and the space that were found for it.
type Placement struct {
	OfferingID  uuid.UUID
	LocationID  uuid.UUID
	StartsAt    time.Time
	EndsAt      time.Time
	BlockedFrom time.Time // with the buffers: what is to be claimed
	BlockedTo   time.Time
	MemberID    *uuid.UUID
	SpaceID     *uuid.UUID
	Shared      bool // the space is shared: Party of its seats are taken
	Party       int
	PriceAmount int64 // of the whole booking, minor units
}

// PlaceTx finds a person and a space for every ask, in the order of asks, all of them or none. It locks whoever and
// whatever could serve them, reads the facts in later statements and decides as the storefront and the search do, so that
// what is shown can be had and what can be had once is had once. The locks last until the transaction ends: claim what was
// found in it. An ask that begins where the one before it ends follows it, as the services of a visit.
//
// Errors: Validation for a length, party or start that cannot be; not found for an offering that the audience does not
// see or whose times are not computed, and for asks at two locations; ErrPartySize, and the refusals of Code: their
// reason is the code, details.ask says which ask it is and details.alternatives has up to three other times (Alternative).
func PlaceTx(ctx context.Context, tx *pg.Tx, asks []SlotRequestAt, who Audience) ([]Placement, error) {
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
	picks, refusal := k.Place(wishes, who)
	if refusal == nil {
		return k.placed(wishes, picks), nil
	}
	others, err := otherTimes(ctx, tx, asks, refusal.Wish, who)
	if err != nil {
		return nil, err
	}
	return nil, refused(refusal.Codes).With("ask", refusal.Wish).With("alternatives", others)
}

// The bounds of an ask.
const (
	SlotsMax = 60
	PartyMax = 1000
)

func checkAsks(asks []SlotRequestAt) error {
	var c fault.Checks
	c.That(len(asks) > 0 && len(asks) <= SlotsMax, "startsAt", fmt.Sprintf("Ask for 1 to %d times.", SlotsMax))
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

// needs is what is to be read for asks.
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

// wishes puts asks into the words of the facts.
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

// part is a service of a length for a party, as an audience may ask for it.
func (k *known) part(offer, minutes, party int, who Audience) (Part, error) {
	o := &k.Offers[offer]
	if minutes == 0 {
		minutes = o.Lengths.Default()
	}
	if _, sold := o.Lengths.Price(minutes, 1); !sold && !who.Staff {
		return Part{}, fault.Invalid("minutes", "It is not sold for this length.")
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

// placed tells what was found.
func (k *known) placed(wishes []SlotRequest, picks []Pick) []Placement {
	out := make([]Placement, len(picks))
	for i, p := range picks {
		w := wishes[i]
		o := &k.Offers[w.Offer]
		out[i] = Placement{
			OfferingID: o.ID, LocationID: k.spot.LocationID, StartsAt: w.StartsAt.UTC(),
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
