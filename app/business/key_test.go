package business_test

import (
	"crypto/sha256"
	"errors"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// A45, A46: "bk_", 40 of base 62 and a checksum; shown once, stored as a hash.
func TestCreateKey(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	made, err := h.CreateKey(t.Context(), s.Owner, business.CreateKeyInput{Name: " Website ", Features: []tenancy.Feature{policy.LocationView}})
	if err != nil {
		t.Fatal(err)
	}
	const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	key := made.Key
	if len(key) != 49 || !strings.HasPrefix(key, "bk_") || strings.Trim(key[3:], base62) != "" {
		t.Fatalf("key %q", key)
	}
	var sum uint32
	for _, c := range key[43:] {
		sum = sum*62 + uint32(strings.IndexRune(base62, c))
	}
	if sum != crc32.ChecksumIEEE([]byte(key[:43])) {
		t.Errorf("the checksum of %q is wrong", key)
	}
	if made.Name != "Website" || made.Prefix != key[:9] || !slices.Equal(made.Features, []tenancy.Feature{policy.LocationView}) || made.ExpiresAt != nil {
		t.Errorf("%+v", made.APIKey)
	}
	hash := sha256.Sum256([]byte(key))
	if n := apptest.Value[int](t, w, "select count(*) from api_keys where key_hash = $1 and api_keys::text not like '%' || $2 || '%'", hash[:], key); n != 1 {
		t.Error("the key is not kept as its hash alone")
	}
	other, err := h.CreateKey(t.Context(), s.Owner, business.CreateKeyInput{})
	if err != nil || other.Key == key {
		t.Errorf("another key: %v", err)
	}
	list, err := h.Keys(t.Context(), s.Owner, paging.In[uuid.UUID]{})
	if err != nil || len(list.Items) != 2 || list.Items[0].ID != made.ID || list.Items[0].UsedAt != nil || list.Items[0].CreatedBy == uuid.Nil {
		t.Errorf("%+v (%v)", list, err)
	}
}

// A216: without features, all of the creator's that keys may hold; features only narrow.
func TestKeyFeatures(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	_, all := s.Key(t)
	for _, d := range policy.All {
		if got, want := all.Grants.At(d.Feature, uuid.Nil), d.Key != policy.Never; got != want {
			t.Errorf("%s: %v", d.Feature, got)
		}
	}
	for name, c := range map[string]struct {
		in    business.CreateKeyInput
		field string
	}{
		"none":        {business.CreateKeyInput{Features: []tenancy.Feature{}}, "features"},
		"unknown":     {business.CreateKeyInput{Features: []tenancy.Feature{policy.LocationView, "no.such"}}, "features[1]"},
		"never":       {business.CreateKeyInput{Features: []tenancy.Feature{policy.TeamManage}}, "features[0]"},
		"over":        {business.CreateKeyInput{ExpiresAt: ptr(apptest.Start)}, "expiresAt"},
		"a long name": {business.CreateKeyInput{Name: strings.Repeat("x", 81)}, "name"},
	} {
		if _, err := h.CreateKey(t.Context(), s.Owner, c.in); len(fields(err)) != 1 || fields(err)[0] != c.field {
			t.Errorf("%s: %v %q", name, err, fields(err))
		}
	}
	// A feature that keys may no longer hold is not granted, whatever the row has.
	w.SQL(t, `update api_keys set features = '["team.manage", "location.view", "gone.feature"]'`)
	g, _, _, err := h.Admit(t.Context(), all.Principal, s.Business.ID)
	if err != nil || g.Any(policy.TeamManage) || len(g.All) != 1 {
		t.Errorf("%+v (%v)", g, err)
	}
}

// A51: keys are managed by people who may manage the business. A45.
func TestKeysNeedAPerson(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	_, key := s.Key(t)
	manager := s.Join(t, "kim@example.com", apptest.Everywhere(policy.Manager))
	for name, c := range map[string]struct {
		sc   tenancy.Scope
		want error
	}{
		"a key":     {key, identity.ErrKeyRefused},
		"a manager": {manager, policy.ErrMissingFeature},
		"nobody":    {tenancy.Scope{Tenant: s.Business.ID}, identity.ErrSignIn},
	} {
		_, create := h.CreateKey(t.Context(), c.sc, business.CreateKeyInput{})
		_, list := h.Keys(t.Context(), c.sc, paging.In[uuid.UUID]{})
		for verb, err := range map[string]error{"create": create, "list": list, "revoke": h.RevokeKey(t.Context(), c.sc, key.ID)} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s by %s: %v", verb, name, err)
			}
		}
	}
}

// A46, A48, A56: every key that is not live is refused in one way; a mistyped one costs no round trip.
func TestAuthenticateKey(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	key, _ := s.Key(t)
	typo := []byte(key)
	typo[10] = map[bool]byte{true: 'b', false: 'a'}[typo[10] == 'a']
	for _, text := range []string{"", "bk_", "bk_" + strings.Repeat("a", 46), string(typo), key + "0", strings.ToLower(key), "xx_" + key[3:]} {
		n := w.Statements(func() {
			if _, err := h.AuthenticateKey(t.Context(), text); !errors.Is(err, business.ErrKey) {
				t.Errorf("%q: %v", text, err)
			}
		})
		if n != 0 {
			t.Errorf("%q costs %d trips", text, n)
		}
	}
	made, err := h.CreateKey(t.Context(), s.Owner, business.CreateKeyInput{Name: "Website", ExpiresAt: ptr(apptest.Start.Add(time.Hour))})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(90 * time.Second)
	var p tenancy.Principal
	use := func() {
		if p, err = h.AuthenticateKey(t.Context(), made.Key); err != nil {
			t.Fatal(err)
		}
	}
	if first, again := w.Statements(use), w.Statements(use); first != 2 || again != 1 {
		t.Errorf("%d trips, then %d", first, again)
	}
	if p.Kind != tenancy.ActorKey || p.ID != made.ID || p.Name != "Website" || p.Business != s.Business.ID || p.Person() != uuid.Nil || p.Email != "" {
		t.Errorf("%+v", p)
	}
	used := func() time.Time {
		return apptest.Value[time.Time](t, w, "select used_at from api_keys where id = $1", made.ID)
	}
	if !used().Equal(apptest.Start.Add(time.Minute)) {
		t.Errorf("used at %v", used())
	}
	w.Clock.Advance(29 * time.Second)
	use()
	if !used().Equal(apptest.Start.Add(time.Minute)) {
		t.Errorf("used at %v in the same minute", used())
	}
	w.Clock.Set(apptest.Start.Add(time.Hour - time.Microsecond))
	use()
	w.Clock.Advance(time.Microsecond)
	if _, err := h.AuthenticateKey(t.Context(), made.Key); !errors.Is(err, business.ErrKey) {
		t.Errorf("a key that is over: %v", err)
	}
}

func TestRevokeKey(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	a, b := w.Studio(t), w.Studio(t)
	text, key := a.Key(t)
	_, foreign := b.Key(t)
	for name, id := range map[string]uuid.UUID{"unknown": uuid.New(), "foreign": foreign.ID} {
		err := h.RevokeKey(t.Context(), a.Owner, id)
		if f := fault.From(err); f == nil || f.Error() != fault.Missing().Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := h.RevokeKey(t.Context(), a.Owner, key.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := h.AuthenticateKey(t.Context(), text); !errors.Is(err, business.ErrKey) {
		t.Errorf("its next use: %v", err)
	}
	if err := h.RevokeKey(t.Context(), a.Owner, key.ID); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("again: %v", err)
	}
	if list, err := h.Keys(t.Context(), a.Owner, paging.In[uuid.UUID]{}); err != nil || len(list.Items) != 0 {
		t.Errorf("%+v (%v)", list, err)
	}
	if list, err := h.Keys(t.Context(), b.Owner, paging.In[uuid.UUID]{}); err != nil || len(list.Items) != 1 {
		t.Errorf("the other studio's key: %+v (%v)", list, err)
	}
}

// A key repeated under its Idempotency-Key is the same key, and the stored response does not reveal it.
func TestRepeatedCreateKey(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	create := func() business.NewKey {
		k, err := h.CreateKey(pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{1}}), s.Owner, business.CreateKeyInput{})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	first, second := create(), create()
	if first.Key != second.Key || first.ID != second.ID || !slices.Equal(first.Features, second.Features) {
		t.Errorf("%+v, then %+v", first, second)
	}
	if n := apptest.Value[int](t, w, "select count(*) from replays where result::text like '%' || $1 || '%'", first.Key); n != 0 {
		t.Error("the kept answer shows the key")
	}
	if n := apptest.Value[int](t, w, "select count(*) from api_keys"); n != 1 {
		t.Errorf("%d keys", n)
	}
}
