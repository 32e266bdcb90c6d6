package agreement

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Signer is a customer's latest acceptance of a document, for themselves or an attendee.
type Signer struct {
	ID            uuid.UUID // of the acceptance
	CustomerID    uuid.UUID
	CustomerName  string  // may be empty
	CustomerEmail string  // may be empty
	Attendee      *string // as Acceptance.Attendee
	CopyID        uuid.UUID
	CopyNumber    int
	Counts        bool // false: outdated by a new round of a document required once
	Source        Source
	Shown         *Shown // nil: on paper
	Language      string // of the translation accepted; empty: the copy's own text
	ActorName     string // the staff member of a paper
	CreatedAt     time.Time
}

// For returns the name of the attendee agreed for; empty: the customer.
func (p Signer) For() string { return whom(p.Attendee) }

// Record returns the acceptance as the customer's record shows it.
func (p Signer) Record() Record {
	return Record{
		Acceptance: Acceptance{ID: p.ID, CopyID: p.CopyID, Attendee: p.Attendee, Language: p.Language, CreatedAt: p.CreatedAt},
		Source:     p.Source, Shown: p.Shown, ActorName: p.ActorName,
	}
}

// OutstandingCustomer is a customer with upcoming bookings that lack a document.
type OutstandingCustomer struct {
	CustomerID    uuid.UUID
	CustomerName  string // may be empty
	CustomerEmail string // may be empty
	Bookings      int    // without it
	NextID        uuid.UUID
	NextAt        time.Time // start of the first of them
}

// PeopleInput selects a document of a location, and a page of its customers.
type PeopleInput struct {
	LocationID, DocumentID uuid.UUID
	Page                   paging.In[paging.Moment]
}

// open checks the right to see customers at the location, and returns the document.
func (in PeopleInput) open(ctx context.Context, r pg.Reader, sc tenancy.Scope) (Document, error) {
	if err := policy.RequireAt(sc, policy.CRMView, in.LocationID); err != nil {
		return Document{}, err
	}
	if err := in.Page.Validate(); err != nil {
		return Document{}, err
	}
	return findDocument(ctx, r, in.LocationID, in.DocumentID)
}

// Signers lists the customers who have signed a document, latest first. It needs crm.view at the location. Errors:
// not found; Validation on limit.
func (s *Service) Signers(ctx context.Context, sc tenancy.Scope, in PeopleInput) (out paging.Page[Signer, paging.Moment], err error) {
	view := s.db.View(sc.Tenant)
	d, err := in.open(ctx, view, sc)
	if err != nil {
		return out, err
	}
	rows, err := signersOf(ctx, view, d, in.Page)
	return paging.Of(rows, in.Page.Size(), func(p Signer) paging.Moment { return paging.Moment{At: p.CreatedAt, ID: p.ID} }), err
}

// Outstanding lists the customers with upcoming bookings that lack a document, by the start of the first one. It is
// empty for an archived document. It needs crm.view at the location. Errors: not found; Validation on limit.
func (s *Service) Outstanding(ctx context.Context, sc tenancy.Scope, in PeopleInput) (out paging.Page[OutstandingCustomer, paging.Moment], err error) {
	view := s.db.View(sc.Tenant)
	d, err := in.open(ctx, view, sc)
	if err != nil {
		return out, err
	}
	rows, err := outstandingCustomers(ctx, view, d, in.Page.After, in.Page.Size()+1)
	return paging.Of(rows, in.Page.Size(), func(p OutstandingCustomer) paging.Moment { return paging.Moment{At: p.NextAt, ID: p.CustomerID} }), err
}

// People counts the customers of a document.
type People struct {
	Signed      int // those with an acceptance that counts
	Outstanding int // up to CountMost
}

// CountMost is the maximum of People.Outstanding.
const CountMost = 1000

// Count counts the customers who have signed a document, and those with the document outstanding. It needs crm.view
// at the location. Error: not found.
func (s *Service) Count(ctx context.Context, sc tenancy.Scope, in PeopleInput) (p People, err error) {
	view := s.db.View(sc.Tenant)
	d, err := in.open(ctx, view, sc)
	if err != nil {
		return p, err
	}
	if p.Signed, err = countSigners(ctx, view, d); err != nil {
		return p, err
	}
	rows, err := outstandingCustomers(ctx, view, d, nil, CountMost)
	p.Outstanding = len(rows)
	return p, err
}

// ahead is a customer with the upcoming bookings that require a document, and the acceptances that may count.
type ahead struct {
	CustomerID    uuid.UUID
	CustomerName  string
	CustomerEmail string
	Subjects      []wantAt
	Have          []Acceptance
}

type wantAt struct {
	Subject
	StartsAt time.Time `json:"starts_at"`
}

// aheadAtOnce is the number of customers read at once: most of them have signed.
const aheadAtOnce = 500

// outstandingCustomers reads at most that many, after the key.
func outstandingCustomers(ctx context.Context, r pg.Reader, d Document, after *paging.Moment, most int) ([]OutstandingCustomer, error) {
	out := []OutstandingCustomer{}
	for len(out) < most && d.ArchivedAt == nil {
		rows, err := readAhead(ctx, r, d, after, aheadAtOnce)
		if err != nil {
			return nil, err
		}
		for _, a := range rows {
			if k, owes := a.debtor(d); owes {
				out = append(out, k)
			}
		}
		if len(rows) < aheadAtOnce {
			break
		}
		last := rows[len(rows)-1]
		after = &paging.Moment{At: last.Subjects[0].StartsAt, ID: last.CustomerID}
	}
	return out[:min(len(out), most)], nil
}

// debtor returns the customer with the bookings that lack the document; false when none does.
func (a ahead) debtor(d Document) (OutstandingCustomer, bool) {
	wants := make([]Subject, len(a.Subjects))
	for i, w := range a.Subjects {
		wants[i] = w.Subject
	}
	asks := Open(Required([]Document{d}, wants, a.Have))
	if len(asks) == 0 {
		return OutstandingCustomer{}, false
	}
	// The key of the list is the first booking that requires the document, signed or not: it is stable while others
	// are signed.
	return OutstandingCustomer{a.CustomerID, a.CustomerName, a.CustomerEmail, len(asks[0].Open), asks[0].Open[0], a.Subjects[0].StartsAt}, true
}
