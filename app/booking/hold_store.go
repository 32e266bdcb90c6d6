package booking

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/ent/booking"
)

// seatsTaken takes the seats of table wanted (occurrence_id, seats, course, follows) and gives the occurrences it got them of,
// as table taken. @business, @now, @location.
//
// The rows are locked in the order of their ids, so that two carts with the same two classes wait for each other and
// never in a ring. A row that is seen to be full is not waited for. The update then looks at the row as it is under the
// lock: nobody else's seat can be taken, however many ask at once. Seats on offer to the waitlist count as taken, and so
// does a date whose free seats the waitlist is about to be given. Only occurrences and offerings stand in the outer from,
// because those are locked.
var seatsTaken = `queue as (
	select o.id from wanted w, occurrences o, offerings f
	where o.business_id = @business and o.location_id = @location and o.id = w.occurrence_id and f.business_id = @business and f.id = o.offering_id
		and exists (select from locations l join businesses s on s.business_id = l.business_id
			left join policies p on p.business_id = @business and p.id = coalesce(f.policy_id, l.policy_id)
			where l.business_id = @business and l.id = @location and ` + schedule.BookableSQL("@now", schedule.ReservedSQL("@now")) + `)
	order by o.id` + UnderLock + `
), taken as (
	update occurrences o set taken = o.taken + w.seats, taken_online = o.taken_online + w.seats
	from wanted w join queue q on q.id = w.occurrence_id
	where o.business_id = @business and o.id = w.occurrence_id and ` + roomWanted + `
	returning o.id, o.location_id, o.offering_id, o.starts_at, o.ends_at
)`

// takeSeats puts seats under a hold in one statement: it makes the hold or finds it alive, takes the seats, writes the
// bookings and notes their first transitions. kept is false when there can be no such hold: the person has too many, is booked
// there already, or the hold is over. Seats of occurrences that refuse are left out of booked; the caller ends the transaction
// when one is, so that nobody gets a part of what they asked for.
//
// The customer's row is locked by the caller, so counting this person's holds is safe.
func takeSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, in HoldInput, seats []Seat) (kept bool, booked []HeldSeat, err error) {
	type answer struct {
		Kept   bool
		Booked []uuid.UUID
	}
	n := len(seats)
	ids, occurrences, attendees := pg.NewIDs(n), make([]uuid.UUID, n), make([]string, n)
	prices, party, groups, follows := make([]int64, n), make([]int, n), make([]*uuid.UUID, n), make([]bool, n)
	byID := map[uuid.UUID]HeldSeat{}
	for i, s := range seats {
		occurrences[i], attendees[i], prices[i], party[i], follows[i] = s.OccurrenceID, s.Attendee, s.PriceAmount, max(s.Party, 1), s.Follows
		groups[i] = orNull(s.Group)
		byID[ids[i]] = HeldSeat{ids[i], s.OccurrenceID, s.Attendee, s.PriceAmount}
	}
	got, err := pg.One[answer](ctx, tx, `with asked as (
			select * from unnest(@ids::uuid[], @occurrences::uuid[], @attendees::text[], @prices::bigint[], @transitions::uuid[], @party::int[], @groups::uuid[], @follows::boolean[])
				as a (id, occurrence_id, attendee, price_amount, transition_id, party, group_id, follows)
		), hold as (
			insert into holds (id, business_id, cart_id, person_id, customer_id, state, created_at, expires_at, extended)
			select @hold, @business, @cart, @person, @customer, 'live', @now, @expires, false
			where @holds_max > (select count(*) from holds h where h.business_id = @business and h.person_id = @person
					and h.state = 'live' and h.expires_at > @now and h.id <> @hold)
				and not exists (select from bookings b join asked a on a.occurrence_id = b.occurrence_id and a.attendee = b.attendee
					where b.business_id = @business and b.customer_id = @customer and b.state in `+Standing+`)
			on conflict (business_id, id) do update set extended = holds.extended where holds.state = 'live' and holds.expires_at > @now
			returning id
		), wanted as (
			select a.occurrence_id, sum(a.party)::integer as seats, bool_and(a.group_id is not null) as course, bool_and(a.follows) as follows
			from asked a, hold group by a.occurrence_id
		), `+seatsTaken+`, booked as (
			insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, hold_id, group_id, state, online,
				attendee, party, starts_at, ends_at, price_amount, currency, policy, version, created_at, updated_at)
			select a.id, @business, t.location_id, t.offering_id, t.id, @customer, @hold, a.group_id, @held, true,
				a.attendee, a.party, t.starts_at, t.ends_at, a.price_amount, @currency, coalesce(p.rules, @rules::jsonb), 1, @now, @now
			from asked a join taken t on t.id = a.occurrence_id
				join offerings f on f.business_id = @business and f.id = t.offering_id
				join locations l on l.business_id = @business and l.id = @location
				left join policies p on p.business_id = @business and p.id = coalesce(f.policy_id, l.policy_id)
			returning id
		), transitions as (
			select a.transition_id as id, a.id as booking_id, '' as from_state, @held as to_state, null::timestamptz as was, @reason as reason, '' as note
			from asked a join booked b on b.id = a.id
		), `+Noted+`
		select exists (select from hold) as kept, array(select id from booked) as booked`,
		Noting(tx, sc, pg.Named{
			"ids": ids, "occurrences": occurrences, "attendees": attendees, "prices": prices, "transitions": pg.NewIDs(n), "party": party,
			"groups": groups, "follows": follows, "hold": h.ID, "cart": h.CartID, "person": h.PersonID, "customer": h.CustomerID,
			"expires": h.ExpiresAt, "holds_max": HoldsMax, "location": in.LocationID, "currency": in.Currency,
			"held": TransitionHold.To(), "reason": TransitionHold, "rules": catalog.StandardRules(),
		}))
	if err != nil {
		return false, nil, err
	}
	for _, id := range got.Booked {
		booked = append(booked, byID[id])
	}
	return got.Kept, booked, nil
}

// ownSeat is a seat that the customer has already.
type ownSeat struct {
	OccurrenceID uuid.UUID `db:"occurrence_id,null"`
	State        State     `db:"state,null"`
	HoldID       *uuid.UUID
	OrderID      *uuid.UUID
	ExpiresAt    *time.Time // of the hold
}

// ownSeats reads which of these seats the customer has already, and how many other open holds the person has.
func ownSeats(ctx context.Context, tx *pg.Tx, h Hold, seats []Seat) (own []ownSeat, open int, err error) {
	type row struct {
		ownSeat // nothing in the one row that there is without any
		Open    int
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
		if r.OccurrenceID != uuid.Nil {
			own = append(own, r.ownSeat)
		}
	}
	return own, open, err
}

// confirmSeats confirms a hold and its bookings in one statement. The hold's row decides: the sweep needs it too. Where the
// studio has the last word the bookings become requests; those are returned, and their seats are to be given back.
func confirmSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, order uuid.UUID) (ok bool, requests []uuid.UUID, err error) {
	ids := seatIDs(h)
	rows, err := pg.All[seated](ctx, tx, `with kept as (
			update holds set state = 'confirmed' where business_id = @business and id = @hold and state = 'live' and expires_at > @now returning id
		), moved as (
			update bookings b set state = case when f.approval then @requested else @confirmed end, order_id = @order,
				confirmed_at = case when f.approval then null else @now::timestamptz end, version = b.version + 1, updated_at = @now
			from kept k, offerings f
			where b.business_id = @business and b.hold_id = k.id and b.id = any(@ids) and b.state = @held
				and f.business_id = @business and f.id = b.offering_id
			returning b.id, b.state
		), transitions as (
			select x.id, v.id as booking_id, @held as from_state, v.state as to_state, null::timestamptz as was,
				case when v.state = @confirmed then @confirm else @request end as reason, '' as note
			from moved v join unnest(@ids::uuid[], @transitions::uuid[]) as x (booking_id, id) on x.booking_id = v.id
		), `+Noted+`
		select id, state from moved`,
		Noting(tx, sc, pg.Named{
			"hold": h.ID, "order": order, "ids": ids, "transitions": pg.NewIDs(len(ids)), "held": TransitionConfirm.From(),
			"confirmed": TransitionConfirm.To(), "confirm": TransitionConfirm,
			"requested": TransitionRequest.To(), "request": TransitionRequest,
		}))
	if err != nil || len(rows) == 0 {
		return false, nil, err
	}
	if len(rows) != len(ids) {
		return false, nil, errors.New("booking: a seat left its hold while it was being confirmed")
	}
	_, requests = asks(rows)
	return true, requests, nil
}

// seated is a booking that was confirmed, or became a request.
type seated struct {
	ID    uuid.UUID
	State State
}

func asks(rows []seated) (confirmed, requests []uuid.UUID) {
	for _, r := range rows {
		if r.State == Requested {
			requests = append(requests, r.ID)
		} else {
			confirmed = append(confirmed, r.ID)
		}
	}
	return confirmed, requests
}

// unseat gives the seats of requests back: of two who ask for the same, the studio may choose.
func unseat(ctx context.Context, tx *pg.Tx, requests []uuid.UUID) error {
	freed, err := pg.All[uuid.UUID](ctx, tx, `with moved as (
			select id, occurrence_id, online, party from bookings where business_id = $1 and id = any($2)
		), `+free+`
		select distinct occurrence_id from moved`, tx.Business(), requests)
	if err != nil {
		return err
	}
	return RoundTx(ctx, tx, freed)
}

func billSeats(ctx context.Context, tx *pg.Tx, h Hold, order uuid.UUID) (int, error) {
	return tx.Ent().Booking.Update().
		Where(booking.BusinessID(tx.Business()), booking.HoldID(h.ID), booking.IDIn(seatIDs(h)...), booking.State(string(Held))).
		SetOrderID(order).AddVersion(1).SetUpdatedAt(tx.Now()).Save(ctx)
}

func seatIDs(h Hold) []uuid.UUID {
	return each(h.Seats, func(s HeldSeat) uuid.UUID { return s.BookingID })
}

// HoldOfOrder reads the hold that an order's bookings came from, with those bookings as its seats, in one round trip.
// pg.ErrNoRow when the order has none.
func HoldOfOrder(ctx context.Context, r pg.Reader, order uuid.UUID) (Hold, error) {
	type row struct {
		Hold
		HeldSeat
	}
	rows, err := pg.All[row](ctx, r, `select h.id, h.cart_id, h.person_id, h.customer_id, h.state, h.created_at, h.expires_at,
			h.extended, b.id as booking_id, b.occurrence_id, b.attendee, b.price_amount
		from bookings b join holds h on h.business_id = b.business_id and h.id = b.hold_id
		where b.business_id = $1 and b.order_id = $2 order by b.created_at, b.id`, r.Business(), order)
	if err != nil {
		return Hold{}, err
	}
	if len(rows) == 0 {
		return Hold{}, pg.ErrNoRow
	}
	h := rows[0].Hold
	for _, x := range rows {
		h.Seats = append(h.Seats, x.HeldSeat)
	}
	return h, nil
}
