package owed

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/policy"
)

// A fee that a card pays is an order of its own, without a cart: made when it is first charged, and open until it is
// paid. At most one is open. The lock order: the payment, the fee, the order.

// lockFees locks the payments that fees may be about to be paid with, and returns their orders, and then the fees,
// which all are due.
func lockFees(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) (feeList []fees.Fee, locked []uuid.UUID, err error) {
	if locked, err = openFeeOrders(ctx, tx, ids); err != nil {
		return nil, nil, err
	}
	if err := billing.LockPaymentsTx(ctx, tx, locked); err != nil {
		return nil, nil, err
	}
	feeList, err = fees.DueTx(ctx, tx, ids)
	return feeList, locked, err
}

// cardFor returns the saved card to charge: the one named, or else the latest that has not expired. found is false if
// there is none with its customer's consent to charges off session.
func (s *Service) cardFor(ctx context.Context, r pg.Reader, customer, card uuid.UUID) (got billing.SavedCard, found bool, err error) {
	got, why, err := s.chargeable(ctx, r, customer, card)
	return got, err == nil && why == nil, err
}

// chargeable is cardFor with a reason if there is none: processor.ErrCardRemoved, or processor.ErrCardConsent for a card
// without consent.
func (s *Service) chargeable(ctx context.Context, r pg.Reader, customer, card uuid.UUID) (got billing.SavedCard, why *fault.Error, err error) {
	cards, err := s.billing.SavedCards(ctx, r, customer)
	if card == uuid.Nil {
		cards = slices.DeleteFunc(cards, func(c billing.SavedCard) bool { return c.Expired(r.Now()) })
	} else {
		cards = slices.DeleteFunc(cards, func(c billing.SavedCard) bool { return c.ID != card })
	}
	i := slices.IndexFunc(cards, billing.SavedCard.AllowsFees)
	switch {
	case err != nil:
		return got, nil, err
	case i >= 0:
		return cards[i], nil, nil
	case len(cards) > 0:
		return got, processor.ErrCardConsent, nil
	case card == uuid.Nil:
		return got, processor.ErrCardRemoved.WithMessage("The studio has saved no card of this customer that can be charged."), nil
	}
	return got, processor.ErrCardRemoved, nil
}

// Chargeable reports, for each of the fees due, whether a saved card of its customer can pay it off session now:
// Collect charges no other. It needs payment.take at any location.
func (s *Service) Chargeable(ctx context.Context, sc tenancy.Scope, feeList []fees.Fee) (map[uuid.UUID]bool, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return nil, err
	}
	var customers []uuid.UUID
	for _, f := range feeList {
		if f.State == fees.Due && !slices.Contains(customers, f.CustomerID) {
			customers = append(customers, f.CustomerID)
		}
	}
	pay, err := s.billing.Payers(ctx, s.db.View(sc.Tenant), customers)
	out := map[uuid.UUID]bool{}
	for _, f := range feeList {
		cur, has := pay[f.CustomerID]
		out[f.ID] = has && f.State == fees.Due && (cur == "" || cur == f.Currency) && order.Payable(f.Amount, f.Currency)
	}
	return out, err
}

// chargeFee charges a locked fee that is due to a saved card. locked are the orders with locked payments.
func (s *Service) chargeFee(ctx context.Context, tx *pg.Tx, f fees.Fee, locked []uuid.UUID, card billing.SavedCard) error {
	orderID, p, err := s.feePayment(ctx, tx, f, locked)
	if err != nil {
		return err
	}
	if _, err := s.billing.ChooseTx(ctx, tx, p, billing.Choice{CustomerID: f.CustomerID, CardID: card.ID}); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ChargeJob{Business: tx.Business(), Order: orderID})
}

// feePayment returns the open order of a locked fee with its payment, made if there are none. It returns pg.ErrUnmet
// if a concurrent call has made them, so that their payment is not locked.
func (s *Service) feePayment(ctx context.Context, tx *pg.Tx, f fees.Fee, locked []uuid.UUID) (orderID uuid.UUID, p billing.Payment, err error) {
	if err := billing.Chargeable(f.Amount, f.Currency); err != nil {
		return uuid.Nil, p, err
	}
	open, err := openFeeOrders(ctx, tx, []uuid.UUID{f.ID})
	if err != nil {
		return uuid.Nil, p, err
	}
	at, err := readFeePlace(ctx, tx, f)
	if err != nil {
		return uuid.Nil, p, err
	}
	switch {
	case len(open) == 0:
		orderID = pg.NewID()
		err = order.Insert(ctx, tx, feeSale(f, at, orderID, s.order.ReceiptHash(orderID)))
	case !slices.Contains(locked, open[0]):
		err = pg.ErrUnmet
	default:
		orderID = open[0]
	}
	if err != nil {
		return uuid.Nil, p, err
	}
	p, err = s.billing.StartTx(ctx, tx, billing.StartInput{
		LocationID: f.LocationID, OrderID: orderID, Amount: f.Amount, Currency: f.Currency,
		FeeAmount: order.Terms{Currency: f.Currency, FeePPM: at.FeePpm}.PlatformFee(f.Amount), FeePPM: at.FeePpm,
	})
	return orderID, p, err
}

// feePlace is the data of a fee's order besides the fee.
type feePlace struct {
	Kind              catalog.Kind
	RevenueCategoryID *uuid.UUID
	TaxMode           business.TaxMode
	FeePpm            int64
}

// feeSale returns the order of a fee: of the kind and the revenue category of its booking, and not taxed.
func feeSale(f fees.Fee, at feePlace, orderID uuid.UUID, receipt []byte) order.Draft {
	item := order.Item{ListedAmount: f.Amount, RevenueCategoryID: at.RevenueCategoryID}
	terms := order.Terms{Currency: f.Currency, TaxMode: at.TaxMode}.WithoutCard()
	return order.Draft{
		ID: orderID, LocationID: f.LocationID, Customer: f.CustomerID, State: order.Open, Receipt: receipt,
		Totals: order.Price([]order.Item{item}, nil, terms).Totals,
		Lines:  []order.DraftLine{{BookingID: f.BookingID, Fee: &f.ID, Kind: at.Kind, Label: f.OfferingName, Item: item}},
	}
}

// feesAtOnce is the number of fees in a round of the sweep.
const feesAtOnce = 100

// CollectFees is the sweep owed.fees: fees are charged after their review to the customer's saved card, as the
// policy of the booking requires. If there is no such card, or the customer disputes a payment, the fee stays due; it
// is not tried again by itself. If the processor did not answer until the job was given up, the customer is mailed
// the way to pay. One fee's failure does not stop the others.
func (s *Service) CollectFees(ctx context.Context) error {
	found, err := fees.DueToCharge(ctx, s.db, feesAtOnce)
	return errors.Join(err, s.collectEach(ctx, found, s.claimFee), s.tellGivenUp(ctx))
}

// claimFee is claimDue of a fee. One of 0 needs no payment.
func (s *Service) claimFee(ctx context.Context, tx *pg.Tx, id uuid.UUID) (dueCharge, bool, error) {
	f, found, err := fees.ClaimTx(ctx, tx, id)
	if err != nil || !found || f.Amount == 0 {
		return dueCharge{}, false, err
	}
	open, err := openFeeOrders(ctx, tx, []uuid.UUID{id}) // the studio has had it charged before
	return dueCharge{
		customer: f.CustomerID,
		charge:   func(card billing.SavedCard) error { return s.chargeFee(ctx, tx, f, nil, card) },
	}, len(open) == 0, err
}

// feesEvery is the interval of the sweep of reviewed fees, in real time.
const feesEvery = time.Minute

// CardOf returns the saved card of a customer that Collect charges by default. It needs payment.take at any location.
func (s *Service) CardOf(ctx context.Context, sc tenancy.Scope, customer uuid.UUID) (billing.SavedCard, bool, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return billing.SavedCard{}, false, err
	}
	return s.cardFor(ctx, s.db.View(sc.Tenant), customer, uuid.Nil)
}
