package stripesim

import (
	"fmt"
	"time"
)

// Payments that are authorized until they are captured, or released.

// authorizedFor is the time that a bank keeps an authorization of an on-session customer.
const authorizedFor = 7 * 24 * time.Hour

// authorize authorizes the amount of a charge on its card: nothing of it is the account's yet.
func (s *Server) authorize(account string, pi *paymentIntent, ch *charge) {
	pi.Status, pi.AmountCapturable = "requires_capture", pi.Amount
	s.later(authorizedFor, taskRelease, account, pi.ID)
	s.emit(account, "charge.succeeded", ch)
	s.emit(account, "payment_intent.amount_capturable_updated", pi)
}

// captureIntent captures an authorized payment in full.
func captureIntent(c *call) (any, *problem) {
	pi, p := c.intent(c.id)
	if p != nil {
		return nil, p
	}
	if pi.Status != "requires_capture" {
		return nil, invalid("payment_intent_unexpected_state", "",
			fmt.Sprintf("This PaymentIntent could not be captured because it has a status of %s.", pi.Status))
	}
	ch := c.world.Charges[*pi.LatestCharge]
	c.captured(c.account, pi, ch)
	c.emit(c.account, "charge.captured", ch)
	return pi, nil
}

// release ends a payment: its authorization is released.
func (s *Server) release(account string, w *world, pi *paymentIntent) {
	if pi.Status == "requires_capture" {
		ch := w.Charges[*pi.LatestCharge]
		ch.Refunded, ch.AmountRefunded = true, ch.Amount
		s.emit(account, "charge.refunded", ch)
	}
	pi.Status, pi.NextAction, pi.AmountCapturable = "canceled", nil, 0
	s.emit(account, "payment_intent.canceled", pi)
}

// Authorized returns the amount authorized on the cards of an account's customers, neither captured nor released.
func (s *Server) Authorized(account string) (amount int64, err error) {
	err = s.with(account, func(w *world) {
		for _, pi := range w.Intents {
			amount += pi.AmountCapturable
		}
	})
	return amount, err
}

// CancelPayment cancels a payment that is authorized, or has no card yet, as a studio does in its own dashboard.
func (s *Server) CancelPayment(account, payment string) error {
	return s.try(account, func(w *world) error {
		pi, ok := w.Intents[payment]
		if !ok || pi.Status != "requires_capture" && pi.Status != "requires_payment_method" {
			return fmt.Errorf("payment %s cannot be canceled", payment)
		}
		s.release(account, w, pi)
		return nil
	})
}
