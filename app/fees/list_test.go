package fees_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/fees"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/policy"
)

// TestListAgrees: every combination of filters returns the fees that pass each of the filters on its own, in one
// trip.
func TestListAgrees(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	w := apptest.Open(t)
	s := w.Studio(t)
	north := s.AddLocation(t, "North").ID
	customers := pg.NewIDs(3)
	for _, id := range customers {
		w.SQL(t, "insert into customers (id, business_id, name, created_at, updated_at) values ($1, $2, 'Ada', $3, $3)", id, s.Business.ID, w.Clock.Now())
	}
	for _, at := range []uuid.UUID{s.Location.ID, north} {
		date := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Location = at }), apptest.Start.Add(time.Hour))
		for range 40 {
			if r.IntN(3) > 0 {
				w.Clock.Advance(time.Second) // some are of the same moment
			}
			w.SQL(t, `with b as (
					insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, attendee, state, online,
						starts_at, ends_at, price_amount, currency, created_at, updated_at)
					select $1::uuid, o.business_id, o.location_id, o.offering_id, o.id, $3::uuid, $1::uuid::text, 'no_show', false, o.starts_at, o.ends_at, 0, 'USD', $4, $4
					from occurrences o where o.id = $2 returning *
				)
				insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency, review_until, created_at, updated_at)
				select $5, business_id, location_id, id, customer_id, $6, $7, 500, 'USD', $4, $4, $4 from b`,
				pg.NewID(), date.ID, customers[r.IntN(3)], w.Clock.Now(), pg.NewID(), fees.Kind("").All()[r.IntN(2)], fees.State("").All()[r.IntN(4)])
		}
	}
	service := fees.New(w.DB)
	front := s.Join(t, "front@example.com", apptest.At(policy.FrontDesk, north))
	list, err := service.List(t.Context(), s.Owner, fees.ListInput{Page: paging.In[paging.Moment]{Limit: paging.Max}})
	if err != nil || len(list.Items) != 80 || !slices.IsSortedFunc(list.Items, func(a, b fees.Fee) int {
		if n := b.CreatedAt.Compare(a.CreatedAt); n != 0 {
			return n
		}
		return slices.Compare(b.ID[:], a.ID[:])
	}) {
		t.Fatalf("%d fees (%v), or not in their order", len(list.Items), err)
	}
	all := list.Items
	for range walks.Steps(10, 200) {
		for filters := range 1 << 4 {
			in, sc := fees.ListInput{Page: paging.In[paging.Moment]{Limit: r.IntN(20)}}, s.Owner
			from := 0
			for i, set := range []func(){
				func() { in.State = fees.State("").All()[r.IntN(4)] },
				func() { in.Kind = fees.Kind("").All()[r.IntN(2)] },
				func() { in.CustomerID = customers[r.IntN(3)] },
				func() {
					from = 1 + r.IntN(len(all))
					in.Page.After = &paging.Moment{At: all[from-1].CreatedAt, ID: all[from-1].ID}
				},
			} {
				if filters>>i&1 == 1 {
					set()
				}
			}
			only := r.IntN(2) == 0
			if only {
				sc = front
			}
			var want []fees.Fee
			for _, p := range all[from:] {
				if (in.State == "" || p.State == in.State) && (in.Kind == "" || p.Kind == in.Kind) &&
					(in.CustomerID == uuid.Nil || p.CustomerID == in.CustomerID) && (!only || p.LocationID == north) {
					want = append(want, p)
				}
			}
			more := len(want) > in.Page.Size()
			want = want[:min(len(want), in.Page.Size())]
			var page paging.Page[fees.Fee, paging.Moment]
			trips := w.Statements(func() { page, err = service.List(t.Context(), sc, in) })
			if err != nil || trips != 1 || !slices.Equal(page.Items, want) || more != (page.Next != nil) {
				t.Fatalf("%+v: %d fees, more %v, in %d trips (%v), want %d, more %v", in, len(page.Items), page.Next != nil, trips, err, len(want), more)
			}
		}
	}
}
