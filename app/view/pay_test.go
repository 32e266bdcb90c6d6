package view_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
	"foyer/app/view"
)

const stripeScript = "https://js.stripe.com/v3"

// fakeStripe records its calls and acts as the page's hash demands.
const fakeStripe = `window.asked = [];
window.Stripe = (key, options) => ({
	elements: o => (asked.push({key, ...options, ...o}), {
		create: kind => ({ on: (what, then) => { if (what === "ready") setTimeout(then) }, mount: at => { at.textContent = "A card form: " + kind } }),
		submit: async () => ({}),
	}),
	confirmPayment: async o => {
		asked.push({secret: o.clientSecret, back: o.confirmParams.return_url});
		if (location.hash === "#decline") return {error: {message: "Your card was declined."}};
		history.replaceState(null, "", "#paid");
		return {error: {message: "stay here"}};
	},
})`

// answerPay is the surface's side of the live card form: it prices the cart and answers with the client secret.
func answerPay(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.FormValue(view.FieldCSRF) == "" || r.FormValue(view.FieldKey) == "" || r.Header.Get("Accept") != "application/json" {
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": "The form lost its fields."}})
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]string{"clientSecret": "pi_1_secret_2"}})
}

func TestLiveCardFormAsksForTheSecretAndConfirms(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := browser.New(t, browser.Options{})
	p.Answer(stripeScript, "text/javascript", fakeStripe)
	p.Goto(s.url + "/gallery/pay-live")
	if got := p.Text("[data-card]"); got != "A card form: payment" {
		t.Fatalf("the place of the card shows %q", got)
	}
	asked := browser.Eval[string](p, "JSON.stringify(asked[0])")
	for _, want := range []string{`"key":"pk_test_1"`, `"stripeAccount":"acct_1"`, `"amount":2381`, `"currency":"usd"`, `"paymentMethodTypes":["card"]`, `"colorPrimary":"rgb(`} {
		if !strings.Contains(asked, want) {
			t.Errorf("Stripe was not told %s: %s", want, asked)
		}
	}
	if strings.Contains(asked, "captureMethod") {
		t.Errorf("Stripe was asked to hold money that is to be taken: %s", asked)
	}
	p.Goto(s.url + "/gallery/pay-live-request")
	if asked := browser.Eval[string](p, "JSON.stringify(asked[0])"); !strings.Contains(asked, `"captureMethod":"manual"`) {
		t.Errorf("Stripe was not asked to hold the money of a request: %s", asked)
	}
	p.Goto(s.url + "/gallery/pay-live")
	p.Click("form[data-stripe] button")
	eventually(t, "the payment is confirmed", func() bool { return strings.HasSuffix(p.URL(), "#paid") })
	if got := browser.Eval[string](p, "JSON.stringify(asked[1])"); got != `{"secret":"pi_1_secret_2","back":"https://book.example.com/cart/abc/paid"}` {
		t.Errorf("confirmed with %s", got)
	}
}

func TestDeclinedLiveCardCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := browser.New(t, browser.Options{})
	p.Answer(stripeScript, "text/javascript", fakeStripe)
	p.Goto(s.url + "/gallery/pay-live#decline")
	for range 2 {
		p.Wait("form[data-stripe] button:enabled")
		p.Click("form[data-stripe] button")
		eventually(t, "the reason shows", func() bool { return p.Text("[data-trouble]") == "Your card was declined." })
	}
	if got := browser.Eval[int](p, "asked.length"); got != 3 {
		t.Errorf("Stripe was asked %d times", got)
	}
}

func TestLiveCardFormSaysWhenItCannotLoad(t *testing.T) {
	t.Parallel()
	p := browser.New(t, browser.Options{})
	p.Answer(stripeScript, "text/javascript", "")
	p.Goto(serve(t).url + "/gallery/pay-live")
	if got := p.Text("[data-trouble]"); !strings.Contains(got, "did not load") || !p.Exists("form[data-stripe] button:disabled") {
		t.Errorf("it says %q", got)
	}
}
