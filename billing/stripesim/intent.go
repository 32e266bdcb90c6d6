package stripesim

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"foyer/app/money"
)

var intentParams = []string{
	"amount", "application_fee_amount", "automatic_payment_methods.enabled", "automatic_payment_methods.allow_redirects",
	"capture_method", "confirm", "currency", "description", "metadata.*", "off_session", "payment_method",
	"payment_method_types.*", "return_url", "statement_descriptor_suffix",
}

func createIntent(c *call) (any, *problem) {
	pi, p := c.newIntent()
	if p != nil {
		return nil, p
	}
	confirm, method := c.p.flag("confirm"), c.p.text("payment_method")
	var m *paymentMethod
	if method != nil {
		if m, p = c.method(*method); p != nil {
			return nil, p
		}
		pi.PaymentMethod, pi.Status = &m.ID, "requires_confirmation"
	}
	if confirm && m == nil {
		return nil, mistaken("parameter_missing", "payment_method", "You cannot confirm this PaymentIntent because it's missing a payment method.")
	}
	pi.ID = c.newID("pi")
	pi.ClientSecret = pi.ID + "_secret_" + c.st.derive("secret "+pi.ID)
	c.world.Intents[pi.ID] = pi
	if confirm {
		if p := c.try(pi, m, c.p.flag("off_session"), c.p.text("return_url")); p != nil {
			return nil, p
		}
	}
	return pi, nil
}

// newIntent checks everything and returns a payment without an id. Nothing is changed yet.
func (c *call) newIntent() (*paymentIntent, *problem) {
	c.direct()
	amount, currency := c.p.integer("amount"), strings.ToLower(c.p.need("currency"))
	c.p.need("amount")
	pi := &paymentIntent{
		Object: "payment_intent", CaptureMethod: c.p.one("capture_method", "automatic_async", "automatic"),
		Created: c.at.Unix(), Currency: currency, Description: c.p.text("description"),
		Metadata: c.p.metadata(), PaymentMethodTypes: c.p.list("payment_method_types"),
		StatementSuffix: c.p.text("statement_descriptor_suffix"), Status: "requires_payment_method",
		ApplicationFeeAmount: c.p.integer("application_fee_amount"),
	}
	automatic := c.p.flag("automatic_payment_methods.enabled")
	c.p.flag("confirm")
	c.p.flag("off_session")
	if p := c.p.problem(); p != nil {
		return nil, p
	}
	pi.Amount = *amount
	if len(pi.PaymentMethodTypes) == 0 {
		pi.PaymentMethodTypes = []string{"card"}
	} else if automatic {
		return nil, mistaken("parameters_exclusive", "payment_method_types", "Use automatic_payment_methods or payment_method_types, not both.")
	}
	if !slices.Equal(pi.PaymentMethodTypes, []string{"card"}) {
		return nil, invalid("payment_intent_invalid_parameter", "payment_method_types", "The simulator knows cards only.")
	}
	if p := checkAmount(pi.Amount, currency); p != nil {
		return nil, p
	}
	if fee := pi.ApplicationFeeAmount; fee != nil && (*fee < 1 || *fee >= pi.Amount) {
		return nil, invalid("", "application_fee_amount", "The application fee must be positive and less than the amount.")
	}
	if !c.world.Account.ChargesEnabled {
		return nil, invalid("", "", "Your account cannot currently make charges. Finish the onboarding of "+c.account+" first.")
	}
	return pi, nil
}

// checkAmount holds an amount against the limits of its currency, in Stripe's units.
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
	info, ok := money.Lookup(money.Currency(strings.ToUpper(currency)))
	if !ok {
		return 1
	}
	g, err := info.ToStripe(info.ChargeMultiple)
	if err != nil {
		return 1
	}
	return g
}

var cancelParams = []string{"cancellation_reason"}

func cancelIntent(c *call) (any, *problem) {
	reason := c.p.text("cancellation_reason")
	c.p.one("cancellation_reason", "requested_by_customer", "duplicate", "fraudulent", "abandoned")
	if p := c.p.problem(); p != nil {
		return nil, p
	}
	pi, ok := c.world.Intents[c.id]
	if !ok {
		return nil, missing("payment_intent", c.id)
	}
	if final(pi) {
		return nil, unexpected(pi, "cancel")
	}
	at := c.at.Unix()
	pi.Status, pi.CanceledAt, pi.CancellationReason, pi.NextAction = "canceled", &at, reason, nil
	c.emit(c.account, "payment_intent.canceled", pi, c.request)
	return pi, nil
}

func final(pi *paymentIntent) bool { return pi.Status == "succeeded" || pi.Status == "canceled" }

// unexpected is the answer to a step that the payment's status does not allow.
func unexpected(pi *paymentIntent, step string) *problem {
	p := invalid("payment_intent_unexpected_state", "",
		fmt.Sprintf("You cannot %s this PaymentIntent because it has a status of %s.", step, pi.Status))
	p.PaymentIntent = pi
	return p
}

var confirmParams = []string{"payment_method", "return_url", "off_session"}

func confirmIntent(c *call) (any, *problem) {
	offSession, back, method := c.p.flag("off_session"), c.p.text("return_url"), c.p.text("payment_method")
	if p := c.p.problem(); p != nil {
		return nil, p
	}
	pi, ok := c.world.Intents[c.id]
	if !ok {
		return nil, missing("payment_intent", c.id)
	}
	if final(pi) {
		return nil, unexpected(pi, "confirm")
	}
	if method == nil {
		method = pi.PaymentMethod
	}
	if method == nil {
		return nil, mistaken("payment_intent_unexpected_state", "payment_method", "You cannot confirm this PaymentIntent because it's missing a payment method.")
	}
	m, p := c.method(*method)
	if p != nil {
		return nil, p
	}
	if p := c.try(pi, m, offSession, back); p != nil {
		return nil, p
	}
	return pi, nil
}

// try puts a card on a payment: it succeeds, waits for the bank's check, or is declined. The payment keeps the outcome
// in every case; a decline is also the answer.
func (c *call) try(pi *paymentIntent, m *paymentMethod, offSession bool, back *string) *problem {
	c.dirty = true
	behaviour := cards[m.Sim.Number]
	pi.PaymentMethod, pi.LastPaymentError, pi.NextAction = &m.ID, nil, nil
	switch {
	case behaviour.check && offSession:
		return c.decline(pi, m, declines("authentication_required", "authentication_required", "Your card was declined. This transaction requires authentication."))
	case behaviour.check:
		pi.Status = "requires_action"
		pi.NextAction = &nextAction{Type: "use_stripe_sdk"}
		if back != nil {
			pi.Sim.ReturnURL = *back
			pi.NextAction = &nextAction{Type: "redirect_to_url", RedirectToURL: &redirectToURL{
				ReturnURL: *back, URL: c.opt.AppURL + DefaultPrefix + "/3ds/" + pi.ID + "?key=" + pi.ClientSecret,
			}}
		}
		c.emit(c.account, "payment_intent.requires_action", pi, c.request)
		return nil
	case behaviour.decline != nil:
		return c.decline(pi, m, behaviour.decline)
	}
	c.succeed(pi, m)
	return nil
}

// decline records a failed charge; the payment waits for another card.
func (c *call) decline(pi *paymentIntent, m *paymentMethod, why *payError) *problem {
	ch := c.newCharge(pi, m)
	ch.Status = "failed"
	failure := *why
	failure.Charge, failure.PaymentMethod = ch.ID, m
	c.fail(pi, &failure)
	c.emit(c.account, "charge.failed", ch, c.request)
	return &problem{payError: failure, PaymentIntent: pi, status: http.StatusPaymentRequired}
}

// fail sends a payment back to wait for another card.
func (c *call) fail(pi *paymentIntent, why *payError) {
	pi.Status, pi.LastPaymentError, pi.PaymentMethod, pi.NextAction = "requires_payment_method", why, nil, nil
	c.emit(c.account, "payment_intent.payment_failed", pi, c.request)
}

// succeed takes the money. Its fees are known a little later, unless the payment asks for them at once.
func (c *call) succeed(pi *paymentIntent, m *paymentMethod) {
	ch := c.newCharge(pi, m)
	ch.Status, ch.Paid, ch.AmountCaptured = "succeeded", true, ch.Amount
	pi.Status, pi.AmountReceived, pi.LastPaymentError, pi.NextAction = "succeeded", pi.Amount, nil, nil
	if pi.CaptureMethod == "automatic" {
		c.settleCharge(c.account, ch)
	} else {
		c.later(settles, taskSettle, c.account, ch.ID)
	}
	c.emit(c.account, "charge.succeeded", ch, c.request)
	c.emit(c.account, "payment_intent.succeeded", pi, c.request)
}

func (c *call) newCharge(pi *paymentIntent, m *paymentMethod) *charge {
	metadata := map[string]string{}
	for k, v := range pi.Metadata {
		metadata[k] = v
	}
	ch := &charge{
		ID: c.newID("ch"), Object: "charge", Amount: pi.Amount, ApplicationFeeAmount: pi.ApplicationFeeAmount, Created: c.at.Unix(),
		Currency: pi.Currency, Description: pi.Description, Metadata: metadata, PaymentIntent: &pi.ID, PaymentMethod: m.ID,
		PaymentMethodDetails: methodDetails{Type: "card", Card: m.Card}, Sim: m.Sim,
	}
	c.world.Charges[ch.ID] = ch
	pi.LatestCharge = &ch.ID
	return ch
}

// authenticate ends the bank's check of a payment.
func (c *call) authenticate(pi *paymentIntent, passed bool) {
	c.dirty = true
	m := c.world.Methods[*pi.PaymentMethod]
	switch behaviour := cards[m.Sim.Number]; {
	case !passed:
		c.fail(pi, &payError{
			Type: "invalid_request_error", Code: "payment_intent_authentication_failure", PaymentMethod: m,
			Message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
		})
	case behaviour.decline != nil:
		c.decline(pi, m, behaviour.decline)
	default:
		c.succeed(pi, m)
	}
}
