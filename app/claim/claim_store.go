package claim

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// LockTx locks people and then spaces, parts included, and returns the parts of each space. No key update leaves the
// key alone: rows that only refer to a person or a space can be written meanwhile.
func LockTx(ctx context.Context, tx *pg.Tx, members, spaces []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
	if len(members) > 0 {
		_, err := tx.Exec(ctx, `select from members where business_id = $1 and id = any($2) order by id for no key update`,
			tx.Business(), members)
		if err != nil {
			return nil, err
		}
	}
	return spaceParts(ctx, tx, spaces, ` for no key update of s`)
}

// spaceParts reads the parts of spaces, and locks them all when lock is set.
func spaceParts(ctx context.Context, r pg.Reader, spaces []uuid.UUID, lock string) (map[uuid.UUID][]uuid.UUID, error) {
	type row struct{ Whole, Part uuid.UUID }
	parts := map[uuid.UUID][]uuid.UUID{}
	if len(spaces) == 0 {
		return parts, nil
	}
	rows, err := pg.All[row](ctx, r, `with recursive inside (whole, part) as (
			select w.id, w.id from unnest($2::uuid[]) w (id)
			union select i.whole, s.id from inside i join spaces s on s.business_id = $1 and s.parent_id = i.part
		)
		select i.whole, s.id as part from inside i join spaces s on s.business_id = $1 and s.id = i.part
		order by s.id, i.whole`+lock, r.Business(), spaces)
	for _, r := range rows {
		if r.Whole != r.Part {
			parts[r.Whole] = append(parts[r.Whole], r.Part)
		}
	}
	return parts, err
}

// named lists the people and the spaces of claims, each once.
func named(claims []Claim) (members, spaces []uuid.UUID) {
	seen := map[uuid.UUID]bool{uuid.Nil: true}
	for _, c := range claims {
		if !seen[c.MemberID] {
			members = append(members, c.MemberID)
		}
		if !seen[c.SpaceID] {
			spaces = append(spaces, c.SpaceID)
		}
		seen[c.MemberID], seen[c.SpaceID] = true, true
	}
	return members, spaces
}

// claimColumns are claims as arrays, for unnest.
type claimColumns struct {
	of                           []int
	occurrences, members, spaces []uuid.UUID
	starts, ends                 []time.Time
	seats                        []int
}

func columnsOf(rows []Row) claimColumns {
	var c claimColumns
	for _, r := range rows {
		c.of = append(c.of, r.Of)
		c.occurrences, c.members, c.spaces = append(c.occurrences, r.OccurrenceID), append(c.members, r.MemberID), append(c.spaces, r.SpaceID)
		c.starts, c.ends = append(c.starts, r.StartsAt), append(c.ends, r.EndsAt)
		c.seats = append(c.seats, r.Seats)
	}
	return c
}

// clashesOf finds the conflicts of rows that are not forced: claims that are written, also of a space that a claimed
// one is a part of, and each other. Nothing is longer than claimMax, so a window is enough. $8 is the latest end of a
// claim.
func clashesOf(ctx context.Context, r pg.Reader, rows []Row, claims []Claim) ([]Clash, error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Forced })
	if len(rows) == 0 {
		return nil, nil
	}
	c := columnsOf(rows)
	found, err := pg.All[Clash](ctx, r, `with recursive wanted as (
			select * from unnest(@rows::int[], @occurrences::uuid[], @members::uuid[], @spaces::uuid[], @starts::timestamptz[],
				@ends::timestamptz[], @seats::int[])
				as w (n, occurrence_id, member_id, space_id, starts_at, ends_at, seats)
		), up (space_id, above) as (
			select id, parent_id from spaces where business_id = @business and id = any(@spaces) and parent_id is not null
			union select u.space_id, s.parent_id from up u join spaces s on s.business_id = @business and s.id = u.above
				where s.parent_id is not null
		), hits as (
			select w.n, c.occurrence_id, c.starts_at, c.ends_at from wanted w join claims c on c.business_id = @business
				and c.member_id = w.member_id and c.ends_at > w.starts_at and c.ends_at < w.ends_at + @longest::interval
				and c.starts_at < w.ends_at and c.occurrence_id <> w.occurrence_id
			union select w.n, c.occurrence_id, c.starts_at, c.ends_at from wanted w join claims c on c.business_id = @business
				and c.space_id = w.space_id and c.ends_at > w.starts_at and c.ends_at < w.ends_at + @longest::interval
				and c.starts_at < w.ends_at and c.occurrence_id <> w.occurrence_id and (c.exclusive or w.seats = 0)
			union select w.n, c.occurrence_id, c.starts_at, c.ends_at from wanted w join up u on u.space_id = w.space_id
				join claims c on c.business_id = @business and c.space_id = u.above and c.direct
				and c.ends_at > w.starts_at and c.ends_at < w.ends_at + @longest::interval
				and c.starts_at < w.ends_at and c.occurrence_id <> w.occurrence_id and (c.exclusive or w.seats = 0)
		)
		select h.n as of, 'occurrence' as kind, h.occurrence_id, f.name, h.starts_at, h.ends_at
		from hits h join occurrences o on o.business_id = @business and o.id = h.occurrence_id
		join offerings f on f.business_id = @business and f.id = o.offering_id`, pg.Named{
		"business": r.Business(), "rows": c.of, "occurrences": c.occurrences, "members": c.members, "spaces": c.spaces,
		"starts": c.starts, "ends": c.ends, "longest": claimMax, "seats": c.seats,
	})
	if err != nil {
		return nil, err
	}
	return tell(append(found, among(rows)...), claims), nil
}

// tell sorts clashes, each conflict of a claim once.
func tell(list []Clash, claims []Claim) []Clash {
	slices.SortStableFunc(list, func(a, b Clash) int {
		return cmp.Or(cmp.Compare(a.Of, b.Of), a.StartsAt.Compare(b.StartsAt), slices.Compare(a.OccurrenceID[:], b.OccurrenceID[:]))
	})
	list = slices.CompactFunc(list, func(a, b Clash) bool {
		return a.Of == b.Of && a.Kind == b.Kind && a.OccurrenceID == b.OccurrenceID && a.StartsAt.Equal(b.StartsAt)
	})
	for i := range list {
		list[i].Claim = claims[list[i].Of]
	}
	return list
}

// InsertTx writes rows. For unseen conflicts the database's own guard returns ErrStaffBusy, ErrSpaceBusy.
func InsertTx(ctx context.Context, tx *pg.Tx, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	c := columnsOf(rows)
	ids, forced, direct := make([]uuid.UUID, len(rows)), make([]bool, len(rows)), make([]bool, len(rows))
	for i, r := range rows {
		if ids[i], forced[i], direct[i] = r.ID, r.Forced, r.Direct; r.ID == uuid.Nil {
			ids[i] = pg.NewID()
		}
	}
	_, err := tx.Exec(ctx, `insert into claims (id, business_id, occurrence_id, member_id, space_id, starts_at, ends_at, exclusive,
			forced, direct, seats)
		select c.id, @business, c.occurrence_id, nullif(c.member_id, @none), nullif(c.space_id, @none), c.starts_at, c.ends_at, c.seats = 0,
			c.forced, c.direct, c.seats
		from unnest(@ids::uuid[], @occurrences::uuid[], @members::uuid[], @spaces::uuid[], @starts::timestamptz[],
			@ends::timestamptz[], @forced::boolean[], @direct::boolean[], @seats::int[])
			as c (id, occurrence_id, member_id, space_id, starts_at, ends_at, forced, direct, seats)`, pg.Named{
		"business": tx.Business(), "ids": ids, "occurrences": c.occurrences, "members": c.members, "spaces": c.spaces,
		"starts": c.starts, "ends": c.ends, "forced": forced, "direct": direct, "seats": c.seats, "none": uuid.Nil,
	})
	return pg.Map(err, backstop)
}

// awayOf finds time off of people (without its note, which is private) and blocks of spaces in conflict with claims:
// also of a space that a claimed one is a part of or that is a part of it.
func awayOf(ctx context.Context, r pg.Reader, rows []Row, claims []Claim) ([]Clash, error) {
	c := columnsOf(rows)
	found, err := pg.All[Clash](ctx, r, `with recursive wanted as (
			select * from unnest($2::int[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[])
				as w (n, member_id, space_id, starts_at, ends_at)
		), up (space_id, above) as (
			select w.space_id, w.space_id from wanted w
			union select u.space_id, s.parent_id from up u join spaces s on s.business_id = $1 and s.id = u.above
				where s.parent_id is not null
		)
		select w.n as of, 'time_off' as kind, t.id as occurrence_id, 'Time off' as name, t.starts_at, t.ends_at
		from wanted w join time_off t on t.business_id = $1 and t.member_id = w.member_id
			and t.ends_at > w.starts_at and t.starts_at < w.ends_at
		union all select w.n, 'block', b.id, b.note, b.starts_at, b.ends_at
		from wanted w join up u on u.space_id = w.space_id join space_blocks b on b.business_id = $1 and b.space_id = u.above
			and b.ends_at > w.starts_at and b.starts_at < w.ends_at`,
		r.Business(), c.of, c.members, c.spaces, c.starts, c.ends)
	return tell(found, claims), err
}

// WithdrawTx deletes the people's claims of some dates and the spaces' claims of others, and returns their rows, for
// RestoreTx.
func WithdrawTx(ctx context.Context, tx *pg.Tx, people, spaces []uuid.UUID) ([]json.RawMessage, error) {
	return pg.All[json.RawMessage](ctx, tx, `delete from claims c where business_id = $1 and (occurrence_id = any($2)
		and member_id is not null or occurrence_id = any($3) and space_id is not null) returning to_jsonb(c)`,
		tx.Business(), people, spaces)
}

// ClashesWith returns the conflicts of rows that WithdrawTx has returned.
func ClashesWith(ctx context.Context, r pg.Reader, kept []json.RawMessage) ([]Clash, error) {
	rows, claims := make([]Row, len(kept)), make([]Claim, len(kept))
	for i, raw := range kept {
		if err := json.Unmarshal(raw, &rows[i]); err != nil {
			return nil, err
		}
		rows[i].Of, claims[i] = i, rows[i].Claim
	}
	return clashesOf(ctx, r, rows, claims)
}

// RestoreTx writes back the rows of WithdrawTx.
func RestoreTx(ctx context.Context, tx *pg.Tx, rows []json.RawMessage) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `insert into claims select * from jsonb_populate_recordset(null::claims, $2::jsonb) c
		where c.business_id = $1`, tx.Business(), rows)
	return err
}

// DeleteTx deletes claims by their ids, and all claims of some occurrences.
func DeleteTx(ctx context.Context, tx *pg.Tx, ids, occurrences []uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from claims where business_id = $1 and (id = any($2) or occurrence_id = any($3))`,
		tx.Business(), ids, occurrences)
	return err
}

// ReleaseTx deletes the claims of these occurrences: their people and spaces are free again.
func ReleaseTx(ctx context.Context, tx *pg.Tx, occurrences ...uuid.UUID) error {
	if len(occurrences) == 0 {
		return nil
	}
	return DeleteTx(ctx, tx, nil, occurrences)
}

// ShortenTx ends the claims of an occurrence at an instant. A claim that would be empty, or has not begun, is
// deleted.
func ShortenTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, to time.Time) error {
	_, err := tx.Exec(ctx, `with cut as (
			update claims set ends_at = $3 where business_id = $1 and occurrence_id = $2 and starts_at < $3 and ends_at > $3
		)
		delete from claims where business_id = $1 and occurrence_id = $2 and starts_at >= $3`, tx.Business(), occurrence, to)
	return err
}

// crowded finds the first time at which each of these spaces has more people than its capacity, as the check
// shared_seats of package integrity does.
func crowded(ctx context.Context, r pg.Reader, spaces []uuid.UUID) ([]Clash, error) {
	type row struct {
		SpaceID uuid.UUID
		Name    string
		At      time.Time
	}
	rows, err := pg.All[row](ctx, r, `with change as (
			select space_id, starts_at as at, seats from claims
			where business_id = $1 and space_id = any($2) and not exclusive and not forced and direct
			union all
			select space_id, ends_at, -seats from claims
			where business_id = $1 and space_id = any($2) and not exclusive and not forced and direct
		), level as (
			select space_id, at, sum(seats) over (partition by space_id order by at, seats rows unbounded preceding) as seats from change
		)
		select l.space_id, s.name, min(l.at) as at from level l join spaces s on s.business_id = $1 and s.id = l.space_id
		where l.seats > s.capacity group by l.space_id, s.name order by at`, r.Business(), spaces)
	out := make([]Clash, len(rows))
	for i, c := range rows {
		out[i] = Clash{Claim: Claim{SpaceID: c.SpaceID, StartsAt: c.At, EndsAt: c.At}, Kind: "occurrence", Name: c.Name, StartsAt: c.At, EndsAt: c.At}
	}
	return out, err
}
