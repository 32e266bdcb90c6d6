package checkout

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// PayInput says what the customer was told.
type PayInput struct {
	QuotedAmount int64  // what the pay button shows: what is paid now, without what is paid with account credit (Totals.DueNow)
	InFull       *bool  // all of it is paid where a deposit would do, or a deposit; nil: as was chosen before, at first a deposit
	How          *How   // nil: as was chosen before, or with a card that is typed and not kept
	ReturnURL    string // where the bank leads to when it asks about a saved card; needed with one
}

// How is how a customer pays: with a card that they type, which is kept when they agree to that, or with one that is kept.
type How struct {
	CardID  uuid.UUID        // of SavedCards; uuid.Nil: one that is typed
	Consent *billing.Consent // that the typed card is kept; nil: it is not
}

// Payment is what the customer's browser needs to pay with a card.
type Payment struct {
	Status         billing.Status // succeeded, or authorized with OnApproval: go on to Confirm
	OnApproval     bool           // the money is only held until the studio has decided
	ClientSecret   string         // for this customer's browser only
	AccountID      string         // the studio's account: the studio is the merchant (A215)
	PublishableKey string
	Amount         int64
	Currency       money.Currency
	Test           bool      // no money moves
	RedirectURL    string    // with a saved card: where the bank asks the customer first; empty when it does not
	FailureCode    string    // why the last try was declined, by the processor's code; empty: it was not
	ExpiresAt      time.Time // when the seats are let go
}

// Pay makes the order of a held cart and its card payment, ready for the browser. From then on the items are frozen until
// the payment succeeds or Release gives it up. Repeating it, also after a crash or a lost answer, gives the same payment;
// after one that failed or was given up it makes the next.
//
// It needs the session of who holds the cart. Errors: identity.ErrSignIn; not found; ErrOther, ErrOrdered, ErrEmpty;
// booking.ErrHoldExpired, ErrNotHeld; agreement.ErrOutstanding; ErrPriceChanged when the quote is not what it costs; ErrNothingToPay, also when account credit pays all; credit.ErrShort;
// billing.ErrBelowCardMinimum, billing.ErrCardUnavailable where no card is taken, billing.ErrPaymentCanceled, billing.ErrCardRemoved, and what the processor refuses.
func (s *Service) Pay(ctx context.Context, sc tenancy.Scope, token string, in PayInput) (Payment, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return Payment{}, err
	}
	type started struct {
		Payment   billing.Payment
		ExpiresAt time.Time
	}
	st, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (started, error) {
		l, err := s.lockToOrder(ctx, tx, token, person, lockToUse)
		if err == nil && in.InFull != nil {
			l, err = s.chooseInFull(ctx, tx, l, token, person, *in.InFull)
		}
		if err != nil {
			return started{}, err
		}
		p, err := s.begin(ctx, tx, l, person, in.QuotedAmount)
		if err == nil {
			p, err = s.choose(ctx, tx, l, p, in)
		}
		if err != nil {
			return started{}, err
		}
		return started{p, l.Hold.ExpiresAt}, nil
	})
	if err != nil {
		return Payment{}, err
	}
	ready, err := s.billing.Attach(ctx, sc.Tenant, st.Payment, in.ReturnURL)
	if err != nil {
		return Payment{}, err
	}
	p := ready.Payment
	return Payment{
		Status: p.Status, OnApproval: p.OnApproval, ClientSecret: ready.ClientSecret, AccountID: p.AccountID, PublishableKey: ready.PublishableKey,
		Amount: p.Amount, Currency: p.Currency, Test: p.Test(), ExpiresAt: st.ExpiresAt,
		RedirectURL: ready.RedirectURL, FailureCode: p.FailureCode,
	}, nil
}

// chooseInFull is the cart, locked, with the choice made.
func (s *Service) chooseInFull(ctx context.Context, tx *pg.Tx, l loaded, token string, person uuid.UUID, yes bool) (loaded, error) {
	if err := s.bookable(l.Cart, person); err != nil {
		return l, err
	}
	changed, err := s.payInFull(ctx, tx, l, yes)
	if err != nil || !changed {
		return l, err
	}
	return s.lock(ctx, tx, token, person, lockToLook)
}

// begin makes the order, if there is none, and its payment.
func (s *Service) begin(ctx context.Context, tx *pg.Tx, l loaded, person uuid.UUID, quoted int64) (billing.Payment, error) {
	if err := s.payable(l, person, quoted); err != nil {
		return billing.Payment{}, err
	}
	order := pg.NewID()
	if l.Order != nil {
		order = l.Order.ID
	} else {
		if err := insertOrder(ctx, tx, l.sale(order, s.receiptHash(order), OrderOpen)); err != nil {
			return billing.Payment{}, err
		}
		if err := booking.BillTx(ctx, tx, *l.Hold, order); err != nil {
			return billing.Payment{}, err
		}
		if err := l.toPay(order).lockCredit(ctx, tx); err != nil {
			return billing.Payment{}, err
		}
	}
	rest := l.Totals.DueNow()
	return s.billing.StartTx(ctx, tx, billing.StartInput{
		LocationID: l.LocationID, OrderID: order, Amount: rest, Currency: l.currency(),
		FeeAmount: l.terms.platformFee(rest), FeePPM: l.terms.FeePPM, OnApproval: l.asksAll,
	})
}

// payable says why the cart cannot be paid by card for what the customer was told; nil when it can.
func (s *Service) payable(l loaded, person uuid.UUID, quoted int64) error {
	if err := s.bookable(l.Cart, person); err != nil {
		return err
	}
	rest := l.Totals.DueNow()
	switch {
	case quoted != rest:
		return priceChanged(quoted, rest)
	case rest == 0:
		return ErrNothingToPay
	case l.Card || l.Order != nil && l.Order.PaymentID != nil:
		return nil
	case l.card:
		return billing.Chargeable(rest, l.currency())
	}
	return billing.ErrCardUnavailable
}

// bookable says why the cart cannot be booked by this person as it is; nil when every seat is kept, and
// what it asks for is agreed to.
func (s *Service) bookable(c Cart, person uuid.UUID) error {
	if err := s.ordered(c, person); err != nil {
		return err
	}
	switch {
	case len(c.Lines) == 0:
		return ErrEmpty
	case c.Hold == nil:
		return booking.ErrHoldExpired
	case !c.heldWholly():
		return ErrNotHeld
	case c.Order != nil && c.Order.State == OrderOpen: // its customer had agreed when the payment began, and money may be on its way
		return nil
	}
	return agreement.Require(c.BusinessID, c.Agreements)
}

// Paid reports whether the customer has done their part: go on to Confirm.
func (p Payment) Paid() bool {
	return billing.Payment{Status: p.Status, OnApproval: p.OnApproval}.Paid()
}

// moving tells whether money may be on its way.
func moving(s billing.Status) bool { return billing.Payment{Status: s}.Moving() }
