package notice

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// noticeOf reads a booking, who it is told to, and the fee that is due for it.
func noticeOf(ctx context.Context, v *pg.View, id uuid.UUID) (Notice, bool, error) {
	n, found, err := pg.Find[Notice](ctx, v, `select o.state = 'cancelled' as off, l.street, l.city, l.region, l.postal_code, l.country, l.accent,
			c.name, c.email as to, `+business.ReaderLanguage+` as locale,
			coalesce((select sum(x.amount) from fees x where x.business_id = b.business_id and x.booking_id = b.id and x.state = 'due'), 0)::bigint as fee_amount
		from bookings b
		join customers c on c.business_id = b.business_id and c.id = b.customer_id
		join locations l on l.business_id = b.business_id and l.id = b.location_id
		join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id
		left join persons p on p.id = c.person_id
		where b.business_id = $1 and b.id = $2`, v.Business(), id)
	if found {
		n.Booking, err = booking.CustomerBookingOf(ctx, v, id)
	}
	return n, found, err
}

// teamNoticeOf reads a date and the member of the team who is told of it.
func teamNoticeOf(ctx context.Context, v *pg.View, occurrence, member uuid.UUID) (TeamNotice, bool, error) {
	return pg.Find[TeamNotice](ctx, v, `select m.email as to, m.name, `+business.ReaderLanguage+` as locale, s.name as business_name,
			l.name as location_name, l.zone, l.street, l.city, l.region, l.postal_code, l.country, l.accent, f.name as offering_name, o.starts_at, o.ends_at, coalesce(rooms.name, '') as space,
			coalesce(o.member_id = m.id, false) as teaches
		from occurrences o
		join members m on m.business_id = $1 and m.id = $3
		join businesses s on s.business_id = $1
		join offerings f on f.business_id = $1 and f.id = o.offering_id
		join locations l on l.business_id = $1 and l.id = o.location_id`+schedule.SpaceJoinSQL("$1", "o.space_id")+`
		left join persons p on p.id = m.person_id
		where o.business_id = $1 and o.id = $2`, v.Business(), occurrence, member)
}
