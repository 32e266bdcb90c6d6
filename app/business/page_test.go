package business_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/mail"
	"foyer/app/paging"
)

// A94, A95: the pages of any list have every row once, null comes exactly at the end, and a page costs the same for
// any number of rows.
func TestPages(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s, other := w.Studio(t), w.Studio(t)
	for i := range 3 {
		name := fmt.Sprintf("No %d", i)
		s.AddLocation(t, name)
		s.AddSpace(t, name)
		s.AddTaxRate(t, name, i)
		s.AddRevenueCategory(t, name)
		s.Key(t)
		s.Join(t, fmt.Sprintf("member%d@example.com", i))
	}
	s.AddSpace(t, "The fourth")
	s.AddTaxRate(t, "The fourth", 4)
	s.AddRevenueCategory(t, "The fourth")
	s.Key(t)
	other.AddSpace(t, "Foreign")
	other.AddTaxRate(t, "Foreign", 5)
	other.AddRevenueCategory(t, "Foreign")
	other.Key(t)
	ctx := t.Context()
	for name, list := range map[string]func(paging.In[uuid.UUID]) ([]uuid.UUID, *uuid.UUID, error){
		"locations": func(in paging.In[uuid.UUID]) ([]uuid.UUID, *uuid.UUID, error) {
			p, err := h.Locations(ctx, s.Owner, in)
			return ids(p.Items, func(l business.Location) uuid.UUID { return l.ID }), p.Next, err
		},
		"spaces": func(in paging.In[uuid.UUID]) ([]uuid.UUID, *uuid.UUID, error) {
			p, err := h.Spaces(ctx, s.Owner, s.Location.ID, in)
			return ids(p.Items, func(s business.Space) uuid.UUID { return s.ID }), p.Next, err
		},
		"tax rates": func(in paging.In[uuid.UUID]) ([]uuid.UUID, *uuid.UUID, error) {
			p, err := h.TaxRates(ctx, s.Owner, in)
			return ids(p.Items, func(r business.TaxRate) uuid.UUID { return r.ID }), p.Next, err
		},
		"revenue categories": func(in paging.In[uuid.UUID]) ([]uuid.UUID, *uuid.UUID, error) {
			p, err := h.RevenueCategories(ctx, s.Owner, business.RevenueCategoriesInput{In: in})
			return ids(p.Items, func(c business.RevenueCategory) uuid.UUID { return c.ID }), p.Next, err
		},
		"keys": func(in paging.In[uuid.UUID]) ([]uuid.UUID, *uuid.UUID, error) {
			p, err := h.Keys(ctx, s.Owner, in)
			return ids(p.Items, func(k business.APIKey) uuid.UUID { return k.ID }), p.Next, err
		},
		"members": func(in paging.In[uuid.UUID]) ([]uuid.UUID, *uuid.UUID, error) {
			p, err := h.Members(ctx, s.Owner, in)
			return ids(p.Items, func(m business.Member) uuid.UUID { return m.ID }), p.Next, err
		},
	} {
		all, next, err := list(paging.In[uuid.UUID]{})
		if err != nil || len(all) != 4 || next != nil {
			t.Errorf("%s: %d rows, next %v (%v)", name, len(all), next, err)
			continue
		}
		var walked []uuid.UUID
		trips := map[int]bool{}
		for in, page := (paging.In[uuid.UUID]{Limit: 2}), 1; ; page++ {
			var rows []uuid.UUID
			trips[w.Statements(func() { rows, next, err = list(in) })] = true
			if err != nil || len(rows) != 2 || (next == nil) != (page == 2) {
				t.Fatalf("%s, page %d: %d rows, next %v (%v)", name, page, len(rows), next, err)
			}
			walked = append(walked, rows...)
			if in.After = next; next == nil {
				break
			}
		}
		if !slices.Equal(walked, all) || len(trips) != 1 {
			t.Errorf("%s: walked %v, want %v, in %v trips", name, walked, all, trips)
		}
		for _, limit := range []int{-1, paging.Max + 1} {
			if _, _, err := list(paging.In[uuid.UUID]{Limit: limit}); !slices.Equal(fields(err), []string{"limit"}) {
				t.Errorf("%s with limit %d: %v", name, limit, err)
			}
		}
	}
}

func ids[T any](rows []T, id func(T) uuid.UUID) []uuid.UUID {
	var out []uuid.UUID
	for _, row := range rows {
		out = append(out, id(row))
	}
	return out
}

// An incomplete service stops the program at start.
func TestNewNeedsEverything(t *testing.T) {
	w := apptest.Open(t)
	for name, change := range map[string]func(*business.Options){
		"database": func(o *business.Options) { o.DB = nil },
		"secret":   func(o *business.Options) { o.Secret = o.Secret[:31] },
		"mail":     func(o *business.Options) { o.Mail = mail.Sender(nil) },
		"words":    func(o *business.Options) { o.InviteMail = nil },
		"dates":    func(o *business.Options) { o.HasDatesTx = nil },
		"spaces":   func(o *business.Options) { o.SpaceInUseTx = nil },
		"taxes":    func(o *business.Options) { o.ReplaceTaxRateTx = nil },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("made without %s", name)
				}
			}()
			w.Businesses(t, change)
		}()
	}
}
