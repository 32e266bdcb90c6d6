package crm_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/policy"
)

type desk struct {
	apptest.Studio
	w *apptest.World
	s *crm.Service
}

func service(w *apptest.World) *crm.Service {
	return crm.New(crm.Options{DB: w.DB, Ports: crm.Ports{FollowTx: waitlist.FollowTx}})
}

func open(t *testing.T) desk {
	t.Helper()
	w := apptest.Open(t)
	return desk{w.Studio(t), w, service(w)}
}

func (d desk) person(t *testing.T, name string) identity.Person {
	t.Helper()
	p := d.w.Person(t, name+"@example.com")
	return identity.Person{ID: p.ID, Email: p.Email, Name: name, Phone: "+1 555"}
}

func (d desk) ensure(t *testing.T, p identity.Person) (crm.Customer, error) {
	return pg.InTx(t.Context(), d.w.DB, d.Business.ID, func(tx *pg.Tx) (crm.Customer, error) {
		return crm.EnsureTx(t.Context(), tx, p)
	})
}

func (d desk) mustEnsure(t *testing.T, p identity.Person) crm.Customer {
	t.Helper()
	c, err := d.ensure(t, p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// book writes a booking of a customer.
func (d desk) book(t *testing.T, c crm.Customer, o apptest.OccurrenceRow, state string) {
	t.Helper()
	d.w.SQL(t, `insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, starts_at,
			ends_at, price_amount, currency, created_at, updated_at)
		select $1, o.business_id, o.location_id, o.offering_id, o.id, $3, $4, false, o.starts_at, o.ends_at, 0, 'USD', $5, $5
		from occurrences o where o.id = $2`, pg.NewID(), o.ID, c.ID, state, d.w.Clock.Now())
}

func TestEnsureMakesOneRecord(t *testing.T) {
	d := open(t)
	p := d.person(t, "ada")
	const twins = 30
	records := make([]crm.Customer, twins)
	var done sync.WaitGroup
	for i := range twins {
		done.Go(func() {
			var err error
			if records[i], err = d.ensure(t, p); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	for _, c := range records {
		if c != records[0] && c.ID != records[0].ID {
			t.Errorf("two records: %s and %s", c.ID, records[0].ID)
		}
	}
	if n := apptest.Value[int](t, d.w, "select count(*) from customers"); n != 1 {
		t.Errorf("%d records", n)
	}
	c := records[0]
	if *c.PersonID != p.ID || c.Email != "ada@example.com" || c.Name != "ada" || c.Phone != "+1 555" || c.Version != 1 {
		t.Errorf("%+v", c)
	}
	if trips := d.w.Statements(func() { d.mustEnsure(t, p) }); trips != 2 { // the statement and the commit
		t.Errorf("%d round trips", trips)
	}
	other := d
	other.Studio = d.w.Studio(t)
	if c2 := other.mustEnsure(t, p); c2.ID == c.ID {
		t.Error("two studios share a record")
	}
}

func TestEnsureTakesOverAMissingName(t *testing.T) {
	d := open(t)
	p := d.person(t, "ada")
	p.Name = ""
	if c := d.mustEnsure(t, p); c.Name != "" {
		t.Fatalf("%+v", c)
	}
	p.Name = "Ada"
	if c := d.mustEnsure(t, p); c.Name != "Ada" || c.Version != 2 {
		t.Errorf("%+v", c)
	}
	p.Name = "Ada Lovelace"
	if c := d.mustEnsure(t, p); c.Name != "Ada" || c.Version != 2 {
		t.Errorf("what the studio has was changed: %+v", c)
	}
}

// A person's actions in one business are serialized.
func TestEnsureLocks(t *testing.T) {
	d := open(t)
	p := d.person(t, "ada")
	d.mustEnsure(t, p)
	inside, leave := make(chan struct{}), make(chan struct{})
	var order []string
	var mu sync.Mutex
	say := func(s string) { mu.Lock(); order = append(order, s); mu.Unlock() }
	var done sync.WaitGroup
	done.Go(func() {
		_, _ = pg.InTx(t.Context(), d.w.DB, d.Business.ID, func(tx *pg.Tx) (int, error) {
			_, err := crm.EnsureTx(t.Context(), tx, p)
			close(inside)
			<-leave
			say("first")
			return 0, err
		})
	})
	<-inside
	done.Go(func() { d.mustEnsure(t, p); say("second") })
	time.Sleep(50 * time.Millisecond)
	close(leave)
	done.Wait()
	if !slices.Equal(order, []string{"first", "second"}) {
		t.Errorf("order was %v", order)
	}
}

// A86, A90. The contract's shape and its limits.
func TestA90_List(t *testing.T) {
	d := open(t)
	for i := range 55 {
		d.w.Clock.Advance(time.Second)
		d.mustEnsure(t, d.person(t, fmt.Sprintf("person%02d", i)))
	}
	var page crm.Page
	trips := d.w.Statements(func() {
		var err error
		if page, err = d.s.List(t.Context(), d.Owner, crm.ListInput{}); err != nil {
			t.Fatal(err)
		}
	})
	if trips != 1 || page.Total != 55 || page.Limit != 50 || page.Offset != 0 || len(page.Customers) != 50 || page.Customers[0].Name != "person54" {
		t.Errorf("%d trips; total %d limit %d offset %d, %d rows", trips, page.Total, page.Limit, page.Offset, len(page.Customers))
	}
	page, err := d.s.List(t.Context(), d.Owner, crm.ListInput{Limit: 10, Offset: 50})
	if err != nil || len(page.Customers) != 5 || page.Limit != 10 || page.Offset != 50 || page.Total != 55 {
		t.Errorf("%d rows of %d (%v)", len(page.Customers), page.Total, err)
	}
	if page, err := d.s.List(t.Context(), d.Owner, crm.ListInput{Offset: 1000}); err != nil || len(page.Customers) != 0 || page.Total != 55 {
		t.Errorf("beyond the end: %d rows of %d (%v)", len(page.Customers), page.Total, err)
	}
	for _, in := range []crm.ListInput{{Limit: -1}, {Limit: 201}, {Offset: -1}, {Query: "a\x00b"}, {Query: string(make([]byte, 121))}} {
		if _, err := d.s.List(t.Context(), d.Owner, in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

func TestListSearches(t *testing.T) {
	d := open(t)
	for _, name := range []string{"ada", "bob", "o_o", "100%"} {
		p := d.person(t, pg.NewID().String()[24:])
		p.Name, p.Email = name, name+"@example.com"
		if name == "bob" {
			p.Phone = "+44 20"
		}
		d.mustEnsure(t, p)
	}
	for query, want := range map[string]int{"": 4, "AD": 1, "ada@": 1, "example": 0, "_": 1, "%": 1, "+44": 1, `\`: 0, "nobody": 0} {
		page, err := d.s.List(t.Context(), d.Owner, crm.ListInput{Query: query})
		if err != nil || page.Total != want || len(page.Customers) != want {
			t.Errorf("%q finds %d (%v), want %d", query, page.Total, err, want)
		}
	}
}

// A search finds a customer in every spelling of name, number and address. Before the sweep has written the keys of
// older records, it finds them as typed.
func TestListFindsEverySpelling(t *testing.T) {
	d := open(t)
	numbers := []string{"+49 170 1234567", "0049-170/1234567", "0170 123 45 67", "+49 (0)170 1234567", "(0170) 1234567"}
	for i, number := range numbers {
		d.mustCreate(t, crm.CreateInput{Name: "Zoë Müller", Email: fmt.Sprintf("z%d@exämple.com", i), Phone: number})
	}
	d.mustCreate(t, crm.CreateInput{Name: "Seán O’Brien", Phone: "+44 20 7946 0958"})
	d.mustCreate(t, crm.CreateInput{Name: "Ольга", Phone: "+7 912 000 67 89"})
	all := len(numbers)
	find := func(query string) int {
		page, err := d.s.List(t.Context(), d.Owner, crm.ListInput{Query: query})
		if err != nil || page.Total != len(page.Customers) {
			t.Errorf("%q: %d of %d (%v)", query, len(page.Customers), page.Total, err)
		}
		return page.Total
	}
	for query, want := range map[string]int{
		"zoe": all, "muller": all, "ZOË  mÜ": all, "Zoe\u0308 Mu\u0308ller": all, "zoé": all, "sean o'b": 1, "SEÁN Oʼbrien": 1, "\u200b": all + 2,
		"+49 170 1234567": all, "0049 170 1234567": all, "00491701234567": all, "0170-1234567": all, "0170 1234567": all, "+49 (0)170 1234567": all,
		"170 123": all, "234567": all, "+4917012": all, "+44 20 7946": 1, "020 7946 0958": 1, "8 912 000-67-89": 1, "+7 (912) 000": 1,
		"z1@exämple.com": 1, "Z1@xn--exmple-cua.com": 1, "z1@exäm": 1, "+49 171": 0, "0171": 0, "moller": 0, "exämple": 0,
	} {
		if n := find(query); n != want {
			t.Errorf("%q finds %d, want %d", query, n, want)
		}
	}
	keys := `select string_agg(name_key || phone_key, '/' order by id) from customers`
	want := apptest.Value[string](t, d.w, keys)
	d.w.SQL(t, "update customers set name_key = null, phone_key = null")
	if find("Zoë") != all || find("0170 123 45 67") != all {
		t.Error("who has no keys is not found as they are written")
	}
	for range 2 {
		if err := d.s.FillKeys(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := apptest.Value[string](t, d.w, keys); got != want || find("zoe") != all {
		t.Errorf("the sweep wrote %q, want %q", got, want)
	}
	if n := apptest.Value[int](t, d.w, "select count(*) from customers where version <> 1"); n != 0 {
		t.Errorf("%d records have another version", n)
	}
}

func (d desk) mustCreate(t *testing.T, in crm.CreateInput) crm.Customer {
	t.Helper()
	c, err := d.s.Create(t.Context(), d.Owner, in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An invisible name is none, and a stored one is composed.
func TestNamesOfCustomers(t *testing.T) {
	d := open(t)
	for _, name := range []string{"\u200b", "\u202e", "\u2028", "\u3164", "\u2800", "\u115f", " \u0301"} {
		if _, err := d.s.Create(t.Context(), d.Owner, crm.CreateInput{Name: name}); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%+q is a name (%v)", name, err)
		}
	}
	c := d.mustCreate(t, crm.CreateInput{Name: "Zoe\u0308  \u200bRay"})
	if c.Name != "Zoë Ray" {
		t.Errorf("kept as %+q", c.Name)
	}
	_, err := d.s.Update(t.Context(), d.Owner, crm.UpdateInput{ID: c.ID, Version: c.Version, Name: new("\u3164")})
	if !fault.IsKind(err, fault.Validation) {
		t.Errorf("renamed to what nobody sees: %v", err)
	}
}

// One person has one record, however the domain of their address is typed.
func TestInternationalAddress(t *testing.T) {
	d := open(t)
	c := d.mustCreate(t, crm.CreateInput{Email: "Ana@Exämple.com"})
	if c.Email != "ana@xn--exmple-cua.com" {
		t.Errorf("kept as %q", c.Email)
	}
	_, err := d.s.Create(t.Context(), d.Owner, crm.CreateInput{Email: "ana@xn--exmple-cua.com"})
	if !errors.Is(err, crm.ErrExists) {
		t.Errorf("the other spelling: %v", err)
	}
}

func TestWhoSeesWhom(t *testing.T) {
	d := open(t)
	north := d.AddLocation(t, "North").ID
	instructor := d.Join(t, "instructor@example.com", apptest.Everywhere(policy.Instructor))
	member := apptest.Value[uuid.UUID](t, d.w, "select id from members where person_id = $1", instructor.Person())
	taught := d.AddOccurrence(t, d.AddOffering(t), apptest.Start.Add(time.Hour), func(o *apptest.OccurrenceRow) { o.Member = &member })
	plain := d.AddOccurrence(t, d.AddOffering(t), apptest.Start.Add(2*time.Hour))
	far := d.AddOccurrence(t, d.AddOffering(t, func(o *apptest.OfferingRow) { o.Location = north }), apptest.Start.Add(time.Hour))
	ada, bob, cleo, dan := d.mustEnsure(t, d.person(t, "ada")), d.mustEnsure(t, d.person(t, "bob")),
		d.mustEnsure(t, d.person(t, "cleo")), d.mustEnsure(t, d.person(t, "dan"))
	d.book(t, ada, taught, "confirmed")
	d.book(t, bob, plain, "confirmed")
	d.book(t, cleo, far, "confirmed")
	d.book(t, dan, taught, "held") // no customer's yet
	all := []crm.Customer{ada, bob, cleo, dan}
	for name, c := range map[string]struct {
		sc   tenancy.Scope
		want []crm.Customer
	}{
		"owner":      {d.Owner, all},
		"marketer":   {d.Join(t, "ads@example.com", apptest.Everywhere(policy.Marketer)), all},
		"desk":       {d.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, d.Location.ID)), []crm.Customer{ada, bob}},
		"the north":  {d.Join(t, "north@example.com", apptest.At(policy.FrontDesk, north)), []crm.Customer{cleo}},
		"instructor": {instructor, []crm.Customer{ada}},
	} {
		page, err := d.s.List(t.Context(), c.sc, crm.ListInput{})
		if err != nil || page.Total != len(c.want) || len(page.Customers) != len(c.want) {
			t.Errorf("%s sees %d of %d (%v)", name, page.Total, len(c.want), err)
		}
		for _, x := range all {
			got, err := d.s.Get(t.Context(), c.sc, x.ID)
			sees := slices.ContainsFunc(c.want, func(w crm.Customer) bool { return w.ID == x.ID })
			if sees && (err != nil || got.Email != x.Email) || !sees && !errors.Is(err, policy.ErrMissingFeature) {
				t.Errorf("%s gets %s: %v", name, x.Name, err)
			}
		}
	}
	accountant := d.Join(t, "books@example.com", apptest.Everywhere(policy.Accountant))
	if _, err := d.s.List(t.Context(), accountant, crm.ListInput{}); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("accountant: %v", err)
	}
	for name, sc := range map[string]tenancy.Scope{"unknown": d.Owner, "foreign": d.w.Studio(t).Owner} {
		id := ada.ID
		if name == "unknown" {
			id = pg.NewID()
		}
		if _, err := d.s.Get(t.Context(), sc, id); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
