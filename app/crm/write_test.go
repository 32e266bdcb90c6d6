package crm_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

func ptr[T any](v T) *T { return &v }

func (d desk) create(t *testing.T, in crm.CreateInput) crm.Customer {
	t.Helper()
	c, err := d.s.Create(t.Context(), d.Owner, in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// listed returns the names on the list of customers, sorted, and their total.
func (d desk) listed(t *testing.T) ([]string, int) {
	t.Helper()
	page, err := d.s.List(t.Context(), d.Owner, crm.ListInput{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range page.Customers {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return names, page.Total
}

// A customer is created with or without an address. With one the record belongs to the person who signs in with it.
func TestCreate(t *testing.T) {
	d := open(t)
	plain := d.create(t, crm.CreateInput{Name: " Rosa Luz ", Phone: "+1 555 010 9999"})
	if plain.Name != "Rosa Luz" || plain.Phone != "+1 555 010 9999" || plain.Email != "" || plain.PersonID != nil || plain.Version != 1 {
		t.Errorf("%+v", plain)
	}
	if twin := d.create(t, crm.CreateInput{Name: "Rosa Luz"}); twin.ID == plain.ID {
		t.Error("two people of one name share a record")
	}
	ada := d.create(t, crm.CreateInput{Email: " Ada@Example.com ", Name: "Ada"})
	if ada.Email != "ada@example.com" || ada.PersonID == nil {
		t.Errorf("%+v", ada)
	}
	who := d.person(t, "ada") // signs in
	if c := d.mustEnsure(t, who); c.ID != ada.ID || who.ID != *ada.PersonID {
		t.Errorf("whoever signs in there has %+v, not %+v", c, ada)
	}
	_, err := d.s.Create(t.Context(), d.Owner, crm.CreateInput{Email: "ADA@example.com", Name: "Somebody"})
	if !errors.Is(err, crm.ErrExists) || fault.From(err).Details["customerId"] != ada.ID.String() {
		t.Errorf("the same address: %v", err)
	}
	if names, total := d.listed(t); total != 3 || !slices.Equal(names, []string{"Ada", "Rosa Luz", "Rosa Luz"}) {
		t.Errorf("listed: %v of %d", names, total)
	}
	for field, in := range map[string]crm.CreateInput{
		"name": {Phone: "+1 555 010 9999"}, "email": {Email: "nobody"}, "phone": {Name: "Ada", Phone: "call me"},
	} {
		_, err := d.s.Create(t.Context(), d.Owner, in)
		if f := fault.From(err); f == nil || len(f.Fields) != 1 || f.Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	other := desk{d.w.Studio(t), d.w, d.s}
	if c := other.create(t, crm.CreateInput{Email: "ada@example.com"}); c.ID == ada.ID || c.Name != "" {
		t.Errorf("another studio's record of her is %+v", c)
	}
}

// Of parallel calls with one address, one creates the record, and the others get its id.
func TestCreateOnce(t *testing.T) {
	d := open(t)
	var mu sync.Mutex
	var made, told []string
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			c, err := d.s.Create(t.Context(), d.Owner, crm.CreateInput{Email: "ada@example.com"})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				made = append(made, c.ID.String())
			case errors.Is(err, crm.ErrExists):
				told = append(told, fault.From(err).Details["customerId"].(string))
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(made) != 1 || len(told) != 7 || slices.ContainsFunc(told, func(id string) bool { return id != made[0] }) {
		t.Errorf("made %v, told %v", made, told)
	}
}

// Permissions to create customers, and to change them.
func TestWhoWritesCustomers(t *testing.T) {
	d := open(t)
	front := d.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, d.Location.ID))
	ads := d.Join(t, "ads@example.com", apptest.Everywhere(policy.Marketer))
	c, err := d.s.Create(t.Context(), front, crm.CreateInput{Name: "Rosa"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.s.Create(t.Context(), ads, crm.CreateInput{Name: "Rosa"})
	apptest.Is(t, err, policy.ErrMissingFeature)
	change := func(sc tenancy.Scope) error {
		read, err := d.s.Get(t.Context(), d.Owner, c.ID)
		if err == nil {
			_, err = d.s.Update(t.Context(), sc, crm.UpdateInput{ID: c.ID, Version: read.Version, Name: ptr("Rosa Luz")})
		}
		return err
	}
	apptest.Is(t, change(ads), policy.ErrMissingFeature)
	if err := change(front); err != nil { // added there, and booked nowhere yet
		t.Error(err)
	}
	apptest.Refused(t, change(d.w.Studio(t).Owner), fault.NotFound)
}

// A customer belongs to the location where they were added, and to their author, until they have booked: then to the
// location of the booking.
func TestReachOfAddedCustomers(t *testing.T) {
	d := open(t)
	north, south := d.AddLocation(t, "North").ID, d.AddLocation(t, "South").ID
	at := func(name string, roles ...business.RoleAt) tenancy.Scope {
		return d.Join(t, name+"@example.com", roles...)
	}
	staff := map[string]tenancy.Scope{
		"front desk": at("desk", apptest.At(policy.FrontDesk, d.Location.ID)), "colleague": at("colleague", apptest.At(policy.Manager, d.Location.ID)),
		"north": at("north", apptest.At(policy.FrontDesk, north)), "both": at("both", apptest.At(policy.Manager, north), apptest.At(policy.FrontDesk, south)),
		"instructor": at("teaches", apptest.Everywhere(policy.Instructor)), "owner": d.Owner,
	}
	added := func(by string, location uuid.UUID) crm.Customer {
		t.Helper()
		c, err := d.s.Create(t.Context(), staff[by], crm.CreateInput{Name: "Rosa", LocationID: location})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	open := func(c crm.Customer, want ...string) {
		t.Helper()
		for who, sc := range staff {
			reached := slices.Contains(append(want, "owner"), who)
			page, err := d.s.List(t.Context(), sc, crm.ListInput{})
			if err != nil {
				t.Fatal(err)
			}
			if listed := slices.ContainsFunc(page.Customers, func(o crm.Customer) bool { return o.ID == c.ID }); listed != reached {
				t.Errorf("%s lists the customer: %v", who, listed)
			}
			got, err := d.s.Get(t.Context(), sc, c.ID)
			if reached && err != nil || !reached && !errors.Is(err, policy.ErrMissingFeature) {
				t.Errorf("%s reads the customer: %v", who, err)
			}
			if reached && who != "instructor" {
				if _, err := d.s.Update(t.Context(), sc, crm.UpdateInput{ID: c.ID, Version: got.Version, Phone: ptr("+1 555 010 9999")}); err != nil {
					t.Errorf("%s changes the customer: %v", who, err)
				}
			}
		}
	}
	date := func(location uuid.UUID) apptest.OccurrenceRow {
		return d.AddOccurrence(t, d.AddOffering(t, func(o *apptest.OfferingRow) { o.Location = location }), apptest.Start.Add(time.Hour))
	}
	rosa := added("front desk", uuid.Nil) // at the only location of the front desk
	open(rosa, "front desk", "colleague")
	d.book(t, rosa, date(north), "held") // no booking yet
	open(rosa, "front desk", "colleague")
	d.book(t, rosa, date(north), "confirmed")
	open(rosa, "north", "both")
	d.book(t, rosa, date(d.Location.ID), "cancelled")
	open(rosa, "north", "both", "front desk", "colleague")

	open(added("both", uuid.Nil), "both") // ambiguous
	open(added("both", north), "both", "north")
	open(added("owner", uuid.Nil))
	open(added("owner", north), "both", "north")

	waits, far := added("owner", uuid.Nil), date(d.Location.ID)
	d.w.SQL(t, `insert into waitlist_entries (id, business_id, location_id, offering_id, occurrence_id, customer_id, token_hash, state, rank, created_at, updated_at)
		select $1, business_id, location_id, offering_id, id, $2, 'hash', 'waiting', 1, $3, $3 from occurrences where id = $4`,
		pg.NewID(), waits.ID, d.w.Clock.Now(), far.ID)
	open(waits, "front desk", "colleague")

	_, err := d.s.Create(t.Context(), staff["front desk"], crm.CreateInput{Name: "Rosa", LocationID: north})
	apptest.Is(t, err, policy.ErrMissingFeature)
	_, err = d.s.Create(t.Context(), d.Owner, crm.CreateInput{Name: "Rosa", LocationID: d.w.Studio(t).Location.ID})
	apptest.Refused(t, err, fault.NotFound)
}

// The studio's data can change; a verified address cannot.
func TestUpdateCustomer(t *testing.T) {
	d := open(t)
	c := d.create(t, crm.CreateInput{Name: "Rosa"})
	update := func(in crm.UpdateInput) (crm.Customer, error) {
		in.ID = c.ID
		if in.Version == 0 {
			in.Version = c.Version
		}
		got, err := d.s.Update(t.Context(), d.Owner, in)
		if err == nil {
			c = got
		}
		return got, err
	}
	if got, err := update(crm.UpdateInput{Phone: ptr(" +1 555 010 9999 ")}); err != nil || got.Phone != "+1 555 010 9999" || got.Name != "Rosa" || got.Version != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	_, err := update(crm.UpdateInput{Version: 1, Name: ptr("Late")})
	apptest.Is(t, err, fault.ErrStale)
	for field, in := range map[string]crm.UpdateInput{"name": {Name: ptr(" ")}, "email": {Email: ptr("x")}, "phone": {Phone: ptr("x")}} {
		_, err := update(in)
		if f := fault.From(err); f == nil || len(f.Fields) != 1 || f.Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	typed, err := update(crm.UpdateInput{Email: ptr("rsoa@example.com")})
	if err != nil || typed.PersonID == nil {
		t.Fatalf("%+v, %v", typed, err)
	}
	mended, err := update(crm.UpdateInput{Email: ptr("Rosa@example.com")}) // without a sign-in so far
	if err != nil || mended.Email != "rosa@example.com" || *mended.PersonID == *typed.PersonID {
		t.Errorf("%+v, %v", mended, err)
	}
	if got, err := update(crm.UpdateInput{Email: ptr("")}); err != nil || got.PersonID != nil || got.Email != "" {
		t.Errorf("taken away: %+v, %v", got, err)
	}
	ada := d.mustEnsure(t, d.person(t, "ada"))
	_, err = update(crm.UpdateInput{Email: ptr("ada@example.com")})
	if !errors.Is(err, crm.ErrExists) || fault.From(err).Details["customerId"] != ada.ID.String() {
		t.Errorf("somebody else's: %v", err)
	}
	if _, err := update(crm.UpdateInput{Email: ptr("ben@example.com")}); err != nil {
		t.Fatal(err)
	}
	if got := d.mustEnsure(t, d.person(t, "ben")); got.ID != c.ID { // signs in
		t.Errorf("ben has %+v", got)
	}
	_, err = update(crm.UpdateInput{Email: ptr("other@example.com")})
	apptest.Is(t, err, crm.ErrSignsIn)
	if got, err := update(crm.UpdateInput{Name: ptr("Ben"), Email: ptr("BEN@example.com")}); err != nil || got.Name != "Ben" {
		t.Errorf("the address that it has: %+v, %v", got, err)
	}
}

// Waitlist entries follow a changed address.
func TestMendedAddressKeepsThePlace(t *testing.T) {
	d := open(t)
	c := d.create(t, crm.CreateInput{Name: "Rosa", Email: "rsoa@example.com"})
	o := d.AddOccurrence(t, d.AddOffering(t), apptest.Start.Add(time.Hour))
	d.w.SQL(t, `insert into waitlist_entries (id, business_id, location_id, offering_id, occurrence_id, customer_id, person_id, token_hash,
			state, rank, created_at, updated_at)
		select $1, business_id, location_id, offering_id, id, $2, $3, '\x01', 'waiting', 1, $5, $5 from occurrences where id = $4`,
		pg.NewID(), c.ID, *c.PersonID, o.ID, d.w.Clock.Now())
	c, err := d.s.Update(t.Context(), d.Owner, crm.UpdateInput{ID: c.ID, Version: 1, Email: ptr("rosa@example.com")})
	if err != nil {
		t.Fatal(err)
	}
	if got := apptest.Value[uuid.UUID](t, d.w, "select person_id from waitlist_entries"); got != *c.PersonID {
		t.Errorf("the place is still of %s, not of %s", got, *c.PersonID)
	}
}

// Two anonymous walk-ins have a record each, on no list; editing one of them lists it, and the total counts it in
// every process.
func TestGuests(t *testing.T) {
	d := open(t)
	guest := func(name string) crm.Customer {
		t.Helper()
		c, err := pg.InTx(t.Context(), d.w.DB, d.Business.ID, func(tx *pg.Tx) (crm.Customer, error) { return crm.GuestTx(t.Context(), tx, name) })
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	d.create(t, crm.CreateInput{Name: "Ada"})
	first, second := guest(""), guest("red cap")
	if first.ID == second.ID || first.Name != "Walk-in" || second.Name != "red cap" || first.PersonID != nil {
		t.Errorf("%+v and %+v", first, second)
	}
	if names, total := d.listed(t); total != 1 || !slices.Equal(names, []string{"Ada"}) {
		t.Errorf("listed: %v of %d", names, total)
	}
	if page, err := d.s.List(t.Context(), d.Owner, crm.ListInput{Query: "red"}); err != nil || page.Total != 0 {
		t.Errorf("searched: %+v, %v", page, err)
	}
	for _, at := range []string{"person_id = gen_random_uuid()", "email = 'x@example.com'", "phone = '555'"} {
		_, err := pg.InTx(t.Context(), d.w.DB, d.Business.ID, func(tx *pg.Tx) (int64, error) {
			return tx.Exec(t.Context(), "update customers set "+at+" where id = $1", first.ID)
		})
		if pg.Constraint(err) != "customers_unlisted" {
			t.Errorf("%s on no list: %v", at, err)
		}
	}
	in := crm.UpdateInput{ID: second.ID, Version: 1, Email: ptr("rita@example.com"), Name: ptr("Rita")}
	if c, err := d.s.Update(t.Context(), d.Owner, in); err != nil || c.Name != "Rita" || c.PersonID == nil {
		t.Errorf("%+v, %v", c, err)
	}
	if names, total := d.listed(t); total != 2 || !slices.Equal(names, []string{"Ada", "Rita"}) {
		t.Errorf("listed: %v of %d", names, total)
	}
	if names, total := (desk{d.Studio, d.w, service(d.w)}).listed(t); total != 2 || len(names) != 2 {
		t.Errorf("in another process: %v of %d", names, total)
	}
}
