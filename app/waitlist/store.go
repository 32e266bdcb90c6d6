package waitlist

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

const waiterColumns = `e.id, e.location_id, e.offering_id, e.occurrence_id, e.customer_id, e.person_id, e.state, e.rank, e.party,
	e.attendee, e.payment_choice, e.consent_at, e.drop_if_promoted, e.offered_at, e.offer_until, e.booking_id, e.version,
	e.created_at, e.updated_at`

func (w Entry) utc() Entry {
	w.ConsentAt, w.OfferedAt, w.OfferUntil = booking.Utc(w.ConsentAt), booking.Utc(w.OfferedAt), booking.Utc(w.OfferUntil)
	w.CreatedAt, w.UpdatedAt = w.CreatedAt.UTC(), w.UpdatedAt.UTC()
	return w
}

// waiterOf reads one entry; an unknown id is not found.
func waiterOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Entry, error) {
	w, err := pg.One[Entry](ctx, r, `select `+waiterColumns+` from waitlist_entries e where e.business_id = $1 and e.id = $2`,
		r.Business(), id)
	if errors.Is(err, pg.ErrNoRow) {
		err = fault.Missing()
	}
	return w.utc(), err
}

// date is an occurrence with what decides about its waitlist.
type date struct {
	schedule.Detail
	Rules  catalog.Rules
	Teller uuid.UUID
}

// lockDate locks an occurrence until the transaction ends and reads it under the lock. Every change of a waitlist begins
// so. An unknown id is not found.
func lockDate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (date, error) {
	type row struct{ Teller *uuid.UUID }
	head, err := pg.One[row](ctx, tx, `select (select m.person_id from members m
			where m.business_id = $1 and m.id = o.member_id and m.deactivated_at is null) as teller
		from occurrences o join offerings f on f.business_id = o.business_id and f.id = o.offering_id
		where o.business_id = $1 and o.id = $2`+booking.UnderLock, tx.Business(), id)
	if errors.Is(err, pg.ErrNoRow) {
		err = fault.Missing()
	}
	if err != nil {
		return date{}, err
	}
	d, err := readDate(ctx, tx, id)
	if head.Teller != nil {
		d.Teller = *head.Teller
	}
	return d, err
}

// readDate is lockDate without the lock, and without Teller.
func readDate(ctx context.Context, r pg.Reader, id uuid.UUID) (date, error) {
	slot, err := schedule.OccurrenceOf(ctx, r, id)
	if err != nil {
		return date{}, err
	}
	rules, err := catalog.RulesOf(ctx, r, []uuid.UUID{slot.OfferingID})
	return date{Detail: slot, Rules: rules[slot.OfferingID]}, err
}

// asksUntil is the instant from which nobody is added or asked.
func (d date) asksUntil() time.Time { return d.Rules.AsksUntil(d.StartsAt) }

// onList are, for statements, the states in which an entry may still get a seat, as WaitState.OnList says.
const onList = `('waiting', 'offered', 'offer_expired', 'skipped_payment')`

// ownEntry finds the entry of a customer and an attendee on a date's list; ok is false when there is none.
func ownEntry(ctx context.Context, r pg.Reader, occurrence, customer uuid.UUID, attendee string) (w Entry, ok bool, err error) {
	w, err = pg.One[Entry](ctx, r, `select `+waiterColumns+` from waitlist_entries e
		where e.business_id = $1 and e.occurrence_id = $2 and e.customer_id = $3 and e.attendee = $4 and e.state in `+onList+`
		order by e.state in ('waiting', 'offered') desc limit 1`, r.Business(), occurrence, customer, attendee)
	if errors.Is(err, pg.ErrNoRow) {
		return Entry{}, false, nil
	}
	return w.utc(), err == nil, err
}

// isBooked tells whether the customer has, or is about to get, this seat by a booking.
func isBooked(ctx context.Context, tx *pg.Tx, occurrence, customer uuid.UUID, attendee string) (bool, error) {
	return pg.One[bool](ctx, tx, `select exists (select from bookings where business_id = $1 and occurrence_id = $2 and customer_id = $3
		and attendee = $4 and state in `+booking.Standing+`)`, tx.Business(), occurrence, customer, attendee)
}

// insertWaiter puts an entry at the end of the list and writes its first transition; pg.ErrNoRow when the date takes nobody.
// The caller has the occurrence under lock.
func insertWaiter(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, w Entry, hash []byte, why string) error {
	_, err := pg.One[uuid.UUID](ctx, tx, `with entry as (
			insert into waitlist_entries (id, business_id, location_id, offering_id, occurrence_id, customer_id, person_id, token_hash,
				state, rank, party, attendee, payment_choice, consent_at, drop_if_promoted, version, created_at, updated_at)
			select $2, $1, $3, $4, $5, $6, $7, $8, $9,
				coalesce((select max(rank) from waitlist_entries where business_id = $1 and occurrence_id = $5), 0) + $10,
				$11, $12, $13, $14::timestamptz, $15, 1, $16, $16
			from occurrences o join offerings f on f.business_id = $1 and f.id = o.offering_id
			join locations l on l.business_id = $1 and l.id = o.location_id
			join businesses s on s.business_id = $1
			left join policies p on p.business_id = $1 and p.id = coalesce(f.policy_id, l.policy_id)
			where o.business_id = $1 and o.id = $5 and `+schedule.TakesEntriesSQL("$16")+`
			returning id
		)
		insert into waitlist_moves (id, business_id, entry_id, from_state, to_state, actor_kind, actor_id, actor_name, surface,
			reason, created_at)
		select $17, $1, id, '', $9, $18, $19, $20, $21, $22, $16 from entry returning id`,
		tx.Business(), w.ID, w.LocationID, w.OfferingID, w.OccurrenceID, w.CustomerID, w.PersonID, hash, Waiting, waitSpace, w.Party,
		w.Attendee, w.PaymentChoice, w.ConsentAt, w.DropIfPromoted, tx.Now(), pg.NewID(),
		sc.Actor.Kind, booking.ActorID(sc), sc.Actor.Name, sc.Surface, why)
	return err
}

// stepped is an entry that took a step.
type stepped struct {
	ID    uuid.UUID
	From  State
	Party int
}

// take has entries take a step that needs no seat, gives back what was on offer to them, and writes why. Entries in a
// state that the step does not leave stay as they are. The caller has their occurrences under lock.
func take(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, step Transition, why string, ids ...uuid.UUID) ([]stepped, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return pg.All[stepped](ctx, tx, `with was as (
			select e.id, e.state as "from", e.party, e.occurrence_id from waitlist_entries e
			where e.business_id = $1 and e.id = any($2) and e.state = any($4) order by e.rank, e.id for no key update
		), moved as (
			update waitlist_entries e set state = $5, offer_until = null, version = e.version + 1, updated_at = $6
			from was w where e.business_id = $1 and e.id = w.id
		), back as (
			update occurrences o set offered = o.offered - g.seats
			from (select occurrence_id, sum(party)::integer as seats from was where "from" = 'offered' group by occurrence_id) g
			where o.business_id = $1 and o.id = g.occurrence_id
		), noted as (
			insert into waitlist_moves (id, business_id, entry_id, from_state, to_state, actor_kind, actor_id, actor_name, surface,
				reason, created_at)
			select m.id, $1, w.id, w."from", $5, $7, $8, $9, $10, $11, $6
			from was w join unnest($2::uuid[], $3::uuid[]) as m (entry_id, id) on m.entry_id = w.id
		)
		select id, "from", party from was`,
		tx.Business(), ids, booking.NewIDs(len(ids)), table[step].from, table[step].to, tx.Now(),
		sc.Actor.Kind, booking.ActorID(sc), sc.Actor.Name, sc.Surface, why)
}

// remark writes something down about an entry whose state stays as it is.
func remark(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, entry uuid.UUID, state State, why string) error {
	_, err := tx.Exec(ctx, `insert into waitlist_moves (id, business_id, entry_id, from_state, to_state, actor_kind, actor_id,
			actor_name, surface, reason, created_at)
		values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10)`,
		pg.NewID(), tx.Business(), entry, state, sc.Actor.Kind, booking.ActorID(sc), sc.Actor.Name, sc.Surface, why, tx.Now())
	return err
}

// toTheEnd gives an entry the last rank of its list.
func toTheEnd(ctx context.Context, tx *pg.Tx, w Entry) error {
	_, err := tx.Exec(ctx, `update waitlist_entries set rank = $3 + (select max(rank) from waitlist_entries
			where business_id = $1 and occurrence_id = $4)
		where business_id = $1 and id = $2`, tx.Business(), w.ID, waitSpace, w.OccurrenceID)
	return err
}

// entriesIn lists the entries of a date that are in one of these states, in their order.
func entriesIn(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, states ...State) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from waitlist_entries
		where business_id = $1 and occurrence_id = $2 and state = any($3) order by rank, id`, tx.Business(), occurrence, states)
}
