package billing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/processor"
	"foyer/policy"
)

// SavedCard is a card that a customer saved with a studio. It belongs to the studio: a card of another studio cannot
// be charged here, even if the same person saved it there. The customer's consent is stored with it, and the table
// has no card without one: without consent nothing is charged off session.
type SavedCard struct {
	ID             uuid.UUID
	CustomerID     uuid.UUID
	Env            processor.Env
	AccountID      string `db:"account"`
	Method         string // the processor's id
	Brand          string // visa, mastercard …
	Last4          string
	Wallet         string // apple_pay, google_pay, link …: the wallet that it was saved from; empty: it was typed
	ExpMonth       int
	ExpYear        int
	ConsentText    string // as it was shown
	ConsentVersion string
	ConsentedAt    time.Time
	CreatedAt      time.Time
}

// Expired reports whether the card has expired by its month and year.
func (c SavedCard) Expired(now time.Time) bool {
	return !now.Before(time.Date(c.ExpYear, time.Month(c.ExpMonth)+1, 1, 0, 0, 0, 0, time.UTC))
}

// AllowsFees reports whether the customer's consent covers a fee charged off session. The words of every version so
// far do.
func (c SavedCard) AllowsFees() bool { return c.ConsentVersion == ConsentVersion }

// OwnCard is a saved card as its owner sees it among those of all studios.
type OwnCard struct {
	SavedCard
	BusinessID   uuid.UUID
	BusinessName string
}

// ConsentVersion is the version of the words that a customer agrees to when saving a card. It changes when their
// meaning changes.
const ConsentVersion = "2026-11"

// RenewalsVersion is the version of a consent to the renewals of a membership alone: a card that was saved by it does
// not pay fees. Whether a card pays renewals is not decided by the consent of the card, but by that of the membership.
const RenewalsVersion = "2026-11-renewals"

// Consent is a customer's consent to save a card.
type Consent struct {
	Text    string // in the language in which it was shown
	Version string
}

// RemovedBy is the reason for the removal of a saved card.
type RemovedBy string

// The reasons.
const (
	RemovedByCustomer  RemovedBy = "customer"
	RemovedByStudio    RemovedBy = "studio"
	RemovedByProcessor RemovedBy = "processor" // it was removed there
	RemovedReplaced    RemovedBy = "replaced"  // the customer typed it again
)

// cardsMost bounds a list of saved cards: a person's, or a customer's.
const cardsMost = 200

// SavedCards returns the saved cards that can be charged for a customer now: those of the account that accepts cards,
// the newest first. There are none without a processor.
func (s *Service) SavedCards(ctx context.Context, r pg.Reader, customer uuid.UUID) ([]SavedCard, error) {
	if s.processor == nil {
		return nil, nil
	}
	return chargeableCards(ctx, r, s.Env(), customer)
}

// payer is a customer whose saved card can pay a fee.
type payer struct {
	CustomerID uuid.UUID
	Currency   money.Currency // of the account; empty: any
}

// Payers returns the customers of a list with a saved card that can pay a fee off session, with the currency of the
// account; empty: any. There are none without a processor.
func (s *Service) Payers(ctx context.Context, r pg.Reader, customers []uuid.UUID) (map[uuid.UUID]money.Currency, error) {
	if s.processor == nil || len(customers) == 0 {
		return nil, nil
	}
	rows, err := payers(ctx, r, s.Env(), customers)
	out := map[uuid.UUID]money.Currency{}
	for _, p := range rows {
		out[p.CustomerID] = p.Currency
	}
	return out, err
}

// Cards lists the saved cards of a customer, the newest first, including those of an account that the studio no
// longer has. It needs payment.take at any location. It returns a not found error for an unknown customer.
func (s *Service) Cards(ctx context.Context, sc tenancy.Scope, customer uuid.UUID) ([]SavedCard, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return nil, err
	}
	v := s.db.View(sc.Tenant)
	if err := mustKnow(ctx, v, customer); err != nil {
		return nil, err
	}
	return cardsOf(ctx, v, customer)
}

// RemoveCard removes a saved card. The processor detaches it a moment later. It needs payment.take at any location.
// It returns a not found error for a card that is not saved or belongs to another customer.
func (s *Service) RemoveCard(ctx context.Context, sc tenancy.Scope, customer, card uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error { return s.removeCardTx(ctx, tx, customer, card, RemovedByStudio) })
}

// CardsOfPerson lists the saved cards of a person in all businesses, the newest first. The caller has checked the
// person's session.
func (s *Service) CardsOfPerson(ctx context.Context, person uuid.UUID) ([]OwnCard, error) {
	keys, err := cardsOfPerson(ctx, s.db, person, cardsMost)
	if err != nil {
		return nil, err
	}
	return pg.Across(keys, func(c OwnCard) uuid.UUID { return c.ID }, func(business uuid.UUID, ids []uuid.UUID) ([]OwnCard, error) {
		return ownCards(ctx, s.db.View(business), ids)
	})
}

// RemoveCardOf removes a saved card of a person, at that person's request. It returns a not found error for a card
// that is not saved or belongs to another person.
func (s *Service) RemoveCardOf(ctx context.Context, person, card uuid.UUID) error {
	business, err := businessOfCard(ctx, s.db, person, card)
	if err != nil {
		return err
	}
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return s.removeCardTx(ctx, tx, uuid.Nil, card, RemovedByCustomer) })
}

func (s *Service) removeCardTx(ctx context.Context, tx *pg.Tx, customer, card uuid.UUID, by RemovedBy) error {
	found, err := removeCard(ctx, tx, customer, card, by)
	if err = fault.When(!found, fault.Missing(), err); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, DetachJob{Business: tx.Business(), Card: card})
}

// DetachJob has the processor detach a removed card.
type DetachJob struct {
	Business uuid.UUID `json:"business"`
	Card     uuid.UUID `json:"card"`
}

// Kind returns the job's name in the outbox.
func (DetachJob) Kind() string { return "billing.detach" }

// Terms returns the terms of the job's kind.
func (DetachJob) Terms() jobs.Terms { return jobs.Money() }

// DetachCard is the job billing.detach. A card of another world, or of an account that is no longer connected, is out
// of reach: nothing of ours charges it.
func (s *Service) DetachCard(ctx context.Context, job DetachJob) error {
	c, due, err := cardToDetach(ctx, s.db.View(job.Business), job.Card)
	if err != nil || !due || s.processor == nil || c.Env != s.Env() {
		return err
	}
	err = s.processor.DetachMethod(ctx, c.AccountID, c.Method, "detach:"+c.ID.String())
	if err != nil && !processor.Gone(err) {
		return err
	}
	return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return markDetached(ctx, tx, c.ID) })
}

// readCard reads a card again after an event about it: it may be removed at the processor, or have a new number
// there.
func (s *Service) readCard(ctx context.Context, business uuid.UUID, account, method string) error {
	c, ours, err := cardOfMethod(ctx, s.db.View(business), s.Env(), account, method)
	if err != nil || !ours {
		return err
	}
	m, err := s.processor.GetMethod(ctx, account, method)
	switch {
	case errors.Is(err, processor.ErrAccountDisconnected):
		return nil
	case err != nil && !processor.Gone(err):
		return err
	}
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		if err == nil && m.Customer != "" {
			return renewCard(ctx, tx, c.ID, m.Card)
		}
		if _, err := removeCard(ctx, tx, c.CustomerID, c.ID, RemovedByProcessor); err != nil {
			return err
		}
		return markDetached(ctx, tx, c.ID)
	})
}

// saveCardTx saves the card of a payment that has just succeeded, if the customer consented. A number that is saved
// already is saved once: the card that was typed last.
func (s *Service) saveCardTx(ctx context.Context, tx *pg.Tx, p Payment, in processor.Intent) error {
	if p.ConsentAt.IsZero() || !in.SavesCard || in.MethodID == "" || in.Card == nil {
		return nil
	}
	c := SavedCard{
		ID: pg.NewID(), CustomerID: p.CustomerID, Env: p.Env, AccountID: p.AccountID, Method: in.MethodID, Brand: in.Card.Brand,
		Last4: in.Card.Last4, Wallet: in.Card.Wallet, ExpMonth: in.Card.ExpMonth, ExpYear: in.Card.ExpYear, ConsentText: p.ConsentText, ConsentVersion: p.ConsentVersion,
		ConsentedAt: p.ConsentAt,
	}
	old, err := replaceCard(ctx, tx, c, hashOf(in.Card.Fingerprint))
	if err != nil {
		return err
	}
	all := make([]jobs.Args, len(old))
	for i, id := range old {
		all[i] = DetachJob{Business: tx.Business(), Card: id}
	}
	if len(all) == 0 {
		return nil
	}
	return jobs.EnqueueAllTx(ctx, tx, all)
}

// hashOf returns the stored form of a fingerprint: enough to compare two.
func hashOf(fingerprint string) string {
	if fingerprint == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(fingerprint))
	return hex.EncodeToString(sum[:16])
}
