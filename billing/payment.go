package billing

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// Statuses of a payment with us and not at the processor.
const (
	StatusNew    processor.Status = "new"    // the processor has not answered yet; it cannot be paid
	StatusFailed processor.Status = "failed" // the processor refused to create it; final
)

// Outcome is the result of a payment that succeeded.
type Outcome string

// The outcomes.
const (
	OutcomeNone      Outcome = ""          // the payment has not succeeded
	OutcomeFulfilled Outcome = "fulfilled" // the order is fulfilled
	OutcomeRefunded  Outcome = "refunded"  // the order could not be fulfilled: the payment is refunded
)

// Payment is one attempt to pay an order by card. It keeps the account that it was made on.
type Payment struct {
	ID             uuid.UUID
	LocationID     uuid.UUID
	OrderID        uuid.UUID
	Env            processor.Env
	AccountID      string `db:"account"`
	MerchantName   string // the studio's name when it began, for the card statement; empty for an old one
	Attempt        int    // 1 for an order's first payment
	IntentID       string `db:"intent,null"` // the processor's id; empty until it answered
	ChargeID       string `db:"charge,null"`
	Amount         int64  // on the card, in minor units of Currency
	Currency       money.Currency
	FeeAmount      int64 // the platform's application fee, one per payment. A24, A224.
	FeePPM         int64 `db:"fee_ppm"`
	Status         processor.Status
	CardBrand      string
	CardLast4      string
	CardWallet     string // apple_pay, google_pay, link …; empty: none
	FailureCode    string // the reason of the last decline
	FailureMessage string // fit to be shown to the customer
	Outcome        Outcome
	DueAt          time.Time `db:",null"` // the time to read it from the processor again; zero if nothing is open
	CreatedAt      time.Time
	UpdatedAt      time.Time
	SucceededAt    time.Time `db:",null"` // zero until then
	// OnApproval: the payment is only authorized until the studio has decided about the bookings. AuthorizedAt is the
	// time of the authorization, zero until then. Wanted: the studio has approved some of it.
	OnApproval   bool
	AuthorizedAt time.Time `db:",null"`
	Wanted       bool
	// BalanceTransaction is the processor's id, and ProcessorFee the processor's own fee (A30): empty and 0 until the
	// processor has booked the payment, some seconds after its success.
	BalanceTransaction string `db:",null"`
	ProcessorFee       int64
	// The payment method: see Choice.
	CustomerID     uuid.UUID `db:",null"` // set once a card is to be saved or a saved one charged
	CardID         uuid.UUID `db:",null"` // the chosen saved card; uuid.Nil: one that is typed
	Choices        int
	ConsentText    string // the consent to save the typed card; empty: it is not saved
	ConsentVersion string
	ConsentAt      time.Time `db:",null"`
}

// Test reports whether no real money is involved.
func (p Payment) Test() bool { return p.Env != processor.EnvLive }

// after returns the payment as the processor has it now. A payment that is done stays as it is, even if news arrives
// late.
func (p Payment) after(in processor.Intent, now time.Time) Payment {
	if p.Done() {
		return p
	}
	p.IntentID, p.Status, p.ChargeID = in.ID, in.Status, in.ChargeID
	p.FailureCode, p.FailureMessage = "", ""
	if f := in.Failure; f != nil && in.Status != processor.StatusSucceeded {
		p.FailureCode, p.FailureMessage = f.Code, f.Message
		if f.DeclineCode != "" {
			p.FailureCode = f.DeclineCode
		}
	}
	if in.Card != nil {
		p.CardBrand, p.CardLast4, p.CardWallet = in.Card.Brand, in.Card.Last4, in.Card.Wallet
	}
	if p.Done() {
		p.DueAt = time.Time{}
	}
	if p.Authorized() && p.AuthorizedAt.IsZero() {
		p.AuthorizedAt, p.DueAt = now, now.Add(recheckMost)
	}
	if p.Status == processor.StatusSucceeded {
		p.SucceededAt, p.DueAt = now, now.Add(costsFirst)
	}
	return p
}

// is reports whether the processor's payment is the requested one.
func (p Payment) is(in processor.Intent) bool {
	return p.AccountID == in.Account && (p.IntentID == "" || p.IntentID == in.ID) &&
		p.Amount == in.Amount && p.Currency == in.Currency && p.FeeAmount == in.Fee
}

// The schedule of readings of a payment that is not done.
const (
	recheckFirst   = 40 * time.Second
	recheckClosely = 10 * time.Minute // as long as a hold: most payments arrive within that time
	recheckMost    = 6 * time.Hour
	answerWithin   = 5 * time.Minute    // a payment that the processor has not answered by then is given up
	payWithin      = 24 * time.Hour     // after that it is canceled at the processor
	askWithin      = 7 * 24 * time.Hour // after that it is not read again
	costsFirst     = time.Minute        // after success, for the fees; an event mostly comes before
	costsWithin    = 30 * 24 * time.Hour
)

// checkAt returns the time of the next reading: every 40 seconds while the customer is likely to be paying, so that a
// payment without a report of browser or event is fulfilled within a minute; then at growing distances. A payment
// page that was left open costs about 25 readings in all. A payment that succeeded is read until the processor
// reports its fees.
func (p Payment) checkAt(now time.Time) time.Time {
	if p.Status == processor.StatusSucceeded {
		age := now.Sub(p.SucceededAt)
		if age > costsWithin {
			return time.Time{}
		}
		return now.Add(min(max(age, costsFirst), recheckMost))
	}
	switch age := now.Sub(p.CreatedAt); {
	case p.Authorized():
		return now.Add(min(recheckMost, max(p.captureBy().Sub(now), recheckClosely)))
	case age > askWithin:
		return time.Time{}
	case age < recheckClosely:
		return now.Add(recheckFirst)
	default:
		return now.Add(min(age, recheckMost))
	}
}

// PaymentOf reads a payment. It returns a not found error for an unknown id.
func PaymentOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Payment, error) {
	return readPayment(ctx, r, id)
}

// PaymentOfOrder reads the latest payment of an order. It returns a not found error if there is none.
func PaymentOfOrder(ctx context.Context, r pg.Reader, order uuid.UUID) (Payment, error) {
	return latestPayment(ctx, r, order)
}

// LockPaymentsTx locks the active payments of orders, in the order of their ids.
func LockPaymentsTx(ctx context.Context, tx *pg.Tx, orders []uuid.UUID) error {
	return lockPaymentsOf(ctx, tx, orders)
}

// StartInput describes a new payment.
type StartInput struct {
	LocationID uuid.UUID
	OrderID    uuid.UUID
	Amount     int64 // on the card, from Terms.Charge
	Currency   money.Currency
	FeeAmount  int64 // the platform fee of that amount
	FeePPM     int64
	OnApproval bool // only authorize: the studio decides about everything in the order
}

// StartTx returns the order's payment: the one that is open or has succeeded, or else a new one on the business's
// account, in status new. It makes no call to the processor; Attach does, after the transaction. The caller holds the
// lock of the order. It returns processor.ErrCardUnavailable if the account accepts no cards, or none in this currency.
func (s *Service) StartTx(ctx context.Context, tx *pg.Tx, in StartInput) (Payment, error) {
	if s.processor == nil {
		return Payment{}, processor.ErrCardUnavailable
	}
	p, found, err := startPayment(ctx, tx, s.Env(), in, tx.Now().Add(recheckFirst))
	if err == nil && !found {
		err = s.unavailable(ctx, tx, in.Currency)
	}
	return p, err
}

// Ready is a payment that a browser can confirm.
type Ready struct {
	Payment        Payment
	ClientSecret   string // for the paying customer only: never stored, logged or put in an address
	PublishableKey string
	RedirectURL    string // the bank's page for a check of a saved card; empty if there is none
}

// Attach creates the payment at the processor, or reads it there if it exists, stores the result and returns the data
// for a browser. A second call, also after a crash, gives the same payment. A payment found succeeded is fulfilled on
// the way. With back, the address to which the bank leads after a check, a chosen saved card is charged; a decline is
// the payment's FailureCode. Without it, nothing is charged. Attach runs its own transactions and must be called
// outside any. It returns:
//
//   - processor.ErrDown: try the same again
//   - ErrPaymentCanceled
//   - processor.ErrCardRemoved
//   - processor.ErrAddressRefused for back
//   - the processor's refusal: the payment has failed and the next one is another attempt
func (s *Service) Attach(ctx context.Context, business uuid.UUID, p Payment, back string) (Ready, error) {
	return s.attach(ctx, business, p, press{back: back})
}

// ChargeSaved is Attach off session: it charges the chosen saved card under the customer's consent. A bank that
// requires a check declines: the FailureCode is authentication_required, and the customer can pay the same payment
// later.
func (s *Service) ChargeSaved(ctx context.Context, business uuid.UUID, p Payment) (Ready, error) {
	return s.attach(ctx, business, p, press{away: true})
}

// press is the request to charge a saved card. The zero press charges nothing: reading a payment is no request.
type press struct {
	back string // the address to which the bank's check leads the customer
	away bool   // off session
}

func (s *Service) attach(ctx context.Context, business uuid.UUID, p Payment, by press) (Ready, error) {
	if s.processor == nil {
		return Ready{}, ErrNotConfigured
	}
	in, err := s.create(ctx, business, p)
	if err == nil {
		if prepared, failed := s.prepare(ctx, business, p, in, by); failed == nil {
			in = prepared
		} else if applied := s.made(ctx, business, p, in); applied != nil {
			return Ready{}, applied
		} else {
			return Ready{}, failed
		}
	}
	if err != nil && (processor.Retryable(err) || ctx.Err() != nil) {
		return Ready{}, err
	}
	kept, txErr := pg.InTx(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) (Payment, error) {
		if err != nil {
			return s.refusedTx(ctx, tx, p.ID, err)
		}
		return s.applyTx(ctx, tx, p, in, nil)
	})
	switch {
	case txErr != nil:
		return Ready{}, txErr
	case err != nil:
		return Ready{}, err
	case !kept.Active():
		return Ready{}, ErrPaymentCanceled
	}
	return Ready{Payment: kept, ClientSecret: in.ClientSecret, PublishableKey: s.processor.PublishableKey(), RedirectURL: in.RedirectURL}, nil
}

// made stores that the payment exists, although the charge failed.
func (s *Service) made(ctx context.Context, business uuid.UUID, p Payment, in processor.Intent) error {
	_, err := s.Apply(ctx, business, p, in)
	return err
}

// create creates the payment, or reads it.
func (s *Service) create(ctx context.Context, business uuid.UUID, p Payment) (processor.Intent, error) {
	if p.IntentID != "" {
		return s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	}
	return s.processor.CreatePayment(ctx, processor.NewPayment{
		Account: p.AccountID, Amount: p.Amount, Currency: p.Currency, Fee: p.FeeAmount, ManualCapture: p.OnApproval,
		Description: "Booking " + p.OrderID.String(), Statement: processor.StatementName(p.MerchantName),
		Metadata: map[string]string{
			"business_id": business.String(), "location_id": p.LocationID.String(), "order_id": p.OrderID.String(),
			"payment_id": p.ID.String(), "kind": "order",
		},
		Key: "pi:" + p.ID.String() + ":" + strconv.Itoa(p.Attempt),
	})
}

// refusedTx closes a payment that the processor refused to create, and enqueues a reading of the account. One that
// was created before stays open: a refused reading proves nothing about its money.
func (s *Service) refusedTx(ctx context.Context, tx *pg.Tx, id uuid.UUID, why error) (Payment, error) {
	s.log.Error("the processor refused a payment", "business", tx.Business(), "payment", id, "error", why)
	p, err := lockPayment(ctx, tx, id)
	if err != nil || p.Done() || p.IntentID != "" {
		return p, err
	}
	p.Status, p.DueAt = StatusFailed, time.Time{}
	if f := fault.From(why); f != nil {
		p.FailureCode, p.FailureMessage = f.Reason, f.Message
	}
	if err := savePayment(ctx, tx, &p); err != nil {
		return Payment{}, err
	}
	return p, jobs.EnqueueTx(ctx, tx, AccountJob{Business: tx.Business()})
}

// Apply stores the processor's state of a payment. On the first report of its success, or of its authorization if the
// studio decides later, it fulfils the order; once the payment is captured it books the sale and its fees. All
// callers use it: webhooks, the sweep and the returning customer. Any number of calls may come, in any order and at
// the same time. A payment that is done changes only by its fees.
//
// in must come from a call to the processor and not from an event's body. p names the payment and the order; its
// other fields are read again. It returns a not found error, ErrMismatch, and the errors of Orders.Fulfil; then
// nothing was stored and the next call tries again.
func (s *Service) Apply(ctx context.Context, business uuid.UUID, p Payment, in processor.Intent) (Payment, error) {
	return pg.InTx(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) (Payment, error) {
		return s.applyTx(ctx, tx, p, in, nil)
	})
}

// applyTx ends its transaction: its writes go with the commit, and so do the queries of also. If there is nothing to
// write, also is not called.
func (s *Service) applyTx(
	ctx context.Context, tx *pg.Tx, seen Payment, in processor.Intent, also func(*pg.Batch),
) (Payment, error) {
	if also == nil {
		also = func(*pg.Batch) {}
	}
	b := tx.Batch()
	locked := lockPaymentIn(b, tx, seen.ID)
	var settle Fulfil
	var sold func() ([]tender.Part, error)
	if in.Status == processor.StatusSucceeded || in.Status == processor.StatusAuthorized && seen.OnApproval {
		if seen.Outcome == OutcomeNone {
			settle = s.Ports().Orders.Fulfil(b, tx, seen.OrderID)
		}
		sold = s.Ports().Orders.Sold(b, tx, seen.OrderID)
	}
	if err := b.Send(ctx); err != nil {
		return Payment{}, err
	}
	p, err := locked()
	if err != nil {
		return Payment{}, err
	}
	if !seen.read() && (p.OrderID != seen.OrderID || p.IntentID != in.ID) {
		return Payment{}, errNamesAnother
	}
	if !p.is(in) {
		s.log.Error("the processor's payment is not the requested one",
			"business", tx.Business(), "payment", p.ID, "intent", in.ID, "status", in.Status, "amount", in.Amount)
		return Payment{}, ErrMismatch
	}
	next := p.after(in, tx.Now())
	switch {
	case p.Done() && (p.Status != processor.StatusSucceeded || in.Status != processor.StatusSucceeded),
		next == p && !p.Done():
		return p, nil
	case p.Authorized() && next.Status == processor.StatusCanceled:
		return s.releaseTx(ctx, tx, next, also)
	case !next.Paid():
		b := tx.Batch()
		savePaymentIn(b, tx, &next)
		also(b)
		return next, b.Commit(ctx)
	}
	parts, err := sold()
	if err != nil {
		return Payment{}, err
	}
	if p.Outcome == OutcomeNone {
		if next.Outcome, err = s.settle(ctx, tx, next, settle, parts); err != nil {
			return Payment{}, err
		}
		if err := s.saveCardTx(ctx, tx, next, in); err != nil {
			return Payment{}, err
		}
	}
	if next.Authorized() {
		b := tx.Batch()
		savePaymentIn(b, tx, &next)
		also(b)
		return next, b.Commit(ctx)
	}
	if p.Authorized() {
		if err := s.resumeRefundsTx(ctx, tx, p.ID); err != nil {
			return Payment{}, err
		}
	}
	return s.bookTx(ctx, tx, p, next, in.Settlement, parts, also)
}

// errNamesAnother: the metadata of an intent is false. Any program with access to the account can write it.
var errNamesAnother = errors.New("billing: the intent's metadata names another payment")

// named returns the payment that the metadata of a succeeded intent names. It saves a reading, and is compared with
// the locked row.
func named(in processor.Intent) (Payment, bool) {
	payment, err := uuid.Parse(in.Metadata["payment_id"])
	order, err2 := uuid.Parse(in.Metadata["order_id"])
	return Payment{ID: payment, OrderID: order}, err == nil && err2 == nil && in.Status == processor.StatusSucceeded
}

// read reports whether a payment comes from its row.
func (p Payment) read() bool { return p.AccountID != "" }

// settle fulfils the order, or refunds the payment. Never neither, and never both.
func (s *Service) settle(
	ctx context.Context, tx *pg.Tx, p Payment, settle Fulfil, parts []tender.Part,
) (Outcome, error) {
	outcome, err := settle(ctx, p)
	if err != nil || outcome == OutcomeFulfilled {
		return outcome, err
	}
	_, err = s.refundTx(ctx, tx, Refundable{Payment: p, Sold: parts},
		RefundInput{PaymentID: p.ID, Amount: p.Amount, Reason: ReasonLatePayment})
	return OutcomeRefunded, err
}

// Reread reads a payment from the processor and applies it. A payment that is done, or that the processor has not
// answered for yet, is returned as it is. It must be called outside any transaction.
func (s *Service) Reread(ctx context.Context, business, payment uuid.UUID) (Payment, error) {
	p, err := readPayment(ctx, s.db.View(business), payment)
	if err != nil {
		return Payment{}, err
	}
	return s.reread(ctx, business, p)
}

// RereadOrder is Reread for the latest payment of an order: the one that is open or has succeeded, if there is one.
// It returns a not found error for an order without payments.
func (s *Service) RereadOrder(ctx context.Context, business, order uuid.UUID) (Payment, error) {
	p, err := latestPayment(ctx, s.db.View(business), order)
	if err != nil {
		return Payment{}, err
	}
	return s.reread(ctx, business, p)
}

func (s *Service) reread(ctx context.Context, business uuid.UUID, p Payment) (Payment, error) {
	if p.Done() || p.IntentID == "" {
		return p, nil
	}
	if s.processor == nil {
		return Payment{}, ErrNotConfigured
	}
	in, err := s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	if err != nil {
		return Payment{}, err
	}
	return s.Apply(ctx, business, p, in)
}
