package catalog_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
)

func TestCreate(t *testing.T) {
	s := open(t)
	rate := s.AddTaxRate(t, "Sales tax", 82500).ID
	s.w.SQL(t, "update locations set tax_rate_id = $1", rate)

	o := s.create(t, func(in *catalog.CreateInput) {
		in.Name, in.Description = "  Morning Yoga ", "Bring a mat.\nCome early."
	})
	if o.State != catalog.Draft || o.Version != 1 || o.Name != "Morning Yoga" || o.Slug != "morning-yoga" || o.LocationID != s.Location.ID {
		t.Errorf("made %+v", o)
	}
	if o.Currency != "USD" || *o.PriceAmount != 2200 || o.OnlineCapacity != 12 || *o.TaxRateID != rate {
		t.Errorf("the location's currency, price, seats and tax: %+v", o)
	}
	if o.Word != "Classes" || o.Heading != "" || o.PublishedAt != nil {
		t.Errorf("listed under %q", o.Word)
	}
	got, err := s.Get(t.Context(), s.System(), o.ID)
	if err != nil || got.Slug != o.Slug || got.Description != "Bring a mat.\nCome early." {
		t.Errorf("read back %+v, %v", got, err)
	}

	free := s.create(t, func(in *catalog.CreateInput) {
		in.PriceAmount, in.TaxRateID, in.OnlineCapacity, in.Heading = ptr(int64(0)), patch.None[uuid.UUID](), ptr(5), "Workshops"
	})
	if *free.PriceAmount != 0 || free.TaxRateID != nil || free.OnlineCapacity != 5 || free.Word != "Workshops" {
		t.Errorf("free, untaxed, own heading: %+v", free)
	}
	if unpriced := s.create(t, func(in *catalog.CreateInput) { in.PriceAmount = nil }); unpriced.PriceAmount != nil {
		t.Errorf("price %d", *unpriced.PriceAmount)
	}
}

func TestSlugs(t *testing.T) {
	s := open(t)
	for _, c := range []struct{ name, slug, want string }{
		{"Yoga", "", "yoga"}, {"Yoga", "", "yoga-2"}, {"YOGA!", "", "yoga-3"}, {"Yoga Flow", "", "yoga-flow"},
		{"Café Zoë", "", "cafe-zoe"}, {"瑜伽", "", "yu-jia"}, {"瑜伽", "", "yu-jia-2"}, {"Anything", "own-slug", "own-slug"},
		{strings.Repeat("long name ", 12), "", "long-name-long-name-long-name-long-name-long-name-long-name"},
	} {
		o := s.create(t, func(in *catalog.CreateInput) { in.Name, in.Slug = c.name, c.slug })
		if o.Slug != c.want {
			t.Errorf("%q gives %q, want %q", c.name, o.Slug, c.want)
		}
	}
	// A74: a duplicate is a conflict, inside the location only.
	_, err := s.Create(t.Context(), s.System(), s.input(func(in *catalog.CreateInput) { in.Slug = "yoga" }))
	apptest.Is(t, err, catalog.ErrSlugTaken)
	other := s.AddLocation(t, "other").ID
	if o := s.create(t, func(in *catalog.CreateInput) { in.LocationID, in.Slug = other, "yoga" }); o.Slug != "yoga" {
		t.Errorf("at another location: %q", o.Slug)
	}
}

func TestSlugsRace(t *testing.T) {
	s := open(t)
	const twins = 12
	slugs := make([]string, twins)
	var wg sync.WaitGroup
	for i := range twins {
		wg.Go(func() {
			o, err := s.Create(t.Context(), s.System(), s.input())
			if err != nil {
				t.Error(err)
			}
			slugs[i] = o.Slug
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, slug := range slugs {
		seen[slug] = true
	}
	if len(seen) != twins {
		t.Errorf("%d different slugs of %d: %q", len(seen), twins, slugs)
	}
}

func TestCreateRefuses(t *testing.T) {
	s := open(t)
	gone := s.AddTaxRate(t, "Old", 1).ID
	s.w.SQL(t, "update tax_rates set archived_at = now()")
	archived := s.AddRevenueCategory(t, "Old").ID
	s.w.SQL(t, "update revenue_categories set archived_at = now()")
	for want, but := range map[string]func(*catalog.CreateInput){
		"kind":            func(in *catalog.CreateInput) { in.Kind = "course" },
		"name":            func(in *catalog.CreateInput) { in.Name = " " },
		"heading":         func(in *catalog.CreateInput) { in.Heading = strings.Repeat("é", catalog.HeadingMax+1) },
		"description":     func(in *catalog.CreateInput) { in.Description = "nul \x00" },
		"slug":            func(in *catalog.CreateInput) { in.Slug = "Not A Slug" },
		"durationMinutes": func(in *catalog.CreateInput) { in.DurationMinutes = 4 },
		"price":           func(in *catalog.CreateInput) { in.PriceAmount = ptr(int64(-1)) },
		"onlineCapacity":  func(in *catalog.CreateInput) { in.OnlineCapacity = ptr(13) },
		"position":        func(in *catalog.CreateInput) { in.Position = -1 },
		"taxRateId":       func(in *catalog.CreateInput) { in.TaxRateID = patch.Some(gone) },

		"revenueCategoryId": func(in *catalog.CreateInput) { in.RevenueCategoryID = &archived },
		"capacity":          func(in *catalog.CreateInput) { in.Capacity, in.OnlineCapacity = 0, ptr(0) },
		"durationMinutes name price": func(in *catalog.CreateInput) {
			in.Name, in.DurationMinutes, in.PriceAmount = strings.Repeat("x", 121), 1441, ptr(int64(100_000_000))
		},
	} {
		if _, err := s.Create(t.Context(), s.System(), s.input(but)); apptest.Wrong(err) != want {
			t.Errorf("named %q, want %q (%v)", apptest.Wrong(err), want, err)
		}
	}
	_, err := s.Create(t.Context(), s.System(), s.input(func(in *catalog.CreateInput) { in.LocationID = pg.NewID() }))
	apptest.Refused(t, err, fault.NotFound)
	s.w.SQL(t, "update locations set archived_at = now()")
	_, err = s.Create(t.Context(), s.System(), s.input())
	apptest.Is(t, err, catalog.ErrLocationArchived)
}
