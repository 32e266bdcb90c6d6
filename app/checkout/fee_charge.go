package checkout

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing"
)

// ChargeFeeJob charges a saved card for what somebody owes: a fee, or prices of bookings.
type ChargeFeeJob struct {
	Business uuid.UUID `json:"business"`
	Order    uuid.UUID `json:"order"`
}

// Kind names the job in the outbox.
func (ChargeFeeJob) Kind() string { return "checkout.charge_fee" }

// Terms are those of the kind.
func (ChargeFeeJob) Terms() jobs.Terms { return jobs.Money() }

// ChargeFee is the job checkout.charge_fee. What is not owed any more is not charged. The payment is the same however often it runs, and so
// a card is charged once.
func (s *Service) ChargeFee(ctx context.Context, job ChargeFeeJob) error {
	v := s.db.View(job.Business)
	o, found, err := readOwed(ctx, v, "id", job.Order)
	if err != nil || !found || o.State != OrderOpen {
		return err
	}
	if gone, err := s.gone(ctx, v, o); gone || err != nil {
		return err
	}
	p, err := billing.PaymentOfOrder(ctx, v, o.ID)
	if err != nil || p.Done() || p.Moving() {
		return err
	}
	ready, err := s.billing.ChargeSaved(ctx, job.Business, p)
	why := ready.Payment.FailureCode
	switch {
	case errors.Is(err, billing.ErrPaymentCanceled):
		return nil
	case err != nil && (billing.Retryable(err) || fault.From(err) == nil):
		return err
	case err != nil:
		why = fault.From(err).Reason
	case why == "" || ready.Payment.Moving():
		return nil
	}
	return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return notCharged(ctx, tx, o, why) })
}

// gone tells whether what an open order is for is not owed any more, and then gives it up.
func (s *Service) gone(ctx context.Context, v *pg.View, o owedOrder) (bool, error) {
	if o.FeeID != uuid.Nil {
		if o.FeeState == fees.Due {
			return false, nil
		}
		return true, pg.Do(ctx, s.db, v.Business(), func(tx *pg.Tx) error { return s.dropFees(ctx, tx, []uuid.UUID{o.FeeID}) })
	}
	owed, err := stillOwed(ctx, v, o.ID)
	if err != nil || owed {
		return false, err
	}
	return true, pg.Do(ctx, s.db, v.Business(), func(tx *pg.Tx) error { return s.drop(ctx, tx, o.ID) })
}

// notCharged writes down why a card could not be charged, by its code, and has the customer mailed the way to pay, once.
func notCharged(ctx context.Context, tx *pg.Tx, o owedOrder, why string) error {
	declined := func() (bool, error) { return fees.DeclinedTx(ctx, tx, o.FeeID, why) }
	if o.FeeID == uuid.Nil {
		declined = func() (bool, error) { return setChargeFailed(ctx, tx, o.ID, why) }
	}
	first, err := declined()
	if err != nil || !first {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, FeeMailJob{Business: tx.Business(), Order: o.ID})
}

// codeGivenUp is the processor's code for a fault of its own: why a fee was not charged whose job had tried for hours.
const codeGivenUp = "processing_error"

// tellGivenUp looks for charges that were given up, because the processor did not answer all the while: the customer is mailed as when a
// card is declined. Money that comes all the same pays what it is for.
func (s *Service) tellGivenUp(ctx context.Context) error {
	lost, err := jobs.LostJobs(ctx, s.db, ChargeFeeJob{}.Kind(), feesAtOnce)
	for _, l := range lost {
		var job ChargeFeeJob
		if bad := json.Unmarshal(l.Args, &job); bad != nil {
			err = errors.Join(err, bad)
			continue
		}
		err = errors.Join(err, pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error {
			o, found, err := readOwed(ctx, tx, "id", job.Order)
			if err == nil && found && o.State == OrderOpen {
				err = notCharged(ctx, tx, o, codeGivenUp)
			}
			if err != nil {
				return err
			}
			return jobs.ToldTx(ctx, tx, []int64{l.ID})
		}))
	}
	return err
}

// settleOwed is Settle of an order without a cart: what it is for is paid, or the money goes back because it is not owed any more.
func settleOwed(ctx context.Context, tx *pg.Tx, order uuid.UUID, p billing.Payment) (billing.Outcome, error) {
	o, found, err := readOwed(ctx, tx, "id", order)
	if err = fault.When(!found, fault.Missing(), err); err != nil {
		return "", err
	}
	// A void order of what is due again, because a payment at the desk was a mistake, pays nothing: nobody expects it any more.
	owed := o.State == OrderOpen
	switch {
	case !owed:
	case o.FeeID != uuid.Nil:
		owed, err = fees.ChargedTx(ctx, tx, o.FeeID)
	default:
		owed, err = lockOwed(ctx, tx, o.ID)
	}
	if err != nil {
		return "", err
	}
	state, outcome, job := OrderFulfilled, billing.OutcomeFulfilled, jobs.Args(FeeMailJob{Business: tx.Business(), Order: o.ID})
	if !owed {
		state, outcome, job = OrderRefunded, billing.OutcomeRefunded, LateRefundJob{Business: tx.Business(), Payment: p.ID}
	}
	open, err := endOrder(ctx, tx, o.ID, state)
	if err != nil {
		return "", err
	}
	if owed && !open { // it was given up between the two statements; then somebody else has what it is for
		return "", pg.ErrUnmet
	}
	return outcome, jobs.EnqueueTx(ctx, tx, job)
}

// dropFees gives up the open orders of locked fees that are paid otherwise, or not owed any more, with their payments. One that succeeds
// all the same goes back.
func (s *Service) dropFees(ctx context.Context, tx *pg.Tx, feeList []uuid.UUID) error {
	if len(feeList) == 0 {
		return nil
	}
	orders, err := openFeeOrders(ctx, tx, feeList)
	if err != nil {
		return err
	}
	for _, o := range orders {
		if err := s.drop(ctx, tx, o); err != nil {
			return err
		}
	}
	return nil
}

// FeeMailJob mails what became of charging a card for a fee, or for prices of bookings, or asks for what a deposit has left.
type FeeMailJob struct {
	Business uuid.UUID `json:"business"`
	Order    uuid.UUID `json:"order"`
	Asks     bool      `json:"asks,omitempty"` // there was no card to charge
}

// Kind names the job in the outbox.
func (FeeMailJob) Kind() string { return "checkout.fee" }

// Terms are those of the kind.
func (FeeMailJob) Terms() jobs.Terms { return jobs.Mail(7 * jobs.Day) }

// FeeMail is what the mail about what somebody owes says, a fee or prices as the lines of its receipt say: that a card was charged for it,
// that it could not be, or that there is none, with the link to pay it.
type FeeMail struct {
	To      string
	Name    string // may be empty
	Locale  string
	Receipt Receipt
	Failed  bool
	Asks    bool   // there was no card to charge
	Token   string // of the receipt, and of the page on which it is paid
}

// MailFee is the job checkout.fee. It mails nothing about what is not owed any more and was not paid.
func (s *Service) MailFee(ctx context.Context, job FeeMailJob) error {
	v := s.db.View(job.Business)
	o, found, err := readOwed(ctx, v, "id", job.Order)
	if err != nil || !found {
		return err
	}
	failed := o.State == OrderOpen && o.Failed != "" && (o.FeeID == uuid.Nil || o.FeeState == fees.Due)
	asks := job.Asks && o.State == OrderOpen
	if !failed && !asks && o.State != OrderFulfilled {
		return nil
	}
	r, err := ReceiptOf(ctx, v, o.ID)
	if err != nil {
		return err
	}
	to, err := recipientOf(ctx, v, o.ID)
	if err != nil || to.Email == "" {
		return err
	}
	return s.mail.Send(ctx, s.feeMail(FeeMail{
		To: to.Email, Name: to.Name, Locale: to.Locale, Receipt: r, Failed: failed, Asks: asks && !failed, Token: s.ReceiptToken(o.ID),
	}))
}
