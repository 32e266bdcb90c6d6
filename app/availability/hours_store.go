package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

// memberHours reads the week of a member at the locations that cover opens; archived ones are left out.
func memberHours(ctx context.Context, r pg.Reader, member uuid.UUID, cover policy.Cover) (MemberHours, error) {
	type row struct {
		LocationID uuid.UUID
		business.Interval
	}
	rows, err := pg.All[row](ctx, r, `select h.location_id, h.weekday, h.opens, h.closes from member_hours h
		join locations l on l.business_id = h.business_id and l.id = h.location_id
		where h.business_id = $1 and h.member_id = $2 and l.archived_at is null and ($3 or h.location_id = any($4))
		order by h.location_id, h.weekday, h.opens, h.id`, r.Business(), member, cover.Everywhere, cover.Locations)
	out := MemberHours{MemberID: member}
	for _, h := range rows {
		if n := len(out.Locations); n == 0 || out.Locations[n-1].LocationID != h.LocationID {
			out.Locations = append(out.Locations, LocationHours{LocationID: h.LocationID})
		}
		at := &out.Locations[len(out.Locations)-1]
		at.Intervals = append(at.Intervals, h.Interval)
	}
	return out, err
}

// week is a week of hours in columns.
type week struct {
	ids, places           []uuid.UUID
	weekdays, open, close []int
}

func (w *week) add(place uuid.UUID, hours []business.Interval) {
	for _, v := range hours {
		w.ids, w.places = append(w.ids, pg.NewID()), append(w.places, place)
		w.weekdays, w.open, w.close = append(w.weekdays, int(v.Weekday)), append(w.open, v.Opens), append(w.close, v.Closes)
	}
}

func replaceMemberHours(ctx context.Context, tx *pg.Tx, in MemberHours) error {
	if _, err := tx.Exec(ctx, `delete from member_hours where business_id = $1 and member_id = $2`, tx.Business(), in.MemberID); err != nil {
		return err
	}
	var w week
	for _, p := range in.Locations {
		w.add(p.LocationID, p.Intervals)
	}
	_, err := tx.Exec(ctx, `insert into member_hours (id, business_id, member_id, location_id, weekday, opens, closes)
		select w.id, $1, $2, w.place, w.day, w.opens, w.closes
		from unnest($3::uuid[], $4::uuid[], $5::int[], $6::int[], $7::int[]) w (id, place, day, opens, closes)`,
		tx.Business(), in.MemberID, w.ids, w.places, w.weekdays, w.open, w.close)
	return err
}

func spaceHours(ctx context.Context, r pg.Reader, location, space uuid.UUID) (SpaceHours, error) {
	rows, err := pg.All[business.Interval](ctx, r, `select weekday, opens, closes from space_hours
		where business_id = $1 and location_id = $2 and space_id = $3 order by weekday, opens, id`, r.Business(), location, space)
	return SpaceHours{LocationID: location, SpaceID: space, Intervals: rows}, err
}

func replaceSpaceHours(ctx context.Context, tx *pg.Tx, in SpaceHours) error {
	if _, err := tx.Exec(ctx, `delete from space_hours where business_id = $1 and space_id = $2`, tx.Business(), in.SpaceID); err != nil {
		return err
	}
	var w week
	w.add(in.LocationID, in.Intervals)
	_, err := tx.Exec(ctx, `insert into space_hours (id, business_id, location_id, space_id, weekday, opens, closes)
		select w.id, $1, w.place, $2, w.day, w.opens, w.closes
		from unnest($3::uuid[], $4::uuid[], $5::int[], $6::int[], $7::int[]) w (id, place, day, opens, closes)`,
		tx.Business(), in.SpaceID, w.ids, w.places, w.weekdays, w.open, w.close)
	return err
}

// placesInUse are those of ids that are locations in use.
func placesInUse(ctx context.Context, r pg.Reader, ids []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select id from locations where business_id = $1 and id = any($2) and archived_at is null`,
		r.Business(), ids)
}

// HasTimesTx reports whether customers could choose a time of an offering: catalog.Ports.HasTimesTx. A class has an
// upcoming date or a series with further ones. An appointment, and a rental with NeedsMember, has a bookable member
// with hours at the location; a rental has one of its spaces in use at a location with opening hours.
func HasTimesTx(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (bool, error) {
	class, err := pg.One[bool](ctx, tx, `select coalesce(bool_and(kind = 'class'), true) from offerings where business_id = $1 and id = $2`,
		tx.Business(), offering)
	if err != nil {
		return false, err
	}
	if class {
		return schedule.DatesOfOfferingTx(ctx, tx, offering)
	}
	return pg.One[bool](ctx, tx, `select coalesce(bool_and(
			(o.kind = 'rental' and not o.needs_member or exists (
				select from offering_members x
				join members m on m.business_id = x.business_id and m.id = x.member_id and m.bookable and m.deactivated_at is null
				join member_hours h on h.business_id = x.business_id and h.member_id = x.member_id and h.location_id = o.location_id
				where x.business_id = o.business_id and x.offering_id = o.id))
			and (o.kind = 'appointment' or exists (
				select from offering_spaces x
				join spaces s on s.business_id = x.business_id and s.id = x.space_id and s.archived_at is null
				join location_hours h on h.business_id = x.business_id and h.location_id = o.location_id
				where x.business_id = o.business_id and x.offering_id = o.id))), false)
		from offerings o where o.business_id = $1 and o.id = $2`, tx.Business(), offering)
}

// SpaceInUseTx reports whether a space has an upcoming date or a series with further ones, or is a space of a
// published offering: business.Ports.SpaceInUseTx.
func SpaceInUseTx(ctx context.Context, tx *pg.Tx, space uuid.UUID) (bool, error) {
	used, err := pg.One[bool](ctx, tx, `select exists (select from offering_spaces x
		join offerings o on o.business_id = x.business_id and o.id = x.offering_id
		where x.business_id = $1 and x.space_id = $2 and o.state = 'published')`, tx.Business(), space)
	if err != nil || used {
		return used, err
	}
	return schedule.DatesInSpaceTx(ctx, tx, space)
}
