package booking

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/ent/booking"
	"foyer/ent/hold"
)

func saveExtension(ctx context.Context, tx *pg.Tx, h Hold) (bool, error) {
	n, err := tx.Ent().Hold.Update().
		Where(hold.BusinessID(tx.Business()), hold.ID(h.ID), hold.State(string(HoldLive)), hold.Extended(false), hold.ExpiresAtGT(tx.Now())).
		SetExpiresAt(h.ExpiresAt).SetExtended(true).Save(ctx)
	return n == 1, err
}

// confirmSeats confirms a hold and its bookings in one statement. The hold's row decides: the sweep needs it too. Where the
// studio has the last word the bookings become requests; those are returned, and their seats are to be given back.
func confirmSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, order uuid.UUID) (ok bool, requests []uuid.UUID, err error) {
	type row struct {
		ID    uuid.UUID
		State State
	}
	ids := seatIDs(h)
	rows, err := pg.All[row](ctx, tx, `with kept as (
			update holds set state = 'confirmed' where business_id = $1 and id = $2 and state = 'live' and expires_at > $3 returning id
		), moved as (
			update bookings b set state = case when f.approval then $14 else $7 end, order_id = $4,
				confirmed_at = case when f.approval then null else $3::timestamptz end, version = b.version + 1, updated_at = $3
			from kept k, offerings f
			where b.business_id = $1 and b.hold_id = k.id and b.id = any($5) and b.state = $8
				and f.business_id = $1 and f.id = b.offering_id
			returning b.id, b.state
		), noted as (
			insert into booking_moves (id, business_id, booking_id, from_state, to_state, actor_kind, actor_id, actor_name,
				surface, reason, created_at)
			select m.id, $1, v.id, $8, v.state, $9, $10, $11, $12, case when v.state = $7 then $13 else $15 end, $3
			from moved v join unnest($5::uuid[], $6::uuid[]) as m (booking_id, id) on m.booking_id = v.id
		)
		select id, state from moved`,
		tx.Business(), h.ID, tx.Now(), order, ids, NewIDs(len(ids)), MoveConfirm.To(), MoveConfirm.From(),
		sc.Actor.Kind, ActorID(sc), sc.Actor.Name, sc.Surface, MoveConfirm, MoveRequest.To(), MoveRequest)
	if err != nil || len(rows) == 0 {
		return false, nil, err
	}
	if len(rows) != len(ids) {
		return false, nil, errors.New("booking: a seat left its hold while it was being confirmed")
	}
	for _, r := range rows {
		if r.State == Requested {
			requests = append(requests, r.ID)
		}
	}
	return true, requests, nil
}

// unseat gives the seats of requests back: of two who ask for the same, the studio may choose.
func unseat(ctx context.Context, tx *pg.Tx, requests []uuid.UUID) error {
	_, err := tx.Exec(ctx, `with moved as (
			select id, occurrence_id, online, party from bookings where business_id = $1 and id = any($2)
		), `+free+`
		select id from moved`, tx.Business(), requests)
	if err != nil {
		return err
	}
	freed, err := pg.All[uuid.UUID](ctx, tx, `select distinct occurrence_id from bookings where business_id = $1 and id = any($2)`,
		tx.Business(), requests)
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
	ids := make([]uuid.UUID, len(h.Seats))
	for i, s := range h.Seats {
		ids[i] = s.BookingID
	}
	return ids
}

// lockRoom locks the occurrences of an order's expired bookings, in the order of their ids, and reads what is left.
func lockRoom(ctx context.Context, tx *pg.Tx, order uuid.UUID) ([]room, error) {
	return pg.All[room](ctx, tx, `with wanted as (
			select occurrence_id, sum(party)::integer as seats from bookings
			where business_id = $1 and order_id = $2 and state = $3 group by occurrence_id
		)
		select o.state = 'cancelled' as cancelled, o.starts_at, o.capacity, o.online_capacity, o.taken, o.taken_online, o.offered,
			w.seats as wanted,
			exists (select from bookings b join bookings x on x.business_id = $1 and x.customer_id = b.customer_id
				and x.occurrence_id = b.occurrence_id and x.attendee = b.attendee and x.state in `+Standing+`
				where b.business_id = $1 and b.order_id = $2 and b.state = $3 and b.occurrence_id = o.id) as again
		from occurrences o join wanted w on w.occurrence_id = o.id
		where o.business_id = $1 order by o.id for no key update of o`,
		tx.Business(), order, MoveRetake.From())
}

// retakeSeats takes the seats that lockRoom has seen free and confirms the bookings. Where the studio has the last word they
// become requests; those are returned, and their seats are to be given back.
func retakeSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, order uuid.UUID) (requests []uuid.UUID, err error) {
	type row struct {
		ID    uuid.UUID
		State State
	}
	rows, err := pg.All[row](ctx, tx, `with moved as (
			update bookings b set state = case when f.approval then $6 else $3 end,
				confirmed_at = case when f.approval then null else $5::timestamptz end, version = b.version + 1, updated_at = $5
			from offerings f
			where b.business_id = $1 and b.order_id = $2 and b.state = $4 and f.business_id = $1 and f.id = b.offering_id
			returning b.id, b.state, b.occurrence_id, b.online, b.party
		), wanted as (
			select occurrence_id, sum(party)::integer as seats, coalesce(sum(party) filter (where online), 0)::integer as online
			from moved group by occurrence_id
		), taken as (
			update occurrences o set taken = o.taken + w.seats, taken_online = o.taken_online + w.online
			from wanted w where o.business_id = $1 and o.id = w.occurrence_id
		)
		select id, state from moved`,
		tx.Business(), order, MoveRetake.To(), MoveRetake.From(), tx.Now(), MoveRequest.To())
	if err != nil {
		return nil, err
	}
	var kept []step
	for _, r := range rows {
		if r.State == Requested {
			requests = append(requests, r.ID)
		} else {
			kept = append(kept, step{ID: r.ID, From: Expired})
		}
	}
	if err := record(ctx, tx, sc, MoveRetake, "", kept); err != nil {
		return nil, err
	}
	asked := make([]step, len(requests))
	for i, id := range requests {
		asked[i] = step{ID: id, From: Expired}
	}
	return requests, record(ctx, tx, sc, MoveRequest, "", asked)
}

func holdOfOrder(ctx context.Context, r pg.Reader, order uuid.UUID) (Hold, error) {
	type row struct {
		ID, CartID, PersonID, CustomerID uuid.UUID
		State                            HoldState
		CreatedAt, ExpiresAt             time.Time
		Extended                         bool
		BookingID, OccurrenceID          uuid.UUID
		Attendee                         string
		PriceAmount                      int64
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
	f := rows[0]
	h := Hold{
		ID: f.ID, CartID: f.CartID, PersonID: f.PersonID, CustomerID: f.CustomerID, State: f.State,
		CreatedAt: f.CreatedAt.UTC(), ExpiresAt: f.ExpiresAt.UTC(), Extended: f.Extended,
	}
	for _, x := range rows {
		h.Seats = append(h.Seats, HeldSeat{x.BookingID, x.OccurrenceID, x.Attendee, x.PriceAmount})
	}
	return h, nil
}
