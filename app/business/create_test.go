package business_test

import (
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

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

func ptr[T any](v T) *T { return &v }

func person(p tenancy.Principal) tenancy.Scope {
	return tenancy.Scope{Principal: p, Surface: tenancy.SurfaceAPI}
}

// fields lists the fields of a refusal.
func fields(err error) []string {
	f := fault.From(err)
	if f == nil {
		return nil
	}
	var out []string
	for _, wrong := range f.Fields {
		out = append(out, wrong.Field)
	}
	return out
}

func invite(t *testing.T, w *apptest.World, email string) string {
	t.Helper()
	made, err := identity.CreateInvite(t.Context(), w.DB, email, "")
	if err != nil {
		t.Fatal(err)
	}
	return made.Token
}

// A24, A31: an invited person creates a business, owns it, and has a first location.
func TestCreate(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	ana := w.Person(t, "ana@example.com")
	got, err := h.Create(t.Context(), person(ana), business.CreateInput{
		InviteToken: invite(t, w, "ana@example.com"), Name: " Harbour Yoga ",
		Location: &business.LocationInput{Name: "Harbour", Zone: "Europe/Lisbon", Currency: "EUR", Website: "Harbour-Yoga.example",
			Address: business.Address{Street: "1 Pier", City: "Lisboa", Country: "pt"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	b, l := got.Business, got.Location
	if b.Name != "Harbour Yoga" || b.Slug != "harbour-yoga" || b.Currency != "EUR" || b.Zone != "Europe/Lisbon" ||
		b.FeeMode != business.FeeAbsorb || b.FeePPM != 20_000 || b.ClassWord != "Classes" || b.Status != business.Active || b.Version != 1 {
		t.Errorf("business %+v", b)
	}
	if l == nil || l.Slug != "harbour" || l.Currency != "EUR" || l.Zone != "Europe/Lisbon" || l.TaxMode != business.TaxExclusive ||
		l.Website != "https://harbour-yoga.example" || l.Address.Country != "PT" || l.Branding.Accent != "#a4472b" {
		t.Errorf("location %+v", l)
	}
	v := w.DB.View(b.ID)
	if read, err := business.BusinessOf(t.Context(), v); err != nil || read != b {
		t.Errorf("read back %+v (%v)", read, err)
	}
	if read, err := business.LocationOf(t.Context(), v, l.ID); err != nil || !reflect.DeepEqual(read, *l) {
		t.Errorf("read back %+v (%v)", read, err)
	}
	g, exists, member, err := h.Admit(t.Context(), ana, b.ID)
	if err != nil || !exists || !member || !g.Owner || !g.At(policy.DataExport, uuid.Nil) {
		t.Errorf("the owner is admitted with %+v, %v, %v (%v)", g, exists, member, err)
	}
	if name := apptest.Value[string](t, w, "select name from members"); name != "ana" {
		t.Errorf("the owner without a name is called %q", name)
	}
	if opened := apptest.Value[uuid.UUID](t, w, "select opened_business from invites where consumed_by = $1", ana.ID); opened != b.ID {
		t.Error("the invite does not say what it opened")
	}
}

// A31: without a valid invite the response is 403, whatever else is wrong. A50: keys are refused.
func TestCreateNeedsAnInvite(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	ana := w.Person(t, "ana@example.com")
	used := invite(t, w, "ana@example.com")
	good := business.CreateInput{Name: "Harbour Yoga", Currency: "USD", Zone: "America/New_York", InviteToken: used}
	if _, err := h.Create(t.Context(), person(ana), good); err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{"none": "", "used": used, "somebody else's": invite(t, w, "bob@example.com")} {
		for _, in := range []business.CreateInput{{InviteToken: token}, {InviteToken: token, Name: "Harbour", Currency: "USD", Zone: "UTC"}} {
			if _, err := h.Create(t.Context(), person(ana), in); !errors.Is(err, identity.ErrInvite) || !fault.IsKind(err, fault.Forbidden) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := h.Create(t.Context(), tenancy.Scope{}, good); !errors.Is(err, identity.ErrSignIn) {
		t.Errorf("nobody: %v", err)
	}
	key := tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorKey, ID: uuid.New()}}
	if _, err := h.Create(t.Context(), person(key), good); !errors.Is(err, identity.ErrKeyRefused) {
		t.Errorf("a key: %v", err)
	}
	if n := apptest.Value[int](t, w, "select count(*) from businesses"); n != 1 {
		t.Errorf("%d businesses", n)
	}
}

// A refused input does not consume the invite.
func TestCreateInput(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	ana := w.Person(t, "ana@example.com")
	token := invite(t, w, "ana@example.com")
	_, err := h.Create(t.Context(), person(ana), business.CreateInput{
		InviteToken: token, Name: "two\nlines", Slug: "Admin", Currency: "XXX", Zone: "Mars",
		Location: &business.LocationInput{Slug: "no", Zone: "Nowhere", TaxMode: "both", Website: "javascript://x", TaxRateID: ptr(uuid.New()),
			Address: business.Address{Country: "Portugal", Street: "\x00"}},
	})
	want := []string{"location.taxRateId", "location.name", "location.slug", "location.zone", "location.currency",
		"location.taxMode", "location.address.street", "location.address.country", "location.website",
		"name", "slug", "currency", "zone"}
	if got := fields(err); len(got) != len(want) {
		t.Errorf("wrong fields %q, want %q", got, want)
	} else {
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("field %d is %q, want %q", i, got[i], want[i])
			}
		}
	}
	if _, err := h.Create(t.Context(), person(ana), business.CreateInput{InviteToken: token, Name: "Harbour", Currency: "USD", Zone: "UTC"}); err != nil {
		t.Errorf("the invite was lost: %v", err)
	}
}

// One invite, twenty parallel calls: one business.
func TestOneInviteOneBusiness(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	ana := w.Person(t, "ana@example.com")
	token := invite(t, w, "ana@example.com")
	var all sync.WaitGroup
	var made atomic.Int32
	for range 20 {
		all.Go(func() {
			_, err := h.Create(t.Context(), person(ana), business.CreateInput{InviteToken: token, Name: "Harbour Yoga", Currency: "USD", Zone: "UTC",
				Location: &business.LocationInput{Name: "Harbour"}})
			if err == nil {
				made.Add(1)
			} else if !errors.Is(err, identity.ErrInvite) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	n := apptest.Value[int](t, w, "select count(*) from businesses")
	if s := apptest.Value[int](t, w, "select count(*) from slugs"); made.Load() != 1 || n != 1 || s != 2 {
		t.Errorf("%d calls succeeded, %d businesses, %d slugs", made.Load(), n, s)
	}
}

// A repeated request returns the same business.
func TestRepeatedCreate(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	ana := w.Person(t, "ana@example.com")
	in := business.CreateInput{InviteToken: invite(t, w, "ana@example.com"), Name: "Harbour", Currency: "USD", Zone: "UTC"}
	create := func() (business.Created, error) {
		return h.Create(pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{1}}), person(ana), in)
	}
	first, err := create()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := create(); err != nil || again != first {
		t.Errorf("%+v, then %+v (%v)", first, again, err)
	}
}

// A32: a person's businesses, with roles and features; one trip to find them and one for each.
func TestMine(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	a, b, c := w.Studio(t), w.Studio(t), w.Studio(t)
	desk := a.Join(t, "kim@example.com", apptest.At(policy.FrontDesk, a.Location.ID))
	b.Join(t, "kim@example.com", apptest.Everywhere(policy.Accountant), apptest.Everywhere(policy.Instructor))
	c.Join(t, "kim@example.com") // on the team's page only: no role
	var got paging.Page[business.Membership, uuid.UUID]
	trips := w.Statements(func() {
		var err error
		if got, err = h.Mine(t.Context(), desk, paging.In[uuid.UUID]{}); err != nil {
			t.Fatal(err)
		}
	})
	if len(got.Items) != 2 || got.Next != nil || got.Items[0].Business.ID != a.Business.ID || got.Items[1].Business.Name != "Harbour Yoga" {
		t.Fatalf("%+v", got)
	}
	if trips != 4 {
		t.Errorf("%d trips for three businesses", trips)
	}
	one, two := got.Items[0], got.Items[1]
	if len(one.Roles) != 1 || *one.Roles[0].LocationID != a.Location.ID || one.Features[0] != policy.BookingCheckin {
		t.Errorf("%+v", one)
	}
	if len(two.Roles) != 2 || two.Roles[1].Role != policy.Instructor || two.Roles[0].LocationID != nil {
		t.Errorf("%+v", two)
	}
	page, err := h.Mine(t.Context(), desk, paging.In[uuid.UUID]{Limit: 1})
	if err != nil || len(page.Items) != 1 || page.Next == nil || *page.Next != a.Business.ID {
		t.Fatalf("%+v (%v)", page, err)
	}
	if page, err = h.Mine(t.Context(), desk, paging.In[uuid.UUID]{After: page.Next}); err != nil || len(page.Items) != 1 || page.Items[0].Business.ID != b.Business.ID {
		t.Errorf("%+v (%v)", page, err)
	}
	if _, err := h.Mine(t.Context(), desk, paging.In[uuid.UUID]{Limit: 201}); len(fields(err)) != 1 {
		t.Errorf("limit 201: %v", err)
	}
	if _, err := h.Mine(t.Context(), tenancy.Scope{}, paging.In[uuid.UUID]{}); !errors.Is(err, identity.ErrSignIn) {
		t.Errorf("nobody: %v", err)
	}
}
