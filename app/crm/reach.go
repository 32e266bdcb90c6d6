package crm

import (
	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/policy"
)

// The reach of a role: the customers c of business $1 covered by a person's grants (policy.Cover). Every operation on
// a customer uses AddReach or find, so that all of them agree. docs/roles.md describes it.
const (
	// visitsSQL are the bookings and waitlist entries of the business. A seat that was only held makes no customer.
	visitsSQL = `(select b.customer_id, b.location_id, b.occurrence_id from bookings b where b.business_id = $1 and ` + bookedSQL + `
		union all select w.customer_id, w.location_id, w.occurrence_id from waitlist_entries w where w.business_id = $1) v`
	bookedSQL = `b.state not in ('held', 'expired')`

	// addedSQL: c was added at one of the locations, or by the person, and has booked nowhere.
	addedSQL = `(c.location_id = any(?) or c.added_by = ?)
		and not exists (select from bookings b where b.business_id = $1 and b.customer_id = c.id and ` + bookedSQL + `)`

	// Whether a person teaches the date of visit v: for one customer at that date, for a list once for all dates that
	// the person teaches. The other way round each of them takes a hundred times as long.
	taughtSQL   = `from occurrences o join members m on m.business_id = o.business_id and m.id = o.member_id and m.deactivated_at is null where `
	teachesSQL  = `exists (select ` + taughtSQL + `o.business_id = $1 and o.id = v.occurrence_id and m.person_id = ?)`
	amongOwnSQL = `v.occurrence_id in (select o.id ` + taughtSQL + `o.business_id = $1 and m.person_id = ?)`
)

// AddReach adds to a statement that lists customers c of business $1 the condition that a person's grants cover them.
func AddReach(s *pg.Shape, person uuid.UUID, cover policy.Cover) {
	if cover.Everywhere {
		s.Add(`true`)
		return
	}
	s.Add(`c.id in (select v.customer_id from ` + visitsSQL + ` where `)
	addVisits(s, person, cover, amongOwnSQL)
	if len(cover.Locations) > 0 {
		s.Add(` union all select c.id from customers c where c.business_id = $1 and `+addedSQL, cover.Locations, person)
	}
	s.Add(`)`)
}

// addOpen is AddReach for a statement about one customer c.
func addOpen(s *pg.Shape, person uuid.UUID, cover policy.Cover) {
	if cover.Everywhere {
		s.Add(`true`)
		return
	}
	s.Add(`(exists (select from ` + visitsSQL + ` where v.customer_id = c.id and `)
	addVisits(s, person, cover, teachesSQL)
	s.Add(`)`)
	if len(cover.Locations) > 0 {
		s.Add(` or `+addedSQL, cover.Locations, person)
	}
	s.Add(`)`)
}

// addVisits adds the condition for visits v that give the person access; teaches is one of the two constants above.
func addVisits(s *pg.Shape, person uuid.UUID, cover policy.Cover, teaches string) {
	if cover.Own {
		s.Add(`(v.location_id = any(?) or `+teaches+`)`, cover.Locations, person)
		return
	}
	s.Add(`v.location_id = any(?)`, cover.Locations)
}
