package booking

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/ent/booking"
)

// seatsTaken occupies the seats of table wanted (occurrence_id, seats, course, follows) and returns the occurrences
// with enough seats, as table taken. @business, @now, @location.
//
// The rows are locked in the order of their ids, so that two carts with the same two classes wait for each other and
// never deadlock. A single row is locked by its update alone: a lock followed by an update of the statement's snapshot
// visits an older version of the row, where another transaction may wait for this one (see free). A row that is seen
// to be full is not waited for. The update then reads the row as it is under the lock: no seat is sold twice, at any
// concurrency. Seats on offer to the waitlist count as occupied, and so does a date with a pending round of the
// waitlist. Only occurrences and offerings stand in the outer from, because those are locked.
var seatsTaken = `queue as (
	select o.id from wanted w, occurrences o, offerings f
	where ` + severalWanted + ` and o.location_id = @location and o.id = w.occurrence_id and f.id = o.offering_id
		and exists (select from ` + bookableWanted + `)
	order by o.id` + UnderLock + `
), alone as (
	select f.id from wanted w, occurrences o, offerings f
	where not ` + severalWanted + ` and o.location_id = @location and o.id = w.occurrence_id and f.id = o.offering_id
		and f.state = 'published' -- read again under its lock
	for key share of f
), taken as (
	update occurrences o set taken = o.taken + w.seats, taken_online = o.taken_online + w.seats
	from wanted w left join queue q on q.id = w.occurrence_id left join alone a on true
	where o.id = w.occurrence_id and ` + roomWanted + ` and (q.id is not null or a.id = o.offering_id
		and exists (select from offerings f cross join ` + bookableWanted + ` and f.id = o.offering_id))
	returning o.id, o.location_id, o.offering_id, o.starts_at, o.ends_at
)`

// bookableWanted ends a query that an occurrence o of an offering f is bookable for the seats of table wanted w.
var bookableWanted = `locations l cross join businesses s
			left join policies p on p.id = coalesce(f.policy_id, l.policy_id)
			where l.id = @location and ` + schedule.BookableSQL("@now", schedule.ReservedSQL("@now"))

// seatsSQL puts seats under a hold: it makes the hold or finds it alive, occupies the seats, writes the bookings and
// their first transitions. kept is false when there can be no such hold: the person has too many, has a booking there
// already, or the hold has expired. Seats of occurrences that refuse are left out of booked. @whole has it refuse by
// app.must when there is no such hold or not every seat.
//
// The customer's row is locked by an earlier statement of the transaction, so counting this person's holds is safe.
var seatsSQL = pg.Hot(`with asked as (
		select * from unnest(@ids::uuid[], @occurrences::uuid[], @attendees::text[], @prices::bigint[], @transitions::uuid[], @party::int[], @groups::uuid[], @follows::boolean[], @keys::text[])
			as a (id, occurrence_id, attendee, price_amount, transition_id, party, group_id, follows, attendee_key)
	), customer as (
		select id from customers where person_id = @person
	), hold as (
		insert into holds (id, business_id, cart_id, person_id, customer_id, state, created_at, expires_at, extended)
		select @hold, @business, @cart, @person, c.id, 'live', @now, @expires, false from customer c
		where @holds_max > (select count(*) from holds h where h.person_id = @person
				and h.state = 'live' and h.expires_at > @now and h.id <> @hold)
			and not exists (select from bookings b join asked a on a.occurrence_id = b.occurrence_id and ` + SameAttendeeSQL("a", "b") + `
				where b.customer_id = c.id and b.state in ` + ActiveStatesSQL + `)
		on conflict (business_id, id) do update set extended = holds.extended where holds.state = 'live' and holds.expires_at > @now
		returning id, customer_id
	), wanted as (
		select a.occurrence_id, sum(a.party)::integer as seats, bool_and(a.group_id is not null) as course, bool_and(a.follows) as follows
		from asked a, hold group by a.occurrence_id
	), ` + seatsTaken + `, booked as (
		insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, hold_id, group_id, state, online,
			attendee, attendee_key, party, starts_at, ends_at, price_amount, currency, policy, version, created_at, updated_at)
		select a.id, @business, t.location_id, t.offering_id, t.id, h.customer_id, @hold, a.group_id, @held, true,
			a.attendee, a.attendee_key, a.party, t.starts_at, t.ends_at, a.price_amount, @currency, coalesce(p.rules, @rules::jsonb), 1, @now, @now
		from hold h, asked a join taken t on t.id = a.occurrence_id
			join offerings f on f.id = t.offering_id
			join locations l on l.id = @location
			left join policies p on p.id = coalesce(f.policy_id, l.policy_id)
		returning id
	), transitions as (
		select a.transition_id as id, a.id as booking_id, '' as from_state, @held as to_state, null::timestamptz as was, @reason as reason, '' as note
		from asked a join booked b on b.id = a.id
	), ` + Noted + `
	select h.customer_id, s.booked
	from (select array(select id from booked) as booked) s left join hold h on true
	where not @whole::boolean or app.must(h.id is not null and cardinality(s.booked) = cardinality(@ids::uuid[]))`)

// ask returns the seats as they will be held, and the arguments of one run of seatsSQL.
func ask(tx *pg.Tx, sc tenancy.Scope, h Hold, in HoldInput, seats []Seat, whole bool) ([]HeldSeat, pg.Named) {
	n := len(seats)
	ids, occurrences, attendees, keys := pg.NewIDs(n), make([]uuid.UUID, n), make([]string, n), make([]string, n)
	prices, party, groups, follows := make([]int64, n), make([]int, n), make([]*uuid.UUID, n), make([]bool, n)
	held := make([]HeldSeat, n)
	for i, s := range seats {
		occurrences[i], attendees[i], prices[i], party[i], follows[i] = s.OccurrenceID, s.Attendee, s.PriceAmount, max(s.Party, 1), s.Follows
		groups[i], keys[i] = pg.OrNull(s.Group), names.Key(s.Attendee)
		held[i] = HeldSeat{ids[i], s.OccurrenceID, s.Attendee, s.PriceAmount}
	}
	return held, Noting(tx, sc, pg.Named{
		"ids": ids, "occurrences": occurrences, "attendees": attendees, "keys": keys, "prices": prices, "transitions": pg.NewIDs(n), "party": party,
		"groups": groups, "follows": follows, "hold": h.ID, "cart": h.CartID, "person": h.PersonID,
		"expires": h.ExpiresAt, "holds_max": HoldsMax, "location": in.LocationID, "currency": in.Currency,
		"held": TransitionHold.To(), "reason": TransitionHold, "rules": catalog.StandardRules(), "whole": whole,
	})
}

// takeSeats runs seatsSQL. The caller ends the transaction when a seat is left out, so that no hold is partial.
func takeSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, in HoldInput, seats []Seat) (kept bool, booked []HeldSeat, err error) {
	type row struct {
		CustomerID *uuid.UUID // nil: there can be no such hold
		Booked     []uuid.UUID
	}
	asked, args := ask(tx, sc, h, in, seats, false)
	r, err := pg.One[row](ctx, tx, seatsSQL, args)
	left := func(s HeldSeat) bool { return !slices.Contains(r.Booked, s.BookingID) }
	return r.CustomerID != nil, slices.DeleteFunc(asked, left), err
}

// ownSeat is a seat that the customer has already.
type ownSeat struct {
	OccurrenceID uuid.UUID `db:"occurrence_id,null"`
	Attendee     string    `db:"attendee,null"`
	State        State     `db:"state,null"`
	HoldID       *uuid.UUID
	OrderID      *uuid.UUID
	ExpiresAt    *time.Time // of the hold
}

// ownSeats reads those of these seats that the customer has already, and the number of the person's other open holds.
func ownSeats(ctx context.Context, tx *pg.Tx, h Hold, seats []Seat) (own []ownSeat, open int, err error) {
	type row struct {
		ownSeat // nothing in the one row that there is without any
		Open    int
	}
	occurrences, attendees, keys := make([]uuid.UUID, len(seats)), make([]string, len(seats)), make([]string, len(seats))
	for i, s := range seats {
		occurrences[i], attendees[i], keys[i] = s.OccurrenceID, s.Attendee, names.Key(s.Attendee)
	}
	rows, err := pg.All[row](ctx, tx, `select b.occurrence_id, b.attendee, b.state, b.hold_id, b.order_id, b.expires_at, n.open
		from (select count(*) as open from holds where business_id = $1 and person_id = $4 and state = 'live'
			and expires_at > $5 and id <> $6) n
		left join (
			select b.*, h.expires_at from unnest($2::uuid[], $3::text[], $8::text[]) as a (occurrence_id, attendee, attendee_key)
			join bookings b on b.business_id = $1 and b.customer_id = $7 and b.occurrence_id = a.occurrence_id
				and `+SameAttendeeSQL("a", "b")+` and b.state in `+ActiveStatesSQL+`
			left join holds h on h.business_id = $1 and h.id = b.hold_id) b on true
		order by b.occurrence_id`,
		tx.Business(), occurrences, attendees, h.PersonID, tx.Now(), h.ID, h.CustomerID, keys)
	for _, r := range rows {
		open = r.Open
		if r.OccurrenceID != uuid.Nil {
			own = append(own, r.ownSeat)
		}
	}
	return own, open, err
}

// ComingTx reads the names of the attendees of a customer's bookings of these dates; held seats do not count.
func ComingTx(ctx context.Context, tx *pg.Tx, customer uuid.UUID, occurrences []uuid.UUID) (map[uuid.UUID][]string, error) {
	type row struct {
		OccurrenceID uuid.UUID
		Attendee     string
	}
	rows, err := pg.All[row](ctx, tx, `select occurrence_id, attendee from bookings where business_id = $1 and customer_id = $2
		and occurrence_id = any($3) and state <> 'held' and state in `+ActiveStatesSQL, tx.Business(), customer, occurrences)
	out := map[uuid.UUID][]string{}
	for _, r := range rows {
		out[r.OccurrenceID] = append(out[r.OccurrenceID], r.Attendee)
	}
	return out, err
}

// SeatsConfirmed confirms a hold and its bookings, as a part of a statement, if its table going has a row; table
// moved then has the bookings. The hold's row decides: the sweep locks it too. Bookings of offerings with approval
// become requests, with seats to release: RequestTx. While a business is being closed it waits, and then confirms
// nothing. Its names are ConfirmingSeats's.
const SeatsConfirmed = `kept as (
	update holds h set state = 'confirmed' from going, ` + business.OpenBusinessSQL + ` house
	where h.id = @hold and h.state = 'live' and h.expires_at > @now returning h.id
), moved as (
	update bookings b set state = case when f.approval then @requested else @confirmed end, order_id = @order,
		confirmed_at = case when f.approval then null else @now::timestamptz end, version = b.version + 1, updated_at = @now
	from kept k, offerings f
	where b.hold_id = k.id and b.id = any(@ids) and b.state = @held and f.id = b.offering_id
	returning b.id, b.state, b.customer_id, b.starts_at, b.ends_at, b.policy, b.version
), transitions as (
	select x.id, v.id as booking_id, @held as from_state, v.state as to_state, null::timestamptz as was,
		case when v.state = @confirmed then @confirm else @request end as reason, '' as note
	from moved v join unnest(@ids::uuid[], @transitions::uuid[]) as x (booking_id, id) on x.booking_id = v.id
), ` + Noted

// ConfirmingSeats adds the arguments of SeatsConfirmed to those of a statement that includes it.
func ConfirmingSeats(tx *pg.Tx, sc tenancy.Scope, h Hold, order uuid.UUID, args pg.Named) pg.Named {
	ids := seatIDs(h)
	maps.Copy(args, pg.Named{
		"hold": h.ID, "order": order, "ids": ids, "transitions": pg.NewIDs(len(ids)), "held": TransitionConfirm.From(),
		"confirmed": TransitionConfirm.To(), "confirm": TransitionConfirm,
		"requested": TransitionRequest.To(), "request": TransitionRequest,
	})
	return Noting(tx, sc, args)
}

// confirmSeats confirms a hold and its bookings, with the caller's tables beside. It returns the bookings that became
// requests.
func confirmSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, order uuid.UUID, beside string, args pg.Named) (ok bool, requests []uuid.UUID, err error) {
	rows, err := pg.All[seated](ctx, tx, `with going as (select), `+SeatsConfirmed+beside+confirmedOf(h),
		ConfirmingSeats(tx, sc, h, order, args))
	if err != nil || len(rows) == 0 {
		return false, nil, err
	}
	if len(rows) != max(1, len(h.Seats)) {
		return false, nil, errors.New("booking: a seat was removed from its hold during confirmation")
	}
	_, requests = asks(rows)
	return true, requests, nil
}

// confirmedOf returns the bookings of a hold that was confirmed; of one without seats, the hold.
func confirmedOf(h Hold) string {
	if len(h.Seats) == 0 {
		return ` select id, 'confirmed' as state from kept`
	}
	return ` select id, state from moved`
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

// RequestTx releases the seats of requests: the studio may choose between two requests for the same seat.
func RequestTx(ctx context.Context, tx *pg.Tx, requests []uuid.UUID) error {
	if len(requests) == 0 {
		return nil
	}
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

// HoldOfCart reads the latest hold of a cart without seats.
func HoldOfCart(ctx context.Context, r pg.Reader, cart uuid.UUID) (Hold, error) {
	return pg.One[Hold](ctx, r, `select id, cart_id, person_id, customer_id, state, created_at, expires_at, extended
		from holds where business_id = $1 and cart_id = $2 order by created_at desc, id desc limit 1`, r.Business(), cart)
}

// HoldOfOrder queues reading the hold of an order's bookings, with those bookings as its seats. The returned function
// gives the hold once the batch is sent, or pg.ErrNoRow if the order has none.
func HoldOfOrder(b *pg.Batch, business, order uuid.UUID) func() (Hold, error) {
	type row struct {
		Hold
		HeldSeat
	}
	var rows []row
	pg.QueueAll(b, &rows, `select h.id, h.cart_id, h.person_id, h.customer_id, h.state, h.created_at, h.expires_at,
			h.extended, b.id as booking_id, b.occurrence_id, b.attendee, b.price_amount
		from bookings b join holds h on h.business_id = b.business_id and h.id = b.hold_id
		where b.business_id = $1 and b.order_id = $2 order by b.created_at, b.id`, business, order)
	return func() (Hold, error) {
		if len(rows) == 0 {
			return Hold{}, pg.ErrNoRow
		}
		h := rows[0].Hold
		h.Seats = each(rows, func(r row) HeldSeat { return r.HeldSeat })
		return h, nil
	}
}
