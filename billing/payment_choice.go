package billing

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Choice is how somebody wants to pay: with a card that they type, which is kept when they agree to that, or with one that is kept.
type Choice struct {
	CustomerID uuid.UUID
	CardID     uuid.UUID // a saved card; uuid.Nil: one that is typed
	Consent    *Consent  // that the typed card is kept; nil: it is not
}

// ChooseTx writes down how an open payment is to be made; Attach then does it. A payment whose money may be on its way stays as it is.
// Saying the same again changes nothing, unless the last try has failed: then it is another one. Errors: ErrCardRemoved when the customer
// has no such card here.
func (s *Service) ChooseTx(ctx context.Context, tx *pg.Tx, seen Payment, in Choice) (Payment, error) {
	p, err := lockPayment(ctx, tx, seen.ID)
	if err != nil || p.Done() || p.Moving() {
		return p, err
	}
	was := p
	p.CardID, p.ConsentText, p.ConsentVersion, p.ConsentAt = in.CardID, "", "", time.Time{}
	switch {
	case in.CardID != uuid.Nil:
		p.CustomerID = in.CustomerID
		found, err := shareCard(ctx, tx, p, in.CardID)
		if err != nil {
			return Payment{}, err
		}
		if !found {
			return Payment{}, ErrCardRemoved
		}
	case in.Consent != nil:
		p.CustomerID = in.CustomerID
		p.ConsentText, p.ConsentVersion, p.ConsentAt = in.Consent.Text, in.Consent.Version, tx.Now()
		if was.ConsentText == p.ConsentText && was.ConsentVersion == p.ConsentVersion {
			p.ConsentAt = was.ConsentAt
		}
	}
	if p == was && p.FailureCode == "" {
		return p, nil
	}
	p.Choices++
	return p, choose(ctx, tx, &p)
}

// prepare tells the processor whose a payment is and whether its card is kept, as far as it does not know that, and charges the kept
// card that was chosen. in is the payment as it is there now, and so is what is returned. by is who
// wants that.
//
// What it asks for has keys of the choice, so that a repetition is the same request; and a payment is charged once, whatever is asked.
func (s *Service) prepare(ctx context.Context, business uuid.UUID, p Payment, in Intent, by press) (Intent, error) {
	keep, kept := !p.ConsentAt.IsZero(), p.CardID != uuid.Nil
	if in.Status != StatusAwaitingMethod && in.Status != StatusAwaitingCustomer || !keep && !kept && !in.SavesCard {
		return in, nil
	}
	customer := in.CustomerID
	if keep || kept {
		var err error
		if customer, err = s.processorCustomer(ctx, business, p); err != nil {
			return Intent{}, err
		}
	}
	key := p.ID.String() + ":" + strconv.Itoa(p.Choices)
	if customer != in.CustomerID || keep != in.SavesCard {
		_, err := s.processor.PreparePayment(ctx, Preparation{
			Account: p.AccountID, Payment: in.ID, Customer: customer, SaveCard: keep, Key: "prep:" + key,
		})
		if err != nil && !errors.Is(err, ErrPaymentFinal) {
			return Intent{}, err
		}
		if in, err = s.processor.GetPayment(ctx, p.AccountID, in.ID); err != nil {
			return Intent{}, err
		}
	}
	if !kept || by == (press{}) || in.Status.Final() {
		return in, nil
	}
	return s.charge(ctx, business, p, in, by, key)
}

// charge has the saved card pay. A payment that waits for the bank's word on this very card is left to that.
func (s *Service) charge(ctx context.Context, business uuid.UUID, p Payment, in Intent, by press, key string) (Intent, error) {
	method, found, err := methodOf(ctx, s.db.View(business), p.CardID)
	switch {
	case err != nil:
		return Intent{}, err
	case !found:
		return Intent{}, ErrCardRemoved
	case in.Status == StatusAwaitingCustomer && in.MethodID == method && in.RedirectURL != "":
		return in, nil
	}
	if by.back != "" {
		key += ":" + hashOf(by.back) // another way back, after one that was refused, is another request
	}
	_, err = s.processor.ConfirmPayment(ctx, Confirmation{
		Account: p.AccountID, Payment: in.ID, Method: method, ReturnURL: by.back, OffSession: by.away, Key: "conf:" + key,
	})
	if errors.Is(err, ErrCardRemoved) { // it was taken away there, and the event about that is late
		if readErr := s.readCard(ctx, business, p.AccountID, method); readErr != nil {
			return Intent{}, readErr
		}
	}
	if err != nil && !errors.Is(err, ErrPaymentFinal) {
		return Intent{}, err
	}
	// What was answered may be the answer of another time, and says little of the card.
	return s.processor.GetPayment(ctx, p.AccountID, in.ID)
}

// processorCustomer is who the processor keeps the cards of a payment's customer for. It is made the first time.
func (s *Service) processorCustomer(ctx context.Context, business uuid.UUID, p Payment) (string, error) {
	id, found, err := processorCustomer(ctx, s.db.View(business), p)
	if err != nil || found {
		return id, err
	}
	id, err = s.processor.CreateCustomer(ctx, NewCustomer{
		Account: p.AccountID, Key: "cus:" + business.String() + ":" + p.CustomerID.String(),
		Metadata: map[string]string{"business_id": business.String(), "customer_id": p.CustomerID.String()},
	})
	if err != nil {
		return "", err
	}
	return pg.InTx(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) (string, error) {
		return writeProcessorCustomer(ctx, tx, p, id)
	})
}
