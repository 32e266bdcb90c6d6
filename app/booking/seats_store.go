package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// wantedFrom are what is wanted, of this location, with what decides about it. $7 business, $14 location.
const wantedFrom = `wanted w join occurrences o on o.business_id = $7 and o.location_id = $14 and o.id = w.occurrence_id
	join offerings f on f.business_id = $7 and f.id = o.offering_id
	join locations l on l.business_id = $7 and l.id = $14
	join businesses s on s.business_id = $7
	left join policies p on p.business_id = $7 and p.id = coalesce(f.policy_id, l.policy_id)`

// takeSeats puts seats under a hold in one statement: it makes the hold or finds it alive, takes the seats, writes the
// bookings and their first moves. kept is false when there can be no such hold: the person has too many, is booked there
// already, or the hold is over. Seats of occurrences that refuse are left out of booked; the caller ends the transaction
// when one is, so that nobody gets a part of what they asked for.
//
// The customer's row is locked by the caller, so counting this person's holds is safe.
func takeSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, in HoldInput, seats []Seat) (kept bool, booked []HeldSeat, err error) {
	type answer struct {
		Kept   bool
		Booked []uuid.UUID
	}
	n := len(seats)
	ids, occurrences, attendees := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]string, n)
	prices, moves, party := make([]int64, n), make([]uuid.UUID, n), make([]int, n)
	groups, follows := make([]*uuid.UUID, n), make([]bool, n)
	byID := map[uuid.UUID]HeldSeat{}
	for i, s := range seats {
		ids[i], occurrences[i], attendees[i], prices[i], moves[i] = pg.NewID(), s.OccurrenceID, s.Attendee, s.PriceAmount, pg.NewID()
		party[i], follows[i] = max(s.Party, 1), s.Follows
		if s.Group != uuid.Nil {
			groups[i] = &s.Group
		}
		byID[ids[i]] = HeldSeat{ids[i], s.OccurrenceID, s.Attendee, s.PriceAmount}
	}
	got, err := pg.One[answer](ctx, tx, `with asked as (
			select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::uuid[], $23::int[], $24::uuid[], $25::boolean[])
				as a (id, occurrence_id, attendee, price_amount, move_id, party, group_id, follows)
		), hold as (
			insert into holds (id, business_id, cart_id, person_id, customer_id, state, created_at, expires_at, extended)
			select $6, $7, $8, $9, $10, 'live', $11, $12, false
			where $13 > (select count(*) from holds h where h.business_id = $7 and h.person_id = $9
					and h.state = 'live' and h.expires_at > $11 and h.id <> $6)
				and not exists (select from bookings b join asked a on a.occurrence_id = b.occurrence_id and a.attendee = b.attendee
					where b.business_id = $7 and b.customer_id = $10 and b.state in `+Standing+`)
			on conflict (business_id, id) do update set extended = holds.extended where holds.state = 'live' and holds.expires_at > $11
			returning id
		), wanted as (
			select a.occurrence_id, sum(a.party)::integer as seats, bool_and(a.group_id is not null) as course, bool_and(a.follows) as follows
			from asked a, hold group by a.occurrence_id
		), `+seatsTaken+`, booked as (
			insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, hold_id, group_id, state, online,
				attendee, party, starts_at, ends_at, price_amount, currency, policy, version, created_at, updated_at)
			select a.id, $7, t.location_id, t.offering_id, t.id, $10, $6, a.group_id, $16, true,
				a.attendee, a.party, t.starts_at, t.ends_at, a.price_amount, $15, coalesce(p.rules, $22::jsonb), 1, $11, $11
			from asked a join taken t on t.id = a.occurrence_id
				join offerings f on f.business_id = $7 and f.id = t.offering_id
				join locations l on l.business_id = $7 and l.id = $14
				left join policies p on p.business_id = $7 and p.id = coalesce(f.policy_id, l.policy_id)
			returning id
		), noted as (
			insert into booking_moves (id, business_id, booking_id, from_state, to_state, actor_kind, actor_id, actor_name,
				surface, reason, created_at)
			select a.move_id, $7, a.id, '', $16, $17, $18, $19, $20, $21, $11 from asked a join booked b on b.id = a.id
		)
		select exists (select from hold) as kept, array(select id from booked) as booked`,
		ids, occurrences, attendees, prices, moves, h.ID, tx.Business(), h.CartID, h.PersonID, h.CustomerID, tx.Now(), h.ExpiresAt,
		HoldsMax, in.LocationID, in.Currency, MoveHold.To(),
		sc.Actor.Kind, ActorID(sc), sc.Actor.Name, sc.Surface, MoveHold, catalog.StandardRules(), party, groups, follows)
	if err != nil {
		return false, nil, err
	}
	for _, id := range got.Booked {
		booked = append(booked, byID[id])
	}
	return got.Kept, booked, nil
}

// ActorID is the person or key behind a move; NULL for visitors and the system.
func ActorID(sc tenancy.Scope) *uuid.UUID {
	if sc.Actor.ID == uuid.Nil {
		return nil
	}
	return &sc.Actor.ID
}

// ownSeat is a seat that the customer has already.
type ownSeat struct {
	OccurrenceID uuid.UUID
	State        State
	HoldID       *uuid.UUID
	OrderID      *uuid.UUID
	ExpiresAt    *time.Time // of the hold
}

// ownSeats reads which of these seats the customer has already, and how many other open holds the person has.
func ownSeats(ctx context.Context, tx *pg.Tx, h Hold, seats []Seat) (own []ownSeat, open int, err error) {
	type row struct {
		OccurrenceID *uuid.UUID
		State        *State
		HoldID       *uuid.UUID
		OrderID      *uuid.UUID
		ExpiresAt    *time.Time
		Open         int
	}
	occurrences, attendees := make([]uuid.UUID, len(seats)), make([]string, len(seats))
	for i, s := range seats {
		occurrences[i], attendees[i] = s.OccurrenceID, s.Attendee
	}
	rows, err := pg.All[row](ctx, tx, `select b.occurrence_id, b.state, b.hold_id, b.order_id, b.expires_at, n.open
		from (select count(*) as open from holds where business_id = $1 and person_id = $4 and state = 'live'
			and expires_at > $5 and id <> $6) n
		left join (
			select b.*, h.expires_at from unnest($2::uuid[], $3::text[]) as a (occurrence_id, attendee)
			join bookings b on b.business_id = $1 and b.customer_id = $7 and b.occurrence_id = a.occurrence_id
				and b.attendee = a.attendee and b.state in `+Standing+`
			left join holds h on h.business_id = $1 and h.id = b.hold_id) b on true
		order by b.occurrence_id`,
		tx.Business(), occurrences, attendees, h.PersonID, tx.Now(), h.ID, h.CustomerID)
	for _, r := range rows {
		open = r.Open
		if r.OccurrenceID != nil {
			own = append(own, ownSeat{*r.OccurrenceID, *r.State, r.HoldID, r.OrderID, r.ExpiresAt})
		}
	}
	return own, open, err
}
