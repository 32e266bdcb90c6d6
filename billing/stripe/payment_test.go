package stripe_test

import (
	"testing"

	"foyer/app/fault"
	"foyer/billing/billingtest"
	"foyer/billing/processor"
	"foyer/billing/stripesim"
)

// Whatever is posted to the endpoint, signed or not, is read or refused with a fault and never breaks the program.
func FuzzConstructEvent(f *testing.F) {
	f.Add([]byte(`{"id":"evt_1","object":"event","type":"charge.updated","api_version":"2024-06-20","data":{"object":{"id":"ch_1","object":"charge","payment_intent":"pi_1"}}}`), "", true)
	f.Add([]byte(`{"id":"evt_1","object":"event","type":"t","api_version":"2024-06-20","data":{"object":{"payment_intent":{"id":"pi_1"}}}}`), "", true)
	f.Add([]byte(`{"id":"evt_1","object":"event","type":"t","api_version":"2024-06-20","data":null}`), "t=1,v1=00", false)
	f.Add([]byte(`[]`), "t=-9223372036854775808,v1=,v1=zz", false)
	p := billingtest.NewSim(f).Processor
	f.Fuzz(func(t *testing.T, body []byte, signature string, signed bool) {
		if signed {
			signature = stripesim.Sign(body, stripesim.DefaultWebhookSecret, billingtest.Start)
		}
		e, err := p.ConstructEvent(processor.EndpointConnect, body, signature)
		switch {
		case err == nil && (!signed || e.ID == "" || e.Type == ""):
			t.Fatalf("accepted %q as %+v", body, e)
		case err != nil && fault.From(err) == nil:
			t.Fatalf("not a fault: %v", err)
		}
	})
}
