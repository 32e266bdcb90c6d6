package agreement

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Source is the place of an acceptance.
type Source string

// Sources.
const (
	SourceCheckout Source = "checkout"
	SourceStaff    Source = "staff" // recorded by staff: there is a paper
)

// All returns all values.
func (Source) All() []Source { return []Source{SourceCheckout, SourceStaff} }

// Shown is the presentation of a document at its acceptance. A189.
type Shown string

// Presentations.
const (
	ShownCheckbox Shown = "checkbox"
	ShownFull     Shown = "full" // scrolled to its end
)

// All returns all values.
func (Shown) All() []Shown { return []Shown{ShownCheckbox, ShownFull} }

// Accepted is the acceptance of a copy in an input.
type Accepted struct {
	ContentID uuid.UUID // the copy that was shown
	Shown     Shown
	Language  string // of the translation shown; empty or not a translation of the copy: its own text
	// Attendees are the persons agreed for: attendees by name, the customer as an empty one. Nil: not given. For a
	// cart that is everyone in it; without a cart it is the customer.
	Attendees []string
}

// AcceptInput holds the acceptances of a cart's customer.
type AcceptInput struct {
	Accept    []Accepted
	UserAgent string // of the browser, as evidence
}

const (
	acceptMost   = 100
	userAgentMax = 400 // bytes of it that are stored
)

// Validate checks the input. The error names every wrong field.
func (in *AcceptInput) Validate() error {
	var c fault.Checks
	c.That(len(in.Accept) > 0, "accept", "Accept at least one document.")
	c.That(len(in.Accept) <= acceptMost, "accept", "Accept at most 100 documents at once.")
	for _, a := range in.Accept {
		c.That(slices.Contains(ShownFull.All(), a.Shown), "accept", "Use checkbox or full.")
		c.That(a.Attendees == nil || len(a.Attendees) > 0, "accept", "List at least one attendee.")
		c.That(len(a.Attendees) <= acceptMost, "accept", "List at most 100 attendees.")
	}
	if len(in.UserAgent) > userAgentMax {
		in.UserAgent = in.UserAgent[:userAgentMax]
	}
	in.UserAgent = strings.ToValidUTF8(in.UserAgent, "")
	return c.Err()
}

// AcceptTx records the acceptance of documents of a cart, locked by the caller, by the person of sc: all of them or
// none. Existing acceptances are unchanged, so a repeated call has no effect. It returns the requirements afterwards.
//
// Errors (A184, A189):
//
//   - Validation on accept, also for a document with full display that was shown as a checkbox
//   - not found for a copy of a document that the cart does not require
//   - ErrStale
func AcceptTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, location, cart, customer uuid.UUID, wants []Subject, in AcceptInput) ([]Requirement, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return nil, err
	}
	asks, err := RequiredOf(ctx, tx, person, location, cart, wants)
	if err != nil {
		return nil, err
	}
	rows, elsewhere, err := accepted(asks, in, Requirement.inCart)
	if err != nil {
		return nil, err
	}
	if err := current(ctx, tx, asks, elsewhere); err != nil {
		return nil, err
	}
	for _, row := range rows {
		row.Customer, row.Cart, row.Person, row.UserAgent = customer, &cart, &person, in.UserAgent
		if err := insertAcceptances(ctx, tx, sc, row); err != nil {
			return nil, err
		}
	}
	return RequiredOf(ctx, tx, person, location, cart, wants)
}

// accepted returns the acceptances to write, and the copies that are not current. of returns their targets.
func accepted(asks []Requirement, in AcceptInput, of func(Requirement, Accepted) ([]target, error)) (rows []acceptanceRow, elsewhere []uuid.UUID, err error) {
	for _, a := range in.Accept {
		i := slices.IndexFunc(asks, func(k Requirement) bool { return k.Copy.ID == a.ContentID })
		if i < 0 {
			elsewhere = append(elsewhere, a.ContentID)
			continue
		}
		k := asks[i]
		if len(k.Open) == 0 {
			continue
		}
		if k.Show == ShowFull && a.Shown != ShownFull {
			return nil, nil, fault.Invalid("accept", k.Name+" must be read to its end.")
		}
		row := acceptanceRow{Document: k.Document, Source: SourceCheckout, Shown: &a.Shown, Language: a.Language}
		if row.For, err = of(k, a); err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
	}
	return rows, elsewhere, nil
}

// inCart returns the target of an acceptance with a cart: it counts for the bookings of its order.
func (k Requirement) inCart(a Accepted) ([]target, error) {
	if a.Attendees == nil {
		return []target{{}}, nil
	}
	return k.eachOf(a.Attendees)
}

// eachOf returns the people without an acceptance, by their given names. A person not in the requirement is refused.
func (k Requirement) eachOf(people []string) ([]target, error) {
	var out []target
	for _, name := range people {
		if !slices.ContainsFunc(k.people, func(of string) bool { return samePerson(of, name) }) {
			return nil, fault.Invalid("accept", k.Name+" is required of other people: list them in attendees.")
		}
	}
	for _, of := range k.Attendees {
		if slices.ContainsFunc(people, func(name string) bool { return samePerson(of, name) }) {
			out = append(out, target{Attendee: &of})
		}
	}
	return out, nil
}

// current returns an error for copies that are not current: ErrStale with the current documents when these are
// required, not found otherwise. An earlier copy with an acceptance is no error: it is a repetition.
func current(ctx context.Context, tx *pg.Tx, asks []Requirement, copies []uuid.UUID) error {
	if len(copies) == 0 {
		return nil
	}
	of, err := documentsOfCopies(ctx, tx, copies)
	if err != nil {
		return err
	}
	var changed []Requirement
	for _, id := range copies {
		i := slices.IndexFunc(asks, func(k Requirement) bool { return k.ID == of[id] })
		if i < 0 {
			return fault.Missing()
		}
		if len(asks[i].Open) > 0 {
			changed = append(changed, asks[i])
		}
	}
	if len(changed) > 0 {
		return ErrStale.With("agreements", Entries(tx.Business(), changed))
	}
	return nil
}

// Of returns the documents required once by an offering that the visitor has a current acceptance of. Documents
// required for every booking are never included. An unknown offering requires nothing. Errors: identity.ErrSignIn,
// ErrKeyRefused. A185.
func (s *Service) Of(ctx context.Context, sc tenancy.Scope, offering uuid.UUID) ([]Requirement, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil || sc.Tenant == uuid.Nil {
		return nil, err
	}
	asks, err := askedOfOffering(ctx, s.db.View(sc.Tenant), person, sc.Location, offering)
	return slices.DeleteFunc(asks, func(k Requirement) bool { return k.Frequency != Once || k.Agreed == nil }), err
}
