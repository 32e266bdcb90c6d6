package catalog_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

func TestLinks(t *testing.T) {
	s := open(t)
	kim, lee, ann := s.AddInstructor(t, "Kim").ID, s.AddInstructor(t, "Lee").ID, s.AddInstructor(t, "Ann").ID
	o := s.create(t, appointment)
	put := func(ids ...uuid.UUID) catalog.Offering {
		t.Helper()
		got, err := s.PutStaff(t.Context(), s.System(), catalog.PutLinksInput{ID: o.ID, Links: ids})
		if err != nil {
			t.Fatal(err)
		}
		stored, err := s.Get(t.Context(), s.System(), o.ID)
		if err != nil || !slices.Equal(got.MemberIDs, ids) || !slices.Equal(stored.MemberIDs, ids) || got.Version != stored.Version {
			t.Errorf("put %v: %v and %v, %v", ids, got.MemberIDs, stored.MemberIDs, err)
		}
		return stored
	}
	put(kim, lee)
	put(lee, ann, kim) // another order, and one more
	v := put(ann).Version
	if again := put(ann); again.Version != v {
		t.Errorf("the same again is version %d after %d", again.Version, v)
	}
	// A member who can no longer be booked stays until the links are chosen anew, and does not come back.
	s.w.SQL(t, "update members set bookable = false where id = $1", ann)
	put(ann, kim)
	put()
	_, err := s.PutStaff(t.Context(), s.System(), catalog.PutLinksInput{ID: o.ID, Links: []uuid.UUID{kim, ann}})
	if apptest.Wrong(err) != "memberIds[1]" {
		t.Errorf("%v", err)
	}
	// Both lists are of one record: the version covers them.
	got, err := s.PutSpaces(t.Context(), s.System(), catalog.PutLinksInput{ID: o.ID, Links: []uuid.UUID{s.AddSpace(t, "Room").ID}, Version: v})
	apptest.Is(t, err, fault.ErrStale)
	if got.ID != uuid.Nil {
		t.Errorf("%+v", got)
	}
}

func TestLinksRefused(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	kim, room := s.AddInstructor(t, "Kim").ID, s.AddSpace(t, "Room").ID
	uptown := s.AddLocation(t, "Uptown")
	idle, gone := s.AddInstructor(t, "Idle").ID, s.AddInstructor(t, "Gone").ID
	s.w.SQL(t, "update members set bookable = false where id = $1", idle)
	s.w.SQL(t, "update members set deactivated_at = now() where id = $1", gone)
	closed := s.AddSpace(t, "Closed").ID
	s.w.SQL(t, "update spaces set archived_at = now() where id = $1", closed)
	there := s.AddSpace(t, "There").ID
	s.w.SQL(t, "update spaces set location_id = $2 where id = $1", there, uptown.ID)
	a, c, r := s.create(t, appointment), s.create(t), s.create(t, rental)

	staff := func(id uuid.UUID, links ...uuid.UUID) error {
		_, err := s.PutStaff(t.Context(), s.System(), catalog.PutLinksInput{ID: id, Links: links})
		return err
	}
	spaces := func(id uuid.UUID, links ...uuid.UUID) error {
		_, err := s.PutSpaces(t.Context(), s.System(), catalog.PutLinksInput{ID: id, Links: links})
		return err
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"twice":            {staff(a.ID, kim, kim), "memberIds[1]"},
		"unknown, foreign": {staff(a.ID, pg.NewID(), kim, theirs.AddInstructor(t, "Max").ID), "memberIds[0] memberIds[2]"},
		"not bookable":     {staff(a.ID, idle, gone), "memberIds[0] memberIds[1]"},
		"a class":          {staff(c.ID, kim), "memberIds"},
		"unattended":       {staff(r.ID, kim), "memberIds"},
		"a class's room":   {spaces(c.ID, room), "spaceIds"},
		"rooms":            {spaces(r.ID, closed, pg.NewID(), room, theirs.AddSpace(t, "Room").ID, there), "spaceIds[0] spaceIds[1] spaceIds[3] spaceIds[4]"},
		"too many":         {spaces(r.ID, make([]uuid.UUID, 201)...), ""},
	} {
		if c.want == "" {
			apptest.Refused(t, c.err, fault.Validation)
		} else if apptest.Wrong(c.err) != c.want {
			t.Errorf("%s: %v names %q, want %q", name, c.err, apptest.Wrong(c.err), c.want)
		}
	}
	if err := staff(c.ID); err != nil {
		t.Errorf("no links for a class: %v", err)
	}
	if n := apptest.Value[int](t, s.w, "select (select count(*) from offering_members) + (select count(*) from offering_spaces)"); n != 0 {
		t.Errorf("%d links were written", n)
	}
	s.w.SQL(t, "update offerings set state = 'archived' where id = $1", a.ID)
	apptest.Is(t, staff(a.ID, kim), catalog.ErrArchived)
}

// A47: as for the other verbs of an offering.
func TestWhoMayLink(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	mine, foreign := s.create(t, rental), theirs.create(t, rental)
	elsewhere := s.Holding(s.AddLocation(t, "elsewhere").ID, policy.CatalogManage)
	for name, call := range map[string]func(tenancy.Scope, uuid.UUID) error{
		"staff": func(sc tenancy.Scope, id uuid.UUID) error {
			_, err := s.PutStaff(t.Context(), sc, catalog.PutLinksInput{ID: id})
			return err
		},
		"spaces": func(sc tenancy.Scope, id uuid.UUID) error {
			_, err := s.PutSpaces(t.Context(), sc, catalog.PutLinksInput{ID: id})
			return err
		},
		"duplicate": func(sc tenancy.Scope, id uuid.UUID) error { _, err := s.Duplicate(t.Context(), sc, id); return err },
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Refused(t, call(s.System(), foreign.ID), fault.NotFound)
			apptest.Refused(t, call(s.System(), pg.NewID()), fault.NotFound)
			apptest.Refused(t, call(elsewhere, mine.ID), fault.Forbidden)
			apptest.Refused(t, call(s.Holding(s.Location.ID, policy.LocationView), mine.ID), fault.Forbidden)
			if err := call(s.Holding(s.Location.ID, policy.CatalogManage), mine.ID); err != nil {
				t.Error(err)
			}
		})
	}
}
