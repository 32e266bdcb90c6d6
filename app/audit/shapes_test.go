package audit_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/audit"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// TestListAgrees: every combination of filters finds the events that pass each filter by itself.
func TestListAgrees(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	w := open(t)
	people := []uuid.UUID{pg.NewID(), pg.NewID()}
	surfaces := []tenancy.Surface{tenancy.SurfaceAPI, tenancy.SurfaceHosted}
	records := []string{"locations", "bookings"}
	ids := []uuid.UUID{w.north, w.south, pg.NewID()}
	for i := range 120 {
		w.SQL(t, `insert into audit_events (business_id, at, actor_kind, actor_id, actor_name, surface, action, record, record_id, location_id)
			values ($1, $2, 'person', $3, '', $4, 'update', $5, $6, nullif($7, '00000000-0000-0000-0000-000000000000'::uuid))`,
			w.business, w.Clock.Now().Add(time.Duration(i)*time.Minute), people[r.IntN(2)], surfaces[r.IntN(2)], records[r.IntN(2)],
			ids[r.IntN(3)], []uuid.UUID{w.north, w.south, uuid.Nil}[r.IntN(3)])
	}
	all := w.list(w.viewer(), audit.ListInput{Page: paging.In[int64]{Limit: paging.Max}}).Items
	seqs := apptest.Values[int64](t, w.World, "select seq from audit_events where business_id = $1 order by seq desc", w.business)
	if len(all) != len(seqs) || len(all) <= 120 {
		t.Fatalf("%d events are listed, %d are there", len(all), len(seqs))
	}
	const combinations = 1 << 8
	for range walks.Steps(1, 20) {
		for filters := range combinations {
			in := audit.ListInput{Page: paging.In[int64]{Limit: r.IntN(20)}}
			sees := func(audit.Event) bool { return true }
			viewer := w.viewer()
			if r.IntN(3) == 0 {
				viewer, sees = w.viewer(w.south), func(e audit.Event) bool { return e.LocationID != nil && *e.LocationID == w.south }
			}
			moment := w.Clock.Now().Add(time.Duration(r.IntN(60)) * time.Minute)
			for i, set := range []func(){
				func() { in.Actor = people[r.IntN(2)] },
				func() { in.Record = records[r.IntN(2)] },
				func() { in.RecordID = ids[r.IntN(3)] },
				func() { in.LocationID = ids[r.IntN(2)] },
				func() { in.Surface = surfaces[r.IntN(2)] },
				func() { in.From = moment },
				func() { in.To = moment.Add(time.Hour) },
				func() { in.Page.After = &seqs[r.IntN(len(seqs))] },
			} {
				if filters>>i&1 == 1 {
					set()
				}
			}
			var want []int64
			for _, e := range all {
				if sees(e) && matches(in, e) {
					want = append(want, e.Seq)
				}
			}
			more := len(want) > in.Page.Size()
			want = want[:min(len(want), in.Page.Size())]
			var page paging.Page[audit.Event, int64]
			trips := w.Statements(func() { page = w.list(viewer, in) })
			var got []int64
			for _, e := range page.Items {
				got = append(got, e.Seq)
			}
			if !slices.Equal(got, want) || more != (page.Next != nil) || trips != 1 {
				t.Fatalf("%+v: %v, more %v, in %d trips, want %v, more %v", in, got, page.Next != nil, trips, want, more)
			}
		}
	}
}

// matches applies each filter that is set to one event.
func matches(in audit.ListInput, e audit.Event) bool {
	return (in.Actor == uuid.Nil || e.Actor.ID == in.Actor) && (in.Record == "" || e.Record == in.Record) &&
		(in.RecordID == uuid.Nil || e.RecordID == in.RecordID) &&
		(in.LocationID == uuid.Nil || e.LocationID != nil && *e.LocationID == in.LocationID) &&
		(in.Surface == "" || e.Surface == in.Surface) && (in.From.IsZero() || !e.At.Before(in.From)) &&
		(in.To.IsZero() || e.At.Before(in.To)) && (in.Page.After == nil || e.Seq < *in.Page.After)
}
