package owed

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

// ChargeJob charges a saved card with an amount due: a fee, or prices of bookings.
type ChargeJob struct {
	Business uuid.UUID `json:"business"`
	Order    uuid.UUID `json:"order"`
}

// Kind returns the job's name in the outbox.
func (ChargeJob) Kind() string { return "owed.charge" }

// Terms returns the terms of the job's kind.
func (ChargeJob) Terms() jobs.Terms { return jobs.Money() }

// ChargeDue is the job owed.charge. An amount that is no longer due is not charged. The payment is the same
// for any number of runs, so the card is charged once.
func (s *Service) ChargeDue(ctx context.Context, job ChargeJob) error {
	v := s.db.View(job.Business)
	o, found, err := readDueOrder(ctx, v, "id", job.Order)
	if err != nil || !found || o.State != order.Open {
		return err
	}
	due, err := stillDue(ctx, v, o)
	if err != nil {
		return err
	}
	if !due {
		return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return s.drop(ctx, tx, o.ID) })
	}
	p, err := billing.PaymentOfOrder(ctx, v, o.ID)
	if err != nil || p.InTransit() {
		return err
	}
	if p.Done() {
		return s.canceled(ctx, job, o)
	}
	ready, err := s.billing.ChargeSaved(ctx, job.Business, p)
	why := ready.Payment.FailureCode
	switch {
	case errors.Is(err, billing.ErrPaymentCanceled):
		return s.canceled(ctx, job, o)
	case err != nil && (processor.Retryable(err) || fault.From(err) == nil):
		return err
	case err != nil:
		why = fault.From(err).Reason
	case why == "" || ready.Payment.InTransit():
		return nil
	}
	return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return s.notCharged(ctx, tx, o, why) })
}

// canceled deals with a charge whose payment was canceled. An outdated one, which Foyer canceled before the charge, is
// replaced by another one. One that was canceled beside Foyer is not: a sale of goods is given up, and other amounts
// stay due.
func (s *Service) canceled(ctx context.Context, job ChargeJob, o dueOrder) error {
	return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error {
		if err := billing.LockPaymentsTx(ctx, tx, []uuid.UUID{o.ID}); err != nil {
			return err
		}
		p, err := billing.PaymentOfOrder(ctx, tx, o.ID)
		switch {
		case err != nil || !p.Done() || p.Status == processor.StatusSucceeded:
			return err
		case o.Goods:
			return s.notCharged(ctx, tx, o, codeGivenUp)
		case p.Outdated(tx.Now()) && p.CardID != uuid.Nil:
			return s.chargeAgain(ctx, tx, o, p)
		}
		return nil
	})
}

// chargeAgain charges the card of a canceled payment with another one, if its order is still due.
func (s *Service) chargeAgain(ctx context.Context, tx *pg.Tx, o dueOrder, p billing.Payment) error {
	now, found, err := readDueOrder(ctx, tx, "id", o.ID)
	if err != nil || !found || now.State != order.Open {
		return err
	}
	due, err := stillDue(ctx, tx, o)
	if err != nil || !due {
		return err
	}
	err = s.chargeOrder(ctx, tx, o.ID, billing.SavedCard{ID: p.CardID, CustomerID: p.CustomerID})
	if unchargeable(err) || errors.Is(err, processor.ErrCardRemoved) {
		return nil
	}
	return err
}

// notCharged writes the code of a failed charge, and mails the customer the way to pay, once. A sale of goods at the
// desk is given up instead: its customer pays there otherwise.
func (s *Service) notCharged(ctx context.Context, tx *pg.Tx, o dueOrder, why string) error {
	first, err := order.SetChargeFailed(ctx, tx, o.ID, why)
	if err != nil || !first {
		return err
	}
	if err := fees.DeclinedTx(ctx, tx, o.Fees, why); err != nil {
		return err
	}
	if o.Goods {
		return s.drop(ctx, tx, o.ID)
	}
	return jobs.EnqueueTx(ctx, tx, ChargeMailJob{Business: tx.Business(), Order: o.ID})
}

// codeGivenUp is the processor's code for a fault of its own: the failure of a charge whose job had tried for hours.
const codeGivenUp = "processing_error"

// tellGivenUp looks for charges that were given up, because the processor did not answer all the while: the customer
// is mailed as after a decline. A payment that succeeds all the same is used.
func (s *Service) tellGivenUp(ctx context.Context) error {
	lost, err := jobs.LostJobs(ctx, s.db, ChargeJob{}.Kind(), atOnce)
	for _, l := range lost {
		var job ChargeJob
		if bad := json.Unmarshal(l.Args, &job); bad != nil {
			err = errors.Join(err, bad)
			continue
		}
		err = errors.Join(err, pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error {
			o, found, err := readDueOrder(ctx, tx, "id", job.Order)
			if err == nil && found && o.State == order.Open {
				err = s.notCharged(ctx, tx, o, codeGivenUp)
			}
			if err != nil {
				return err
			}
			return jobs.ToldTx(ctx, tx, []int64{l.ID})
		}))
	}
	return err
}

// FulfilDue fulfils a paid order of an amount due: order.Ports. Its amounts are paid, or the payment is refunded
// because they are no longer due.
func (s *Service) FulfilDue(
	ctx context.Context, tx *pg.Tx, orderID uuid.UUID, p billing.Payment,
) (billing.Outcome, error) {
	o, found, err := readDueOrder(ctx, tx, "id", orderID)
	if err = fault.When(!found, fault.Missing(), err); err != nil {
		return "", err
	}
	// A void order, of an amount that is due again because a payment at the desk was void, pays nothing: it was given
	// up.
	due := o.State == order.Open
	if due {
		due, err = lockStillDue(ctx, tx, o)
	}
	if due && err == nil {
		due, err = fees.PaidTx(ctx, tx, o.Fees)
	}
	if err != nil {
		return "", err
	}
	state, outcome := order.Fulfilled, billing.OutcomeFulfilled
	var job jobs.Args = ChargeMailJob{Business: tx.Business(), Order: o.ID}
	if !due {
		state, outcome = order.Refunded, billing.OutcomeRefunded
		job = order.LateRefundJob{Business: tx.Business(), Payment: p.ID}
	}
	open, err := order.End(ctx, tx, o.ID, state)
	if err != nil {
		return "", err
	}
	if due && !open { // it was given up between the two statements; then another order has its lines
		return "", pg.ErrUnmet
	}
	switch {
	case (o.Goods || o.Renews || o.Changes) && due:
		err = s.order.FulfilTx(ctx, tx, o.ID)
	case o.Goods && open:
		err = s.order.ReleaseTx(ctx, tx, o.ID)
	}
	if err != nil {
		return "", err
	}
	return outcome, jobs.EnqueueTx(ctx, tx, job)
}

// ChargeMailJob mails the result of charging a card for a fee, or for prices of bookings, or requests the balance of a
// deposit.
type ChargeMailJob struct {
	Business uuid.UUID `json:"business"`
	Order    uuid.UUID `json:"order"`
	NoCard   bool      `json:"asks,omitempty"` // there was no card to charge
}

// Kind returns the job's name in the outbox.
func (ChargeMailJob) Kind() string { return "owed.charge_mail" }

// Terms returns the terms of the job's kind.
func (ChargeMailJob) Terms() jobs.Terms { return jobs.Mail(7 * jobs.Day) }

// ChargeMail is the content of the mail about an amount due, a fee or prices as the lines of its receipt: that a card
// was charged, that the charge failed, or that there is no card, with the link to pay it.
type ChargeMail struct {
	To      string
	Name    string // may be empty
	Locale  string
	Receipt order.Receipt
	Failed  bool
	NoCard  bool   // there was no card to charge
	Token   string // of the receipt, and of its payment page
}

// MailCharge is the job owed.charge_mail. It mails nothing about an amount that is no longer due and was not paid.
func (s *Service) MailCharge(ctx context.Context, job ChargeMailJob) error {
	v := s.db.View(job.Business)
	o, found, err := readDueOrder(ctx, v, "id", job.Order)
	if err != nil || !found {
		return err
	}
	open := o.State == order.Open
	if open && (o.Failed != "" || job.NoCard) {
		if open, err = stillDue(ctx, v, o); err != nil {
			return err
		}
	}
	noCard := job.NoCard && open // also after an earlier decline
	failed := open && o.Failed != "" && !noCard
	if !failed && !noCard && o.State != order.Fulfilled {
		return nil
	}
	r, err := order.ReceiptOf(ctx, v, o.ID)
	if err != nil {
		return err
	}
	to, err := order.RecipientOf(ctx, v, o.ID)
	if err != nil || to.Email == "" {
		return err
	}
	return s.mail.Send(ctx, s.chargeMail(ChargeMail{
		To: to.Email, Name: to.Name, Locale: to.Locale, Receipt: r, Failed: failed, NoCard: noCard,
		Token: s.order.ReceiptToken(o.ID),
	}))
}
