package pg_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// The audit log has the actor, the entry point and the reason, at the time of the transaction.
func TestActor(t *testing.T) {
	w := apptest.Open(t)
	business := newBusiness(t, w, "studio-a")
	ada := tenancy.Scope{Surface: tenancy.SurfaceAPI}
	ada.Actor = tenancy.Actor{Kind: tenancy.ActorPerson, ID: uuid.NewSHA1(uuid.Nil, []byte("ada")), Name: `Ada "the" L.`}
	at := w.Clock.Now().UTC().Format("2006-01-02T15:04:05")
	last := func() string {
		return apptest.Value[string](t, w, `select concat_ws('|', actor_kind, actor_id, actor_name, surface, reason,
			to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'), after ->> 'name') from audit_events order by seq desc limit 1`)
	}
	if got, want := last(), "system||job||"+at+"|studio-a"; got != want {
		t.Errorf("nobody named: %s, want %s", got, want)
	}
	ctx := tenancy.Acting(t.Context(), ada)
	rename := func(name, before, after string) {
		t.Helper()
		_, err := pg.InTx(ctx, w.DB, business, func(tx *pg.Tx) (int, error) {
			if before != "" {
				if err := tx.Because(ctx, before); err != nil {
					return 0, err
				}
			}
			if _, err := tx.Exec(ctx, "select 1"); err != nil {
				return 0, err
			}
			if after != "" {
				if err := tx.Because(ctx, after); err != nil {
					return 0, err
				}
			}
			_, err := tx.Exec(ctx, "update businesses set name = $1", name)
			return 0, err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct{ before, after, want string }{
		{"", "", ""}, {"asked on the phone", "", "asked on the phone"}, {"", "later", "later"}, {"first", "second", "second"},
	} {
		name := fmt.Sprint("name ", i)
		rename(name, c.before, c.after)
		if got, want := last(), fmt.Sprintf(`person|%s|Ada "the" L.|api|%s|%s|%s`, ada.ID, c.want, at, name); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	ctx = tenancy.Acting(t.Context(), tenancy.Visitor(tenancy.Principal{}, business, tenancy.SurfaceHosted))
	rename("by somebody", "", "")
	if got, want := last(), "visitor||hosted||"+at+"|by somebody"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if trips := w.Statements(func() { rename("again", "a reason costs no trip", "") }); trips != 3 {
		t.Errorf("%d trips, want 3", trips)
	}
}

// BenchmarkEmptyTransaction is the cost of a transaction without statements of its own; with the actor and without a
// tenant.
func BenchmarkEmptyTransaction(b *testing.B) {
	w := apptest.Open(b)
	ctx := tenancy.Acting(b.Context(), tenancy.Scope{
		Principal: tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: pg.NewID(), Name: "Ada Lovelace"}}, Surface: tenancy.SurfaceAPI,
	})
	for name, business := range map[string]uuid.UUID{"tenant": pg.NewID(), "no tenant": uuid.Nil} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := pg.InTx(ctx, w.DB, business, func(tx *pg.Tx) (int, error) {
					_, err := tx.Exec(ctx, "select 1")
					return 0, err
				}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
