package schedule_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// people stands in for package booking: every occupied seat is a booking, and calls are recorded.
type people struct {
	cancelled, retimed []uuid.UUID
	transfers          []schedule.Transfer
	notices            []schedule.Notice
	closed             int // places on waitlists
}

func (p *people) bookings() schedule.Bookings {
	return schedule.Bookings{
		BookedTx: func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
			type row struct {
				ID    uuid.UUID
				Taken int
			}
			rows, err := pg.All[row](ctx, tx, "select id, taken from occurrences where id = any($1) and taken > 0", dates)
			out := map[uuid.UUID][]uuid.UUID{}
			for _, r := range rows {
				for i := range r.Taken {
					out[r.ID] = append(out[r.ID], uuid.NewSHA1(r.ID, fmt.Append(nil, i)))
				}
			}
			return out, err
		},
		CancelBookedTx: func(ctx context.Context, tx *pg.Tx, _ tenancy.Scope, dates []uuid.UUID, _ schedule.Because) ([]schedule.CancelledBooking, error) {
			p.cancelled = append(p.cancelled, dates...)
			var out []schedule.CancelledBooking
			for range dates {
				out = append(out, schedule.CancelledBooking{RefundAmount: 2200, Currency: "USD"})
			}
			_, err := tx.Exec(ctx, "update occurrences set taken = 0, taken_online = 0 where id = any($1)", dates)
			return out, err
		},
		RescheduleBookedTx: func(
			ctx context.Context, tx *pg.Tx, _ tenancy.Scope, transfers []schedule.Transfer, _ schedule.Because,
		) (int, error) {
			p.transfers = append(p.transfers, transfers...)
			for _, x := range transfers {
				_, err := tx.Exec(ctx, "update occurrences set taken = 0 where id = $1", x.From)
				if err != nil {
					return 0, err
				}
			}
			return 0, nil
		},
		RetimeBookedTx: func(_ context.Context, _ *pg.Tx, dates []uuid.UUID) error {
			p.retimed = append(p.retimed, dates...)
			return nil
		},
		CloseWaitlistTx: func(ctx context.Context, tx *pg.Tx, _ tenancy.Scope, dates []uuid.UUID, _ string) error {
			n, err := tx.Exec(ctx, "update waitlist_entries set state = 'closed' where occurrence_id = any($1)", dates)
			p.closed += int(n)
			return err
		},
		RoundTx: func(context.Context, *pg.Tx, []uuid.UUID) error { return nil },
		NoticeTx: func(ctx context.Context, tx *pg.Tx, notices []schedule.Notice) (int, error) {
			sat, err := pg.All[uuid.UUID](ctx, tx, "select o.id from occurrences o, generate_series(1, o.taken)")
			mails := 0
			for _, n := range notices {
				here := 0
				for _, id := range sat {
					if id == n.DateID && n.MemberID == nil {
						here++
					}
				}
				if mails += here; here > 0 || n.MemberID != nil || n.Kind == schedule.NoticeRestored {
					p.notices = append(p.notices, n)
				}
			}
			return mails, err
		},
	}
}

// openBooked is open with people.
func openBooked(t *testing.T) (*studio, *people) {
	t.Helper()
	s, p := open(t), &people{}
	s.Service = schedule.New(schedule.Options{DB: s.w.DB, Bookings: p.bookings()})
	return s, p
}

// aDate is a row of occurrences, for tests.
type aDate struct {
	ID, Series   uuid.UUID
	Rule         string
	Starts, Ends time.Time
	State        string
	Own          string // fields that do not follow the series
	Version      int64
}

// dates are the rows of an offering by their start, cancelled ones too.
func (s *studio) dates(t *testing.T, offering uuid.UUID) []aDate {
	t.Helper()
	var out []aDate
	for _, raw := range apptest.Values[[]byte](t, s.w, `select jsonb_build_object('ID', id, 'Series', series_id, 'Rule', rule_date,
		'Starts', starts_at, 'Ends', ends_at, 'State', state, 'Own', overrides::text, 'Version', version)
		from occurrences where offering_id = $1 order by starts_at, id`, offering) {
		var d aDate
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

// on is the row that the rule gave a date.
func on(t *testing.T, list []aDate, day string) aDate {
	t.Helper()
	i := slices.IndexFunc(list, func(d aDate) bool { return d.Rule == day })
	if i < 0 {
		t.Fatalf("nothing on %s", day)
	}
	return list[i]
}

// rows is every row of the schedule, byte for byte: series, dates and claims by their ids.
func (s *studio) rows(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, row := range apptest.Values[string](t, s.w, `select 'series ' || id || to_jsonb(t)::text from series t
			union all select 'occurrences ' || id || to_jsonb(t)::text from occurrences t
			union all select 'claims ' || id || to_jsonb(t)::text from claims t`) {
		at := strings.Index(row, "{")
		out[row[:at]] = row[at:]
	}
	return out
}

// toAll is an edit of all upcoming dates.
func toAll(series schedule.Series, change schedule.SeriesChange, but ...func(*schedule.EditSeriesInput)) schedule.EditSeriesInput {
	in := schedule.EditSeriesInput{
		OfferingID: series.OfferingID, SeriesID: series.ID, Version: series.Version, Scope: schedule.ScopeAll, Change: change,
	}
	for _, f := range but {
		f(&in)
	}
	return in
}

// since makes an edit one of the dates from a day on.
func since(day string) func(*schedule.EditSeriesInput) {
	return func(in *schedule.EditSeriesInput) { in.Scope, in.From = schedule.ScopeFollowing, ptr(apptest.Day(day)) }
}

func (s *studio) edit(t *testing.T, in schedule.EditSeriesInput) schedule.Edited {
	t.Helper()
	out, err := s.EditSeries(t.Context(), s.System(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (s *studio) undo(t *testing.T, e schedule.Edited, series schedule.Series) (schedule.Undone, error) {
	t.Helper()
	return s.UndoEdit(t.Context(), s.System(), schedule.UndoEditInput{OfferingID: series.OfferingID, SeriesID: series.ID, EditID: e.EditID})
}

// wait adds an entry to the waitlist of a date.
func (s *studio) wait(t *testing.T, d aDate, offering uuid.UUID) {
	t.Helper()
	s.w.SQL(t, `with c as (insert into customers (id, business_id, email, name, version, created_at, updated_at)
			values ($1, $2, 'wanda@example.com', 'Wanda', 1, now(), now()) returning id)
		insert into waitlist_entries (id, business_id, location_id, offering_id, occurrence_id, customer_id, token_hash, state, rank, created_at, updated_at)
		select $3, $2, $4, $5, $6, id, decode(md5(id::text), 'hex'), 'waiting', 1, now(), now() from c`,
		pg.NewID(), s.Business.ID, pg.NewID(), s.Location.ID, offering, d.ID)
}

// sit takes seats of dates, as a booking would.
func (s *studio) sit(t *testing.T, seats int, ids ...uuid.UUID) {
	t.Helper()
	s.w.SQL(t, "update occurrences set taken = $1 where id = any($2)", seats, ids)
}
