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

// Signer is somebody who has agreed to a document for themselves or for somebody who comes with them, with the last time that they did.
type Signer struct {
	ID            uuid.UUID // of the acceptance
	CustomerID    uuid.UUID
	CustomerName  string  // may be empty
	CustomerEmail string  // may be empty
	Attendee      *string // as Acceptance.Attendee
	CopyID        uuid.UUID
	CopyNumber    int
	Counts        bool // false: of a document that is asked once, everyone was asked again since
	Source        Source
	Shown         *Shown // nil: on paper
	Language      string // of the translation that was agreed to; empty: the copy's own words
	ActorName     string // who wrote it down, for what was on paper
	CreatedAt     time.Time
}

// For is whom they agreed for; empty: themselves.
func (p Signer) For() string { return whom(p.Attendee) }

// Record is the acceptance as the customer's record shows it.
func (p Signer) Record() Record {
	return Record{
		Acceptance: Acceptance{ID: p.ID, CopyID: p.CopyID, Attendee: p.Attendee, Language: p.Language, CreatedAt: p.CreatedAt},
		Source:     p.Source, Shown: p.Shown, ActorName: p.ActorName,
	}
}

// OutstandingCustomer is somebody whose bookings to come still ask for a document.
type OutstandingCustomer struct {
	CustomerID    uuid.UUID
	CustomerName  string // may be empty
	CustomerEmail string // may be empty
	Bookings      int    // that ask
	NextID        uuid.UUID
	NextAt        time.Time // when the first of them begins
}

// PeopleInput names a document of a location, and a page of the people who have to do with it.
type PeopleInput struct {
	LocationID, DocumentID uuid.UUID
	Page                   paging.In[paging.Moment]
}

// open refuses who may not see customers at the location, and returns the document.
func (in PeopleInput) open(ctx context.Context, r pg.Reader, sc tenancy.Scope) (Document, error) {
	if err := policy.RequireAt(sc, policy.CRMView, in.LocationID); err != nil {
		return Document{}, err
	}
	if err := in.Page.Validate(); err != nil {
		return Document{}, err
	}
	return findDocument(ctx, r, in.LocationID, in.DocumentID)
}

// Signers lists who has agreed to a document, whoever did so last first. It needs crm.view at the location. Errors: not found; Validation on
// limit.
func (s *Service) Signers(ctx context.Context, sc tenancy.Scope, in PeopleInput) (out paging.Page[Signer, paging.Moment], err error) {
	view := s.db.View(sc.Tenant)
	d, err := in.open(ctx, view, sc)
	if err != nil {
		return out, err
	}
	rows, err := signersOf(ctx, view, d, in.Page)
	return paging.Of(rows, in.Page.Size(), func(p Signer) paging.Moment { return paging.Moment{At: p.CreatedAt, ID: p.ID} }), err
}

// Outstanding lists whose bookings to come still ask for a document, whoever comes first first; nobody of one that is archived. It needs crm.view
// at the location. Errors: not found; Validation on limit.
func (s *Service) Outstanding(ctx context.Context, sc tenancy.Scope, in PeopleInput) (out paging.Page[OutstandingCustomer, paging.Moment], err error) {
	view := s.db.View(sc.Tenant)
	d, err := in.open(ctx, view, sc)
	if err != nil {
		return out, err
	}
	rows, err := debtors(ctx, view, d, in.Page.After, in.Page.Size()+1)
	return paging.Of(rows, in.Page.Size(), func(p OutstandingCustomer) paging.Moment { return paging.Moment{At: p.NextAt, ID: p.CustomerID} }), err
}

// People are how many have to do with a document.
type People struct {
	Signed      int // those for whom an acceptance counts
	Outstanding int // up to CountMost
}

// CountMost is how far those who owe something are counted.
const CountMost = 1000

// Count counts who has agreed to a document, and who still has to. It needs crm.view at the location. Error: not found.
func (s *Service) Count(ctx context.Context, sc tenancy.Scope, in PeopleInput) (p People, err error) {
	view := s.db.View(sc.Tenant)
	d, err := in.open(ctx, view, sc)
	if err != nil {
		return p, err
	}
	if p.Signed, err = countSigners(ctx, view, d); err != nil {
		return p, err
	}
	rows, err := debtors(ctx, view, d, nil, CountMost)
	p.Outstanding = len(rows)
	return p, err
}

// ahead is a customer with the bookings to come that ask for a document, and what they have agreed to that may count.
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

// aheadAtOnce is how many customers are read at once: most of them have agreed.
const aheadAtOnce = 500

// debtors reads at most that many, behind the key.
func debtors(ctx context.Context, r pg.Reader, d Document, after *paging.Moment, most int) ([]OutstandingCustomer, error) {
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

// debtor is what the customer owes; false when nothing.
func (a ahead) debtor(d Document) (OutstandingCustomer, bool) {
	wants := make([]Subject, len(a.Subjects))
	for i, w := range a.Subjects {
		wants[i] = w.Subject
	}
	asks := Open(Required([]Document{d}, wants, a.Have))
	if len(asks) == 0 {
		return OutstandingCustomer{}, false
	}
	// The key of the list is the first booking that asks, whether or not it is the one that lacks something: it stays while others are signed.
	return OutstandingCustomer{a.CustomerID, a.CustomerName, a.CustomerEmail, len(asks[0].Open), asks[0].Open[0], a.Subjects[0].StartsAt}, true
}
