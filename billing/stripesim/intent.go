package stripesim

import (
	"fmt"
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
		ConfirmationMethod: "automatic", Created: c.at.Unix(), Currency: currency, Description: c.p.text("description"),
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
	p.PaymentIntent = wire(pi)
	return p
}
