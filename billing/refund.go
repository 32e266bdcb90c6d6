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
	"foyer/billing/credit"
	"foyer/billing/ledger"
)

// RefundState is where a request to give money back stands.
type RefundState string

// The states. A refund that succeeded can still fail days later, when the card was closed.
const (
	RequestPending   RefundState = "pending"   // the processor has not answered for it yet
	RequestSubmitted RefundState = "submitted" // it is on its way
	RequestSucceeded RefundState = "succeeded"
	RequestFailed    RefundState = "failed" // the customer has to be paid another way
	RequestCanceled  RefundState = "canceled"
)

// All lists them.
func (RefundState) All() []RefundState {
	return []RefundState{RequestPending, RequestSubmitted, RequestSucceeded, RequestFailed, RequestCanceled}
}

// Counts reports whether the money of a refund went back or is on its way. It did not of one that failed or was canceled.
func (s RefundState) Counts() bool { return s != RequestFailed && s != RequestCanceled }

// RefundReason says why money goes back.
type RefundReason string

// ReasonLatePayment is the reason of a refund after a payment that succeeded too late for its order. There is at most one per payment.
const ReasonLatePayment RefundReason = "late_payment"

// The reasons of operators who give money back, beside which they say more in a note.
const (
	ReasonRequested   RefundReason = "requested"    // the customer asked for it
	ReasonNotProvided RefundReason = "not_provided" // what was paid for was not given, or not as it was sold
	ReasonDuplicate   RefundReason = "duplicate"    // it was paid twice
	ReasonGoodwill    RefundReason = "goodwill"
	ReasonOtherwise   RefundReason = "other" // as the note says
)

// OperatorReasons lists them, in the order in which they are offered.
func OperatorReasons() []RefundReason {
	return []RefundReason{ReasonRequested, ReasonNotProvided, ReasonDuplicate, ReasonGoodwill, ReasonOtherwise}
}

// Destination is where money goes back to.
type Destination string

// The destinations.
const (
	ToOriginal Destination = "original" // by the means by which it was paid
	ToCredit   Destination = "credit"   // it stays with the studio, and the customer has credit for it
)

// All lists them.
func (Destination) All() []Destination { return []Destination{ToOriginal, ToCredit} }

// Valid tells whether d is one of them.
func (d Destination) Valid() bool { return slices.Contains(d.All(), d) }

// RefundRequest is one request of ours to give money of a payment back; Refund is what the processor makes of it. One that the studio
// made on the processor's own site is kept as a request, too (ReasonExternal).
type RefundRequest struct {
	ID        uuid.UUID
	PaymentID uuid.UUID
	Amount    int64 // in minor units of the payment's currency
	FeeAmount int64 // of the platform fee, as predicted until the processor reports
	State     RefundState
	Reason    RefundReason
	// Destination is ToOriginal unless it was asked for otherwise; to credit nothing is asked of the processor, and none of its fees
	// comes back.
	Destination Destination
	Note        string // what an operator said about it; empty for what the product does by itself
	ExternalID  string // the processor's id; empty until it answered
	// ProcessorTransaction is of the processor's balance: empty until the money has left it.
	BalanceTransaction string
	Parts              []Part    // what of the order goes back; nil before there were books
	DueAt              time.Time // when to go on with it; zero when it is over
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// RefundInput asks for money back.
type RefundInput struct {
	PaymentID uuid.UUID
	Amount    int64
	Meant     int64 // what Amount was rounded from (Refundable.InSteps); 0: it was not
	Reason    RefundReason
	Note      string // for the studio's records
	// CreditTo gives it back as credit, to that customer, who is the order's; nil: to the card.
	CreditTo *uuid.UUID
	// Lines say what for, and are no more than what is meant; what they leave is spread over what is left of all.
	Lines []LineRefund
}

// RequestRefundTx writes down that money goes back, and has it done after the transaction. All refunds of a payment
// together never exceed it: the payment's row is locked while they are added up. The same share of the platform fee goes
// back to the studio; the whole fee when the whole payment does. What is refunded as credit moves no money: it is done at once, and the
// platform keeps its fee.
//
// Errors: not found, ErrRefundTooLarge, also for a payment that is not paid, ErrRefundStep for an amount that is not in steps of the
// currency (Refundable.InSteps), ErrRefundDisputed for one whose money the bank takes back or has taken.
func (s *Service) RequestRefundTx(ctx context.Context, tx *pg.Tx, in RefundInput) (RefundRequest, error) {
	r, err := s.RefundableTx(ctx, tx, in.PaymentID)
	if err != nil {
		return RefundRequest{}, err
	}
	return s.RefundOfTx(ctx, tx, r, in)
}

// Refundable is a payment whose row is locked, with what it was for and its refunds so far, in the order in which they were asked for.
type Refundable struct {
	Payment  Payment
	Sold     []Part
	Refunds  []RefundRequest
	Disputed bool // the bank takes the money back, or has taken it
}

// RefundableTx locks a payment, in whatever state it is, for somebody who looks at what is left of it before they ask for a refund with
// RefundOfTx: nobody else gives any of it back meanwhile. An unknown id is not found.
func (s *Service) RefundableTx(ctx context.Context, tx *pg.Tx, payment uuid.UUID) (Refundable, error) {
	p, err := lockPayment(ctx, tx, payment)
	if err != nil {
		return Refundable{}, err
	}
	b := tx.Batch()
	disputed := disputedIn(b, tx, p.ID)
	sold := s.Ports().Orders.Sold(b, tx, p.OrderID)
	refunds := refundsOf(b, tx, p.ID)
	if err := b.Send(ctx); err != nil {
		return Refundable{}, err
	}
	parts, err := sold()
	return Refundable{Payment: p, Sold: parts, Refunds: refunds(), Disputed: *disputed}, err
}

// Parts is what of a payment has not gone back: nothing of one that is not paid.
func (r Refundable) Parts() []Part {
	if !r.Payment.Paid() {
		return nil
	}
	return RefundableParts(r.Sold, r.Refunds)
}

// RefundOfTx is RequestRefundTx of a payment that this transaction has locked.
func (s *Service) RefundOfTx(ctx context.Context, tx *pg.Tx, r Refundable, in RefundInput) (RefundRequest, error) {
	if in.Amount <= 0 {
		return RefundRequest{}, fault.Invalid("amount", "Say how much goes back.")
	}
	switch {
	case !r.Payment.Paid():
		return RefundRequest{}, ErrRefundTooLarge
	case r.Disputed:
		return RefundRequest{}, ErrRefundDisputed
	}
	return s.refundTx(ctx, tx, r.Payment, in, r.Sold, r.Refunds)
}

// soldAndBack reads what a payment was for, and its refunds in the order in which they were asked for.
func (s *Service) soldAndBack(ctx context.Context, tx *pg.Tx, p Payment) ([]Part, []RefundRequest, error) {
	b := tx.Batch()
	sold := s.Ports().Orders.Sold(b, tx, p.OrderID)
	refunds := refundsOf(b, tx, p.ID)
	if err := b.Send(ctx); err != nil {
		return nil, nil, err
	}
	parts, err := sold()
	return parts, refunds(), err
}

// refundTx is RequestRefundTx with the payment's row locked and known to be paid. sold is what it was for, earlier are its
// refunds so far.
func (s *Service) refundTx(ctx context.Context, tx *pg.Tx, p Payment, in RefundInput, sold []Part, earlier []RefundRequest) (RefundRequest, error) {
	left := RefundableParts(sold, earlier)
	before, amount := p.Amount-Sum(left), in.Amount
	if before+amount > p.Amount {
		return RefundRequest{}, ErrRefundTooLarge
	}
	if err := checkStep(amount, p.Currency); err != nil {
		return RefundRequest{}, err
	}
	r := RefundRequest{
		ID: pg.NewID(), PaymentID: p.ID, Amount: amount, Reason: in.Reason, Note: in.Note, Parts: partsFor(sold, earlier, in),
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if in.CreditTo != nil {
		return s.creditTx(ctx, tx, p, r, *in.CreditTo)
	}
	r.Destination, r.State, r.DueAt = ToOriginal, RequestPending, tx.Now().Add(refundFirst)
	before -= asCredit(earlier) // which the processor knows nothing of
	r.FeeAmount = p.feeBack(before+amount) - p.feeBack(before)
	if err := insertRefund(ctx, tx, r); err != nil {
		return RefundRequest{}, err
	}
	if p.Authorized() {
		return r, jobs.EnqueueTx(ctx, tx, AuthorizedJob{Business: tx.Business(), Payment: p.ID})
	}
	return r, jobs.EnqueueTx(ctx, tx, RefundJob{Business: tx.Business(), Refund: r.ID})
}

// creditTx gives a refund as credit: it is done with this transaction.
func (s *Service) creditTx(ctx context.Context, tx *pg.Tx, p Payment, r RefundRequest, customer uuid.UUID) (RefundRequest, error) {
	r.Destination, r.State = ToCredit, RequestSucceeded
	if err := insertRefund(ctx, tx, r); err != nil {
		return RefundRequest{}, err
	}
	by, _ := tenancy.ActingFrom(ctx)
	b := tx.Batch()
	credit.RecordIn(b, tx, by, credit.Transaction{
		ID: pg.NewID(), CustomerID: customer, LocationID: p.LocationID, Currency: p.Currency, Kind: credit.Returned, Amount: r.Amount,
		RefundID: &r.ID, Note: r.Note,
	})
	if err := ledger.PostIn(b, tx, ledger.CreditRefund(p.place(tx.Now()), r.ID, postings(r.Parts))); err != nil {
		return RefundRequest{}, err
	}
	if err := b.Send(ctx); err != nil || !p.Authorized() {
		return r, err
	}
	return r, s.takeTx(ctx, tx, p.ID) // what is credit of the customer is the studio's money
}

// asCredit is how much of refunds was given as credit.
func asCredit(refunds []RefundRequest) (sum int64) {
	for _, r := range refunds {
		if r.Destination == ToCredit {
			sum += r.Amount
		}
	}
	return sum
}

// RefundJob carries a refund on: asks the processor for it, or how it stands.
type RefundJob struct {
	Business uuid.UUID `json:"business"`
	Refund   uuid.UUID `json:"refund"`
}

// Kind names the job in the outbox.
func (RefundJob) Kind() string { return "billing.refund" }

// Terms are those of the kind.
func (RefundJob) Terms() jobs.Terms { return jobs.Money() }

// When a refund that is not over is looked at again.
const (
	refundFirst = time.Minute
	refundAgain = 6 * time.Hour
	keyLives    = 23 * time.Hour // the processor knows a key for a day
)

// SubmitRefund is the job billing.refund, and what the sweep does for a refund whose time has come. The refund's id is
// its key at the processor, so any number of calls give the money back once.
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
	if errors.Is(err, ErrRefundTooLarge) {
		there, found, failed := s.givenBackThere(ctx, job.Business, r, p)
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

// done reports that there is nothing more to learn about a refund: it is over, and if money has left the processor's balance for it,
// that is in the books. Of one whose id nobody knows, no balance transaction can be asked for.
func (r RefundRequest) done() bool {
	return r.over() && (r.State != RequestSucceeded || r.BalanceTransaction != "" || r.ExternalID == "" && r.DueAt.IsZero())
}

// lookForRefund asks for the balance transaction of a refund that succeeded. No answer changes that it did.
func (s *Service) lookForRefund(ctx context.Context, business uuid.UUID, r RefundRequest, p Payment) error {
	got := Refund{Status: RefundSucceeded}
	if r.ExternalID != "" {
		var err error
		if got, err = s.processor.GetRefund(ctx, p.AccountID, r.ExternalID); err != nil {
			return err
		}
	}
	return s.keepRefund(ctx, business, r.ID, got)
}

// carryOn asks for the refund, or reads it.
func (s *Service) carryOn(ctx context.Context, business uuid.UUID, r RefundRequest, p Payment) (Refund, error) {
	if r.ExternalID != "" {
		return s.processor.GetRefund(ctx, p.AccountID, r.ExternalID)
	}
	if r.Amount < p.Amount && s.db.Clock().Now().Sub(r.CreatedAt) > keyLives {
		return Refund{}, errUnsure
	}
	return s.processor.Refund(ctx, NewRefund{
		Account: p.AccountID, Payment: p.IntentID, Amount: r.Amount, Currency: p.Currency, ReturnFee: r.FeeAmount > 0,
		Metadata: map[string]string{"business_id": business.String(), "payment_id": p.ID.String(), "refund_id": r.ID.String()},
		Key:      "refund:" + r.ID.String(),
	})
}

// errUnsure: a partial refund was asked for so long ago that its key is forgotten, and no answer ever came. Asking again
// could give the money back twice.
var errUnsure = errors.New("billing: nobody knows whether this refund was made")

// lookInto turns a failed call into how the refund stands, or returns the error when the call is to be repeated.
func (s *Service) lookInto(r RefundRequest, p Payment, err error) (Refund, error) {
	switch {
	case Retryable(err), errors.Is(err, ErrBalanceInsufficient), errors.Is(err, ErrAccountDisconnected):
		return Refund{}, err // the studio can mend the last two; the sweep comes back
	case errors.Is(err, ErrRefundTooLarge) && r.Amount == p.Amount:
		return Refund{Status: RefundSucceeded}, nil // all of it is back already
	case errors.Is(err, ErrRefundTooLarge), errors.Is(err, ErrRefundDisputed), errors.Is(err, ErrProcessorRefused),
		errors.Is(err, ErrAmountRefused), errors.Is(err, ErrKeyReused), errors.Is(err, ErrUnknownObject), errors.Is(err, errUnsure):
		return Refund{Status: RefundFailed, Reason: err.Error()}, nil
	}
	return Refund{}, err
}

var refundStates = map[RefundStatus]RefundState{
	RefundPending:   RequestSubmitted,
	RefundSucceeded: RequestSucceeded,
	RefundFailed:    RequestFailed,
	RefundCanceled:  RequestCanceled,
}

// keepRefund writes how a refund stands, and what that did to the processor's balance into the books. What is over stays, except that a
// success can turn into a failure, and that the processor's word stands above what was made of its silence.
func (s *Service) keepRefund(ctx context.Context, business, id uuid.UUID, got Refund) error {
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
			s.log.Error("a refund failed: the customer has to be paid another way",
				"business", business, "payment", r.PaymentID, "refund", r.ID, "reason", got.Reason)
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

// partsOf is what a refund from before there were books gave back.
func (s *Service) partsOf(ctx context.Context, tx *pg.Tx, p Payment, r RefundRequest) ([]Part, error) {
	sold, all, err := s.soldAndBack(ctx, tx, p)
	if err != nil {
		return nil, err
	}
	earlier := all[:slices.IndexFunc(all, func(a RefundRequest) bool { return a.ID == r.ID })]
	return Share(RefundableParts(sold, earlier), r.Amount), nil
}

// RefundsDue is the sweep billing.refunds: it carries on the refunds whose time has come. The next time is set before, so
// several processes share the work and a crash loses none.
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
			s.log.Warn("a refund could not be carried on", "business", d.BusinessID, "refund", d.ID, "error", failed)
		}
	}
	return err
}
