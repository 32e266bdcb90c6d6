package waitlist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// shown puts a row together with the rules of its offering.
func (r entryRow) shown(rules catalog.Rules, now time.Time) CustomerEntry {
	w := r.CustomerEntry
	w.Mode, w.OffersUntil, w.Recipient = rules.Waitlist.Mode, rules.OffersUntil(r.StartsAt).UTC(), r.Recipient
	if (w.State == Waiting || w.State == Offered) && ShowsPosition(w.Mode) {
		place := r.Ahead + 1
		w.Position = &place
	}
	w.Acceptable = r.acceptable(r.facts(), rules, now) == nil
	return w
}

// customerEntries reads entries of one business, in no order. Unknown ones are left out.
func customerEntries(ctx context.Context, r pg.Reader, ids []uuid.UUID) ([]CustomerEntry, error) {
	rows, err := entryRows(ctx, r, ids)
	if err != nil {
		return nil, err
	}
	offerings := make([]uuid.UUID, len(rows))
	for i, x := range rows {
		offerings[i] = x.OfferingID
	}
	rules, err := catalog.RulesOf(ctx, r, offerings)
	if err != nil {
		return nil, err
	}
	out := make([]CustomerEntry, len(rows))
	for i, x := range rows {
		out[i] = x.shown(rules[x.OfferingID], r.Now())
	}
	return out, nil
}

func (s *Service) customerEntry(ctx context.Context, business, id uuid.UUID) (CustomerEntry, error) {
	list, err := customerEntries(ctx, s.db.View(business), []uuid.UUID{id})
	if err == nil && len(list) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return CustomerEntry{}, err
	}
	return list[0], nil
}

// Find returns an entry by its token, in any state. The token is the right to it. Not found for an unknown token.
func (s *Service) Find(ctx context.Context, sc tenancy.Scope, token string) (CustomerEntry, error) {
	id, err := s.entryHere(ctx, sc, token)
	if err != nil {
		return CustomerEntry{}, err
	}
	return s.customerEntry(ctx, sc.Tenant, id)
}

// Mine returns the waitlist entries of the signed-in person in all businesses, in every state, the latest first. It
// takes one round trip, and two more for each business on the page. Errors: identity.ErrSignIn, ErrKeyRefused;
// Validation on limit.
func (s *Service) Mine(ctx context.Context, p tenancy.Principal, in paging.In[paging.Moment]) (out paging.Page[CustomerEntry, paging.Moment], err error) {
	person, err := identity.PersonOf(p)
	if err != nil {
		return out, err
	}
	if err := in.Validate(); err != nil {
		return out, err
	}
	found, err := entriesOfPerson(ctx, s.db, person, in)
	if err != nil {
		return out, err
	}
	keys := paging.Of(found, in.Size(), func(k pg.Keyed) paging.Moment { return paging.Moment{At: k.At, ID: k.ID} })
	out.Next = keys.Next
	out.Items, err = pg.Across(keys.Items, func(w CustomerEntry) uuid.UUID { return w.ID },
		func(business uuid.UUID, ids []uuid.UUID) ([]CustomerEntry, error) {
			return customerEntries(ctx, s.db.View(business), ids)
		})
	return out, err
}
