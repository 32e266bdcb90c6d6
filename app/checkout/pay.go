package checkout

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
)

// PayInput is the price that the customer saw, and the payment method.
type PayInput struct {
	QuotedAmount int64  // the amount on the pay button: paid now, without account credit (Totals.DueNow)
	InFull       *bool  // pay the full amount where a deposit would do; nil: as chosen before, at first a deposit
	How          *How   // nil: as chosen before, or with a card that is typed and not saved
	ReturnURL    string // the address after the bank's check of a saved card; needed with one
}

// How is a customer's payment method: a typed card, saved if they consent, or a saved card.
type How struct {
	CardID  uuid.UUID        // of SavedCards; uuid.Nil: one that is typed
	Consent *billing.Consent // to save the typed card; nil: it is not saved
}

// Payment is the data for the customer's browser to pay with a card.
type Payment struct {
	Status         processor.Status // succeeded, or authorized with OnApproval: go on to Confirm
	OnApproval     bool             // the payment is only authorized until the studio has decided
	ClientSecret   string           // for this customer's browser only
	AccountID      string           // the studio's account: the studio is the merchant (A215)
	PublishableKey string
	Amount         int64
	Currency       money.Currency
	Test           bool      // no real money is involved
	RedirectURL    string    // with a saved card: the bank's page for a check; empty if there is none
	FailureCode    string    // the processor's code of the last decline; empty: none
	ExpiresAt      time.Time // when the seats are released
}

// Pay makes the order of a held cart and its card payment, ready for the browser. From then on the items are frozen
// until the payment succeeds or Release cancels it. A second call, also after a crash or a lost answer, gives the
// same payment; after one that failed or was canceled it makes the next.
//
// It needs the session of the cart's holder. It returns:
//
//   - identity.ErrSignIn
//   - a not found error
//   - ErrOther, ErrOrdered, ErrEmpty
//   - booking.ErrHoldExpired, ErrNotHeld
//   - agreement.ErrOutstanding
//   - ErrPriceChanged if the quote is not the price
//   - ErrNothingToPay, also if account credit pays all
//   - credit.ErrShort
//   - billing.ErrBelowCardMinimum
//   - processor.ErrCardUnavailable if no card is accepted
//   - billing.ErrPaymentCanceled, processor.ErrCardRemoved
//   - the processor's refusals
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

// chooseInFull returns the locked cart, with the choice made.
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
	orderID := pg.NewID()
	if l.Order != nil {
		orderID = l.Order.ID
	} else {
		if err := order.Insert(ctx, tx, l.sale(orderID, s.order.ReceiptHash(orderID), order.Open)); err != nil {
			return billing.Payment{}, err
		}
		if err := booking.BillTx(ctx, tx, *l.Hold, orderID); err != nil {
			return billing.Payment{}, err
		}
		if err := plan.ReserveTx(ctx, tx, l.using()); err != nil {
			return billing.Payment{}, err
		}
		if err := s.lockPrepaid(ctx, tx, l.toPay(orderID)); err != nil {
			return billing.Payment{}, err
		}
	}
	rest := l.Totals.DueNow()
	return s.billing.StartTx(ctx, tx, billing.StartInput{
		LocationID: l.LocationID, OrderID: orderID, Amount: rest, Currency: l.currency(),
		FeeAmount: l.terms.PlatformFee(rest), FeePPM: l.terms.FeePPM, OnApproval: l.approvalAll,
	})
}

// payable returns nil if the cart can be paid by card for the quoted amount, and otherwise the reason.
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
	return processor.ErrCardUnavailable
}

// bookable returns nil if every seat is held and the required agreements are accepted, and otherwise the reason that
// this person cannot book the cart.
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
	case c.Order != nil && c.Order.State == order.Open: // accepted when the payment began; money may be in transit
		return nil
	}
	return agreement.Require(c.BusinessID, c.Agreements)
}

// Paid reports whether the customer has done their part: go on to Confirm.
func (p Payment) Paid() bool {
	return billing.Payment{Status: p.Status, OnApproval: p.OnApproval}.Paid()
}

// inTransit reports whether money may be in transit.
func inTransit(s processor.Status) bool { return billing.Payment{Status: s}.InTransit() }
