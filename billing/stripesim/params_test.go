package stripesim_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"foyer/billing/billingtest"
	"foyer/billing/stripesim"
)

// Any body is answered, and never with a failure of the simulator itself.
func FuzzParameters(f *testing.F) {
	f.Add(anIntent + "&metadata[a]=b&expand[0]=latest_charge")
	f.Add("amount[]=1&amount[0]=2&currency=%zz")
	f.Add("a[b][c]]=1&[]=2&=3&metadata[]=4&expand[x]=5")
	f.Add("payment_method_types[99999999999999999999]=card&amount=1&currency=usd")
	sim := billingtest.NewSim(f)
	account := sim.Account(f, "a", "US")
	f.Fuzz(func(t *testing.T, body string) {
		r, err := http.NewRequest("POST", stripesim.BaseURL+"/v1/payment_intents", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+stripesim.DefaultSecretKey)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Stripe-Account", account)
		res, err := sim.Server.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		if answer, _ := io.ReadAll(res.Body); res.StatusCode != 200 && (res.StatusCode < 400 || res.StatusCode > 404) {
			t.Fatalf("%q answers %d: %s", body, res.StatusCode, answer)
		}
	})
}
