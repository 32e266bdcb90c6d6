package billing

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// RefundState is the state of a refund request.
type RefundState string

// The states. A refund that succeeded can still fail days later, if the card was closed.
const (
	RequestPending   RefundState = "pending"   // the processor has not answered for it yet
	RequestSubmitted RefundState = "submitted" // it is in progress
	RequestSucceeded RefundState = "succeeded"
	RequestFailed    RefundState = "failed" // the customer has to be paid another way
	RequestCanceled  RefundState = "canceled"
)

// All returns all states.
func (RefundState) All() []RefundState {
	return []RefundState{RequestPending, RequestSubmitted, RequestSucceeded, RequestFailed, RequestCanceled}
}

// Counts reports whether a refund is done or in progress: it is neither failed nor canceled.
func (s RefundState) Counts() bool { return s != RequestFailed && s != RequestCanceled }

// RefundReason is the reason of a refund.
type RefundReason string

// ReasonLatePayment is the reason of a refund after a payment that succeeded too late for its order. There is at most
// one per payment.
const ReasonLatePayment RefundReason = "late_payment"

// The reasons of staff members. A note can add more.
const (
	ReasonRequested   RefundReason = "requested"    // requested by the customer
	ReasonNotProvided RefundReason = "not_provided" // the booking was not provided, or not as it was sold
	ReasonDuplicate   RefundReason = "duplicate"    // it was paid twice
	ReasonGoodwill    RefundReason = "goodwill"
	ReasonOtherwise   RefundReason = "other" // see the note
)

// ReasonVoid is the reason of a void: the payment at the studio was a mistake.
const ReasonVoid RefundReason = "void"

// RefundKind tells a refund from a void.
type RefundKind string

// The kinds.
const (
	KindRefund RefundKind = "refund"
	KindVoid   RefundKind = "void" // of a payment at the studio that was a mistake: what it paid is due again
)

// OperatorReasons returns the reasons of staff members, in the order of their selection list.
func OperatorReasons() []RefundReason {
	return []RefundReason{ReasonRequested, ReasonNotProvided, ReasonDuplicate, ReasonGoodwill, ReasonOtherwise}
}

// Destination is the destination of a refund.
type Destination string

// The destinations.
const (
	ToOriginal Destination = "original"       // by the original payment method
	ToCredit   Destination = "account_credit" // no money is paid out
)

// All returns all destinations.
func (Destination) All() []Destination { return []Destination{ToOriginal, ToCredit} }

// Valid reports whether d is one of them.
func (d Destination) Valid() bool { return slices.Contains(d.All(), d) }

// RefundRequest is one request of ours to refund a payment by card, or at the studio, where it is done at once. A
// refund that the studio made on the processor's website is stored as a request, too (ReasonExternal).
type RefundRequest struct {
	ID        uuid.UUID
	PaymentID uuid.UUID // by card; uuid.Nil: at the studio
	TenderID  uuid.UUID // at the studio
	Amount    int64     // in minor units of the payment's currency
	FeeAmount int64     // of the platform fee, as predicted until the processor reports
	State     RefundState
	Reason    RefundReason
	// Destination is ToOriginal by default. With ToCredit no request goes to the processor, and none of its fees is
	// refunded.
	Destination Destination
	Note        string // a staff member's note; empty for automatic refunds
	ExternalID  string // the processor's id; empty until it answered
	// BalanceTransaction is the processor's id: empty until the money has left its balance.
	BalanceTransaction string
	Parts              []tender.Part // of the order; nil before there were books
	DueAt              time.Time     // the time of the next step; zero if it is done
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// RefundInput describes a refund.
type RefundInput struct {
	PaymentID uuid.UUID // by card, or the tender at the studio
	Amount    int64
	Meant     int64 // the amount before rounding (Refundable.InSteps); 0: it was not rounded
	Reason    RefundReason
	Note      string // for the studio's records
	// CreditTo refunds as account credit of the order's customer; nil: by the same method.
	CreditTo *uuid.UUID
	By       tenancy.Actor // who refunds it; zero: who acts in the context
	// Lines are the amounts by line, no more than Meant in all; the remainder is spread over all refundable parts.
	Lines []tender.LineRefund
}

// RefundTx records a refund. All refunds of a payment together never exceed it: it is locked while they are added up.
//
// To a card it is submitted after the transaction. The same share of the platform fee is refunded to the studio; the
// whole fee if the whole payment is. A refund as credit moves no money: it is done at once, and the platform keeps its
// fee. At the studio a refund is recorded as done: cash is taken from the open drawer.
//
// It returns:
//
//   - a not found error for an unknown payment
//   - processor.ErrRefundTooLarge, also for a payment that is not paid, or void
//   - ErrRefundStep for an amount that is not in steps of the currency (Refundable.InSteps)
//   - processor.ErrRefundDisputed if the bank has withdrawn the money of a dispute, or is about to
func (s *Service) RefundTx(ctx context.Context, tx *pg.Tx, in RefundInput) (RefundRequest, error) {
	r, err := s.RefundableTx(ctx, tx, in.PaymentID)
	if err != nil {
		return RefundRequest{}, err
	}
	return s.RefundOfTx(ctx, tx, r, in)
}

// Refundable is a payment that is locked, with its parts and its refunds so far, in the order of their requests.
type Refundable struct {
	Payment  Payment       // by card
	Tender   tender.Tender // at the studio; zero: by card
	Sold     []tender.Part
	Refunds  []RefundRequest
	Disputed bool // the bank withdraws the money, or has withdrawn it
	// gifts is what is left of the gift cards that it sold, by line.
	gifts map[uuid.UUID]int64
}

// RefundableTx locks a payment in any state, for a caller that reads the refundable amount before a refund with
// RefundOfTx: other refunds of it wait meanwhile. A card payment is locked itself, one at the studio by its order. It
// returns a not found error for an unknown id.
func (s *Service) RefundableTx(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Refundable, error) {
	var r Refundable
	var byCard bool
	b := tx.Batch()
	pg.QueueOne(b, &r.Payment, &byCard, lockingPayment("$2"), tx.Business(), id)
	tender.LockOrder(b, tx, id)
	if err := b.Send(ctx); err != nil {
		return Refundable{}, err
	}
	if byCard {
		return s.withCardParts(ctx, tx, r)
	}
	b = tx.Batch()
	read := tender.Read(b, tx, id)
	refunds := refundsOf(b, tx, "tender_id", id)
	if err := b.Send(ctx); err != nil {
		return Refundable{}, err
	}
	t, found := read()
	if !found || t.Kind == tender.Card || t.CapturedAt.IsZero() { // what is only agreed is no payment yet
		return Refundable{}, fault.Missing()
	}
	left, err := s.refundablePurchases(ctx, tx, t.Parts)
	return Refundable{Tender: t, Sold: t.Parts, Refunds: refunds(), gifts: left}, err
}

// withCardParts reads the parts and the refunds of a locked card payment.
func (s *Service) withCardParts(ctx context.Context, tx *pg.Tx, r Refundable) (Refundable, error) {
	b := tx.Batch()
	disputed := disputedIn(b, tx, r.Payment.ID)
	sold := s.Ports().Orders.Sold(b, tx, r.Payment.OrderID)
	refunds := refundsOf(b, tx, "payment_id", r.Payment.ID)
	if err := b.Send(ctx); err != nil {
		return Refundable{}, err
	}
	parts, err := sold()
	if err != nil {
		return Refundable{}, err
	}
	r.Sold, r.Refunds, r.Disputed = parts, refunds(), *disputed
	r.gifts, err = s.refundablePurchases(ctx, tx, parts)
	return r, err
}

// ByCard reports whether it was paid by card.
func (r Refundable) ByCard() bool { return r.Tender.ID == uuid.Nil }

// paid reports whether it was paid, and is not void.
func (r Refundable) paid() bool {
	if r.ByCard() {
		return r.Payment.Paid()
	}
	return r.Tender.State == tender.Captured
}

// Parts returns the refundable parts of a payment: none of one that is not paid.
func (r Refundable) Parts() []tender.Part {
	if !r.paid() {
		return nil
	}
	return within(RefundableParts(r.Sold, r.Refunds), r.gifts)
}

// RefundOfTx is RefundTx of a payment that this transaction has locked.
func (s *Service) RefundOfTx(ctx context.Context, tx *pg.Tx, r Refundable, in RefundInput) (RefundRequest, error) {
	if in.Amount <= 0 {
		return RefundRequest{}, fault.Invalid("amount", "Enter the amount to refund.")
	}
	switch {
	case !r.paid():
		return RefundRequest{}, processor.ErrRefundTooLarge
	case r.Disputed:
		return RefundRequest{}, processor.ErrRefundDisputed
	case !r.ByCard():
		return s.refundTender(ctx, tx, r, in)
	}
	return s.refundTx(ctx, tx, r, in)
}

// soldAndRefunds reads the parts of a payment, and its refunds in the order of their requests.
func (s *Service) soldAndRefunds(ctx context.Context, tx *pg.Tx, p Payment) ([]tender.Part, []RefundRequest, error) {
	b := tx.Batch()
	sold := s.Ports().Orders.Sold(b, tx, p.OrderID)
	refunds := refundsOf(b, tx, "payment_id", p.ID)
	if err := b.Send(ctx); err != nil {
		return nil, nil, err
	}
	parts, err := sold()
	return parts, refunds(), err
}

// refundTx is RefundTx of a card payment that is locked and known to be paid.
func (s *Service) refundTx(ctx context.Context, tx *pg.Tx, of Refundable, in RefundInput) (RefundRequest, error) {
	p, earlier := of.Payment, of.Refunds
	before, amount := p.Amount-tender.Sum(RefundableParts(of.Sold, earlier)), in.Amount
	if amount > tender.Sum(within(RefundableParts(of.Sold, earlier), of.gifts)) {
		return RefundRequest{}, processor.ErrRefundTooLarge
	}
	if err := checkStep(amount, p.Currency); err != nil {
		return RefundRequest{}, err
	}
	r := RefundRequest{
		ID: pg.NewID(), PaymentID: p.ID, Amount: amount, Reason: in.Reason, Note: in.Note, Parts: of.partsFor(in),
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if in.CreditTo != nil {
		return s.creditTx(ctx, tx, p, r, *in.CreditTo)
	}
	r.Destination, r.State, r.DueAt = ToOriginal, RequestPending, tx.Now().Add(refundFirst)
	before -= asCredit(earlier) // unknown to the processor
	r.FeeAmount = p.feeRefund(before+amount) - p.feeRefund(before)
	if err := insertRefund(ctx, tx, r); err != nil {
		return RefundRequest{}, err
	}
	if err := s.returnPurchases(ctx, tx, p.place(tx.Now()), r); err != nil {
		return RefundRequest{}, err
	}
	if p.Authorized() {
		return r, jobs.EnqueueTx(ctx, tx, AuthorizedJob{Business: tx.Business(), Payment: p.ID})
	}
	return r, jobs.EnqueueTx(ctx, tx, RefundJob{Business: tx.Business(), Refund: r.ID})
}

// creditTx refunds as credit: it is done with this transaction.
func (s *Service) creditTx(
	ctx context.Context, tx *pg.Tx, p Payment, r RefundRequest, customer uuid.UUID,
) (RefundRequest, error) {
	r.Destination, r.State = ToCredit, RequestSucceeded
	if err := insertRefund(ctx, tx, r); err != nil {
		return RefundRequest{}, err
	}
	if err := s.returnPurchases(ctx, tx, p.place(tx.Now()), r); err != nil {
		return RefundRequest{}, err
	}
	by, _ := tenancy.ActingFrom(ctx)
	b := tx.Batch()
	to := tender.Tender{CustomerID: customer, LocationID: p.LocationID, Currency: p.Currency}
	s.sources[tender.AccountCredit].Return(b, tx, by, to, tender.Return{RefundID: r.ID, Amount: r.Amount, Note: r.Note})
	if err := ledger.PostIn(b, tx, ledger.CreditRefund(p.place(tx.Now()), r.ID, postings(r.Parts))); err != nil {
		return RefundRequest{}, err
	}
	if err := b.Send(ctx); err != nil || !p.Authorized() {
		return r, err
	}
	return r, s.captureTx(ctx, tx, p.ID) // the customer's credit is the studio's money
}

// asCredit returns the amount refunded as credit.
func asCredit(refunds []RefundRequest) (sum int64) {
	for _, r := range refunds {
		if r.Destination == ToCredit {
			sum += r.Amount
		}
	}
	return sum
}

// RefundJob takes a refund to its next step: submits it to the processor, or reads it.
type RefundJob struct {
	Business uuid.UUID `json:"business"`
	Refund   uuid.UUID `json:"refund"`
}

// Kind returns the job's name in the outbox.
func (RefundJob) Kind() string { return "billing.refund" }

// Terms returns the terms of the job's kind.
func (RefundJob) Terms() jobs.Terms { return jobs.Money() }

// The schedule of readings of a refund that is not done.
const (
	refundFirst = time.Minute
	refundAgain = 6 * time.Hour
	keyLives    = 23 * time.Hour // the processor remembers a key for a day
)

// SubmitRefund is the job billing.refund, and the sweep's work on a refund that is due. The refund's id is its key at
// the processor, so any number of calls refund the money once.
func (s *Service) SubmitRefund(ctx context.Context, job RefundJob) error {
	if s.processor == nil {
		return nil
	}
	r, p, err := readRefund(ctx, s.db.View(job.Business), job.Refund)
	if err != nil || r.done() || p.Env != s.Env() {
		return err
	}
	if p.Authorized() {
		return s.decide(ctx, job.Business, p)
	}
	if r.over() {
		return s.lookForRefund(ctx, job.Business, r, p)
	}
	got, err := s.carryOn(ctx, job.Business, r, p)
	if errors.Is(err, processor.ErrRefundTooLarge) {
		there, found, failed := s.externalRefund(ctx, job.Business, r, p)
		if failed != nil {
			return failed
		}
		if found {
			got, err = there, nil
		}
	}
	if err != nil {
		if got, err = s.lookInto(r, p, err); err != nil {
			return err
		}
	}
	return s.keepRefund(ctx, job.Business, r.ID, got)
}

func (r RefundRequest) over() bool {
	return r.State == RequestSucceeded || r.State == RequestFailed || r.State == RequestCanceled
}

// done reports that a refund has reached its last state, and that its withdrawal from the processor's balance, if
// any, is in the books. A refund with an unknown id has no balance transaction to read.
func (r RefundRequest) done() bool {
	return r.over() && (r.State != RequestSucceeded || r.BalanceTransaction != "" || r.ExternalID == "" && r.DueAt.IsZero())
}

// lookForRefund reads the balance transaction of a refund that succeeded. No answer changes that it did.
func (s *Service) lookForRefund(ctx context.Context, business uuid.UUID, r RefundRequest, p Payment) error {
	got := processor.Refund{Status: processor.RefundSucceeded}
	if r.ExternalID != "" {
		var err error
		if got, err = s.processor.GetRefund(ctx, p.AccountID, r.ExternalID); err != nil {
			return err
		}
	}
	return s.keepRefund(ctx, business, r.ID, got)
}

// carryOn submits the refund, or reads it.
func (s *Service) carryOn(
	ctx context.Context, business uuid.UUID, r RefundRequest, p Payment,
) (processor.Refund, error) {
	if r.ExternalID != "" {
		return s.processor.GetRefund(ctx, p.AccountID, r.ExternalID)
	}
	if r.Amount < p.Amount && s.db.Clock().Now().Sub(r.CreatedAt) > keyLives {
		return processor.Refund{}, errUnsure
	}
	return s.processor.Refund(ctx, processor.NewRefund{
		Account: p.AccountID, Payment: p.IntentID, Amount: r.Amount, Currency: p.Currency, ReturnFee: r.FeeAmount > 0,
		Metadata: map[string]string{"business_id": business.String(), "payment_id": p.ID.String(), "refund_id": r.ID.String()},
		Key:      "refund:" + r.ID.String(),
	})
}

// errUnsure: a partial refund was submitted so long ago that its key is forgotten, and no answer ever came. A
// repetition could refund the money twice.
var errUnsure = errors.New("billing: the state of this refund is unknown")

// lookInto turns a failed call into the state of the refund, or returns the error if the call is to be repeated.
func (s *Service) lookInto(r RefundRequest, p Payment, err error) (processor.Refund, error) {
	switch {
	case processor.Retryable(err), errors.Is(err, processor.ErrBalanceInsufficient),
		errors.Is(err, processor.ErrAccountDisconnected):
		return processor.Refund{}, err // the studio can resolve the last two; the sweep comes back
	case errors.Is(err, processor.ErrRefundTooLarge) && r.Amount == p.Amount:
		return processor.Refund{Status: processor.RefundSucceeded}, nil // all of it is refunded already
	case errors.Is(err, processor.ErrRefundTooLarge), errors.Is(err, processor.ErrRefundDisputed),
		errors.Is(err, processor.ErrRefused),
		errors.Is(err, processor.ErrAmountRefused), errors.Is(err, processor.ErrKeyReused), errors.Is(err, processor.ErrUnknownObject), errors.Is(err, errUnsure):
		return processor.Refund{Status: processor.RefundFailed, Reason: err.Error()}, nil
	}
	return processor.Refund{}, err
}

var refundStates = map[processor.RefundStatus]RefundState{
	processor.RefundPending:   RequestSubmitted,
	processor.RefundSucceeded: RequestSucceeded,
	processor.RefundFailed:    RequestFailed,
	processor.RefundCanceled:  RequestCanceled,
}

// keepRefund writes the state of a refund, and books its effect on the processor's balance. A final state stays,
// except that a success can turn into a failure, and that the processor's answer overrides a conclusion from its
// silence.
func (s *Service) keepRefund(ctx context.Context, business, id uuid.UUID, got processor.Refund) error {
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		p, r, err := lockRefund(ctx, tx, id)
		if err != nil {
			return err
		}
		state := refundStates[got.Status]
		silent := r.ExternalID == "" && got.ID != ""
		if r.over() && !silent && !(r.State == RequestSucceeded && state == RequestFailed) {
			state = r.State
		}
		toBook := got.Settlement != nil && r.BalanceTransaction == "" || got.ID == "" && !r.done()
		if r.State == state && !toBook {
			return nil
		}
		if r.Parts == nil {
			if r.Parts, err = s.partsOf(ctx, tx, p, r); err != nil {
				return err
			}
		}
		if state == RequestFailed && r.State != state {
			s.log.Error("refund failed: the customer has to be paid another way",
				"business", business, "payment", r.PaymentID, "refund", r.ID, "reason", got.Reason)
		}
		if r.State.Counts() && !state.Counts() {
			if err := s.restorePurchases(ctx, tx, p.place(tx.Now()), r); err != nil {
				return err
			}
		}
		r.State, r.DueAt = state, time.Time{}
		if got.ID != "" {
			r.ExternalID = got.ID
		}
		b := tx.Batch()
		if err := s.bookRefundIn(b, tx, p, &r, got); err != nil {
			return err
		}
		if !r.done() && (!r.over() || tx.Now().Sub(r.CreatedAt) < costsWithin) {
			r.DueAt = tx.Now().Add(refundAgain)
		}
		if err := saveRefund(ctx, tx, r); err != nil {
			return err
		}
		if err := s.feeOfExternalTx(ctx, tx, p, r); err != nil {
			return err
		}
		return b.Commit(ctx)
	})
}

// partsOf returns the parts of a refund from before there were books.
func (s *Service) partsOf(ctx context.Context, tx *pg.Tx, p Payment, r RefundRequest) ([]tender.Part, error) {
	sold, all, err := s.soldAndRefunds(ctx, tx, p)
	if err != nil {
		return nil, err
	}
	earlier := all[:slices.IndexFunc(all, func(a RefundRequest) bool { return a.ID == r.ID })]
	return tender.Share(RefundableParts(sold, earlier), r.Amount), nil
}

// RefundsDue is the sweep billing.refunds: it takes the refunds that are due to their next step. The next time is set
// before, so several processes share the work and a crash loses none.
func (s *Service) RefundsDue(ctx context.Context) error {
	if s.processor == nil {
		return nil
	}
	due, err := dueRefunds(ctx, s.db, sweepMost)
	for _, d := range due {
		mine, failed := pg.InTx(ctx, s.db, d.BusinessID, func(tx *pg.Tx) (bool, error) {
			return postponeRefund(ctx, tx, d.ID, tx.Now().Add(refundAgain))
		})
		if failed == nil && mine {
			failed = s.SubmitRefund(ctx, RefundJob{Business: d.BusinessID, Refund: d.ID})
		}
		if failed != nil {
			err = errors.Join(err, failed)
			if ctx.Err() != nil { // the process ends, and the next round goes on
				return err
			}
			s.log.Warn("could not process a refund", "business", d.BusinessID, "refund", d.ID, "error", failed)
		}
	}
	return err
}
