package checkout

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/penalty"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// ChargeFeeJob charges a kept card for a fee.
type ChargeFeeJob struct {
	Business uuid.UUID `json:"business"`
	Order    uuid.UUID `json:"order"`
}

// Kind names the job in the outbox.
func (ChargeFeeJob) Kind() string { return "checkout.charge_fee" }

// ChargeFee is the job checkout.charge_fee. A fee that is not owed any more is not charged. The payment is the same however often it
// runs, and so a card is charged once.
func (s *Service) ChargeFee(ctx context.Context, job ChargeFeeJob) error {
	v := s.db.View(job.Business)
	o, found, err := readFeeOrder(ctx, v, "id", job.Order)
	if err != nil || !found || o.State != OrderOpen {
		return err
	}
	if o.FeeState != penalty.Due {
		return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return s.dropFees(ctx, tx, []uuid.UUID{o.PenaltyID}) })
	}
	p, err := billing.PaymentOfOrder(ctx, v, o.ID)
	if err != nil || p.Over() || p.Moving() {
		return err
	}
	ready, err := s.billing.ChargeKept(ctx, job.Business, p)
	why := ready.Payment.FailureCode
	switch {
	case errors.Is(err, billing.ErrPaymentGone):
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

// notCharged writes down why a card could not be charged for a fee, by its code, and has the customer mailed the way to pay it, once.
func notCharged(ctx context.Context, tx *pg.Tx, o feeOrder, why string) error {
	first, err := penalty.DeclinedTx(ctx, tx, o.PenaltyID, why)
	if err != nil || !first {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, FeeMailJob{Business: tx.Business(), Order: o.ID})
}

// codeGivenUp is the processor's code for a fault of its own: why a fee was not charged whose job had tried for hours.
const codeGivenUp = "processing_error"

// tellGivenUp looks for fees whose charging was given up, because the processor did not answer all the while: the customer is mailed as
// when a card is declined. Money that comes all the same pays the fee.
func (s *Service) tellGivenUp(ctx context.Context) error {
	lost, err := jobs.LostJobs(ctx, s.db, ChargeFeeJob{}.Kind(), feesAtOnce)
	for _, l := range lost {
		var job ChargeFeeJob
		if bad := json.Unmarshal(l.Args, &job); bad != nil {
			err = errors.Join(err, bad)
			continue
		}
		err = errors.Join(err, pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error {
			o, found, err := readFeeOrder(ctx, tx, "id", job.Order)
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

// settleFee is Settle of a fee: it is paid, or the money goes back because it is not owed any more.
func settleFee(ctx context.Context, tx *pg.Tx, o lockedOrder, p billing.Payment) (billing.Outcome, error) {
	fee, found, err := readFeeOrder(ctx, tx, "id", o.ID)
	if err = fault.When(!found, fault.Missing(), err); err != nil {
		return "", err
	}
	// A void order of a fee that is due again, because a payment at the desk was a mistake, pays nothing: nobody expects it any more.
	owed := fee.State == OrderOpen
	if owed {
		if owed, err = penalty.ChargedTx(ctx, tx, fee.PenaltyID); err != nil {
			return "", err
		}
	}
	state, outcome, job := OrderSettled, billing.OutcomeSettled, jobs.Args(FeeMailJob{Business: tx.Business(), Order: o.ID})
	if !owed {
		state, outcome, job = OrderRefunded, billing.OutcomeRefunded, LateRefundJob{Business: tx.Business(), Payment: p.ID}
	}
	open, err := closeFeeOrder(ctx, tx, o.ID, state)
	if err != nil {
		return "", err
	}
	if owed && !open { // it was given up between the two statements; then somebody else has the fee
		return "", pg.ErrUnmet
	}
	return outcome, jobs.EnqueueTx(ctx, tx, job)
}

// dropFees gives up the open orders of locked fees that are paid otherwise, or not owed any more, with their payments. One that succeeds
// all the same goes back.
func (s *Service) dropFees(ctx context.Context, tx *pg.Tx, fees []uuid.UUID) error {
	if len(fees) == 0 {
		return nil
	}
	orders, err := openFeeOrders(ctx, tx, fees)
	if err != nil {
		return err
	}
	for _, o := range orders {
		if _, err := closeFeeOrder(ctx, tx, o, OrderVoid); err != nil {
			return err
		}
		if err := s.billing.CancelTx(ctx, tx, o); err != nil {
			return err
		}
	}
	return nil
}

// FeePayment is what a browser needs to pay a fee, and what it is for.
type FeePayment struct {
	Payment
	Receipt Receipt // that it will have
	Failed  string  // why the kept card could not be charged, by its code; empty: that was not tried, or it was not declined
}

// PayFee begins the payment of a fee by its customer, who has its link: the token of its receipt. It is the payment that a kept card could
// not make, or the next one. Errors: not found, also for what is no fee; ErrNothingToPay when it is not owed any more, or paid;
// billing.ErrProcessorDown, billing.ErrCardUnavailable, billing.ErrPaymentGone.
func (s *Service) PayFee(ctx context.Context, sc tenancy.Scope, token string) (FeePayment, error) {
	o, err := s.findFee(ctx, sc, token)
	if err != nil {
		return FeePayment{}, err
	}
	p, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (billing.Payment, error) {
		fees, locked, err := lockFees(ctx, tx, []uuid.UUID{o.PenaltyID})
		if errors.Is(err, penalty.ErrOver) {
			err = ErrNothingToPay
		}
		if err != nil {
			return billing.Payment{}, err
		}
		order, p, err := s.feePayment(ctx, tx, fees[0], locked)
		if err == nil && order != o.ID {
			err = ErrNothingToPay
		}
		return p, err
	})
	if err != nil {
		return FeePayment{}, err
	}
	ready, err := s.billing.Attach(ctx, sc.Tenant, p, "")
	if err != nil {
		return FeePayment{}, err
	}
	r, err := readReceipt(ctx, s.db.View(sc.Tenant), o.ID)
	p = ready.Payment
	return FeePayment{Receipt: r, Failed: o.Failed, Payment: Payment{
		Status: p.Status, ClientSecret: ready.ClientSecret, AccountID: p.AccountID, PublishableKey: ready.PublishableKey,
		Amount: p.Amount, Currency: p.Currency, Test: p.Test(), FailureCode: p.FailureCode,
	}}, err
}

// FeePaid asks the processor for the payment of a fee, whose customer comes back from paying it. nil: it is paid. Errors: not found;
// ErrPaymentRequired, ErrPaymentPending; billing.ErrProcessorDown.
func (s *Service) FeePaid(ctx context.Context, sc tenancy.Scope, token string) error {
	o, err := s.findFee(ctx, sc, token)
	if err != nil || o.State != OrderOpen {
		return err
	}
	return s.await(ctx, sc.Tenant, o.ID)
}

func (s *Service) findFee(ctx context.Context, sc tenancy.Scope, token string) (feeOrder, error) {
	hash, ok := hashOf(token, receiptChars)
	if !ok {
		return feeOrder{}, fault.Missing()
	}
	o, found, err := readFeeOrder(ctx, s.db.View(sc.Tenant), "receipt_hash", hash)
	return o, fault.When(!found, fault.Missing(), err)
}

// FeeMailJob mails what became of charging a card for a fee.
type FeeMailJob struct {
	Business uuid.UUID `json:"business"`
	Order    uuid.UUID `json:"order"`
}

// Kind names the job in the outbox.
func (FeeMailJob) Kind() string { return "checkout.fee" }

// FeeMail is what the mail about a fee says: that a card was charged for it, or that it could not be, with the link to pay it.
type FeeMail struct {
	To      string
	Name    string // may be empty
	Locale  string
	Receipt Receipt
	Failed  bool
	Token   string // of the receipt, and of the page on which it is paid
}

// MailFee is the job checkout.fee. It mails nothing about a fee that is not owed any more and was not paid.
func (s *Service) MailFee(ctx context.Context, job FeeMailJob) error {
	v := s.db.View(job.Business)
	o, found, err := readFeeOrder(ctx, v, "id", job.Order)
	if err != nil || !found {
		return err
	}
	failed := o.State == OrderOpen && o.FeeState == penalty.Due && o.Failed != ""
	if !failed && o.State != OrderSettled {
		return nil
	}
	r, err := readReceipt(ctx, v, o.ID)
	if err != nil {
		return err
	}
	to, err := recipientOf(ctx, v, o.ID)
	if err != nil || to.Email == "" {
		return err
	}
	return s.mail.Send(ctx, s.feeMail(FeeMail{
		To: to.Email, Name: to.Name, Locale: to.Locale, Receipt: r, Failed: failed, Token: s.ReceiptToken(o.ID),
	}))
}
