package stripesim_test

import (
	"testing"
	"time"
)

// payWith makes a payment with a card by its published number.
func (c caller) payWith(number string) reply {
	c.t.Helper()
	m := c.post("/v1/payment_methods", "type=card&card[number]="+number+"&card[exp_month]=12&card[exp_year]=2034&card[cvc]=123")
	c.want(m, 200)
	pi := c.post("/v1/payment_intents", anIntent+"&confirm=true&payment_method="+m.at("id").(string))
	c.want(pi, 200, "status", "succeeded")
	return pi
}

func TestARefundThatFailsLater(t *testing.T) {
	c, sim := newCaller(t)
	pi := c.payWith("4000000000005126")
	r := c.post("/v1/refunds", "refund_application_fee=true&payment_intent="+pi.at("id").(string))
	c.want(r, 200, "status", "succeeded")
	sim.Clock.Advance(6 * time.Second)
	got := c.get("/v1/refunds/" + r.at("id").(string) + "?expand[]=failure_balance_transaction")
	c.want(got, 200, "status", "failed", "failure_balance_transaction.type", "refund_failure")
	charge := c.get("/v1/charges/" + pi.at("latest_charge").(string))
	if charge.at("amount_refunded") != 0.0 || charge.at("refunded") != false {
		t.Errorf("the charge still counts the refund: %s", charge.raw)
	}
	for _, kind := range []string{"refund.updated", "charge.refund.updated"} {
		if data := c.get("/v1/events?type=" + kind).at("data").([]any); len(data) != 1 {
			t.Errorf("%d events %s", len(data), kind)
		}
	}
}

func TestARefundThatIsPendingFirst(t *testing.T) {
	c, sim := newCaller(t)
	pi := c.payWith("4000000000007726")
	r := c.post("/v1/refunds", "payment_intent="+pi.at("id").(string))
	c.want(r, 200, "status", "pending")
	sim.Clock.Advance(6 * time.Second)
	c.want(c.get("/v1/refunds/"+r.at("id").(string)), 200, "status", "succeeded")
}

func TestRefundRules(t *testing.T) {
	c, _ := newCaller(t)
	pi := c.payWith("4242424242424242")
	charge := pi.at("latest_charge").(string)
	c.want(c.post("/v1/refunds", "amount=100"), 400, "error.code", "parameter_missing")
	c.want(c.post("/v1/refunds", "amount=100&charge="+charge+"&payment_intent="+pi.at("id").(string)), 400)
	c.want(c.post("/v1/refunds", "charge=ch_nobody"), 404)
	c.want(c.post("/v1/refunds", "payment_intent=pi_nobody"), 404)
	c.want(c.post("/v1/refunds", "amount=0&charge="+charge), 400, "error.param", "amount")
	c.want(c.post("/v1/refunds", "reason=regret&charge="+charge), 400, "error.param", "reason")
	c.want(c.post("/v1/refunds", "charge="+charge+"&amount=2201"), 400, "error.param", "amount", "error.code", "")
	c.want(c.post("/v1/refunds", "charge="+charge+"&reason=duplicate"), 200, "reason", "duplicate", "charge", charge)
	c.want(c.post("/v1/refunds", "charge="+charge), 400, "error.code", "charge_already_refunded")

	open := c.post("/v1/payment_intents", "amount=2200&currency=usd").at("id").(string)
	c.want(c.post("/v1/refunds", "payment_intent="+open), 400)
	declined := c.post("/v1/payment_intents", anIntent+"&confirm=true&payment_method=pm_card_chargeDeclined")
	c.want(c.post("/v1/refunds", "charge="+declined.at("error.charge").(string)), 400)

	free := c.post("/v1/payment_intents", "amount=2200&currency=usd&confirm=true&payment_method=pm_card_visa").at("id").(string)
	c.want(c.post("/v1/refunds", "refund_application_fee=true&payment_intent="+free), 400, "error.param", "refund_application_fee")
	c.want(c.post("/v1/refunds", "payment_intent="+free), 200)
}
