package crm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/crm"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// everybody is one statement for every question, with all conditions in it: List must agree with it.
const everybody = ` from customers c where c.business_id = $1 and ($2 or exists (
		select from bookings b join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id
		where b.business_id = c.business_id and b.customer_id = c.id and b.state not in ('held', 'expired')
			and (b.location_id = any($3) or $4 and o.member_id in (
				select m.id from members m where m.business_id = c.business_id and m.person_id = $5 and m.deactivated_at is null)))
		or cardinality($3) > 0 and (c.location_id = any($3) or c.added_by = $5) and not exists (
			select from bookings b where b.business_id = c.business_id and b.customer_id = c.id and b.state not in ('held', 'expired')))
	and ($6 = '' or c.name ilike '%' || $6 || '%' or c.email ilike $6 || '%' or c.phone like $6 || '%')`

// TestA90_ListAgrees: separate statements for separate questions return the rows of one statement for all of them.
func TestA90_ListAgrees(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	d := open(t)
	scopes := d.fill(t, r)
	for range walks.Steps(300, 3_000) {
		sc := scopes[r.IntN(len(scopes))]
		in := crm.ListInput{Limit: r.IntN(12), Offset: r.IntN(8) * r.IntN(8), Query: queries[r.IntN(len(queries))]}
		cover, err := policy.Where(sc, policy.CRMView)
		if err != nil {
			t.Fatal(err)
		}
		args := []any{sc.Tenant, cover.Everywhere, cover.Locations, cover.Own, sc.Person(), strings.ReplaceAll(in.Query, "_", `\_`)}
		limit := in.Limit
		if limit == 0 {
			limit = 50
		}
		want := apptest.Values[uuid.UUID](t, d.w, `select c.id`+everybody+` order by c.created_at desc, c.id desc limit $7 offset $8`,
			append(args, limit, in.Offset)...)
		total := apptest.Value[int](t, d.w, `select count(*)`+everybody, args...)
		var page crm.Page
		trips := d.w.Statements(func() { page, err = d.s.List(t.Context(), sc, in) })
		got := []uuid.UUID{}
		for _, c := range page.Customers {
			got = append(got, c.ID)
			if one, err := d.s.Get(t.Context(), sc, c.ID); err != nil || fmt.Sprint(one) != fmt.Sprint(c) {
				t.Errorf("got %+v (%v), listed %+v", one, err, c)
			}
		}
		if err != nil || trips != 1 || page.Total != total || !slices.Equal(got, want) {
			t.Fatalf("%+v for %+v: %v of %d in %d trips (%v), want %v of %d", in, cover, got, page.Total, trips, err, want, total)
		}
	}
}

var queries = []string{"", "", "a", "B", "ab", "c0", "+1", "_", "nobody"}

// fill creates customers with bookings of every state, here and in another studio, and scopes of every kind of grant.
func (d desk) fill(t *testing.T, r *rand.Rand) []tenancy.Scope {
	t.Helper()
	north := d.AddLocation(t, "North").ID
	teacher := d.Join(t, "teacher@example.com", apptest.Everywhere(policy.Instructor))
	both := d.Join(t, "both@example.com", apptest.Everywhere(policy.Instructor), apptest.At(policy.FrontDesk, north))
	gone := d.Join(t, "gone@example.com", apptest.Everywhere(policy.Instructor))
	d.w.SQL(t, "update members set deactivated_at = now() where person_id = $1", gone.Person())
	members := apptest.Values[*uuid.UUID](t, d.w, "select id from members where person_id = any($1) union all select null",
		[]uuid.UUID{teacher.Person(), both.Person(), gone.Person()})
	var dates []apptest.OccurrenceRow
	for i, at := range []uuid.UUID{d.Location.ID, d.Location.ID, north} {
		o := d.AddOffering(t, func(o *apptest.OfferingRow) { o.Location = at })
		for j, m := range members {
			dates = append(dates, d.AddOccurrence(t, o, apptest.Start.Add(time.Duration(i*10+j)*time.Hour), func(o *apptest.OccurrenceRow) { o.Member = m }))
		}
	}
	states := []string{"held", "expired", "confirmed", "cancelled", "no_show"}
	for i := range 60 {
		if r.IntN(3) > 0 {
			d.w.Clock.Advance(time.Second) // some at the same moment
		}
		c := crm.Customer{ID: pg.NewID()}
		d.w.SQL(t, `insert into customers (id, business_id, name, email, phone, created_at, updated_at, location_id, added_by)
			values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
			c.ID, d.Business.ID, []string{"Ada", "Bob", "abc", "", "o_o"}[r.IntN(5)], fmt.Sprintf("c%02d@example.com", i),
			[]string{"", "+1 2", "+44"}[r.IntN(3)], d.w.Clock.Now(), []*uuid.UUID{nil, &d.Location.ID, &north}[r.IntN(3)],
			[]*uuid.UUID{nil, ptr(both.Person()), ptr(teacher.Person())}[r.IntN(3)])
		for _, k := range r.Perm(len(dates))[:r.IntN(4)] {
			d.book(t, c, dates[k], states[r.IntN(len(states))])
		}
	}
	other := d
	other.Studio = d.w.Studio(t)
	other.mustEnsure(t, d.person(t, "elsewhere"))
	return []tenancy.Scope{
		d.Owner, d.Owner, other.Owner, d.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, d.Location.ID)),
		d.Join(t, "north@example.com", apptest.At(policy.FrontDesk, north)), teacher, both, gone,
	}
}

func (d desk) total(t *testing.T, s *crm.Service) int {
	t.Helper()
	page, err := s.List(t.Context(), d.Owner, crm.ListInput{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return page.Total
}

// Counted rows are not counted again, and yet a transaction that was open then, or was rolled back, is counted as it
// ended, by each process.
func TestA90_TotalAndOpenTransactions(t *testing.T) {
	t.Parallel()
	d := open(t)
	processes := []*crm.Service{d.s, service(d.w)}
	want := func(n int) {
		t.Helper()
		for range 2 {
			for i, s := range processes {
				if got := d.total(t, s); got != n {
					t.Errorf("process %d counts %d, want %d", i, got, n)
				}
			}
		}
	}
	want(0)
	d.mustEnsure(t, d.person(t, "ada"))
	want(1)
	inside, leave := make(chan struct{}), make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		_, err := pg.InTx(t.Context(), d.w.DB, d.Business.ID, func(tx *pg.Tx) (crm.Customer, error) {
			c, err := crm.EnsureTx(t.Context(), tx, d.person(t, "early"))
			close(inside)
			<-leave
			return c, err
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
	want(1)
	d.mustEnsure(t, d.person(t, "late"))
	want(2)
	_, _ = pg.InTx(t.Context(), d.w.DB, d.Business.ID, func(tx *pg.Tx) (int, error) {
		if _, err := crm.EnsureTx(t.Context(), tx, d.person(t, "never")); err != nil {
			t.Error(err)
		}
		return 0, pg.ErrNoRow
	})
	want(2)
	close(leave)
	done.Wait()
	want(3)
	d.w.Clock.Advance(2 * time.Minute)
	want(3)
	d.w.Clock.Advance(-time.Hour)
	d.mustEnsure(t, d.person(t, "bob"))
	want(4)
}

// An added customer is counted at once, by every process, whatever others do at the same time.
func TestA90_TotalInARush(t *testing.T) {
	t.Parallel()
	d := open(t)
	processes := []*crm.Service{d.s, service(d.w), service(d.w)}
	const writers = 6
	each := walks.Steps(12, 200)
	var begun, committed atomic.Int64
	var done sync.WaitGroup
	for w := range writers {
		done.Go(func() {
			for i := range each {
				p := d.person(t, fmt.Sprintf("person-%d-%d", w, i))
				begun.Add(1)
				if _, err := d.ensure(t, p); err != nil {
					t.Error(err)
					return
				}
				least := int(committed.Add(1))
				got := d.total(t, processes[(w+i)%len(processes)])
				if most := int(begun.Load()); got < least || got > most {
					t.Errorf("%d are counted when at least %d and at most %d were there", got, least, most)
				}
			}
		})
	}
	done.Wait()
	for _, s := range processes {
		if got := d.total(t, s); got != writers*each {
			t.Errorf("%d are counted, want %d", got, writers*each)
		}
	}
}

// A cached total is exact because customers are never deleted.
func TestNobodyDeletesACustomer(t *testing.T) {
	t.Parallel()
	d := open(t)
	c := d.mustEnsure(t, d.person(t, "ada"))
	for _, role := range []string{"foyer_app", "foyer_job"} {
		_, err := pg.InTx(t.Context(), d.w.As(t, role), d.Business.ID, func(tx *pg.Tx) (int, error) {
			_, err := tx.Exec(t.Context(), "delete from customers where business_id = $1 and id = $2", tx.Business(), c.ID)
			return 0, err
		})
		if err == nil {
			t.Errorf("%s may", role)
		}
	}
	if n := d.total(t, d.s); n != 1 {
		t.Errorf("%d customers", n)
	}
}
