package waitlist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

const entryColumns = `e.id, e.location_id, e.offering_id, e.occurrence_id, e.customer_id, e.person_id, e.state, e.rank, e.party,
	e.attendee, e.payment_choice, e.consent_at, e.drop_if_promoted, e.offered_at, e.offer_until, e.booking_id, e.version,
	e.created_at, e.updated_at`

// findEntry reads one entry; an unknown id is not found.
func findEntry(ctx context.Context, r pg.Reader, id uuid.UUID) (Entry, error) {
	return pg.Found(pg.One[Entry](ctx, r, `select `+entryColumns+` from waitlist_entries e where e.business_id = $1 and e.id = $2`,
		r.Business(), id))
}

// date is an occurrence with the facts that decide about its waitlist.
type date struct {
	schedule.Detail
	Rules      catalog.Rules
	Instructor uuid.UUID
}

// lockDate locks an occurrence until the transaction ends and reads it under the lock. Every change of a waitlist
// begins so. An unknown id is not found. The instructor is read in the columns and not joined, as the lock is not to
// reach them, and is null for a former member: permissions are the same as in schedule.TaughtBySQL.
func lockDate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (date, error) {
	instructor, err := pg.Found(pg.One[*uuid.UUID](ctx, tx, `select (select m.person_id from members m
			where m.business_id = $1 and m.id = o.member_id and m.deactivated_at is null) as instructor
		from occurrences o join offerings f on f.business_id = o.business_id and f.id = o.offering_id
		where o.business_id = $1 and o.id = $2`+booking.UnderLock, tx.Business(), id))
	if err != nil {
		return date{}, err
	}
	d, err := readDate(ctx, tx, id)
	if instructor != nil {
		d.Instructor = *instructor
	}
	return d, err
}

// readDate is lockDate without the lock, and without Instructor.
func readDate(ctx context.Context, r pg.Reader, id uuid.UUID) (date, error) {
	o, err := schedule.OccurrenceOf(ctx, r, id)
	if err != nil {
		return date{}, err
	}
	rules, err := catalog.RulesOf(ctx, r, []uuid.UUID{o.OfferingID})
	return date{Detail: o, Rules: rules[o.OfferingID]}, err
}

// asksUntil returns the instant from which no entries are added and no offers made.
func (d date) asksUntil() time.Time { return d.Rules.OffersUntil(d.StartsAt) }

// onList lists, for statements, the states in which an entry may still get a seat, like State.OnList.
const onList = `('waiting', 'offered', 'offer_expired', 'skipped_payment')`

// ownEntry finds the entry of a customer and an attendee on a date's list; ok is false when there is none.
func ownEntry(ctx context.Context, r pg.Reader, occurrence, customer uuid.UUID, attendee string) (w Entry, ok bool, err error) {
	return pg.Find[Entry](ctx, r, `select `+entryColumns+` from waitlist_entries e
		where e.business_id = $1 and e.occurrence_id = $2 and e.customer_id = $3 and (e.attendee = $4 or e.attendee_key = $5) and e.state in `+onList+`
		order by e.state in ('waiting', 'offered') desc limit 1`, r.Business(), occurrence, customer, attendee, names.Key(attendee))
}

// logged is the one insert of transitions, a part of a statement: it writes a row for each row of table changes (id,
// entry_id, from_state, to_state), defined before it. Its names are booking.Noting's, and @why.
const logged = `logged as (
	insert into waitlist_transitions (id, business_id, entry_id, from_state, to_state, actor_kind, actor_id, actor_name, surface,
		reason, created_at)
	select id, @business, entry_id, from_state, to_state, @actor_kind, @actor_id, @actor_name, @surface, @why, @now from changes
)`

// insertEntry adds an entry to the end of the list and logs its first transition; pg.ErrNoRow when the date takes no
// entries. The caller has the occurrence under lock.
func insertEntry(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, e Entry, hash []byte, why string) error {
	_, err := pg.One[uuid.UUID](ctx, tx, `with entry as (
			insert into waitlist_entries (id, business_id, location_id, offering_id, occurrence_id, customer_id, person_id, token_hash,
				state, rank, party, attendee, attendee_key, payment_choice, consent_at, drop_if_promoted, version, created_at, updated_at)
			select @entry, @business, @location, @offering, @occurrence, @customer, @person, @token, @waiting,
				coalesce((select max(rank) from waitlist_entries where business_id = @business and occurrence_id = @occurrence), 0) + @rank_space,
				@party, @attendee, @attendee_key, @payment_choice, @consent_at::timestamptz, @drop_if_promoted, 1, @now, @now
			from occurrences o join offerings f on f.business_id = @business and f.id = o.offering_id
			join locations l on l.business_id = @business and l.id = o.location_id
			join businesses s on s.business_id = @business
			left join policies p on p.business_id = @business and p.id = coalesce(f.policy_id, l.policy_id)
			where o.business_id = @business and o.id = @occurrence and `+schedule.TakesEntriesSQL("@now")+`
			returning id
		), changes as (
			select @transition::uuid as id, id as entry_id, '' as from_state, @waiting as to_state from entry
		), `+logged+` select id from entry`,
		booking.Noting(tx, sc, pg.Named{
			"why": why, "transition": pg.NewID(), "entry": e.ID, "location": e.LocationID, "offering": e.OfferingID,
			"occurrence": e.OccurrenceID, "customer": e.CustomerID, "person": e.PersonID, "token": hash, "waiting": Waiting,
			"rank_space": rankSpace, "party": e.Party, "attendee": e.Attendee, "attendee_key": names.Key(e.Attendee), "payment_choice": e.PaymentChoice,
			"consent_at": e.ConsentAt, "drop_if_promoted": e.DropIfPromoted,
		}))
	return err
}

// changed is an entry that made a transition.
type changed struct {
	ID    uuid.UUID
	From  State
	Party int
}

// transit has entries make a transition that needs no seat, releases the seats on offer to them, and logs why.
// Entries in a state that the transition does not leave stay as they are. The caller has their occurrences under
// lock.
func transit(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, t Transition, why string, ids ...uuid.UUID) ([]changed, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return pg.All[changed](ctx, tx, `with was as (
			select e.id, e.state as "from", e.party, e.occurrence_id from waitlist_entries e
			where e.business_id = @business and e.id = any(@ids) and e.state = any(@from) order by e.rank, e.id for no key update
		), moved as (
			update waitlist_entries e set state = @to, offer_until = null, version = e.version + 1, updated_at = @now
			from was w where e.business_id = @business and e.id = w.id
		), back as (
			update occurrences o set offered = o.offered - g.seats
			from (select occurrence_id, sum(party)::integer as seats from was where "from" = 'offered' group by occurrence_id) g
			where o.business_id = @business and o.id = g.occurrence_id
		), changes as (
			select x.id, w.id as entry_id, w."from" as from_state, @to as to_state
			from was w join unnest(@ids::uuid[], @transitions::uuid[]) as x (entry_id, id) on x.entry_id = w.id
		), `+logged+`
		select id, "from", party from was`,
		booking.Noting(tx, sc, pg.Named{
			"why": why, "ids": ids, "transitions": pg.NewIDs(len(ids)), "from": table[t].from, "to": table[t].to,
		}))
}

// remark logs an event of an entry whose state stays as it is.
func remark(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, entry uuid.UUID, state State, why string) error {
	_, err := tx.Exec(ctx, `with changes as (
			select @transition::uuid as id, @entry::uuid as entry_id, @state::text as from_state, @state::text as to_state
		), `+logged+` select from changes`, booking.Noting(tx, sc, pg.Named{
		"why": why, "transition": pg.NewID(), "entry": entry, "state": state,
	}))
	return err
}

// toTheEnd gives an entry the last rank of its list.
func toTheEnd(ctx context.Context, tx *pg.Tx, w Entry) error {
	_, err := tx.Exec(ctx, `update waitlist_entries set rank = $3 + (select max(rank) from waitlist_entries
			where business_id = $1 and occurrence_id = $4)
		where business_id = $1 and id = $2`, tx.Business(), w.ID, rankSpace, w.OccurrenceID)
	return err
}

// entriesIn lists the entries of a date that are in one of these states, in their order.
func entriesIn(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, states ...State) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from waitlist_entries
		where business_id = $1 and occurrence_id = $2 and state = any($3) order by rank, id`, tx.Business(), occurrence, states)
}

// FollowTx updates the waitlist entries of a customer to their login: crm.Ports.FollowTx.
func FollowTx(ctx context.Context, tx *pg.Tx, customer uuid.UUID, person *uuid.UUID) error {
	_, err := tx.Exec(ctx, `update waitlist_entries set person_id = $3, version = version + 1, updated_at = $4
		where business_id = $1 and customer_id = $2 and state in `+onList, tx.Business(), customer, person, tx.Now())
	return err
}

// awaitedAhead counts the waitlist entries of all upcoming dates, and finds these dates.
func awaitedAhead(ctx context.Context, tx *pg.Tx) (waiting int, dates []uuid.UUID, err error) {
	type row struct {
		Waiting int
		Awaited []uuid.UUID
	}
	r, err := pg.One[row](ctx, tx, `select count(*) as waiting, array(select distinct unnest(array_agg(e.occurrence_id)) order by 1) as awaited
		from waitlist_entries e join occurrences o on o.business_id = $1 and o.id = e.occurrence_id
		where e.business_id = $1 and e.state in `+onList+` and o.starts_at > $2`, tx.Business(), tx.Now())
	return r.Waiting, r.Awaited, err
}

// ahead counts the upcoming dates, bookings and entries of an offering, and finds the dates with a waitlist.
func ahead(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (catalog.Ahead, []uuid.UUID, error) {
	type row struct {
		Bookings, Dates, Waiting int
		Awaited                  []uuid.UUID
	}
	r, err := pg.One[row](ctx, tx, `with d as (
			select id, series_id, state from occurrences where business_id = $1 and offering_id = $2 and starts_at > $3
		), w as (
			select e.occurrence_id from waitlist_entries e join d on d.id = e.occurrence_id
			where e.business_id = $1 and e.state in `+onList+`
		)
		select (select count(*) from bookings b join d on d.id = b.occurrence_id where b.business_id = $1 and b.state in `+booking.ActiveStatesSQL+`) as bookings,
			(select count(*) from d where series_id is not null and state = 'scheduled') as dates,
			(select count(*) from w) as waiting, array(select distinct occurrence_id from w) as awaited`,
		tx.Business(), offering, tx.Now())
	return catalog.Ahead{Bookings: r.Bookings, Dates: r.Dates, Waiting: r.Waiting}, r.Awaited, err
}

// follow updates all entries of dates to the current times of the dates, and returns the number of them on a list.
func follow(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) (int, error) {
	return pg.One[int](ctx, tx, `with moved as (
			update waitlist_entries e set location_id = o.location_id, offering_id = o.offering_id, version = e.version + 1, updated_at = $3
			from occurrences o where e.business_id = $1 and e.occurrence_id = any($2) and o.business_id = $1 and o.id = e.occurrence_id
			returning e.state
		)
		select count(*) from moved where state in ('waiting', 'offered')`, tx.Business(), dates, tx.Now())
}
