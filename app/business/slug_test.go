package business_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
)

func rename(t *testing.T, h apptest.BusinessService, s apptest.Studio, to string) error {
	t.Helper()
	b, err := h.Get(t.Context(), s.Owner)
	if err != nil {
		t.Fatal(err)
	}
	got, err := h.Update(t.Context(), s.Owner, business.UpdateInput{Version: b.Version, Slug: &to})
	if err == nil && got.Slug != to {
		t.Errorf("renamed to %q, it is %q", to, got.Slug)
	}
	return err
}

func TestFindSlug(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	if err := rename(t, h, s, "harbour-movement"); err != nil {
		t.Fatal(err)
	}
	for first, want := range map[string]business.Found{
		"harbour-movement": {Business: s.Business.ID, Slug: "harbour-movement"},
		"harbour-yoga":     {Business: s.Business.ID, Slug: "harbour-movement", Redirect: true},
		"Harbour-Movement": {Business: s.Business.ID, Slug: "harbour-movement", Redirect: true},
		"harbour":          {Business: s.Business.ID, Location: s.Location.ID, Slug: "harbour"},
		"HARBOUR":          {Business: s.Business.ID, Location: s.Location.ID, Slug: "harbour", Redirect: true},
	} {
		n := w.Statements(func() {
			if got, err := h.FindSlug(t.Context(), first); err != nil || got != want {
				t.Errorf("%s leads to %+v (%v)", first, got, err)
			}
		})
		if n != 1 {
			t.Errorf("%s takes %d trips", first, n)
		}
	}
	for _, first := range []string{"", "nobody", "admin", "openapi.json", "harbour yoga", "harbour\x00", strings.Repeat("x", 61), uuid.NewString()} {
		if _, err := h.FindSlug(t.Context(), first); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%q: %v", first, err)
		}
	}
}

// A name in use gets a number; the tenth one an unguessable suffix.
func TestNamesAreNumbered(t *testing.T) {
	w := apptest.Open(t)
	var got []string
	for range 11 {
		got = append(got, w.Studio(t).Business.Slug)
	}
	for i, slug := range got {
		want := "harbour-yoga"
		if i > 0 {
			want = fmt.Sprintf("harbour-yoga-%d", i+1)
		}
		if i < 9 && slug != want {
			t.Errorf("studio %d is at %q, want %q", i+1, slug, want)
		}
	}
	for _, slug := range got[9:] {
		if len(slug) != len("harbour-yoga-7f3k") {
			t.Errorf("a tenth studio is at %q", slug)
		}
	}
	long := w.Studio(t, func(p *apptest.StudioPlan) { p.Name = strings.Repeat("long ", 20) })
	longer := w.Studio(t, func(p *apptest.StudioPlan) { p.Name = strings.Repeat("long ", 20) })
	if longer.Business.Slug == long.Business.Slug || len(longer.Business.Slug) > 60 || !strings.HasSuffix(longer.Business.Slug, "-2") {
		t.Errorf("%q, then %q", long.Business.Slug, longer.Business.Slug)
	}
}

// One root for all: a wanted address is refused alike for current, former and concurrent owners.
func TestTakenSlugs(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	a, b := w.Studio(t), w.Studio(t, func(p *apptest.StudioPlan) { p.Slug = "other-yoga" })
	if err := rename(t, h, a, "harbour-movement"); err != nil {
		t.Fatal(err)
	}
	for _, slug := range []string{"harbour-movement", "harbour-yoga", a.Location.Slug, b.Location.Slug} {
		err := rename(t, h, b, slug)
		if !errors.Is(err, business.ErrSlugTaken) || err.Error() != business.ErrSlugTaken.Error() || len(fault.From(err).Details) != 0 {
			t.Errorf("%s: %v", slug, err)
		}
	}
	if got, err := h.Get(t.Context(), b.Owner); err != nil || got.Slug != "other-yoga" {
		t.Errorf("a refused change left %+v (%v)", got, err)
	}
	if f, err := h.FindSlug(t.Context(), "other-yoga"); err != nil || f.Redirect || f.Business != b.Business.ID {
		t.Errorf("a refused change left %+v (%v)", f, err)
	}
	_, err := h.CreateLocation(t.Context(), b.Owner, business.LocationInput{Name: "Here", Slug: "harbour"})
	if !errors.Is(err, business.ErrSlugTaken) {
		t.Errorf("a new location: %v", err)
	}
	l := b.AddLocation(t, "Uptown")
	for _, slug := range []string{"harbour", "other-yoga"} {
		_, err := h.UpdateLocation(t.Context(), b.Owner, business.UpdateLocationInput{LocationID: l.ID, Version: 1, Slug: &slug})
		if !errors.Is(err, business.ErrSlugTaken) {
			t.Errorf("a location to %s: %v", slug, err)
		}
	}
}

// A record may return to an address of its own, and may not collect them without end.
func TestFormerSlugs(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	for i := 2; i <= business.MaxSlugs; i++ {
		if err := rename(t, h, s, fmt.Sprintf("harbour-no-%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := rename(t, h, s, "one-too-many"); !errors.Is(err, business.ErrTooManySlugs) {
		t.Errorf("address %d: %v", business.MaxSlugs+1, err)
	}
	if err := rename(t, h, s, "harbour-yoga"); err != nil {
		t.Errorf("back to the first: %v", err)
	}
	if f, err := h.FindSlug(t.Context(), "harbour-no-7"); err != nil || f.Slug != "harbour-yoga" || !f.Redirect {
		t.Errorf("%+v (%v)", f, err)
	}
	if n := apptest.Value[int](t, w, "select count(*) from slugs where current and location_id is null"); n != 1 {
		t.Errorf("%d current addresses", n)
	}
}

// Many studios of one name created in parallel all get an address.
func TestParallelNames(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	var all sync.WaitGroup
	slugs := make([]string, 8)
	for i := range slugs {
		all.Go(func() {
			l, err := h.CreateLocation(t.Context(), s.Owner, business.LocationInput{Name: "Main Street"})
			if err != nil {
				t.Error(err)
			}
			slugs[i] = l.Slug
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, slug := range slugs {
		if seen[slug] || slug == "" {
			t.Errorf("addresses %q", slugs)
		}
		seen[slug] = true
	}
	if n := apptest.Value[int](t, w, "select count(*) from locations l join slugs s on s.location_id = l.id and s.slug = l.slug and s.current"); n != 9 {
		t.Errorf("%d of 9 locations are where their row says", n)
	}
}
