package stripesim

import (
	"fmt"
	"slices"
	"strings"

	"foyer/app/money"
)

var intentParams = []string{
	"amount", "application_fee_amount", "capture_method", "currency", "customer", "description", "metadata[]", "payment_method_types[]",
	"statement_descriptor_suffix",
}

func createIntent(c *call) (any, *problem) {
	if c.account == "" {
		return nil, mistaken("", "", "The simulator knows direct charges only: set the Stripe-Account header.")
	}
	amount, currency := c.p.integer("amount"), strings.ToLower(c.p.need("currency"))
	pi := &paymentIntent{
		Object: "payment_intent", Amount: amount, Currency: currency, Metadata: c.p.metadata(), Status: "requires_payment_method",
		CaptureMethod:             c.p.one("capture_method", "automatic_async", "manual"),
		StatementDescriptorSuffix: c.statement(),
	}
	if c.p.values.Has("application_fee_amount") {
		fee := c.p.integer("application_fee_amount")
		pi.ApplicationFeeAmount = &fee
	}
	if p := c.p.wrong; p != nil {
		return nil, p
	}
	if !slices.Equal(c.p.list("payment_method_types"), []string{"card"}) {
		return nil, invalid("payment_intent_invalid_parameter", "payment_method_types", "The simulator knows cards only.")
	}
	if p := checkAmount(amount, currency); p != nil {
		return nil, p
	}
	if p := c.belongsTo(pi); p != nil {
		return nil, p
	}
	if fee := pi.ApplicationFeeAmount; fee != nil && (*fee < 1 || *fee >= amount) {
		return nil, invalid("", "application_fee_amount", "The application fee must be positive and less than the amount.")
	}
	if fee := pi.ApplicationFeeAmount; fee != nil && *fee%grain(currency) != 0 {
		return nil, invalid("", "application_fee_amount", fmt.Sprintf("Amounts in %s must be divisible by %d.", currency, grain(currency)))
	}
	if !c.world.Account.ChargesEnabled {
		return nil, invalid("", "", "Your account cannot currently make charges. Finish the onboarding of "+c.account+" first.")
	}
	pi.ID = c.newID("pi")
	pi.ClientSecret = pi.ID + "_secret_" + c.st.derive("secret "+pi.ID)
	c.world.Intents[pi.ID] = pi
	return pi, nil
}

// statement returns the words of a payment on the card statement, nil for the account's own. They keep Stripe's rules:
// at most 22 characters, Latin, with a letter, and without < > \ ' " *.
func (c *call) statement() *string {
	const param = "statement_descriptor_suffix"
	v := c.p.values.Get(param)
	if v == "" {
		return nil
	}
	letter := func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }
	foreign := func(r rune) bool { return r < ' ' || r > '~' }
	switch {
	case len(v) > 22:
		c.p.fail(invalid("", param, "The statement descriptor suffix must be at most 22 characters."))
	case strings.ContainsAny(v, `<>\'"*`), strings.ContainsFunc(v, foreign):
		c.p.fail(invalid("", param, "The statement descriptor suffix has a character that statements cannot show."))
	case !strings.ContainsFunc(v, letter):
		c.p.fail(invalid("", param, "The statement descriptor suffix must contain at least one letter."))
	}
	return &v
}

// checkAmount checks an amount against the limits of its currency, in Stripe's units.
func checkAmount(amount int64, currency string) *problem {
	info, ok := money.Lookup(money.Currency(strings.ToUpper(currency)))
	if !ok {
		return invalid("", "currency", "Invalid currency: "+currency+".")
	}
	least, _ := info.ToStripe(max(info.MinCharge, info.ChargeMultiple)) // the table's own values convert
	switch {
	case amount < 1:
		return invalid("parameter_invalid_integer", "amount", "Invalid positive integer")
	case amount < least:
		return invalid("amount_too_small", "amount", fmt.Sprintf("Amount must be at least %d %s.", least, currency))
	case amount > money.MaxStripeAmount:
		return invalid("amount_too_large", "amount", fmt.Sprintf("Amount must be no more than %d.", money.MaxStripeAmount))
	case amount%grain(currency) != 0:
		return invalid("", "amount", fmt.Sprintf("Amounts in %s must be divisible by %d.", currency, grain(currency)))
	}
	return nil
}

// grain is the step of card amounts of a currency in Stripe's units: 100 for ISK, 10 for KWD, 1 for most.
func grain(currency string) int64 {
	info, _ := money.Lookup(money.Currency(strings.ToUpper(currency))) // checked when the payment was made
	step, _ := info.ToStripe(info.ChargeMultiple)                      // the table's own values convert
	return step
}

func getIntent(c *call) (any, *problem) { return c.intent(c.id) }

func (c *call) intent(id string) (*paymentIntent, *problem) {
	pi, ok := c.world.Intents[id]
	if !ok {
		return nil, missing("payment_intent", id)
	}
	return pi, nil
}

func cancelIntent(c *call) (any, *problem) {
	pi, p := c.intent(c.id)
	if p != nil {
		return nil, p
	}
	if final(pi) {
		return nil, invalid("payment_intent_unexpected_state", "",
			fmt.Sprintf("You cannot cancel this PaymentIntent because it has a status of %s.", pi.Status))
	}
	c.release(c.account, c.world, pi)
	return pi, nil
}

func final(pi *paymentIntent) bool { return pi.Status == "succeeded" || pi.Status == "canceled" }

// decided reports whether no other card can be put on a payment.
func decided(pi *paymentIntent) bool { return final(pi) || pi.Status == "requires_capture" }

// try puts a card on a payment: it succeeds, waits for the bank's check, or is declined. The payment keeps the
// outcome. back is the address after the bank's check; without one the charge is off session.
func (c *call) try(pi *paymentIntent, m *paymentMethod, back string) {
	pi.LastPaymentError, pi.NextAction, pi.PaymentMethod = nil, nil, &m.ID
	pi.Sim = intentSim{ReturnURL: back, OffSession: back == ""}
	card := cards[m.Sim.Number]
	switch {
	case !card.check, pi.Sim.OffSession && card.trusted && m.Customer != nil:
		c.charge(pi)
		return
	case pi.Sim.OffSession:
		c.refuse(c.account, c.world, pi, declines("authentication_required", "authentication_required",
			"Your card was declined. This transaction requires authentication."))
		return
	}
	pi.Status = "requires_action"
	pi.NextAction = &nextAction{Type: "redirect_to_url", RedirectToURL: redirectToURL{
		ReturnURL: back, URL: c.opt.AppURL + DefaultPrefix + "/3ds/" + pi.ID + "?key=" + pi.ClientSecret,
	}}
	c.emit(c.account, "payment_intent.requires_action", pi)
}

// authenticate ends the bank's check of a payment.
func (c *call) authenticate(pi *paymentIntent, passed bool) {
	if passed {
		c.charge(pi)
		return
	}
	c.fail(c.account, pi, &payError{
		Type: "invalid_request_error", Code: "payment_intent_authentication_failure",
		Message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
	})
}

// fail returns a payment to the state that waits for another card.
func (s *Server) fail(account string, pi *paymentIntent, why *payError) {
	pi.Status, pi.LastPaymentError, pi.NextAction = "requires_payment_method", why, nil
	s.emit(account, "payment_intent.payment_failed", pi)
}

func (c *call) charge(pi *paymentIntent) { c.take(c.account, c.world, pi) }

// take captures the money, if the card allows it. The fees are known a little later.
func (s *Server) take(account string, w *world, pi *paymentIntent) {
	m := w.Methods[*pi.PaymentMethod]
	keeps := pi.Customer != nil && pi.SetupFutureUsage != nil && m.Customer == nil
	if why := cards[m.Sim.Number].decline; why != nil && !(keeps && cards[m.Sim.Number].attach) {
		s.refuse(account, w, pi, why)
		return
	}
	ch := s.newCharge(w, pi)
	pi.NextAction = nil
	if keeps {
		m.Customer = pi.Customer
		s.emit(account, "payment_method.attached", m)
	}
	if pi.CaptureMethod == "manual" {
		s.authorize(account, pi, ch)
		return
	}
	s.emit(account, "charge.succeeded", ch)
	s.captured(account, pi, ch)
}

// captured adds the money of a charge to the account.
func (s *Server) captured(account string, pi *paymentIntent, ch *charge) {
	ch.Captured = true
	pi.Status, pi.AmountReceived, pi.AmountCapturable = "succeeded", pi.Amount, 0
	s.later(settles, taskSettle, account, ch.ID)
	if cards[ch.Sim.Number].dispute {
		s.later(disputeDelay, taskDispute, account, ch.ID)
	}
	s.emit(account, "payment_intent.succeeded", pi)
}

// newCharge returns the next attempt of a payment with its card.
func (s *Server) newCharge(w *world, pi *paymentIntent) *charge {
	m := w.Methods[*pi.PaymentMethod]
	ch := &charge{
		ID: s.newID("ch"), Object: "charge", Amount: pi.Amount, ApplicationFeeAmount: pi.ApplicationFeeAmount, Currency: pi.Currency,
		PaymentIntent: pi.ID, PaymentMethod: pi.PaymentMethod, Status: "succeeded", Metadata: pi.Metadata,
		PaymentMethodDetails: methodDetails{Type: "card", Card: m.Card}, Sim: chargeSim{Number: m.Sim.Number},
		StatementDescriptorSuffix: pi.StatementDescriptorSuffix,
	}
	w.Charges[ch.ID], pi.LatestCharge = ch, &ch.ID
	return ch
}

// refuse declines a charge.
func (s *Server) refuse(account string, w *world, pi *paymentIntent, why *payError) {
	ch := s.newCharge(w, pi)
	ch.Status = "failed"
	s.fail(account, pi, why)
	s.emit(account, "charge.failed", ch)
}
