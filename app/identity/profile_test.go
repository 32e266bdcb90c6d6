package identity_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
)

func ptr[T any](v T) *T { return &v }

// A39.
func TestProfile(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	_, who := p.SignIn(t, "ana@example.com")
	before, err := p.Profile(t.Context(), who)
	if err != nil || before.Email != "ana@example.com" || before.Locale != "" || before.Version != 1 || before.VerifiedAt == nil {
		t.Fatalf("%+v (%v)", before, err)
	}
	got, err := p.UpdateProfile(t.Context(), who, identity.ProfileInput{
		Version: 1, Name: ptr("  Ana María "), Phone: ptr("+351 21 000-0000"), Locale: ptr("pt-BR"), Zone: ptr("Europe/Lisbon"),
	})
	if err != nil || got.Name != "Ana María" || got.Phone != "+351 21 000-0000" || got.Locale != "pt-BR" || got.Zone != "Europe/Lisbon" || got.Version != 2 {
		t.Fatalf("%+v (%v)", got, err)
	}
	got, err = p.UpdateProfile(t.Context(), who, identity.ProfileInput{Version: 2, Phone: ptr(""), Locale: ptr(""), Zone: ptr("")})
	if err != nil || got.Name != "Ana María" || got.Phone != "" || got.Locale != "" || got.Zone != "" {
		t.Errorf("%+v (%v)", got, err)
	}
	read, err := p.Profile(t.Context(), who)
	if err != nil || read.Version != 3 || read.Name != "Ana María" || !read.UpdatedAt.Equal(got.UpdatedAt) {
		t.Errorf("read back %+v (%v)", read, err)
	}
	_, err = p.UpdateProfile(t.Context(), who, identity.ProfileInput{Version: 1, Name: ptr("Late")})
	if !errors.Is(err, fault.ErrStale) || fault.From(err).Details["version"] != int64(3) {
		t.Errorf("stale: %v", err)
	}
}

func TestProfileInput(t *testing.T) {
	for field, texts := range map[string][]string{
		"name":   {"", "   ", strings.Repeat("é", 121), "two\nlines", "nul\x00"},
		"phone":  {"1234", "call me", "++3512100000", strings.Repeat("1", 33)},
		"locale": {"english", "en_US", "EN", "pt-br", "de-DE-x-long"},
		"zone":   {"Europe", "europe/lisbon", "Mars/Olympus", "Local", "EST5EDT", "../etc/passwd", "+02:00", "Europe/Lisbon/"},
	} {
		for _, text := range texts {
			in := identity.ProfileInput{}
			*map[string]**string{"name": &in.Name, "phone": &in.Phone, "locale": &in.Locale, "zone": &in.Zone}[field] = ptr(text)
			f := fault.From(in.Validate())
			if f == nil || len(f.Fields) != 1 || f.Fields[0].Field != field {
				t.Errorf("%s %q: %+v", field, text, f)
			}
		}
	}
	good := identity.ProfileInput{Name: ptr(strings.Repeat("é", 120)), Locale: ptr("zh-Hant-TW"), Zone: ptr("America/Argentina/Buenos_Aires")}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
}

func TestKnownZones(t *testing.T) {
	for _, zone := range []string{"UTC", "Europe/Lisbon", "America/New_York", "America/Port-au-Prince", "Etc/GMT+5", "Asia/Ho_Chi_Minh"} {
		if !identity.KnownZone(zone) {
			t.Errorf("%s is not known", zone)
		}
	}
}

// An existing person is unchanged by input about them; a new one is not verified.
func TestEnsurePerson(t *testing.T) {
	w := apptest.Open(t)
	ensure := func(email, name string) (identity.Person, error) {
		return pg.InTx(t.Context(), w.DB, uuid.Nil, func(tx *pg.Tx) (identity.Person, error) {
			return identity.EnsurePersonTx(t.Context(), tx, email, name)
		})
	}
	made, err := ensure(" Ana@Example.com", "Ana")
	if err != nil || made.Email != "ana@example.com" || made.Name != "Ana" || made.VerifiedAt != nil || made.Locale != "" {
		t.Fatalf("%+v (%v)", made, err)
	}
	found, err := ensure("ana@example.com", "Somebody Else")
	if err != nil || found != made {
		t.Errorf("%+v, want %+v (%v)", found, made, err)
	}
	if _, err := ensure("no address", ""); fault.From(err) == nil || fault.From(err).Fields[0].Field != "email" {
		t.Errorf("no address: %v", err)
	}
	var all sync.WaitGroup
	ids := make([]uuid.UUID, 20)
	for i := range ids {
		all.Go(func() {
			p, err := ensure("bob@example.com", "")
			if err != nil {
				t.Error(err)
			}
			ids[i] = p.ID
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Fatal("one address became two persons")
		}
	}
}
