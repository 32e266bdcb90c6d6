package hosted_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/billing/processor"
)

// live is the simulator's processor dressed as a real one in its test mode: another world, and account ids without the
// simulator's mark.
type live struct{ processor.Processor }

func bared(id string) string  { return strings.Replace(id, "acct_sim_", "acct_", 1) }
func marked(id string) string { return strings.Replace(id, "acct_", "acct_sim_", 1) }

func (live) Env() processor.Env     { return processor.EnvTest }
func (live) PublishableKey() string { return "pk_test_of_the_platform" }

func account(a processor.Account, err error) (processor.Account, error) {
	a.ID, a.Env = bared(a.ID), processor.EnvTest
	return a, err
}

func intent(in processor.Intent, err error) (processor.Intent, error) {
	in.Account = bared(in.Account)
	return in, err
}

func (l live) CreateAccount(ctx context.Context, in processor.NewAccount) (processor.Account, error) {
	return account(l.Processor.CreateAccount(ctx, in))
}

func (l live) AccountLink(ctx context.Context, in processor.NewLink) (string, error) {
	in.Account = marked(in.Account)
	return l.Processor.AccountLink(ctx, in)
}

func (l live) GetAccount(ctx context.Context, id string) (processor.Account, error) {
	return account(l.Processor.GetAccount(ctx, marked(id)))
}

func (l live) RegisterDomain(ctx context.Context, in processor.NewDomain) (processor.Domain, error) {
	in.Account = marked(in.Account)
	return l.Processor.RegisterDomain(ctx, in)
}

func (l live) CreatePayment(ctx context.Context, in processor.NewPayment) (processor.Intent, error) {
	in.Account = marked(in.Account)
	return intent(l.Processor.CreatePayment(ctx, in))
}

func (l live) GetPayment(ctx context.Context, account, id string) (processor.Intent, error) {
	return intent(l.Processor.GetPayment(ctx, marked(account), id))
}

func (l live) CapturePayment(ctx context.Context, account, id, key string) (processor.Intent, error) {
	return intent(l.Processor.CapturePayment(ctx, marked(account), id, key))
}

func (l live) CancelPayment(ctx context.Context, account, id, key string) (processor.Intent, error) {
	return intent(l.Processor.CancelPayment(ctx, marked(account), id, key))
}

func (l live) CreateCustomer(ctx context.Context, in processor.NewCustomer) (string, error) {
	in.Account = marked(in.Account)
	return l.Processor.CreateCustomer(ctx, in)
}

func (l live) PreparePayment(ctx context.Context, in processor.Preparation) (processor.Intent, error) {
	in.Account = marked(in.Account)
	return intent(l.Processor.PreparePayment(ctx, in))
}

// TestLiveCardForm shows the processor's own form under the policy that lets it in, and nowhere else; the form's
// question for the payment's secret is answered in JSON, refusals too. A215.
func TestLiveCardForm(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) { p.Live = true })
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	date := v.get(s.path(yoga, &yoga.Dates[0]))
	if csp := date.Header.Get("Content-Security-Policy"); strings.Contains(csp, "stripe") {
		t.Errorf("the class's page lets Stripe in: %s", csp)
	}
	pay := date.form("/sunrise-vinyasa").post().follow().want(200, "Pay $22.00", "This step needs JavaScript", "You pay Harbour Yoga")
	if csp := pay.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self' https://js.stripe.com") || !strings.Contains(csp, "frame-ancestors 'none'") {
		t.Errorf("the policy is %s", csp)
	}
	for _, want := range []string{`data-key="pk_test_of_the_platform"`, `data-account="` + s.Account + `"`, `data-amount="2200"`,
		`data-currency="usd"`, `data-return="` + s.URL + pay.url.Path[:len(pay.url.Path)-len("/pay")] + `/done"`} {
		if !strings.Contains(pay.Body, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	pay.lacks("Test payment")

	f := pay.form("/pay")
	f.post().wantTo(pay.url.Path) // without the script
	v.headers.Set("Accept", "application/json")
	var answer struct {
		Data  struct{ ClientSecret string }
		Error struct {
			Code, Message string
			Details       map[string]any
		}
	}
	said := f.post().want(200)
	if err := json.Unmarshal([]byte(said.Body), &answer); err != nil || !strings.Contains(answer.Data.ClientSecret, "_secret_") {
		t.Fatalf("%v: %s", err, said.Body)
	}
	f.post("keep", "1").want(200)
	if n := s.count(t, "payments where consent_text like 'Harbour Yoga saves this card%'"); n != 1 {
		t.Error("what was agreed to is not written down")
	}
	f.post().want(200) // the box is no longer ticked
	if n := s.count(t, "payments where consent_at is null"); n != 1 {
		t.Error("the card is still to be kept")
	}
	wrong := f.post("total", "100").want(409)
	if err := json.Unmarshal([]byte(wrong.Body), &answer); err != nil || answer.Error.Details["reason"] != "price_changed" {
		t.Errorf("another total: %v: %s", err, wrong.Body)
	}
	f.post("total", "").want(400)
	f.post("_token", "").want(403)
	if got := f.post("_token", "").Header.Get("Content-Type"); !strings.HasPrefix(got, "application/json") {
		t.Errorf("a refusal of the script comes as %s", got)
	}
	if n := s.count(t, "payments"); n != 1 {
		t.Errorf("%d payments", n)
	}

	v.headers.Del("Accept")
	v.send("POST", "/__sim/pay", url.Values{"client_secret": {answer.Data.ClientSecret}, "number": {apptest.CardGood},
		"exp": {"12/34"}, "cvc": {"123"}, "return_url": {s.URL + pay.url.Path}})
	v.get(pay.url.Path).wantTo("/cart/").follow().want(200, "You’re booked", "Visa ending 4242")

	v.headers.Set("Accept", "application/json")
	if late := f.post().want(409); !strings.Contains(late.Body, `"ordered"`) {
		t.Errorf("a booked cart answers %s", late.Body)
	}
}
