package crm_test

import (
	"sync"
	"testing"

	"foyer/app/crm"
	"foyer/app/pg"
)

// Everybody who says nothing about themselves shares one record, also when many come at once; another business has its own,
// and the name that the studio gives it stays.
func TestGuest(t *testing.T) {
	d := open(t)
	guest := func(d desk) crm.Customer {
		c, err := pg.InTx(t.Context(), d.w.DB, d.Business.ID, func(tx *pg.Tx) (crm.Customer, error) { return crm.GuestTx(t.Context(), tx) })
		if err != nil {
			t.Error(err)
		}
		return c
	}
	got := make([]crm.Customer, 20)
	var done sync.WaitGroup
	for i := range got {
		done.Go(func() { got[i] = guest(d) })
	}
	done.Wait()
	for _, c := range got {
		if c.ID != got[0].ID || c.Name != "Walk-in" || c.PersonID != nil || c.Email != "" {
			t.Errorf("%+v", c)
		}
	}
	d.w.SQL(t, "update customers set name = 'Somebody' where id = $1", got[0].ID)
	if c := guest(d); c.ID != got[0].ID || c.Name != "Somebody" {
		t.Errorf("renamed: %+v", c)
	}
	if c := guest(desk{d.w.Studio(t), d.w, d.s}); c.ID == got[0].ID {
		t.Error("two businesses share a record")
	}
}
