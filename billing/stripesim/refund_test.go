package stripesim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/billing/billingtest"
	"foyer/billing/stripesim"
)

// paid makes a payment and pays it with a card by its published number.
func (c caller) paid(sim *billingtest.Sim, number string) (path string) {
	c.t.Helper()
	pi := c.post("/v1/payment_intents", anIntent)
	c.pay(sim, pi, number)
	path = "/v1/payment_intents/" + pi.at("id").(string)
	c.want(c.get(path), 200, "status", "succeeded")
	return path
}

// refund gives an amount of a payment back.
func (c caller) refund(path, amount string) reply {
	c.t.Helper()
	return c.post("/v1/refunds", "amount="+amount+"&payment_intent="+strings.TrimPrefix(path, "/v1/payment_intents/"))
}

func TestARefundThatFailsLater(t *testing.T) {
	c, sim := steady(t, stripesim.Options{})
	pi := c.paid(sim, "4000000000005126")
	r := c.refund(pi, "2200&refund_application_fee=true")
	c.want(r, 200, "status", "succeeded")
	if _, refunded, fees, err := sim.Server.Totals(c.account); err != nil || refunded != 2200 || fees != 0 {
		t.Errorf("%d went back and %d of fees is left, %v", refunded, fees, err)
	}
	sim.Clock.Advance(6 * time.Second)
	c.want(c.get("/v1/refunds/"+r.at("id").(string)), 200, "status", "failed", "failure_reason", "lost_or_stolen_card")
	if _, refunded, _, err := sim.Server.Totals(c.account); err != nil || refunded != 0 {
		t.Errorf("the money is not back: %d, %v", refunded, err)
	}
	charge := c.get(pi + "?expand[0]=latest_charge")
	if charge.at("latest_charge.amount_refunded") != 0.0 || charge.at("latest_charge.refunded") != false {
		t.Errorf("the charge still counts the refund: %s", charge.raw)
	}
	sim.Server.Flush(t.Context())
	_, types := kinds(t, sim)
	for _, kind := range []string{"refund.updated", "charge.refund.updated"} {
		if n := len(slices.DeleteFunc(slices.Clone(types), func(k string) bool { return k != kind })); n != 1 {
			t.Errorf("%d events %s", n, kind)
		}
	}
}

func TestARefundThatIsPendingFirst(t *testing.T) {
	c, sim := newCaller(t)
	r := c.refund(c.paid(sim, "4000000000007726"), "2200")
	c.want(r, 200, "status", "pending")
	sim.Clock.Advance(6 * time.Second)
	c.want(c.get("/v1/refunds/"+r.at("id").(string)), 200, "status", "succeeded")
}

func TestRefundRules(t *testing.T) {
	c, sim := newCaller(t)
	pi := c.paid(sim, "4242424242424242")
	c.want(c.post("/v1/refunds", "amount=100"), 400, "error.code", "parameter_missing", "error.param", "payment_intent")
	c.want(c.post("/v1/refunds", "payment_intent=pi_1"), 400, "error.code", "parameter_missing", "error.param", "amount")
	c.want(c.refund("pi_nobody", "100"), 404)
	c.want(c.refund(pi, "0"), 400, "error.param", "amount")
	c.want(c.refund(pi, "1&charge=ch_1"), 400, "error.code", "parameter_unknown")
	c.want(c.refund(pi, "2201"), 400, "error.param", "amount", "error.code", "")
	c.want(c.refund(pi, "2200"), 200, "charge", c.get(pi).at("latest_charge").(string))
	c.want(c.refund(pi, "1"), 400, "error.code", "charge_already_refunded")

	// Where amounts come in tens, so do refunds and the fees that are returned.
	c.want(c.post("/v1/payment_intents", "amount=9350&currency=bhd&application_fee_amount=187&payment_method_types[0]=card"), 400, "error.param", "application_fee_amount")
	tens := c.post("/v1/payment_intents", "amount=9350&currency=bhd&application_fee_amount=190&payment_method_types[0]=card")
	c.pay(sim, tens, "4242424242424242")
	c.want(c.refund(tens.at("id").(string), "4675"), 400, "error.param", "amount")
	if _, err := sim.Server.DashboardRefund(c.account, tens.at("id").(string), 333); err == nil {
		t.Error("333 of a payment in tens went back by hand")
	}
	c.want(c.refund(tens.at("id").(string), "4680"), 200)
	c.want(c.refund(tens.at("id").(string), "4670"), 200)

	open := c.post("/v1/payment_intents", anIntent)
	c.want(c.refund(open.at("id").(string), "2200"), 400)
	c.pay(sim, open, "4000000000000002")
	c.want(c.refund(open.at("id").(string), "2200"), 400, "error.param", "payment_intent")

	free := c.post("/v1/payment_intents", "amount=2200&currency=usd&payment_method_types[0]=card")
	c.pay(sim, free, "4242424242424242")
	c.want(c.refund(free.at("id").(string), "2200&refund_application_fee=true"), 400, "error.param", "refund_application_fee")
	c.want(c.refund(free.at("id").(string), "2200"), 200)
}
