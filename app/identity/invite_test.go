package identity_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
)

func consume(t *testing.T, w *apptest.World, token string, person uuid.UUID) (identity.Person, error) {
	return pg.InTx(t.Context(), w.DB, uuid.Nil, func(tx *pg.Tx) (identity.Person, error) {
		return identity.ConsumeInviteTx(t.Context(), tx, token, person, pg.NewID())
	})
}

func TestInvite(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	made, err := identity.CreateInvite(t.Context(), w.DB, " Ana@Example.com", " Harbour Yoga ")
	if err != nil || len(made.Token) != 43 || !made.ExpiresAt.Equal(apptest.Start.Add(14*24*time.Hour)) {
		t.Fatalf("%+v (%v)", made, err)
	}
	sum := sha256.Sum256([]byte(made.Token))
	if n := count(t, w, "select count(*) from invites where token_hash = $1", sum[:]); n != 1 {
		t.Error("the token is not kept as its hash")
	}
	got, err := p.Invite(t.Context(), made.Token)
	if err != nil || got != made.Invite || got.Email != "ana@example.com" || got.BusinessName != "Harbour Yoga" {
		t.Errorf("%+v (%v)", got, err)
	}
	used, err := identity.CreateInvite(t.Context(), w.DB, "ana@example.com", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := consume(t, w, used.Token, w.Person(t, "ana@example.com").ID); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(14 * 24 * time.Hour)
	for name, token := range map[string]string{"unknown": strings.Repeat("A", 43), "no token": "x", "used": used.Token, "over": made.Token} {
		if _, err := p.Invite(t.Context(), token); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCreateInviteRefuses(t *testing.T) {
	w := apptest.Open(t)
	_, err := identity.CreateInvite(t.Context(), w.DB, "nobody", strings.Repeat("x", 121))
	if f := fault.From(err); f == nil || len(f.Fields) != 2 || f.Fields[0].Field != "email" || f.Fields[1].Field != "businessName" {
		t.Errorf("%+v", f)
	}
}

// A31: an invite works once, for 14 days, for the person with its verified address.
func TestConsumeInvite(t *testing.T) {
	w := apptest.Open(t)
	ana, bob := w.Person(t, "ana@example.com"), w.Person(t, "bob@example.com")
	invite := func(email string) string {
		made, err := identity.CreateInvite(t.Context(), w.DB, email, "")
		if err != nil {
			t.Fatal(err)
		}
		return made.Token
	}
	token := invite("ana@example.com")
	unverified := invite("carl@example.com")
	carl, err := pg.InTx(t.Context(), w.DB, uuid.Nil, func(tx *pg.Tx) (identity.Person, error) {
		return identity.EnsurePersonTx(t.Context(), tx, "carl@example.com", "")
	})
	if err != nil {
		t.Fatal(err)
	}
	refused := func(name, token string, person uuid.UUID) {
		t.Helper()
		if _, err := consume(t, w, token, person); !errors.Is(err, identity.ErrInvite) || err.Error() != identity.ErrInvite.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused("no token", "", ana.ID)
	refused("unknown token", strings.Repeat("A", 43), ana.ID)
	refused("somebody else's link", token, bob.ID)
	refused("an address that is not verified", unverified, carl.ID)
	refused("nobody", token, uuid.Nil)
	who, err := consume(t, w, token, ana.ID)
	if err != nil || who.ID != ana.ID || who.Email != "ana@example.com" {
		t.Errorf("%+v (%v)", who, err)
	}
	refused("a used link", token, ana.ID)
	over := invite("ana@example.com")
	w.Clock.Advance(14 * 24 * time.Hour)
	refused("a link that is over", over, ana.ID)
}

// Of twenty parallel callers one consumes the invite, and a rollback restores it.
func TestConsumeInviteOnce(t *testing.T) {
	w := apptest.Open(t)
	ana := w.Person(t, "ana@example.com")
	made, err := identity.CreateInvite(t.Context(), w.DB, ana.Email, "")
	if err != nil {
		t.Fatal(err)
	}
	later := errors.New("later")
	_, err = pg.InTx(t.Context(), w.DB, uuid.Nil, func(tx *pg.Tx) (int, error) {
		if _, err := identity.ConsumeInviteTx(t.Context(), tx, made.Token, ana.ID, pg.NewID()); err != nil {
			return 0, err
		}
		return 0, later
	})
	if !errors.Is(err, later) {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var got atomic.Int32
	for range 20 {
		all.Go(func() {
			if _, err := consume(t, w, made.Token, ana.ID); err == nil {
				got.Add(1)
			} else if !errors.Is(err, identity.ErrInvite) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got.Load() != 1 {
		t.Errorf("%d callers used one invite", got.Load())
	}
}
