package walkin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
)

// takesWalkins is the condition of an offering f that takes walk-ins. One with an attending member takes none.
const takesWalkins = `f.state = 'published' and f.kind = 'rental' and f.sold_as = 'person' and f.walkins and not f.needs_member`

// walkinPlace is a location with the facts of its walk-ins.
type walkinPlace struct {
	Facts
	Currency money.Currency
	Version  int64
	Gone     bool // the location is not public
}

// walkinRow is walkinPlace in the form of the statement: the lists are JSON, so that all of it is one answer and one
// snapshot.
type walkinRow struct {
	Zone                               string
	Currency                           money.Currency
	Version                            int64
	WalkinsOff, Archived               bool
	WalkinsPausedUntil                 *time.Time
	Status                             business.Status
	Week, Special, Rooms, Busy, Offers []byte
}

// walkinFacts reads the facts of the walk-in state of a location, in one trip. minutes is the longest stay to compute
// beside the offers' default ones, also adds further reads. An unknown location is not found.
//
// Seats are occupied by claims: of a shared room by sold seats, and wholly by a claim of the room, of a whole it is a
// part of or of a part of it. No claim is longer than two days, so a window is enough.
func walkinFacts(ctx context.Context, r pg.Reader, location uuid.UUID, minutes int, also ...func(*pg.Batch)) (walkinPlace, error) {
	var row walkinRow
	var found bool
	b := r.Batch()
	pg.QueueOne(b, &row, &found, walkinSQL, r.Business(), location, minuteOf(r.Now()), minutes)
	for _, add := range also {
		add(b)
	}
	if err := b.Send(ctx); err != nil {
		return walkinPlace{}, err
	}
	if !found {
		return walkinPlace{}, fault.Missing()
	}
	return row.place()
}

// walkinSQL reads walkinRow of business $1 and location $2 at $3, for stays of $4 minutes.
const walkinSQL = `with recursive offers as (
		select f.id, f.slug, f.duration_minutes, f.price_amount, f.durations, f.capacity, f.buffer_after_minutes, f.last_start_minute,
			coalesce((f.durations -> 0 ->> 'minutes')::integer, f.duration_minutes) as usual,
			array(select x.space_id from offering_spaces x where x.business_id = $1 and x.offering_id = f.id order by x.position, x.id) as spaces
		from offerings f where f.business_id = $1 and f.location_id = $2 and ` + takesWalkins + `
	), rooms as (
		select s.id, s.name, s.capacity from spaces s
		where s.business_id = $1 and s.location_id = $2 and s.archived_at is null and s.id in (select unnest(spaces) from offers)
	), reach as (
		select $3::timestamptz + make_interval(mins => max(greatest(usual, $4) + buffer_after_minutes)) as at from offers
	), parts (room, id) as (
		select id, id from rooms
		union select p.room, s.id from parts p join spaces s on s.business_id = $1 and s.parent_id = p.id
	), wholes (room, id) as (
		select o.id, s.parent_id from rooms o join spaces s on s.business_id = $1 and s.id = o.id and s.parent_id is not null
		union select w.room, s.parent_id from wholes w join spaces s on s.business_id = $1 and s.id = w.id and s.parent_id is not null
	), related as (
		select room, id from parts union all select room, id from wholes
	), busy as (
		select t.room, c.* from related t, lateral (
			select c.starts_at as from, c.ends_at as to, case when c.exclusive then 0 else c.seats end as seats from claims c
			where c.business_id = $1 and c.space_id = t.id and c.ends_at > $3 and c.starts_at < (select at from reach)
				and c.ends_at < (select at from reach) + interval '2 days' and (c.exclusive or c.direct and t.id = t.room)
			offset 0 -- room by room along the index, whatever the planner makes of how many rooms there are
		) c
		union all
		select t.room, b.starts_at, b.ends_at, 0 from related t join space_blocks b on b.business_id = $1 and b.space_id = t.id
			and b.ends_at > $3 and b.starts_at < (select at from reach)
	)
	select l.zone, l.currency, l.version, l.walkins_off, l.walkins_paused_until, l.archived_at is not null as archived, b.status,
		(select json_agg(h) from (select weekday, opens, closes from location_hours
			where business_id = $1 and location_id = $2) h) as week,
		(select json_agg(c) from (select starts_on as from, ends_on as to, hours from closures where business_id = $1
			and location_id = $2 and ends_on >= ($3 at time zone l.zone)::date and starts_on < ($3 at time zone l.zone)::date + 20) c) as special,
		(select json_agg(o order by o.name, o.id) from (select id, name, capacity, (select json_agg(h) from (
			select weekday, opens, closes from space_hours where business_id = $1 and space_id = rooms.id) h) as week from rooms) o) as rooms,
		(select json_agg(y) from busy y) as busy, (select json_agg(o order by o.slug) from offers o) as offers
	from locations l join businesses b on b.business_id = l.business_id where l.business_id = $1 and l.id = $2`

// The lists of walkinRow that differ from those of the facts. The others are read into them as they are.
type (
	busyJSON struct {
		Room uuid.UUID
		Claim
	}
	offerJSON struct {
		ID                 uuid.UUID          `json:"id"`
		Slug               string             `json:"slug"`
		DurationMinutes    int                `json:"duration_minutes"`
		PriceAmount        *int64             `json:"price_amount"`
		Durations          []catalog.Duration `json:"durations"`
		Capacity           int                `json:"capacity"`
		BufferAfterMinutes int                `json:"buffer_after_minutes"`
		LastStartMinute    *int               `json:"last_start_minute"`
		Spaces             []uuid.UUID        `json:"spaces"`
	}
)

func (r walkinRow) place() (walkinPlace, error) {
	zone, err := civil.LoadZone(r.Zone)
	if err != nil {
		return walkinPlace{}, err
	}
	p := walkinPlace{Currency: r.Currency, Version: r.Version, Gone: r.Archived || r.Status == business.Closed}
	p.Off, p.Paused, p.PausedUntil, p.Zone = r.WalkinsOff || r.Archived, r.Status != business.Active, r.WalkinsPausedUntil, zone
	var busy []busyJSON
	var offers []offerJSON
	for _, list := range []struct {
		from []byte
		to   any
	}{{r.Week, &p.Week}, {r.Special, &p.Special}, {r.Rooms, &p.Rooms}, {r.Busy, &busy}, {r.Offers, &offers}} {
		if list.from == nil {
			continue // no row
		}
		if err := json.Unmarshal(list.from, list.to); err != nil {
			return walkinPlace{}, err
		}
	}
	at := map[uuid.UUID]int{}
	for i, o := range p.Rooms {
		at[o.ID] = i
	}
	for _, b := range busy {
		room := &p.Rooms[at[b.Room]]
		room.Busy = append(room.Busy, b.Claim)
	}
	for _, o := range offers {
		p.Offers = append(p.Offers, o.offer(at))
	}
	return p, nil
}

// offer is an offer with the rooms that are in use; at are their indices.
func (o offerJSON) offer(at map[uuid.UUID]int) Listing {
	out := Listing{
		ID: o.ID, Slug: o.Slug, After: o.BufferAfterMinutes, Capacity: o.Capacity,
		Lengths: catalog.Lengths{
			Kind: catalog.Rental, SoldAs: catalog.PerPerson, Minutes: o.DurationMinutes, Amount: o.PriceAmount, Durations: o.Durations,
		},
	}
	if o.LastStartMinute != nil {
		last := civil.Clock(*o.LastStartMinute)
		out.LastStart = &last
	}
	for _, id := range o.Spaces {
		if i, inUse := at[id]; inUse {
			out.Rooms = append(out.Rooms, i)
		}
	}
	return out
}
