package stripesim

import (
	"net/http"
)

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
	ch.Status, ch.FailureCode, ch.FailureMessage = "failed", &why.Code, &why.Message
	failure := *why
	failure.Charge, failure.PaymentMethod = ch.ID, m
	c.fail(pi, &failure)
	c.emit(c.account, "charge.failed", ch, c.request)
	return &problem{
		Type: why.Type, Code: why.Code, DeclineCode: why.DeclineCode, Message: why.Message, Charge: ch.ID,
		PaymentIntent: wire(pi), PaymentMethod: wire(m), status: http.StatusPaymentRequired,
	}
}

// fail sends a payment back to wait for another card.
func (c *call) fail(pi *paymentIntent, why *payError) {
	pi.Status, pi.LastPaymentError, pi.PaymentMethod, pi.NextAction = "requires_payment_method", why, nil, nil
	c.emit(c.account, "payment_intent.payment_failed", pi, c.request)
}

// succeed takes the money. Its fees are known a little later, unless the payment asks for them at once.
func (c *call) succeed(pi *paymentIntent, m *paymentMethod) {
	ch := c.newCharge(pi, m)
	ch.Status, ch.Paid, ch.Captured, ch.AmountCaptured = "succeeded", true, true, ch.Amount
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
