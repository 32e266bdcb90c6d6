package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
)

func names[T any](items []T, name func(T) string) string {
	var out []string
	for _, i := range items {
		out = append(out, name(i))
	}
	return strings.Join(out, " ")
}

func TestListFilters(t *testing.T) {
	s := open(t)
	add := func(name, kind, state, heading string, position int) {
		s.AddOffering(t, func(o *apptest.OfferingRow) {
			o.Name, o.Kind, o.State, o.Heading, o.Position = name, kind, state, heading, position
		})
	}
	add("zumba", "class", "published", "", 0)
	add("Aerial", "class", "draft", "", 0)
	add("Übung", "class", "published", "Workshops", 0)
	add("Massage", "appointment", "published", "", 1)
	add("Hall_1", "rental", "archived", "classes", 2)
	for name, c := range map[string]struct {
		in   catalog.ListInput
		want string
	}{
		"all, in the storefront's order": {catalog.ListInput{}, "Aerial zumba Übung Massage Hall_1"},
		"kind":                           {catalog.ListInput{Kind: catalog.Class}, "Aerial zumba Übung"},
		"state":                          {catalog.ListInput{State: catalog.Archived}, "Hall_1"},
		"heading, plural":                {catalog.ListInput{Heading: "CLASSES"}, "Aerial zumba Hall_1"},
		"heading, singular":              {catalog.ListInput{Heading: "class"}, "Aerial zumba Hall_1"},
		"own heading":                    {catalog.ListInput{Heading: "workshop"}, "Übung"},
		"part of the name":               {catalog.ListInput{Query: "ZUM"}, "zumba"},
		"not only ASCII":                 {catalog.ListInput{Query: "üBU"}, "Übung"},
		"no wildcards":                   {catalog.ListInput{Query: "_"}, "Hall_1"},
		"nothing":                        {catalog.ListInput{Kind: catalog.Rental, State: catalog.Published}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.in.LocationID = s.Location.ID
			page, err := s.List(t.Context(), s.System(), c.in)
			if got := names(page.Items, func(o catalog.Offering) string { return o.Name }); err != nil || got != c.want || page.Next != nil {
				t.Errorf("%q, want %q (%v)", got, c.want, err)
			}
		})
	}
	for want, in := range map[string]catalog.ListInput{
		"state": {State: "open"}, "kind": {Kind: "course"}, "q": {Query: "\x00"}, "limit": {Page: paging.In[catalog.Key]{Limit: 201}},
	} {
		in.LocationID = s.Location.ID
		if _, err := s.List(t.Context(), s.System(), in); apptest.Wrong(err) != want { // A89
			t.Errorf("named %q, want %q", apptest.Wrong(err), want)
		}
	}
}

// A94, A95: every offering once while others are made, and no further page exactly at the end.
func TestWalkingWhileOthersAreMade(t *testing.T) {
	s := open(t)
	var want []string
	for i := range 30 {
		want = append(want, s.AddOffering(t, func(o *apptest.OfferingRow) {
			o.Name, o.Position = fmt.Sprintf("Class %02d", i/3), i%3 // names come three times
		}).ID.String())
	}
	lists := map[string]func(after *catalog.Key, limit int) ([]uuid.UUID, *catalog.Key){
		"list": func(after *catalog.Key, limit int) (ids []uuid.UUID, next *catalog.Key) {
			page, err := s.List(t.Context(), s.System(), catalog.ListInput{LocationID: s.Location.ID, Page: paging.In[catalog.Key]{After: after, Limit: limit}})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range page.Items {
				ids = append(ids, o.ID)
			}
			return ids, page.Next
		},
		"listed": func(after *catalog.Key, limit int) (ids []uuid.UUID, next *catalog.Key) {
			page, err := s.Listed(t.Context(), s.Business.ID, catalog.ListedInput{LocationID: s.Location.ID, Page: paging.In[catalog.Key]{After: after, Limit: limit}})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range page.Items {
				ids = append(ids, o.ID)
			}
			return ids, page.Next
		},
	}
	for name, list := range lists {
		if ids, next := list(nil, 30); len(ids) != 30 || next != nil {
			t.Errorf("%s: a page of exactly all has a next: %d rows, %v", name, len(ids), next)
		}
		if ids, next := list(nil, 29); len(ids) != 29 || next == nil {
			t.Errorf("%s: a page of all but one has no next", name)
		}
	}
	for name, list := range lists {
		var seen []string
		var after *catalog.Key
		for {
			ids, next := list(after, 7)
			for _, id := range ids {
				seen = append(seen, id.String())
			}
			if next == nil {
				break
			}
			after = next
			for _, position := range []int{0, 1, 2} { // before, at and after where the walk is
				s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Position = "Class 05", position })
			}
		}
		slices.Sort(seen)
		if len(slices.Compact(slices.Clone(seen))) != len(seen) {
			t.Errorf("%s: a row came twice", name)
		}
		for _, id := range want {
			if !slices.Contains(seen, id) {
				t.Errorf("%s: %s never came", name, id)
			}
		}
	}
}

func TestListed(t *testing.T) {
	s := open(t)
	s.published(t, func(in *catalog.CreateInput) { in.Name, in.Position, in.PriceAmount = "Shown", 1, ptr(int64(0)) })
	s.published(t, func(in *catalog.CreateInput) { in.Name, in.Heading = "Workshop", "Workshops" })
	draft := s.create(t, func(in *catalog.CreateInput) { in.Name = "Draft" })
	gone := s.published(t, func(in *catalog.CreateInput) { in.Name = "Gone" })
	if _, err := s.Archive(t.Context(), s.System(), gone.ID); err != nil {
		t.Fatal(err)
	}
	list := func(in catalog.ListedInput) string {
		in.LocationID = s.Location.ID
		page, err := s.Listed(t.Context(), s.Business.ID, in)
		if err != nil {
			t.Error(err)
		}
		return names(page.Items, func(l catalog.Listing) string { return l.Name + "/" + l.Word })
	}
	if got := list(catalog.ListedInput{}); got != "Workshop/Workshops Shown/Classes" {
		t.Errorf("listed %q", got)
	}
	if got := list(catalog.ListedInput{Heading: "class"}); got != "Shown/Classes" {
		t.Errorf("under class: %q", got)
	}
	if got := list(catalog.ListedInput{Kind: catalog.Rental}); got != "" {
		t.Errorf("rentals: %q", got)
	}
	for _, id := range []uuid.UUID{draft.ID, gone.ID, pg.NewID()} {
		_, err := s.PublicOffering(t.Context(), s.Business.ID, id)
		apptest.Refused(t, err, fault.NotFound)
	}
}

func TestPublicOffering(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	o := s.published(t, func(in *catalog.CreateInput) { in.Description = "Calm." })
	byID, err := s.PublicOffering(t.Context(), s.Business.ID, o.ID)
	if err != nil || byID.Name != o.Name || byID.PriceAmount != 2200 || byID.Currency != "USD" || byID.Word != "Classes" ||
		byID.Description != "Calm." || byID.DurationMinutes != 60 {
		t.Errorf("%+v, %v", byID, err)
	}
	hidden := func(why string) {
		t.Helper()
		_, err := s.PublicOffering(t.Context(), s.Business.ID, o.ID)
		apptest.Refused(t, err, fault.NotFound)
		_, err = s.Listed(t.Context(), s.Business.ID, catalog.ListedInput{LocationID: s.Location.ID})
		apptest.Refused(t, err, fault.NotFound)
		if t.Failed() {
			t.Fatal(why)
		}
	}
	s.w.SQL(t, "update locations set archived_at = now() where id = $1", s.Location.ID)
	hidden("at an archived location")
	s.w.SQL(t, "update locations set archived_at = null")
	s.Close(t)
	hidden("of a closed business")
	s.Resume(t)
	s.Pause(t)
	if _, err := s.PublicOffering(t.Context(), s.Business.ID, o.ID); err != nil {
		t.Errorf("a paused business shows what it has: %v", err)
	}
	_, err = s.PublicOffering(t.Context(), theirs.Business.ID, o.ID)
	apptest.Refused(t, err, fault.NotFound)
	_, err = s.Listed(t.Context(), theirs.Business.ID, catalog.ListedInput{LocationID: s.Location.ID})
	apptest.Refused(t, err, fault.NotFound)
}

// The number of round trips does not depend on the number of rows.
func TestRoundTrips(t *testing.T) {
	s := open(t)
	for range 40 {
		s.AddOffering(t)
	}
	o := s.AddOffering(t)
	ctx := t.Context()
	for name, c := range map[string]struct {
		most int
		call func() error
	}{
		"list": {1, func() error {
			_, err := s.List(ctx, s.System(), catalog.ListInput{LocationID: s.Location.ID})
			return err
		}},
		"listed": {1, func() error {
			_, err := s.Listed(ctx, s.Business.ID, catalog.ListedInput{LocationID: s.Location.ID})
			return err
		}},
		"get":    {1, func() error { _, err := s.Get(ctx, s.System(), o.ID); return err }},
		"public": {1, func() error { _, err := s.PublicOffering(ctx, s.Business.ID, o.ID); return err }},
		"create": {5, func() error { _, err := s.Create(ctx, s.System(), s.input()); return err }},
		"update": {3, func() error {
			_, err := s.Update(ctx, s.System(), catalog.UpdateInput{ID: o.ID, Version: 1, Name: ptr("New")})
			return err
		}},
	} {
		if got := s.w.Statements(func() {
			if err := c.call(); err != nil {
				t.Error(name, err)
			}
		}); got > c.most {
			t.Errorf("%s: %d round trips, want %d", name, got, c.most)
		}
	}
}
