package booking

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/schedule"
)

// bookable tells whether the storefront sells this seat of an occurrence, as one date or as one of a course.
func (s Seat) bookable(o schedule.Detail, rules catalog.Rules, now time.Time) error {
	if err := Bookable(o, now); err != nil {
		return err
	}
	switch {
	case o.Course() && s.Group == uuid.Nil:
		return about(NotCourse(o.OfferingID), o.ID)
	case !o.Course() && s.Group != uuid.Nil:
		return At(ErrNotBookable.Say("This is no course any more."), o.ID)
	case s.Follows:
		return nil
	}
	return about(Opens(rules.NoticeMinutes, rules.WindowDays, o.StartsAt, now, zoneOrUTC(o.Zone)), o.ID)
}

// Bookable tells whether the storefront sells this occurrence, seats aside: nil, ErrStarted, ErrCancelled or ErrNotBookable,
// with details.occurrenceId.
func Bookable(s schedule.Detail, now time.Time) error {
	switch {
	case s.Bookable(now) && s.Kind == catalog.Class:
		return nil
	case s.State == schedule.Cancelled:
		return At(ErrCancelled, s.ID)
	case !s.StartsAt.After(now):
		return At(ErrStarted, s.ID)
	case s.BusinessStatus == business.Paused:
		return At(ErrNotBookable.Say("The studio does not take bookings right now."), s.ID)
	}
	return At(ErrNotBookable, s.ID)
}

// bookable is what an occurrence o of an offering f must be for the storefront to sell it, seats aside: the same as
// Seat.bookable says of a schedule.Detail and Opens of its rules; the standard rules have neither notice nor window. What is
// wanted says whether it is a date of a course, and one of the later ones. $1 business, $2 now, $21 location.
const bookable = `o.business_id = $1 and o.location_id = $21 and o.state = 'scheduled' and o.starts_at > $2
	and f.business_id = $1 and f.id = o.offering_id and f.state = 'published' and (f.kind = 'class') = (o.series_id is not null)
	and (f.enrolment = 'series') = w.course
	and exists (select from locations l join businesses s on s.business_id = l.business_id
		left join policies p on p.business_id = $1 and p.id = coalesce(f.policy_id, l.policy_id)
		where l.business_id = $1 and l.id = $21 and l.archived_at is null and s.status = 'active'
			and (w.follows or p.id is null or ` + open + `))`

// open is what Opens says: that the rules of policy p let somebody book occurrence o at location l now. $2 now.
const open = `o.starts_at - make_interval(mins => coalesce((p.rules ->> 'noticeMinutes')::integer, 0)) >= $2
	and (coalesce((p.rules ->> 'windowDays')::integer, 0) = 0
		or ($2 at time zone l.zone)::date >= (o.starts_at at time zone l.zone)::date - (p.rules ->> 'windowDays')::integer)`
