package stripe_test

import (
	"testing"

	"foyer/billing/billingtest"
	"foyer/billing/processor"
)

// TestRegisterDomain: the adapter's reading of the processor's answer.
func TestRegisterDomain(t *testing.T) {
	sim := billingtest.NewSim(t)
	id := sim.Account(t, "a", "US")
	ask := func(name string) (processor.Domain, error) {
		return sim.Processor.RegisterDomain(t.Context(), processor.NewDomain{Account: id, Name: name, Key: "domain:" + name})
	}
	first, err := ask("book.example.com")
	if err != nil || first.Trouble != "" || first.ID == "" {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, err := ask("book.example.com"); err != nil || again != first {
		t.Errorf("again: %+v, %v", again, err)
	}
	if d, err := ask("book.invalid"); err != nil || d.Trouble == "" {
		t.Errorf("not verified: %+v, %v", d, err)
	}
	_, err = ask("no domain")
	wantErr(t, err, processor.ErrRefused)
	a := &answering{status: 200, body: `{"object":"list","data":[{"id":"pmd_1","object":"payment_method_domain","domain_name":"book.example.com","enabled":false}]}`}
	if _, err := adapter(t, a).RegisterDomain(t.Context(), processor.NewDomain{Account: "acct_1", Name: "book.example.com", Key: "k"}); err != nil {
		t.Error(err)
	}
	if n := len(a.sent); n != 2 || a.sent[1].URL.Path != "/v1/payment_method_domains/pmd_1" || a.bodies[1] != "enabled=true" {
		t.Errorf("one that was switched off: %d requests, the last %q", n, a.bodies)
	}
}
