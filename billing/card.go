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
	"foyer/policy"
)

// SavedCard is a card that a customer had a studio keep. It is the studio's: none of another studio's cards can be charged here, also
// when the same person has it there. What the customer agreed to is kept with it, and without that nothing is charged when they are
// not there: the table has no card without.
type SavedCard struct {
	ID             uuid.UUID
	CustomerID     uuid.UUID
	Env            Env
	AccountID      string `db:"account"`
	Method         string // the processor's id
	Brand          string // visa, mastercard …
	Last4          string
	Wallet         string // apple_pay, google_pay, link …: from where it was kept; empty: it was typed
	ExpMonth       int
	ExpYear        int
	ConsentText    string // as it was shown
	ConsentVersion string
	ConsentedAt    time.Time
	CreatedAt      time.Time
}

// Expired reports whether the card's last month is over.
func (c SavedCard) Expired(now time.Time) bool {
	return !now.Before(time.Date(c.ExpYear, time.Month(c.ExpMonth)+1, 1, 0, 0, 0, 0, time.UTC))
}

// AllowsFees reports whether what the customer agreed to covers a fee that they owe, without them: the words of every version so far do.
func (c SavedCard) AllowsFees() bool { return c.ConsentVersion == ConsentVersion }

// OwnCard is a saved card as its owner sees it among those of all studios.
type OwnCard struct {
	SavedCard
	BusinessID   uuid.UUID
	BusinessName string
}

// ConsentVersion is of the words that a customer agrees to when they have a card kept. It changes when what they allow changes.
const ConsentVersion = "2026-11"

// Consent is what a customer agreed to.
type Consent struct {
	Text    string // in the language in which it was shown
	Version string
}

// RemovedBy is why a card is kept no more.
type RemovedBy string

// The reasons.
const (
	RemovedByCustomer  RemovedBy = "customer"
	RemovedByStudio    RemovedBy = "studio"
	RemovedByProcessor RemovedBy = "processor" // it was taken away there
	RemovedReplaced    RemovedBy = "replaced"  // the customer typed it again
)

// cardsMost bounds a list of saved cards: a person's, or a customer's.
const cardsMost = 200

// SavedCards are the cards that can be charged for a customer now: those of the account that takes cards, the newest first. None
// without a processor.
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

// Payers are the customers among some whose saved card can pay a fee that they owe without them, with the currency in which; empty: any. None
// without a processor.
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

// Cards lists what cards a studio keeps for a customer, the newest first, those of an account that it has no more too. It needs
// payment.take at any location. An unknown customer is not found.
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

// RemoveCard makes a studio keep a card no more. The processor forgets it a moment later. It needs payment.take at any location. A card
// that is not kept, or is another customer's, is not found.
func (s *Service) RemoveCard(ctx context.Context, sc tenancy.Scope, customer, card uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error { return s.removeCardTx(ctx, tx, customer, card, RemovedByStudio) })
}

// CardsOfPerson lists the saved cards of a person in all businesses, the newest first. That it is their session's word, the caller knows.
func (s *Service) CardsOfPerson(ctx context.Context, person uuid.UUID) ([]OwnCard, error) {
	keys, err := cardsOfPerson(ctx, s.db, person, cardsMost)
	if err != nil {
		return nil, err
	}
	return pg.Across(keys, func(c OwnCard) uuid.UUID { return c.ID }, func(business uuid.UUID, ids []uuid.UUID) ([]OwnCard, error) {
		return ownCards(ctx, s.db.View(business), ids)
	})
}

// RemoveCardOf has a studio keep a card of a person no more, as that person wants. Somebody else's is not found, and so is one that is
// not kept.
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

// DetachJob has the processor forget a card that is kept no more.
type DetachJob struct {
	Business uuid.UUID `json:"business"`
	Card     uuid.UUID `json:"card"`
}

// Kind names the job in the outbox.
func (DetachJob) Kind() string { return "billing.detach" }

// Terms are those of the kind.
func (DetachJob) Terms() jobs.Terms { return jobs.Money() }

// DetachCard is the job billing.detach. One of another world, or of an account that is not connected any more, is out of reach: nothing
// of ours charges it.
func (s *Service) DetachCard(ctx context.Context, job DetachJob) error {
	c, due, err := cardToDetach(ctx, s.db.View(job.Business), job.Card)
	if err != nil || !due || s.processor == nil || c.Env != s.Env() {
		return err
	}
	err = s.processor.DetachMethod(ctx, c.AccountID, c.Method, "detach:"+c.ID.String())
	if err != nil && !gone(err) {
		return err
	}
	return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return markDetached(ctx, tx, c.ID) })
}

// readCard looks at a card again that an event is about: it may be taken away at the processor, or have a new number there.
func (s *Service) readCard(ctx context.Context, business uuid.UUID, account, method string) error {
	c, ours, err := cardOfMethod(ctx, s.db.View(business), s.Env(), account, method)
	if err != nil || !ours {
		return err
	}
	m, err := s.processor.GetMethod(ctx, account, method)
	switch {
	case errors.Is(err, ErrAccountDisconnected):
		return nil
	case err != nil && !gone(err):
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

// keepTx keeps the card of a payment that has just succeeded, when the customer agreed to that. A number that is kept already is kept
// once: the one that was typed last.
func (s *Service) keepTx(ctx context.Context, tx *pg.Tx, p Payment, in Intent) error {
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

// hashOf is what is kept of a fingerprint: enough to tell that two are the same.
func hashOf(fingerprint string) string {
	if fingerprint == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(fingerprint))
	return hex.EncodeToString(sum[:16])
}
