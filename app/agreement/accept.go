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

// Source is where somebody agreed.
type Source string

// The sources.
const (
	SourceCheckout Source = "checkout"
	SourceStaff    Source = "staff" // wrote it down: there is a paper
)

// All lists them.
func (Source) All() []Source { return []Source{SourceCheckout, SourceStaff} }

// Shown is how a document was shown when somebody agreed to it. A189.
type Shown string

// The ways.
const (
	ShownCheckbox Shown = "checkbox"
	ShownFull     Shown = "full" // read in full to its end
)

// All lists them.
func (Shown) All() []Shown { return []Shown{ShownCheckbox, ShownFull} }

// Accepted is that somebody agrees to a copy.
type Accepted struct {
	ContentID uuid.UUID // the copy that was shown
	Shown     Shown
	Language  string // of the translation that was shown; empty, or one that the copy is not translated into: its own words
	// Attendees are for whom: who comes with the customer by name, the customer as an empty one. Nil: nobody said, which is all of a cart, and
	// without one the customer.
	Attendees []string
}

// AcceptInput is what the customer of a cart agrees to.
type AcceptInput struct {
	Accept    []Accepted
	UserAgent string // of the browser, as evidence
}

const (
	acceptMost   = 100
	userAgentMax = 400 // bytes of it that are kept
)

// Validate checks the input. The error names every wrong field.
func (in *AcceptInput) Validate() error {
	var c fault.Checks
	c.That(len(in.Accept) > 0, "accept", "Name at least one.")
	c.That(len(in.Accept) <= acceptMost, "accept", "Name at most 100.")
	for _, a := range in.Accept {
		c.That(slices.Contains(ShownFull.All(), a.Shown), "accept", "Say that it was shown as checkbox or in full.")
		c.That(a.Attendees == nil || len(a.Attendees) > 0, "accept", "Say for whom.")
		c.That(len(a.Attendees) <= acceptMost, "accept", "Name at most 100.")
	}
	if len(in.UserAgent) > userAgentMax {
		in.UserAgent = in.UserAgent[:userAgentMax]
	}
	in.UserAgent = strings.ToValidUTF8(in.UserAgent, "")
	return c.Err()
}

// AcceptTx writes down that the person of sc agrees to these documents of a cart, which is locked: all of them or none. What they have
// agreed to already stays as it is, so that sending it again changes nothing. It returns what is asked then.
//
// Errors: Validation on accept, also where a document that is to be read to its end was not; not found for a copy of a document that the
// cart does not ask for; ErrStale. A184, A189.
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

// accepted are the acceptances that are written of what was agreed to, and the copies that are not those of now. of says what they are for.
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
			return nil, nil, fault.Invalid("accept", k.Name+" is to be read in full to its end.")
		}
		row := acceptanceRow{Document: k.Document, Source: SourceCheckout, Shown: &a.Shown, Language: a.Language}
		if row.For, err = of(k, a); err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
	}
	return rows, elsewhere, nil
}

// inCart is what is accepted with a cart: it holds for the bookings of its order.
func (k Requirement) inCart(a Accepted) ([]target, error) {
	if a.Attendees == nil {
		return []target{{}}, nil
	}
	return k.eachOf(a.Attendees)
}

// eachOf are those of the people of whom it is lacking, by the names that they were given. Somebody of whom it is not asked is refused.
func (k Requirement) eachOf(people []string) ([]target, error) {
	var out []target
	for _, name := range people {
		if !slices.ContainsFunc(k.people, func(of string) bool { return samePerson(of, name) }) {
			return nil, fault.Invalid("accept", k.Name+" is asked of others: name in attendees for whom.")
		}
	}
	for _, of := range k.Attendees {
		if slices.ContainsFunc(people, func(name string) bool { return samePerson(of, name) }) {
			out = append(out, target{Attendee: &of})
		}
	}
	return out, nil
}

// current refuses copies that are not those of now: with the documents as they are now when these are asked for, else as not found. An
// earlier copy of what was agreed to already is no refusal: it was sent again.
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

// Of is what the offering that a visitor looks at asks once, and they hold a current acceptance of. What is asked for every booking is
// never among it. An offering that does not exist asks for nothing. Errors: identity.ErrSignIn, ErrKeyRefused. A185.
func (s *Service) Of(ctx context.Context, sc tenancy.Scope, offering uuid.UUID) ([]Requirement, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil || sc.Tenant == uuid.Nil {
		return nil, err
	}
	asks, err := askedOfOffering(ctx, s.db.View(sc.Tenant), person, sc.Location, offering)
	return slices.DeleteFunc(asks, func(k Requirement) bool { return k.Frequency != Once || k.Agreed == nil }), err
}
