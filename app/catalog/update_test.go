package catalog_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/patch"
)

func TestUpdateChangesOnlyWhatIsGiven(t *testing.T) {
	s := open(t)
	rate, category := s.AddTaxRate(t, "Sales tax", 82500).ID, s.AddRevenueCategory(t, "Workshops").ID
	was := s.create(t, func(in *catalog.CreateInput) { in.Description, in.Heading, in.OnlineCapacity = "Calm.", "Mats", ptr(8) })
	for name, c := range map[string]struct {
		in   catalog.UpdateInput
		want func(*catalog.Offering)
	}{
		"name":        {catalog.UpdateInput{Name: ptr(" Evening ")}, func(o *catalog.Offering) { o.Name = "Evening" }},
		"slug":        {catalog.UpdateInput{Slug: ptr("evening")}, func(o *catalog.Offering) { o.Slug = "evening" }},
		"description": {catalog.UpdateInput{Description: ptr("")}, func(o *catalog.Offering) { o.Description = "" }},
		"heading":     {catalog.UpdateInput{Heading: ptr("")}, func(o *catalog.Offering) { o.Heading, o.Word = "", "Classes" }},
		"length":      {catalog.UpdateInput{DurationMinutes: ptr(75)}, func(o *catalog.Offering) { o.DurationMinutes = 75 }},
		"price":       {catalog.UpdateInput{PriceAmount: ptr(int64(0))}, func(o *catalog.Offering) { o.PriceAmount = ptr(int64(0)) }},
		"tax":         {catalog.UpdateInput{TaxRateID: patch.Some(rate)}, func(o *catalog.Offering) { o.TaxRateID = &rate }},
		"category": {catalog.UpdateInput{RevenueCategoryID: patch.Some(category)},
			func(o *catalog.Offering) { o.RevenueCategoryID = &category }},
		"capacity": {catalog.UpdateInput{Capacity: ptr(9)}, func(o *catalog.Offering) { o.Capacity = 9 }},
		"online":   {catalog.UpdateInput{OnlineCapacity: ptr(0)}, func(o *catalog.Offering) { o.OnlineCapacity = 0 }},
		"position": {catalog.UpdateInput{Position: ptr(3)}, func(o *catalog.Offering) { o.Position = 3 }},
		"nothing":  {catalog.UpdateInput{}, func(o *catalog.Offering) { o.Version-- }},
	} {
		t.Run(name, func(t *testing.T) {
			c.in.ID, c.in.Version = was.ID, was.Version
			got, err := s.Update(t.Context(), s.System(), c.in)
			if err != nil {
				t.Fatal(err)
			}
			want := was
			want.Version++
			c.want(&want)
			stored, err := s.Get(t.Context(), s.System(), was.ID)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, stored, cmpopts.IgnoreFields(catalog.Offering{}, "UpdatedAt")); diff != "" {
				t.Error("stored:", diff)
			}
			if diff := cmp.Diff(stored, got, cmpopts.IgnoreFields(catalog.Offering{}, "UpdatedAt")); diff != "" {
				t.Error("answered:", diff)
			}
			was = stored
		})
	}
}

// If all seats are sold online they all stay so; a separate number stays, capped by the capacity.
func TestUpdateTakesOnlineSeatsAlong(t *testing.T) {
	s := open(t)
	o := s.create(t)
	for _, c := range []struct {
		capacity, online *int
		want             int
	}{{ptr(20), nil, 20}, {ptr(5), nil, 5}, {ptr(10), ptr(6), 6}, {ptr(30), nil, 6}, {ptr(4), nil, 4}, {ptr(9), nil, 9}} {
		got, err := s.Update(t.Context(), s.System(), catalog.UpdateInput{ID: o.ID, Version: o.Version, Capacity: c.capacity, OnlineCapacity: c.online})
		if err != nil || got.Capacity != *c.capacity || got.OnlineCapacity != c.want {
			t.Fatalf("%d seats, %d online, want %d (%v)", got.Capacity, got.OnlineCapacity, c.want, err)
		}
		o = got
	}
}

func TestUpdateRefuses(t *testing.T) {
	s := open(t)
	o, other := s.create(t), s.create(t)
	foreign := s.w.Studio(t).AddRevenueCategory(t, "Workshops").ID
	try := func(but func(*catalog.UpdateInput)) error {
		in := catalog.UpdateInput{ID: o.ID, Version: o.Version}
		but(&in)
		_, err := s.Update(t.Context(), s.System(), in)
		return err
	}
	for want, but := range map[string]func(*catalog.UpdateInput){
		"version":        func(in *catalog.UpdateInput) { in.Version = 0 },
		"name":           func(in *catalog.UpdateInput) { in.Name = ptr("") },
		"slug":           func(in *catalog.UpdateInput) { in.Slug = ptr("") },
		"onlineCapacity": func(in *catalog.UpdateInput) { in.Capacity, in.OnlineCapacity = ptr(11), ptr(12) },
		"taxRateId":      func(in *catalog.UpdateInput) { in.TaxRateID = patch.Some(other.ID) },

		"revenueCategoryId": func(in *catalog.UpdateInput) { in.RevenueCategoryID = patch.Some(foreign) },
	} {
		if err := try(but); apptest.Wrong(err) != want {
			t.Errorf("named %q, want %q (%v)", apptest.Wrong(err), want, err)
		}
	}
	apptest.Is(t, try(func(in *catalog.UpdateInput) { in.Slug = &other.Slug }), catalog.ErrSlugTaken)
	err := try(func(in *catalog.UpdateInput) { in.Version = 7 })
	apptest.Is(t, err, fault.ErrStale)
	if v := fault.From(err).Details["version"]; v != o.Version {
		t.Errorf("details.version is %v, want %d", v, o.Version)
	}
	if _, err := s.Publish(t.Context(), s.System(), o.ID); err != nil {
		t.Fatal(err)
	}
	o.Version++
	if err := try(func(in *catalog.UpdateInput) { in.OnlineCapacity = ptr(0) }); apptest.Wrong(err) != "onlineCapacity" {
		t.Errorf("a published offering without a seat to sell: %v", err)
	}
	if _, err := s.Archive(t.Context(), s.System(), o.ID); err != nil {
		t.Fatal(err)
	}
	o.Version++
	apptest.Is(t, try(func(in *catalog.UpdateInput) { in.Name = ptr("New") }), catalog.ErrArchived)
}

// Twenty people save the version that all of them have read: one of them succeeds.
func TestUpdateRace(t *testing.T) {
	s := open(t)
	o := s.create(t)
	var saved, stale atomic.Int32
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			_, err := s.Update(t.Context(), s.System(), catalog.UpdateInput{ID: o.ID, Version: o.Version, Position: ptr(i + 1)})
			switch {
			case err == nil:
				saved.Add(1)
			case fault.From(err) != nil && fault.From(err).Reason == "stale_version":
				stale.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if saved.Load() != 1 || stale.Load() != 19 {
		t.Errorf("%d saved, %d were stale", saved.Load(), stale.Load())
	}
	if got, _ := s.Get(t.Context(), s.System(), o.ID); got.Version != 2 {
		t.Errorf("version %d", got.Version)
	}
}

// An offering keeps an archived revenue category until another is chosen, and so does its copy; it cannot be chosen
// again then.
func TestAnArchivedRevenueCategoryStays(t *testing.T) {
	s := open(t)
	category := s.AddRevenueCategory(t, "Workshops").ID
	o := s.create(t, func(in *catalog.CreateInput) { in.RevenueCategoryID = &category })
	s.w.SQL(t, "update revenue_categories set archived_at = now()")
	update := func(in catalog.UpdateInput) (catalog.Offering, error) {
		in.ID, in.Version = o.ID, o.Version
		return s.Update(t.Context(), s.System(), in)
	}
	o, err := update(catalog.UpdateInput{Name: ptr("Clay"), RevenueCategoryID: patch.Some(category)})
	if err != nil || o.RevenueCategoryID == nil || *o.RevenueCategoryID != category {
		t.Fatalf("another name: %+v (%v)", o.RevenueCategoryID, err)
	}
	if c, err := s.Duplicate(t.Context(), s.System(), o.ID); err != nil || *c.RevenueCategoryID != category {
		t.Errorf("the copy: %+v (%v)", c.RevenueCategoryID, err)
	}
	o, err = update(catalog.UpdateInput{RevenueCategoryID: patch.None[uuid.UUID]()})
	if err != nil || o.RevenueCategoryID != nil {
		t.Fatalf("by kind: %+v (%v)", o.RevenueCategoryID, err)
	}
	_, err = update(catalog.UpdateInput{RevenueCategoryID: patch.Some(category)})
	if apptest.Wrong(err) != "revenueCategoryId" {
		t.Errorf("chosen again: %v", err)
	}
}
