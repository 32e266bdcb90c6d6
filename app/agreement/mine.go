package agreement

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Mine is an acceptance as its person sees it.
type Mine struct {
	ID           uuid.UUID
	BusinessID   uuid.UUID
	BusinessName string
	LocationName string
	Zone         string // of the location
	DocumentID   uuid.UUID
	Name         string
	Kind         Kind
	Frequency    Frequency
	CopyID       uuid.UUID
	Source       Source
	Shown        *Shown
	Attendee     *string // as Acceptance.Attendee
	Language     string  // of the translation accepted; empty: the copy's own text
	CreatedAt    time.Time
}

// For returns the name of the attendee agreed for; empty: the customer.
func (m Mine) For() string { return whom(m.Attendee) }

// Record returns the acceptance without its actor.
func (m Mine) Record() Record {
	return Record{
		Acceptance: Acceptance{ID: m.ID, DocumentID: m.DocumentID, CopyID: m.CopyID, Attendee: m.Attendee, Language: m.Language, CreatedAt: m.CreatedAt},
		Kind:       m.Kind, Source: m.Source, Shown: m.Shown,
	}
}

// Mine lists the signed-in person's acceptances in all businesses, latest first. It takes one round trip and one more
// for each business on the page. Errors: identity.ErrSignIn, ErrKeyRefused; Validation on limit.
func (s *Service) Mine(ctx context.Context, p tenancy.Principal, in paging.In[paging.Moment]) (out paging.Page[Mine, paging.Moment], err error) {
	person, err := identity.PersonOf(p)
	if err != nil {
		return out, err
	}
	if err := in.Validate(); err != nil {
		return out, err
	}
	keys, err := agreementsOf(ctx, s.db, person, in)
	if err != nil {
		return out, err
	}
	items, err := pg.Across(keys, func(m Mine) uuid.UUID { return m.ID }, func(business uuid.UUID, ids []uuid.UUID) ([]Mine, error) {
		return theirs(ctx, s.db.View(business), person, ids)
	})
	return paging.Of(items, in.Size(), func(m Mine) paging.Moment { return paging.Moment{At: m.CreatedAt, ID: m.ID} }), err
}
