package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// SavedCards returns the cards that the signed-in person can pay a held cart with: the cards saved with the studio,
// the newest first. There are none if the person is not signed in, or does not hold the cart.
func (s *Service) SavedCards(ctx context.Context, sc tenancy.Scope, c Cart) ([]billing.SavedCard, error) {
	if c.Hold == nil || c.Hold.PersonID == uuid.Nil || c.Hold.PersonID != sc.Person() {
		return nil, nil
	}
	return s.billing.SavedCards(ctx, s.db.View(sc.Tenant), c.Hold.CustomerID)
}

// MyCards lists the saved cards of the signed-in person in all studios, the newest first, in one page. It returns
// identity.ErrSignIn and ErrKeyRefused.
func (s *Service) MyCards(ctx context.Context, p tenancy.Principal) ([]billing.OwnCard, error) {
	person, err := identity.PersonOf(p)
	if err != nil {
		return nil, err
	}
	return s.billing.CardsOfPerson(ctx, person)
}

// RemoveMyCard removes a saved card of the signed-in person. It returns identity.ErrSignIn, ErrKeyRefused, and a not
// found error for a card that is not saved or belongs to another person.
func (s *Service) RemoveMyCard(ctx context.Context, p tenancy.Principal, card uuid.UUID) error {
	person, err := identity.PersonOf(p)
	if err != nil {
		return err
	}
	return s.billing.RemoveCardOf(ctx, person, card)
}

// choose writes the customer's payment method.
func (s *Service) choose(ctx context.Context, tx *pg.Tx, l loaded, p billing.Payment, in PayInput) (billing.Payment, error) {
	if in.How == nil {
		return p, nil
	}
	how := billing.Choice{CustomerID: l.Hold.CustomerID, CardID: in.How.CardID, Consent: in.How.Consent}
	return s.billing.ChooseTx(ctx, tx, p, how)
}
