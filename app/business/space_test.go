package business_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/policy"
)

func TestSpaces(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	hall := s.AddSpace(t, " Hall ", func(in *business.SpaceInput) { in.Capacity = 40 })
	half := s.AddSpace(t, "North half", func(in *business.SpaceInput) { in.ParentID = &hall.ID })
	if hall.Name != "Hall" || hall.ParentID != nil || half.ParentID == nil || *half.ParentID != hall.ID {
		t.Errorf("%+v, %+v", hall, half)
	}
	viewer := s.Join(t, "kim@example.com", apptest.Everywhere(policy.Viewer))
	list, err := h.Spaces(t.Context(), viewer, s.Location.ID, paging.In[uuid.UUID]{})
	if err != nil || len(list.Items) != 2 || list.Items[0].ID != hall.ID {
		t.Errorf("%+v (%v)", list, err)
	}
	if got, err := h.Space(t.Context(), viewer, s.Location.ID, half.ID); err != nil || *got.ParentID != hall.ID || got.Capacity != 12 {
		t.Errorf("%+v (%v)", got, err)
	}
	got, err := h.UpdateSpace(t.Context(), s.Owner, business.UpdateSpaceInput{
		LocationID: s.Location.ID, SpaceID: half.ID, Version: 1, Name: ptr("Studio B"), Capacity: ptr(18), ParentID: patch.None[uuid.UUID](),
	})
	if err != nil || got.Name != "Studio B" || got.Capacity != 18 || got.ParentID != nil || got.Version != 2 {
		t.Errorf("%+v (%v)", got, err)
	}
	_, stale := h.UpdateSpace(t.Context(), s.Owner, business.UpdateSpaceInput{LocationID: s.Location.ID, SpaceID: half.ID, Version: 1})
	_, taken := h.UpdateSpace(t.Context(), s.Owner, business.UpdateSpaceInput{LocationID: s.Location.ID, SpaceID: half.ID, Version: 2, Name: ptr("Hall")})
	_, again := h.CreateSpace(t.Context(), s.Owner, business.SpaceInput{LocationID: s.Location.ID, Name: "Hall", Capacity: 1})
	_, denied := h.CreateSpace(t.Context(), viewer, business.SpaceInput{LocationID: s.Location.ID, Name: "X", Capacity: 1})
	for name, c := range map[string]struct{ err, want error }{
		"stale": {stale, fault.ErrStale}, "renamed to a taken name": {taken, business.ErrSpaceName},
		"a taken name": {again, business.ErrSpaceName}, "a viewer": {denied, policy.ErrMissingFeature},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	_, err = h.CreateSpace(t.Context(), s.Owner, business.SpaceInput{LocationID: s.Location.ID, Name: "", Capacity: 10_001})
	if got := strings.Join(fields(err), " "); got != "name capacity" {
		t.Errorf("wrong fields %q", got)
	}
}

// A child id is looked up under its parent: a space of another location is not found here, and cannot be a parent.
func TestSpacesStayInTheirLocation(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s, other := w.Studio(t), w.Studio(t)
	uptown := s.AddLocation(t, "Uptown")
	here := s.AddSpace(t, "Hall")
	there := s.AddSpace(t, "Hall", func(in *business.SpaceInput) { in.LocationID = uptown.ID })
	foreign := other.AddSpace(t, "Hall")
	for name, id := range map[string]uuid.UUID{"of another location": there.ID, "of another studio": foreign.ID, "unknown": uuid.New()} {
		_, read := h.Space(t.Context(), s.Owner, s.Location.ID, id)
		_, write := h.UpdateSpace(t.Context(), s.Owner, business.UpdateSpaceInput{LocationID: s.Location.ID, SpaceID: id, Version: 1})
		_, archive := h.ArchiveSpace(t.Context(), s.Owner, s.Location.ID, id)
		_, child := h.CreateSpace(t.Context(), s.Owner, business.SpaceInput{LocationID: s.Location.ID, ParentID: &id, Name: "Part", Capacity: 1})
		_, move := h.UpdateSpace(t.Context(), s.Owner, business.UpdateSpaceInput{
			LocationID: s.Location.ID, SpaceID: here.ID, Version: 1, ParentID: patch.Some(id),
		})
		for i, err := range []error{read, write, archive, child, move} {
			if err == nil || err.Error() != fault.Missing().Error() {
				t.Errorf("a space %s, verb %d: %v", name, i, err)
			}
		}
	}
}

func TestSpacesAreNoCircle(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	part := func(of business.Space, name string) business.Space {
		return s.AddSpace(t, name, func(in *business.SpaceInput) { in.ParentID = &of.ID })
	}
	a := s.AddSpace(t, "A")
	b := part(a, "B")
	c := part(b, "C")
	d := s.AddSpace(t, "D")
	move := func(space business.Space, into business.Space) error {
		_, err := h.UpdateSpace(t.Context(), s.Owner, business.UpdateSpaceInput{
			LocationID: s.Location.ID, SpaceID: space.ID, Version: space.Version, ParentID: patch.Some(into.ID),
		})
		return err
	}
	for _, into := range []business.Space{a, b, c} {
		if err := move(a, into); !slices.Equal(fields(err), []string{"parentId"}) {
			t.Errorf("A into %s: %v", into.Name, err)
		}
	}
	if err := move(c, d); err != nil {
		t.Errorf("C into D: %v", err)
	}
	// Two changes that are valid alone and a circle together.
	for range 20 {
		x, y := s.AddSpace(t, "X"), s.AddSpace(t, "Y")
		var both sync.WaitGroup
		errs := make([]error, 2)
		both.Go(func() { errs[0] = move(x, y) })
		both.Go(func() { errs[1] = move(y, x) })
		both.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("both ways: %v, %v", errs[0], errs[1])
		}
		w.SQL(t, "delete from spaces where name in ('X', 'Y')")
	}
}

func TestArchiveSpace(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	busy := map[uuid.UUID]bool{}
	h := w.Businesses(t, func(o *business.Options) {
		o.SpaceInUseTx = func(_ context.Context, _ *pg.Tx, space uuid.UUID) (bool, error) { return busy[space], nil }
	})
	hall := s.AddSpace(t, "Hall")
	half := s.AddSpace(t, "Half", func(in *business.SpaceInput) { in.ParentID = &hall.ID })
	archive := func(id uuid.UUID) (business.Space, error) {
		return h.ArchiveSpace(t.Context(), s.Owner, s.Location.ID, id)
	}
	busy[half.ID] = true
	if _, err := archive(half.ID); !errors.Is(err, business.ErrSpaceInUse) {
		t.Errorf("in use: %v", err)
	}
	if _, err := archive(hall.ID); !errors.Is(err, business.ErrSpaceHasParts) {
		t.Errorf("with parts: %v", err)
	}
	busy[half.ID] = false
	got, err := archive(half.ID)
	if err != nil || got.ArchivedAt == nil || got.Version != 2 {
		t.Fatalf("%+v (%v)", got, err)
	}
	if again, err := archive(half.ID); err != nil || again.Version != 2 {
		t.Errorf("again: %+v (%v)", again, err)
	}
	if _, err := archive(hall.ID); err != nil {
		t.Errorf("without parts left: %v", err)
	}
	if list, err := h.Spaces(t.Context(), s.Owner, s.Location.ID, paging.In[uuid.UUID]{}); err != nil || len(list.Items) != 0 {
		t.Errorf("%+v (%v)", list, err)
	}
	_, change := h.UpdateSpace(t.Context(), s.Owner, business.UpdateSpaceInput{LocationID: s.Location.ID, SpaceID: half.ID, Version: 2, Name: ptr("x")})
	if !errors.Is(change, business.ErrSpaceArchived) {
		t.Errorf("a change of an archived space: %v", change)
	}
	_, child := h.CreateSpace(t.Context(), s.Owner, business.SpaceInput{LocationID: s.Location.ID, ParentID: &hall.ID, Name: "Part", Capacity: 1})
	if !fault.IsKind(child, fault.NotFound) {
		t.Errorf("a part of an archived space: %v", child)
	}
}
