package giftcard

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/giftcard"
	"foyer/billing/tender"
	"foyer/policy"
)

// IssueInput is a gift card sold at the desk.
type IssueInput struct {
	NewCard    // without an address, its code is handed over
	LocationID uuid.UUID
	CustomerID uuid.UUID // who buys it; uuid.Nil: a walk-in
	Method     tender.Kind
	Received   int64 // in cash, as owed.Tender; 0: the amount
	Note       string
}

// Issued is a gift card that was sold at the desk.
type Issued struct {
	Card giftcard.Card
	Code string // empty for a card that is mailed: its recipient gets it
	Sale owed.Sale
}

// Issue sells a gift card at the desk, for cash, by another method of the studio's own or for account credit. A
// location that sells none online can do so too, and its limits do not apply. It needs payment.take there. It returns
// the errors of owed.RecordPayment, and a validation error on the fields of the card.
func (s *Service) Issue(ctx context.Context, sc tenancy.Scope, in IssueInput) (Issued, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Issued{}, err
	}
	var c fault.Checks
	in.check(&c, false)
	c.That(in.Amount >= 1 && in.Amount <= giftcard.AmountMax, "amount", "Enter an amount above zero.")
	c.That(in.LocationID != uuid.Nil, "locationId", "Select a location.")
	c.That(in.DeliverOn.IsZero() || in.RecipientEmail != "", "recipientEmail", "Enter an email address.")
	if err := c.Err(); err != nil {
		return Issued{}, err
	}
	if err := policy.RequireAt(sc, policy.PaymentTake, in.LocationID); err != nil {
		return Issued{}, err
	}
	// What a repeated request is answered with is stored: the code is sealed there.
	type made struct {
		Card   giftcard.Card
		Sealed []byte
		Sale   owed.Sale
	}
	m, err := pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (m made, err error) {
		id, err := s.insertForDesk(ctx, tx, in)
		if err != nil {
			return m, err
		}
		m.Sale, err = s.o.Owed.RecordPaymentTx(ctx, tx, sc, owed.PaymentInput{
			GiftCards: []uuid.UUID{id}, LocationID: in.LocationID, CustomerID: in.CustomerID,
			Tenders: []owed.Tender{{Method: in.Method, Received: in.Received, Note: in.Note}},
		})
		if err != nil {
			return m, err
		}
		m.Card, m.Sealed, err = s.o.Cards.HandOverTx(ctx, tx, id)
		return m, err
	})
	if err != nil {
		return Issued{}, err
	}
	code, err := s.o.Cards.Reveal(m.Sealed)
	return Issued{m.Card, code, m.Sale}, err
}

// insertForDesk writes the draft of a card that is sold at the desk, and returns its id.
func (s *Service) insertForDesk(ctx context.Context, tx *pg.Tx, in IssueInput) (uuid.UUID, error) {
	terms, err := giftcard.ReadTerms(ctx, tx, in.LocationID)
	if err != nil {
		return uuid.Nil, err
	}
	var c fault.Checks
	d := in.draft(&c, tx, in.LocationID, terms, terms.Zone)
	if err := c.Err(); err != nil {
		return uuid.Nil, err
	}
	return d.ID, giftcard.InsertDraft(ctx, tx, d)
}
