package checkout

import (
	"context"
	"strings"

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

// renewals returns the consent to the renewals of plans in the cart; nil without any.
func (l *loaded) renewals() *billing.Consent {
	var words []string
	for _, line := range l.Lines {
		if line.Consent != "" {
			words = append(words, line.Consent)
		}
	}
	if len(words) == 0 {
		return nil
	}
	return &billing.Consent{Text: strings.Join(words, "\n"), Version: billing.RenewalsVersion}
}

// choose writes the customer's payment method. A typed card is saved if the customer agreed to the renewals of a plan
// in the cart: these are charged to it.
func (s *Service) choose(ctx context.Context, tx *pg.Tx, l loaded, p billing.Payment, in PayInput) (billing.Payment, error) {
	agreed := l.renewals()
	switch {
	case in.How == nil && (agreed == nil || p.CardID != uuid.Nil):
		return p, nil
	case in.How == nil:
		in.How = &How{}
	}
	how := billing.Choice{CustomerID: l.Hold.CustomerID, CardID: in.How.CardID, Consent: in.How.Consent}
	if how.CardID == uuid.Nil && how.Consent == nil {
		how.Consent = agreed
	}
	return s.billing.ChooseTx(ctx, tx, p, how)
}
