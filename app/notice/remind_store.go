package notice

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// reminder is a recorded reminder, with the facts that decide whether it is mailed.
type reminder struct {
	OccurrenceID uuid.UUID
	CustomerID   uuid.UUID
	StartsAt     time.Time
	Minutes      int
	MailedAt     *time.Time
	Wanted       bool // the location still has this reminder
	Overtaken    bool // a later one was recorded
}

// due returns the time at which it was to be mailed.
func (r reminder) due() time.Time { return r.StartsAt.Add(-time.Duration(r.Minutes) * time.Minute) }

// seat is a booking in a reminder.
type seat struct {
	ID       uuid.UUID
	Attendee string
}

// insertReminders records due reminders, at most remindAtOnce at a time, and returns the ids: for each customer of a
// date the latest due one, unless they got it or a later one. app.due_reminders selects the same over all businesses.
func insertReminders(ctx context.Context, tx *pg.Tx) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `with due as (
			select distinct on (o.id, k.customer_id) o.id as occurrence_id, k.customer_id, o.starts_at, m.minutes
			from locations l
			cross join lateral (select make_interval(mins => x::integer) as lead, x::integer as minutes from jsonb_array_elements_text(l.reminders) x) m
			join occurrences o on o.business_id = l.business_id and o.location_id = l.id and o.state = 'scheduled' and o.taken > 0
				and o.starts_at > $2 and o.starts_at > $2 - $3::interval + m.lead and o.starts_at <= $2 + m.lead
			join bookings k on k.business_id = o.business_id and k.occurrence_id = o.id and k.state = 'confirmed'
				and k.confirmed_at <= o.starts_at - m.lead
			where l.business_id = $1 and not exists (select from booking_reminders r
				where r.business_id = o.business_id and r.occurrence_id = o.id and r.customer_id = k.customer_id
					and r.starts_at = o.starts_at and r.minutes <= m.minutes)
			order by o.id, k.customer_id, m.minutes limit $4
		)
		insert into booking_reminders (id, business_id, occurrence_id, customer_id, starts_at, minutes, created_at)
		select i.id, $1, d.occurrence_id, d.customer_id, d.starts_at, d.minutes, $2
		from (select d.*, row_number() over () as n from due d) d join unnest($5::uuid[]) with ordinality as i (id, n) on i.n = d.n
		on conflict on constraint booking_reminders_one do nothing
		returning id`, tx.Business(), tx.Now(), remindLate, remindAtOnce, pg.NewIDs(remindAtOnce))
}

// dropReminders deletes those of bookings that began remindersKept ago.
func dropReminders(ctx context.Context, tx *pg.Tx) (int, error) {
	n, err := tx.Exec(ctx, `delete from booking_reminders where business_id = $1 and id in (
			select r.id from booking_reminders r where r.business_id = $1 and r.starts_at < $2 order by r.starts_at limit $3 for update skip locked)`,
		tx.Business(), tx.Now().Add(-remindersKept), remindAtOnce)
	return int(n), err
}

func reminderOf(ctx context.Context, v *pg.View, id uuid.UUID) (reminder, bool, error) {
	return pg.Find[reminder](ctx, v, `select r.occurrence_id, r.customer_id, r.starts_at, r.minutes, r.mailed_at,
			l.reminders @> to_jsonb(r.minutes) as wanted,
			exists (select from booking_reminders x where x.business_id = r.business_id and x.occurrence_id = r.occurrence_id
				and x.customer_id = r.customer_id and x.starts_at = r.starts_at and x.minutes < r.minutes) as overtaken
		from booking_reminders r
		join occurrences o on o.business_id = r.business_id and o.id = r.occurrence_id
		join locations l on l.business_id = r.business_id and l.id = o.location_id
		where r.business_id = $1 and r.id = $2`, v.Business(), id)
}

// seatsOf returns the bookings of a reminder, in their current state, the first one first.
func seatsOf(ctx context.Context, v *pg.View, r reminder) ([]seat, error) {
	return pg.All[seat](ctx, v, `select k.id, k.attendee from bookings k
		where k.business_id = $1 and k.occurrence_id = $2 and k.customer_id = $3 and k.starts_at = $4 and k.state = 'confirmed'
		order by k.created_at, k.id`, v.Business(), r.OccurrenceID, r.CustomerID, r.StartsAt)
}

// reminded marks a reminder as mailed.
func reminded(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `update booking_reminders set mailed_at = $3 where business_id = $1 and id = $2`, tx.Business(), id, tx.Now())
	return err
}
