package checkout

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/penalty"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// A fee that a card pays is an order of its own, without a cart: made when it is first charged, and open until it is paid. There is one at
// most that is open. The locks are taken in this order: the payment, the fee, the order.

// CollectInput says what of what a customer owes is charged to a card that they had the studio keep.
type CollectInput struct {
	CustomerID uuid.UUID
	CardID     uuid.UUID   // uuid.Nil: the one that they had kept last, of those that have not expired
	PenaltyIDs []uuid.UUID // fees that are due; none: all that are due at the locations of the caller
}

// Validate checks the input. The error names every wrong field.
func (in CollectInput) Validate() error {
	var c fault.Checks
	c.That(len(in.PenaltyIDs) <= takeMost, "penaltyIds", "Name 50 at most.")
	c.That(!twice(in.PenaltyIDs), "penaltyIds", "Name each once.")
	return c.Err()
}

// Collecting is what is being charged to a card, and is not paid yet.
type Collecting struct {
	CustomerID uuid.UUID
	Card       billing.SavedCard
	Amount     int64 // minor units of Currency
	Currency   money.Currency
	Lines      []SaleLine // fees: each is a payment of its own, without tax and service fee
}

// Effects is what happens: pg.Effective.
func (c Collecting) Effects() any { return c }

// ErrAtOneCurrency: what is charged at once is in one currency.
var ErrAtOneCurrency = fault.New(fault.Validation, "one_currency", "Charge what is in one currency at a time.")

// Collect charges a card that a customer had the studio keep for fees that they owe, also while a fee is looked at still. It is charged a
// moment later, and once, however often this is called: the customer agreed to it when they had the card kept, and is not there. Then the
// fee is paid, or says why the card was not charged, and the customer is mailed either way. A fee that is paid otherwise, or waived,
// meanwhile goes back.
//
// It needs payment.take at the location of each fee. Errors: Validation; not found; penalty.ErrOver; ErrNothingToPay; ErrAtOneCurrency;
// billing.ErrCardGone when there is no such card, or none; billing.ErrCardUnavailable; billing.ErrAmountRefused.
func (s *Service) Collect(ctx context.Context, sc tenancy.Scope, in CollectInput) (Collecting, error) {
	cover, err := policy.Where(sc, policy.PaymentTake)
	if err != nil {
		return Collecting{}, err
	}
	if err := in.Validate(); err != nil {
		return Collecting{}, err
	}
	collect := func(tx *pg.Tx) (Collecting, error) { return s.collectTx(ctx, tx, sc, in, cover) }
	got, err := pg.InTx(ctx, s.db, sc.Tenant, collect)
	if errors.Is(err, pg.ErrUnmet) { // somebody was at the same fee
		got, err = pg.InTx(ctx, s.db, sc.Tenant, collect)
	}
	return got, err
}

func (s *Service) collectTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in CollectInput, cover policy.Cover) (Collecting, error) {
	ids, err := feesToCollect(ctx, tx, in, cover)
	if err != nil {
		return Collecting{}, err
	}
	fees, locked, err := lockFees(ctx, tx, ids)
	if err != nil {
		return Collecting{}, err
	}
	if err := in.check(sc, fees); err != nil {
		return Collecting{}, err
	}
	card, found, err := s.cardFor(ctx, tx, in.CustomerID, in.CardID)
	if err = fault.When(!found, billing.ErrCardGone, err); err != nil {
		return Collecting{}, err
	}
	if err := penalty.ChargingTx(ctx, tx, ids); err != nil {
		return Collecting{}, err
	}
	out := Collecting{CustomerID: in.CustomerID, Card: card, Currency: fees[0].Currency}
	for _, f := range fees {
		if err := s.chargeFee(ctx, tx, f, locked, card); err != nil {
			return Collecting{}, err
		}
		out.Amount += f.Amount
		out.Lines = append(out.Lines, SaleLine{BookingID: f.BookingID, PenaltyID: &f.ID, Label: f.OfferingName, Amount: f.Amount})
	}
	return out, nil
}

// check tells whether these fees can be charged at once, by the caller.
func (in CollectInput) check(sc tenancy.Scope, fees []penalty.Penalty) error {
	if len(fees) == 0 {
		return ErrNothingToPay
	}
	for _, f := range fees {
		if f.CustomerID != in.CustomerID {
			return fault.Missing()
		}
		if err := policy.RequireAt(sc, policy.PaymentTake, f.LocationID); err != nil {
			return err
		}
		if f.Currency != fees[0].Currency {
			return ErrAtOneCurrency
		}
	}
	return nil
}

// lockFees locks the payments that fees may be about to be paid with, whose orders it returns, and then the fees, which all are due.
func lockFees(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) (fees []penalty.Penalty, locked []uuid.UUID, err error) {
	if locked, err = openFeeOrders(ctx, tx, ids); err != nil {
		return nil, nil, err
	}
	if err := billing.LockPaymentsTx(ctx, tx, locked); err != nil {
		return nil, nil, err
	}
	fees, err = penalty.DueTx(ctx, tx, ids)
	return fees, locked, err
}

// cardFor is the kept card to charge: the one named, or else the latest that has not expired.
func (s *Service) cardFor(ctx context.Context, r pg.Reader, customer, card uuid.UUID) (billing.SavedCard, bool, error) {
	cards, err := s.billing.KeptCards(ctx, r, customer)
	i := slices.IndexFunc(cards, func(c billing.SavedCard) bool {
		return c.ID == card || card == uuid.Nil && c.AllowsFees() && !c.Expired(r.Now())
	})
	if err != nil || i < 0 {
		return billing.SavedCard{}, false, err
	}
	return cards[i], cards[i].AllowsFees(), nil
}

// chargeFee has a locked fee that is due charged to a kept card. locked are the orders whose payments are locked.
func (s *Service) chargeFee(ctx context.Context, tx *pg.Tx, f penalty.Penalty, locked []uuid.UUID, card billing.SavedCard) error {
	order, p, err := s.feePayment(ctx, tx, f, locked)
	if err != nil {
		return err
	}
	if _, err := s.billing.ChooseTx(ctx, tx, p, billing.Choice{CustomerID: f.CustomerID, CardID: card.ID}); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ChargeFeeJob{Business: tx.Business(), Order: order})
}

// feePayment is the open order of a locked fee with its payment, which are made when there are none. pg.ErrUnmet when somebody has made
// them meanwhile, so that their payment is not locked.
func (s *Service) feePayment(ctx context.Context, tx *pg.Tx, f penalty.Penalty, locked []uuid.UUID) (order uuid.UUID, p billing.Payment, err error) {
	if !payable(f.Amount, f.Currency) {
		return uuid.Nil, p, billing.ErrAmountRefused
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
		order = pg.NewID()
		err = insertOrder(ctx, tx, feeSale(f, at, order, s.receiptHash(order)))
	case !slices.Contains(locked, open[0]):
		err = pg.ErrUnmet
	default:
		order = open[0]
	}
	if err != nil {
		return uuid.Nil, p, err
	}
	p, err = s.billing.StartTx(ctx, tx, billing.StartInput{
		LocationID: f.LocationID, OrderID: order, Amount: f.Amount, Currency: f.Currency,
		FeeAmount: Terms{Currency: f.Currency, FeePPM: at.FeePpm}.platformFee(f.Amount), FeePPM: at.FeePpm,
	})
	return order, p, err
}

// feePlace is what the order of a fee says besides the fee.
type feePlace struct {
	Kind    catalog.Kind
	TaxMode business.TaxMode
	FeePpm  int64
}

// feeSale is the order of a fee: of the kind of what was booked, and not taxed.
func feeSale(f penalty.Penalty, at feePlace, order uuid.UUID, receipt []byte) sale {
	item := Item{ListedAmount: f.Amount}
	return sale{
		ID: order, LocationID: f.LocationID, Customer: f.CustomerID, State: OrderOpen, Receipt: receipt,
		Totals: Price([]Item{item}, nil, Terms{Currency: f.Currency, TaxMode: at.TaxMode}.withoutCard()).Totals,
		Lines:  []saleLine{{BookingID: f.BookingID, Penalty: &f.ID, Kind: at.Kind, Label: f.OfferingName, Item: item}},
	}
}

// feesAtOnce is how many fees a round of the sweep looks at.
const feesAtOnce = 100

// CollectDue is the sweep checkout.fees: fees whose review is over are charged to the card that the customer had the studio keep, as the
// policy of the booking says. Where there is no such card, or the customer disputes a payment, the fee stays owed; it is not tried again
// by itself. Where the processor did not answer until the job was given up, the customer is mailed the way to pay. One fee's failure does not keep the others from being charged.
func (s *Service) CollectDue(ctx context.Context) error {
	due, err := penalty.DueToCharge(ctx, s.db, feesAtOnce)
	for _, d := range due {
		err = errors.Join(err, pg.Do(ctx, s.db, d.BusinessID, func(tx *pg.Tx) error { return s.collectDue(ctx, tx, d.ID) }))
	}
	return errors.Join(err, s.tellGivenUp(ctx))
}

func (s *Service) collectDue(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	f, due, err := penalty.ClaimTx(ctx, tx, id)
	if err != nil || !due || f.Amount == 0 {
		return err
	}
	open, err := openFeeOrders(ctx, tx, []uuid.UUID{id}) // somebody at the studio has had it charged before
	if err != nil || len(open) > 0 {
		return err
	}
	disputes, err := billing.DisputesTx(ctx, tx, f.CustomerID)
	if err != nil || disputes {
		return err
	}
	card, found, err := s.cardFor(ctx, tx, f.CustomerID, uuid.Nil)
	if err != nil || !found {
		return err
	}
	err = s.chargeFee(ctx, tx, f, nil, card)
	if errors.Is(err, billing.ErrCardUnavailable) || errors.Is(err, billing.ErrAmountRefused) {
		return nil
	}
	return err
}

// feesEvery is how often fees whose review is over are looked for, in real time.
const feesEvery = time.Minute
