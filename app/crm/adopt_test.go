package crm_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// The owner of a record: its login, or without one the person with its verified address. It becomes theirs unless
// they have one already.
func TestAdopt(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	record := func(email string) uuid.UUID {
		id := pg.NewID()
		w.SQL(t, "insert into customers (id, business_id, email, created_at, updated_at) values ($1, $2, $3, $4, $4)", id, s.Business.ID, email, w.Clock.Now())
		return id
	}
	adopt := func(id uuid.UUID, p tenancy.Principal) (crm.Customer, bool) {
		t.Helper()
		type got struct {
			C    crm.Customer
			Mine bool
		}
		out, err := pg.InTx(t.Context(), w.DB, s.Business.ID, func(tx *pg.Tx) (got, error) {
			c, mine, err := crm.AdoptTx(t.Context(), tx, id, identity.Person{ID: p.Person(), Email: p.Email})
			return got{c, mine}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out.C, out.Mine
	}
	ana, ben := w.Person(t, "ana@example.com"), w.Person(t, "ben@example.com")
	first, second, nobodys := record("ana@example.com"), record("ana@example.com"), record("")
	if c, mine := adopt(first, ben); mine || c.PersonID != nil {
		t.Errorf("a stranger: %+v, %t", c, mine)
	}
	if c, mine := adopt(first, ana); !mine || c.PersonID == nil || *c.PersonID != ana.Person() || c.Version != 2 {
		t.Errorf("the address: %+v, %t", c, mine)
	}
	if c, mine := adopt(first, ana); !mine || c.Version != 2 {
		t.Errorf("again: %+v, %t", c, mine)
	}
	if c, mine := adopt(second, ana); !mine || c.PersonID != nil {
		t.Errorf("a second record: %+v, %t", c, mine)
	}
	if c, mine := adopt(first, ben); mine || *c.PersonID != ana.Person() {
		t.Errorf("somebody else's: %+v, %t", c, mine)
	}
	if _, mine := adopt(nobodys, tenancy.Principal{Actor: tenancy.Actor{ID: pg.NewID()}}); mine {
		t.Error("no address is everybody's")
	}
	_, err := pg.InTx(t.Context(), w.DB, s.Business.ID, func(tx *pg.Tx) (int, error) {
		_, _, err := crm.AdoptTx(t.Context(), tx, pg.NewID(), identity.Person{ID: ana.Person()})
		return 0, err
	})
	if !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an unknown record: %v", err)
	}
}
