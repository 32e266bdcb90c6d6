package billing

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/processor"
)

// Choice is the customer's payment method: a typed card, saved if they consent, or a saved card.
type Choice struct {
	CustomerID uuid.UUID
	CardID     uuid.UUID // a saved card; uuid.Nil: one that is typed
	Consent    *Consent  // to save the typed card; nil: it is not saved
}

// ChooseTx writes the payment method of an open payment; Attach then applies it. A payment with money possibly in
// transit stays as it is. The same choice again changes nothing, unless the last attempt has failed: then it is
// another attempt. It returns processor.ErrCardRemoved if the customer has no such card here.
func (s *Service) ChooseTx(ctx context.Context, tx *pg.Tx, seen Payment, in Choice) (Payment, error) {
	p, err := lockPayment(ctx, tx, seen.ID)
	if err != nil || p.Done() || p.InTransit() {
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
			return Payment{}, processor.ErrCardRemoved
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

// prepare sets the customer of a payment and the saving of its card at the processor, if it has others, and charges
// the chosen saved card. in is the payment as it is there now, and so is the result. by is the request to charge.
//
// The keys of the calls follow from the choice, so that a repetition is the same request; and a payment is charged
// once, for any number of calls.
func (s *Service) prepare(ctx context.Context, business uuid.UUID, p Payment, in processor.Intent, by press) (processor.Intent, error) {
	keep, kept := !p.ConsentAt.IsZero(), p.CardID != uuid.Nil
	if in.Status != processor.StatusAwaitingMethod && in.Status != processor.StatusAwaitingCustomer || !keep && !kept && !in.SavesCard {
		return in, nil
	}
	customer := in.CustomerID
	if keep || kept {
		var err error
		if customer, err = s.processorCustomer(ctx, business, p); err != nil {
			return processor.Intent{}, err
		}
	}
	key := p.ID.String() + ":" + strconv.Itoa(p.Choices)
	if customer != in.CustomerID || keep != in.SavesCard {
		_, err := s.processor.PreparePayment(ctx, processor.Preparation{
			Account: p.AccountID, Payment: in.ID, Customer: customer, SaveCard: keep, Key: "prep:" + key,
		})
		if err != nil && !errors.Is(err, processor.ErrPaymentFinal) {
			return processor.Intent{}, err
		}
		if in, err = s.processor.GetPayment(ctx, p.AccountID, in.ID); err != nil {
			return processor.Intent{}, err
		}
	}
	if !kept || by == (press{}) || in.Status.Final() {
		return in, nil
	}
	return s.charge(ctx, business, p, in, by, key)
}

// charge pays with the saved card. A payment that waits for the bank's check of this very card is left to that.
func (s *Service) charge(ctx context.Context, business uuid.UUID, p Payment, in processor.Intent, by press, key string) (processor.Intent, error) {
	method, found, err := methodOf(ctx, s.db.View(business), p.CardID)
	switch {
	case err != nil:
		return processor.Intent{}, err
	case !found:
		return processor.Intent{}, processor.ErrCardRemoved
	case in.Status == processor.StatusAwaitingCustomer && in.MethodID == method && in.RedirectURL != "":
		return in, nil
	}
	if by.back != "" {
		key += ":" + hashOf(by.back) // another return address, after a refused one, is another request
	}
	_, err = s.processor.ConfirmPayment(ctx, processor.Confirmation{
		Account: p.AccountID, Payment: in.ID, Method: method, ReturnURL: by.back, OffSession: by.away, Key: "conf:" + key,
	})
	if errors.Is(err, processor.ErrCardRemoved) { // it was removed there, and the event about that is late
		if readErr := s.readCard(ctx, business, p.AccountID, method); readErr != nil {
			return processor.Intent{}, readErr
		}
	}
	if err != nil && !errors.Is(err, processor.ErrPaymentFinal) {
		return processor.Intent{}, err
	}
	// The answer may be that of another time, and proves little about the card.
	return s.processor.GetPayment(ctx, p.AccountID, in.ID)
}

// processorCustomer returns the processor's customer for a payment's customer. It is created the first time.
func (s *Service) processorCustomer(ctx context.Context, business uuid.UUID, p Payment) (string, error) {
	id, found, err := processorCustomer(ctx, s.db.View(business), p)
	if err != nil || found {
		return id, err
	}
	id, err = s.processor.CreateCustomer(ctx, processor.NewCustomer{
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
