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
)

// Statuses that a payment has with us and not at the processor.
const (
	StatusNew    Status = "new"    // the processor has not answered yet; nobody can pay it
	StatusFailed Status = "failed" // the processor refused to make it; final
)

// Outcome is what became of the money of a payment that succeeded.
type Outcome string

// The outcomes.
const (
	OutcomeNone      Outcome = ""         // it has not succeeded
	OutcomeFulfilled Outcome = "settled"  // what was paid for is given
	OutcomeRefunded  Outcome = "refunded" // it could not be given: the money goes back
)

// Payment is one try to take the money of an order by card. It keeps the account it was made on.
type Payment struct {
	ID             uuid.UUID
	LocationID     uuid.UUID
	OrderID        uuid.UUID
	Env            Env
	AccountID      string `db:"account"`
	Attempt        int    // 1 for an order's first payment
	IntentID       string `db:"intent,null"` // the processor's id; empty until it answered
	ChargeID       string `db:"charge,null"`
	Amount         int64  // on the card, in minor units of Currency
	Currency       money.Currency
	FeeAmount      int64 // the platform's application fee, one per payment. A24, A224.
	FeePPM         int64 `db:"fee_ppm"`
	Status         Status
	CardBrand      string
	CardLast4      string
	CardWallet     string // apple_pay, google_pay, link …; empty: none
	FailureCode    string // why the last card was declined
	FailureMessage string // fit to be shown to the customer
	Outcome        Outcome
	DueAt          time.Time `db:",null"` // when to ask the processor again; zero when nothing is open
	CreatedAt      time.Time
	UpdatedAt      time.Time
	SucceededAt    time.Time `db:",null"` // zero until then
	// OnApproval: the money is only held on the card until the studio has decided about what it is for. AuthorizedAt is since when,
	// zero until then; Wanted, that the studio has said yes to some of it.
	OnApproval   bool
	AuthorizedAt time.Time `db:",null"`
	Wanted       bool
	// ProcessorTransaction is of the processor's balance, and ProcessorFee what the processor took for itself (A30): empty and 0 until
	// it has booked the payment there, some seconds after its success.
	BalanceTransaction string `db:",null"`
	ProcessorFee       int64
	// How it is to be made: see Choice.
	CustomerID     uuid.UUID `db:",null"` // whose it is, once a card is to be kept or a kept one charged
	CardID         uuid.UUID `db:",null"` // the kept card that was chosen; uuid.Nil: one that is typed
	Choices        int
	ConsentText    string // what was agreed to about keeping the card that is typed; empty: it is not kept
	ConsentVersion string
	ConsentAt      time.Time `db:",null"`
}

// Test reports whether no money moves.
func (p Payment) Test() bool { return p.Env != EnvLive }

// after returns the payment as the processor has it now. A payment that is over stays as it is, whatever comes late.
func (p Payment) after(in Intent, now time.Time) Payment {
	if p.Done() {
		return p
	}
	p.IntentID, p.Status, p.ChargeID = in.ID, in.Status, in.ChargeID
	p.FailureCode, p.FailureMessage = "", ""
	if f := in.Failure; f != nil && in.Status != StatusSucceeded {
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
	if p.Status == StatusSucceeded {
		p.SucceededAt, p.DueAt = now, now.Add(costsFirst)
	}
	return p
}

// is reports whether the processor's payment is the one that was asked for.
func (p Payment) is(in Intent) bool {
	return p.AccountID == in.Account && (p.IntentID == "" || p.IntentID == in.ID) &&
		p.Amount == in.Amount && p.Currency == in.Currency && p.FeeAmount == in.Fee
}

// When a payment that is not over is asked for again.
const (
	recheckFirst   = 40 * time.Second
	recheckClosely = 10 * time.Minute // as long as a hold: most who pay at all have paid by then
	recheckMost    = 6 * time.Hour
	answerWithin   = 5 * time.Minute    // a payment whose making the processor has not answered by then is given up
	payWithin      = 24 * time.Hour     // after that it is given up at the processor
	askWithin      = 7 * 24 * time.Hour // after that nobody asks any more
	costsFirst     = time.Minute        // after success, for what it cost; an event tells mostly before
	costsWithin    = 30 * 24 * time.Hour
)

// checkAt is when to ask again: every 40 seconds while the customer is likely to be at it, so that a payment of which neither
// browser nor event tells is settled within a minute; then at growing distances. A payment page that was left open costs about
// 25 questions in all. A payment that succeeded is asked for until the processor says what it cost.
func (p Payment) checkAt(now time.Time) time.Time {
	if p.Status == StatusSucceeded {
		age := now.Sub(p.SucceededAt)
		if age > costsWithin {
			return time.Time{}
		}
		return now.Add(min(max(age, costsFirst), recheckMost))
	}
	switch age := now.Sub(p.CreatedAt); {
	case p.Authorized():
		return now.Add(min(recheckMost, max(p.takeBy().Sub(now), recheckClosely)))
	case age > askWithin:
		return time.Time{}
	case age < recheckClosely:
		return now.Add(recheckFirst)
	default:
		return now.Add(min(age, recheckMost))
	}
}

// PaymentOf reads a payment; an unknown id is not found.
func PaymentOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Payment, error) {
	return readPayment(ctx, r, id)
}

// PaymentOfOrder reads the latest payment of an order; one that has none is not found.
func PaymentOfOrder(ctx context.Context, r pg.Reader, order uuid.UUID) (Payment, error) {
	return latestPayment(ctx, r, order)
}

// LockPaymentsTx locks the payments of orders that are not given up, in the order of their ids.
func LockPaymentsTx(ctx context.Context, tx *pg.Tx, orders []uuid.UUID) error {
	return lockPaymentsOf(ctx, tx, orders)
}

// StartInput is what a payment is for.
type StartInput struct {
	LocationID uuid.UUID
	OrderID    uuid.UUID
	Amount     int64 // on the card, from Terms.Charge
	Currency   money.Currency
	FeeAmount  int64 // the platform fee of that amount
	FeePPM     int64
	OnApproval bool // hold the money only: the studio has the last word on everything that it is for
}

// StartTx returns the order's payment: the one that is open or has succeeded, or else a new one on the business's
// account, in status new. It talks to nobody; Attach does, after the transaction. The caller holds the lock of what the
// order belongs to. ErrCardUnavailable when the account takes no cards, or not in this currency.
func (s *Service) StartTx(ctx context.Context, tx *pg.Tx, in StartInput) (Payment, error) {
	if s.processor == nil {
		return Payment{}, ErrCardUnavailable
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
	ClientSecret   string // for the customer who pays, and nobody else: never kept, logged or put in an address
	PublishableKey string
	RedirectURL    string // where the bank asks the customer about a saved card; empty when it does not
}

// Attach makes the payment at the processor, or reads it there when it was made before, keeps what it finds and returns
// what a browser needs. Calling it again, also after a crash, gives the same payment. A payment found succeeded is
// settled on the way. With a way back, a saved card that was chosen is charged: back is where its bank leads to when it asks the customer first;
// that it was declined is the payment's FailureCode. Without one, nothing is charged. It does its own transactions and must be called outside any.
//
// Errors: ErrProcessorDown (try the same again), ErrPaymentCanceled, ErrCardRemoved, ErrAddressRefused for the way back, and what the processor refuses: then the payment has
// failed and the next one is another try.
func (s *Service) Attach(ctx context.Context, business uuid.UUID, p Payment, back string) (Ready, error) {
	return s.attach(ctx, business, p, press{back: back})
}

// ChargeSaved is Attach without the customer: the saved card that was chosen is charged, as they agreed when they had it kept. A bank that
// wants to ask them declines: the FailureCode is authentication_required, and the same payment can be paid by them later.
func (s *Service) ChargeSaved(ctx context.Context, business uuid.UUID, p Payment) (Ready, error) {
	return s.attach(ctx, business, p, press{away: true})
}

// press says who wants a saved card to be charged. The zero press is nobody: looking at a payment charges nothing.
type press struct {
	back string // where the bank's check leads the customer to, who has pressed the button
	away bool   // the customer is not there
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
	if err != nil && (Retryable(err) || ctx.Err() != nil) {
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

// made keeps that the payment is there, although it could not be charged as was wanted.
func (s *Service) made(ctx context.Context, business uuid.UUID, p Payment, in Intent) error {
	_, err := s.Apply(ctx, business, p, in)
	return err
}

// create asks for the payment, or reads it.
func (s *Service) create(ctx context.Context, business uuid.UUID, p Payment) (Intent, error) {
	if p.IntentID != "" {
		return s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	}
	return s.processor.CreatePayment(ctx, NewPayment{
		Account: p.AccountID, Amount: p.Amount, Currency: p.Currency, Fee: p.FeeAmount, ManualCapture: p.OnApproval,
		Description: "Booking " + p.OrderID.String(),
		Metadata: map[string]string{
			"business_id": business.String(), "location_id": p.LocationID.String(), "order_id": p.OrderID.String(),
			"payment_id": p.ID.String(), "kind": "order",
		},
		Key: "pi:" + p.ID.String() + ":" + strconv.Itoa(p.Attempt),
	})
}

// refusedTx closes a payment that the processor would not make, and has the account looked at. One that was made before
// stays open: refusing to read it says nothing about its money.
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

// Apply keeps what the processor says about a payment now, settles it when that is the first word of its success, or of its money being
// held where the studio decides later, and writes the sale and what it cost into the books once the money is taken. It is the one way in for webhooks, the sweep and the customer's return; any number of them may
// come, in any order and at the same time. Of a payment that is over, nothing changes but that its costs become known.
//
// in must come from a call to the processor and not from an event's body. p says which payment and order it is about; what else it
// says is read again. Errors: not found, ErrMismatch, and what settling fails with; then nothing was kept and the next to come
// tries again.
func (s *Service) Apply(ctx context.Context, business uuid.UUID, p Payment, in Intent) (Payment, error) {
	return pg.InTx(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) (Payment, error) {
		return s.applyTx(ctx, tx, p, in, nil)
	})
}

// applyTx ends its transaction: what it writes goes with the commit, and so does what also queues. When there is nothing to write it
// calls nobody.
func (s *Service) applyTx(ctx context.Context, tx *pg.Tx, seen Payment, in Intent, also func(*pg.Batch)) (Payment, error) {
	if also == nil {
		also = func(*pg.Batch) {}
	}
	b := tx.Batch()
	locked := lockPaymentIn(b, tx, seen.ID)
	var settle Fulfil
	var sold func() ([]Part, error)
	if in.Status == StatusSucceeded || in.Status == StatusAuthorized && seen.OnApproval {
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
		s.log.Error("the processor's payment is not the one that was asked for",
			"business", tx.Business(), "payment", p.ID, "intent", in.ID, "status", in.Status, "amount", in.Amount)
		return Payment{}, ErrMismatch
	}
	next := p.after(in, tx.Now())
	switch {
	case p.Done() && (p.Status != StatusSucceeded || in.Status != StatusSucceeded), next == p && !p.Done():
		return p, nil
	case p.Authorized() && next.Status == StatusCanceled:
		return s.letGoTx(ctx, tx, next, also)
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
		if err := s.keepTx(ctx, tx, next, in); err != nil {
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
		if err := s.goOnTx(ctx, tx, p.ID); err != nil {
			return Payment{}, err
		}
	}
	return s.bookTx(ctx, tx, p, next, in.Settlement, parts, also)
}

// errNamesAnother: what an intent says of itself is not so. Anybody who can make payments on the account can write that.
var errNamesAnother = errors.New("billing: the intent names another payment than its own")

// named is the payment that an intent which has just succeeded says that it is of. It saves the reading of that, and is held against the
// locked row.
func named(in Intent) (Payment, bool) {
	payment, err := uuid.Parse(in.Metadata["payment_id"])
	order, err2 := uuid.Parse(in.Metadata["order_id"])
	return Payment{ID: payment, OrderID: order}, err == nil && err2 == nil && in.Status == StatusSucceeded
}

// read tells whether a payment comes from its row.
func (p Payment) read() bool { return p.AccountID != "" }

// settle gives what was paid for, or the money back. Never neither, and never both.
func (s *Service) settle(ctx context.Context, tx *pg.Tx, p Payment, settle Fulfil, parts []Part) (Outcome, error) {
	outcome, err := settle(ctx, p)
	if err != nil || outcome == OutcomeFulfilled {
		return outcome, err
	}
	_, err = s.refundTx(ctx, tx, p, RefundInput{PaymentID: p.ID, Amount: p.Amount, Reason: ReasonLatePayment}, parts, nil)
	return OutcomeRefunded, err
}

// Reread asks the processor how a payment stands and applies the answer. A payment that is over, or that the processor
// has not answered for yet, is returned as it is. It must be called outside any transaction.
func (s *Service) Reread(ctx context.Context, business, payment uuid.UUID) (Payment, error) {
	p, err := readPayment(ctx, s.db.View(business), payment)
	if err != nil {
		return Payment{}, err
	}
	return s.reread(ctx, business, p)
}

// RereadOrder is Reread for the latest payment of an order: the one that is open or has succeeded, if there is one. An
// order without any is not found.
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
