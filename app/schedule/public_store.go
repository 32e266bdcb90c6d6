package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

// The public reads send several small statements in one trip and put the answers together here. A date refers to its
// offering, its instructor and a space; a join would read the same few names again for every row, which costs the
// server more than the rows do.

// placeColumns read a Location of a location l of a business b. cards is the placeholder of the processor's
// environment.
func placeColumns(cards string) string {
	return `l.id, l.slug, l.name, l.zone, l.currency, b.status <> 'active' as paused,
		` + billing.AcceptsSQL("l.business_id", cards, "l.currency") + ` as cards`
}

// open is the condition of a location in public.
const open = `l.archived_at is null and b.status <> 'closed' `

// dateRow is a date in the table of occurrences.
type dateRow struct {
	ID, OfferingID, MemberID, SpaceID uuid.UUID // Nil: none
	StartsAt, EndsAt                  time.Time
	Seats
}

const dateColumns = `id, offering_id, coalesce(member_id, '00000000-0000-0000-0000-000000000000') as member_id,
	coalesce(space_id, '00000000-0000-0000-0000-000000000000') as space_id, starts_at, ends_at,
	capacity, online_capacity, taken, taken_online, offered`

// offeringRow has the public and the deciding columns of the offering of a date.
type offeringRow struct {
	Offered
	terms
}

// terms are the policy of an offering for its dates. Nil is the standard policy.
type terms struct {
	Enrolment  catalog.Enrolment
	WaitMode   *catalog.WaitlistMode
	WaitCutoff *int // minutes before the start
	LeadTime   *int // minutes before the start
	WindowDays *int
	PayAtDesk  *bool // customers may pay when they come
}

// termColumns read terms of an offering o with its policy p, or its location's.
const termColumns = `o.enrolment, p.rules->'waitlist'->>'mode' as wait_mode, (p.rules->'waitlist'->>'cutoffMinutes')::integer as wait_cutoff,
	(p.rules->>'noticeMinutes')::integer as lead_time, (p.rules->>'windowDays')::integer as window_days,
	(p.rules->>'payAtStudio')::boolean as pay_at_desk`

const policyJoin = ` left join policies p on p.business_id = o.business_id and p.id = coalesce(o.policy_id, l.policy_id) `

// rules are the standard ones with those of the policy.
func (t terms) rules() catalog.Rules {
	r := catalog.StandardRules()
	patch.Set(&r.Waitlist.Mode, t.WaitMode)
	patch.Set(&r.Waitlist.CutoffMinutes, t.WaitCutoff)
	patch.Set(&r.NoticeMinutes, t.LeadTime)
	patch.Set(&r.WindowDays, t.WindowDays)
	patch.Set(&r.PayAtStudio, t.PayAtDesk)
	return r
}

// names lists the members and spaces that the dates of business $1 can name, without former members.
var names = pg.Hot(`select id, name from members where business_id = $1 and deactivated_at is null
	union all select id, name from spaces where business_id = $1`)

// occurrences puts the dates of a location together with the rows they refer to. Dates of other offerings are left
// out.
func occurrences(p Location, dates []dateRow, offerings []offeringRow, named []catalog.Named, now time.Time) []PublicOccurrence {
	of := make(map[uuid.UUID]int, len(offerings)) // where its row is
	rules := make([]catalog.Rules, len(offerings))
	for i := range offerings {
		of[offerings[i].OfferingID], rules[i] = i, offerings[i].rules()
	}
	name := make(map[uuid.UUID]string, len(named))
	for _, n := range named {
		name[n.ID] = n.Name
	}
	out := make([]PublicOccurrence, 0, len(dates))
	for i := range dates {
		d := &dates[i]
		at, is := of[d.OfferingID]
		if !is {
			continue
		}
		o := &offerings[at]
		out = append(out, PublicOccurrence{
			Offered: &o.Offered, ID: d.ID, StartsAt: d.StartsAt, EndsAt: d.EndsAt, Instructor: name[d.MemberID], Space: name[d.SpaceID],
			Spots: d.Spots(),
		})
		out[len(out)-1].decide(p.facts(d, o), rules[at], now)
		out[len(out)-1].pay(p, rules[at])
	}
	return out
}

// facts are those of a date that the public sees.
func (p *Location) facts(d *dateRow, o *offeringRow) Facts {
	f := Facts{
		State: Scheduled, StartsAt: d.StartsAt, InSeries: true, Kind: o.Kind, Enrolment: o.Enrolment, OfferingState: catalog.Published,
		BusinessStatus: business.Active, Zone: p.Zone, Seats: d.Seats,
	}
	if p.Paused {
		f.BusinessStatus = business.Paused
	}
	return f
}

// found is the result of timetable: the public dates of a location up to end, and the first start from there on.
type found struct {
	place Location
	rows  []PublicOccurrence
	end   time.Time
	later *time.Time
}

// The statements of timetable: the location with the first start after its end, the dates, and the offerings. That
// first start is searched date by date: "offset 0" keeps the planner from reading and sorting all dates, a plan that
// it takes for cheap where it expects one.
var (
	timetablePlace = pg.Hot(`select ` + placeColumns("$4") + `, (select oc.starts_at
			from occurrences oc cross join lateral (select from offerings o
				where o.business_id = $1 and o.id = oc.offering_id and o.state = 'published' offset 0) published
			where oc.business_id = $1 and oc.location_id = $2 and oc.starts_at >= $3 and oc.state = 'scheduled' and oc.series_id is not null
			order by oc.starts_at limit 1) as later
		from locations l join businesses b on b.business_id = l.business_id
		where l.business_id = $1 and l.id = $2 and ` + open)
	timetableDates = pg.Hot(`select ` + dateColumns + ` from occurrences where business_id = $1 and location_id = $2
		and starts_at > $3 and starts_at < $4 and state = 'scheduled' and series_id is not null order by starts_at, id limit $5`)
	timetableOfferings = pg.Hot(`select o.id as offering_id, o.kind, o.slug, o.name, o.price_amount, ` + catalog.PricingSQL("o", "l", "b") + `, ` + termColumns + `
		from offerings o join locations l on l.business_id = o.business_id and l.id = o.location_id` + policyJoin + `
		join businesses b on b.business_id = o.business_id
		where o.business_id = $1 and o.location_id = $2 and o.state = 'published'`)
)

// timetable reads a location and its public dates that start after low and before high. When there are more than
// scheduleRows, it has those before the next one's start. ok reports whether the location is public.
func timetable(ctx context.Context, v *pg.View, cards processor.Env, location uuid.UUID, low, high time.Time, also []func(*pg.Batch)) (f found, ok bool, err error) {
	var head struct {
		Location
		Later *time.Time
	}
	var dates []dateRow
	var offerings []offeringRow
	var named []catalog.Named
	b := v.Batch()
	pg.QueueOne(b, &head, &ok, timetablePlace, v.Business(), location, high, cards)
	pg.QueueAll(b, &dates, timetableDates, v.Business(), location, low, high, scheduleRows+1)
	pg.QueueAll(b, &offerings, timetableOfferings, v.Business(), location)
	pg.QueueAll(b, &named, names, v.Business())
	for _, add := range also {
		add(b)
	}
	if err = b.Send(ctx); err != nil {
		return found{}, false, err
	}
	f = found{place: head.Location, end: high, later: head.Later}
	if len(dates) > scheduleRows {
		f.end = dates[scheduleRows].StartsAt
		f.later = &f.end
		dates = dates[:scheduleRows]
	}
	f.rows = occurrences(f.place, dates, offerings, named, v.Now())
	return f, ok, nil
}

// chosen is the id of the offering of Times: $2, or the one with slug $4 at location $3. It is a sub-select as a
// whole, evaluated once: under row-level security a bare coalesce is no index condition, and every future date of the
// business was read and discarded.
const chosen = `(select coalesce($2::uuid, (select id from offerings where business_id = $1 and location_id = $3 and slug = $4)))`

// timesRead is the result of timesOf: an offering with its location, its first dates, and the rows that further dates
// refer to.
type timesRead struct {
	Times
	rows  []PublicOccurrence
	of    offeringRow
	named []catalog.Named
}

// timesOf reads a published offering with its location and its dates that start after an instant.
func timesOf(ctx context.Context, v *pg.View, cards processor.Env, in TimesInput, after time.Time, limit int, also []func(*pg.Batch)) (r timesRead, ok bool, err error) {
	var head struct {
		Location
		Head
		terms
	}
	var dates []dateRow
	var named []catalog.Named
	var id *uuid.UUID
	if in.OfferingID != uuid.Nil {
		id = &in.OfferingID
	}
	var from *civil.Date
	if !in.From.IsZero() {
		from = &in.From
	}
	b := v.Batch()
	pg.QueueOne(b, &head, &ok, `select `+placeColumns("$5")+`, o.id as offering_id, o.kind, o.slug as offering_slug,
			o.name as offering_name, o.description, o.duration_minutes, o.price_amount, o.sold_as, `+catalog.PricingSQL("o", "l", "b")+`, `+termColumns+`
		from offerings o join locations l on l.business_id = o.business_id and l.id = o.location_id`+policyJoin+`
		join businesses b on b.business_id = o.business_id
		where o.business_id = $1 and o.id = `+chosen+` and o.state = 'published' and `+open, v.Business(), id, in.LocationID, in.Slug, cards)
	pg.QueueAll(b, &dates, `select `+dateColumns+` from occurrences
		where business_id = $1 and offering_id = `+chosen+` and starts_at > $5 and state = 'scheduled' and series_id is not null
			and ($6::date is null or local_date >= $6)
		order by starts_at, id limit $7`, v.Business(), id, in.LocationID, in.Slug, after, from, limit)
	pg.QueueAll(b, &named, names, v.Business())
	for _, add := range also {
		add(b)
	}
	if err = b.Send(ctx); err != nil {
		return timesRead{}, false, err
	}
	h := head.Head
	if head.Enrolment == catalog.BySeries {
		r.Course = &Course{}
	}
	r.Location, r.Head, r.named = head.Location, h, named
	r.of = offeringRow{Offered{h.OfferingID, h.Kind, h.OfferingSlug, h.OfferingName, h.PriceAmount, 0, h.Pricing}, head.terms}
	r.rows = occurrences(r.Location, dates, []offeringRow{r.of}, named, v.Now())
	return r, ok, nil
}

// restOfDay completes a reading whose last date is on a day that ends at end, with the remaining dates of that day
// and one date of a later one. The day is its only limit: 200 dates of one class on one day are rare, and a day of
// them is a page (E55).
func restOfDay(ctx context.Context, v *pg.View, r timesRead, end time.Time) ([]PublicOccurrence, error) {
	last := r.rows[len(r.rows)-1].StartsAt
	const those = `select ` + dateColumns + ` from occurrences
		where business_id = $1 and offering_id = $2 and state = 'scheduled' and series_id is not null and starts_at >= $3`
	var rest, next []dateRow
	b := v.Batch()
	pg.QueueAll(b, &rest, those+` and starts_at < $4 order by starts_at, id`, v.Business(), r.of.OfferingID, last, end)
	pg.QueueAll(b, &next, those+` order by starts_at, id limit 1`, v.Business(), r.of.OfferingID, end)
	if err := b.Send(ctx); err != nil {
		return nil, err
	}
	rest = append(rest, next...)
	return append(r.rows[:startingFrom(r.rows, last)], occurrences(r.Location, rest, []offeringRow{r.of}, r.named, v.Now())...), nil
}

// NextTimes returns the next start of each offering that has one, in one round trip: the "next" of a list (E36). It
// does not check whether the offerings are published: the list has.
func (s *Service) NextTimes(ctx context.Context, business uuid.UUID, offerings []uuid.UUID) (map[uuid.UUID]time.Time, error) {
	v := s.db.View(business)
	type row struct {
		ID       uuid.UUID
		StartsAt time.Time
	}
	rows, err := pg.All[row](ctx, v, `select w.id, n.starts_at from unnest($2::uuid[]) as w (id) cross join lateral (
			select starts_at from occurrences where business_id = $1 and offering_id = w.id and starts_at > $3
				and state = 'scheduled' and series_id is not null order by starts_at, id limit 1
		) n`, v.Business(), offerings, v.Now())
	next := make(map[uuid.UUID]time.Time, len(rows))
	for _, r := range rows {
		next[r.ID] = r.StartsAt
	}
	return next, err
}
