package stripe_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"foyer/app/money"
	"foyer/billing/billingtest"
	"foyer/billing/processor"
)

func onboarding(t *testing.T, x target) {
	in := processor.NewAccount{Business: "0198c0de", Country: "US", Email: "owner@studio.example", Key: key("acct")}
	a, err := x.Processor.CreateAccount(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the state", a.State, processor.StateOnboarding)
	want(t, "the env", a.Env, x.Processor.Env())
	want(t, "the business", a.Business, in.Business)
	want(t, "the currency", a.DefaultCurrency, "USD")
	if len(a.Due) == 0 {
		t.Error("nothing is asked of a new account")
	}
	again, err := x.Processor.CreateAccount(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the account of the same key", again.ID, a.ID)

	link, err := x.Processor.AccountLink(t.Context(), processor.NewLink{
		Account: a.ID, ReturnURL: billingtest.AppURL + "/payments/back", RefreshURL: billingtest.AppURL + "/payments/again",
	})
	if err != nil {
		t.Fatal(err)
	}
	x.Onboard(t, link)
	if a, err = x.Processor.GetAccount(t.Context(), a.ID); err != nil {
		t.Fatal(err)
	}
	want(t, "the state", a.State, processor.StateActive)
	want(t, "what is due", len(a.Due), 0)
}

func disconnected(t *testing.T, x target) {
	x.Disconnect(t, x.Other)
	a, err := x.Processor.GetAccount(t.Context(), x.Other)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the state", a.State, processor.StateDisconnected)
	_, err = x.Processor.CreatePayment(t.Context(), processor.NewPayment{Account: x.Other, Amount: 2200, Currency: x.Currency, Key: key("pi")})
	wantErr(t, err, processor.ErrAccountDisconnected)
}

func directCharge(t *testing.T, x target) {
	in := x.create(t, 2245, 45)
	want(t, "the status", in.Status, processor.StatusAwaitingMethod)
	want(t, "the account", in.Account, x.Account)
	want(t, "the amount", in.Amount, int64(2245))
	want(t, "the fee", in.Fee, int64(45))
	want(t, "the currency", in.Currency, x.Currency)
	want(t, "the metadata", in.Metadata["kind"], "order")
	if in.ClientSecret == "" {
		t.Error("there is no client secret")
	}
	x.Pay(t, in, billingtest.CardGood)
	in = x.get(t, in.ID)
	want(t, "the status", in.Status, processor.StatusSucceeded)
	if c := in.Card; c == nil || c.Brand != "visa" || c.Last4 != "4242" || c.ExpMonth != 12 || c.ExpYear != 2034 || c.Fingerprint == "" {
		t.Errorf("the card is %+v", c)
	}
	if in.ChargeID == "" || in.Failure != nil {
		t.Errorf("charge %q, failure %+v", in.ChargeID, in.Failure)
	}

	x.Wait(5 * time.Second)
	s := x.get(t, in.ID).Settlement
	if s == nil {
		t.Fatal("the fees are not known")
	}
	want(t, "the gross", s.Gross, int64(2245))
	want(t, "the platform's part", s.PlatformFee, int64(45))
	if s.ProcessorFee <= 0 {
		t.Errorf("the processor's own fee is %d", s.ProcessorFee)
	}
	want(t, "the net", s.Net, s.Gross-s.PlatformFee-s.ProcessorFee)
}

func chargeWithoutFee(t *testing.T, x target) {
	in := x.paid(t, 2200, 0)
	want(t, "the status", in.Status, processor.StatusSucceeded)
	want(t, "the fee", in.Fee, 0)
	want(t, "the platform's part", in.Settlement.PlatformFee, 0)
	r, err := x.Processor.Refund(t.Context(), processor.NewRefund{
		Account: x.Account, Payment: in.ID, Amount: 2200, Currency: x.Currency, Key: key("refund"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the refund", r.Status, processor.RefundSucceeded)
}

func decline(t *testing.T, x target) {
	in := x.create(t, 2200, 44)
	for _, c := range []struct {
		card           billingtest.Card
		code, declined string
	}{
		{cardDeclined, "card_declined", "generic_decline"},
		{cardNoFunds, "card_declined", "insufficient_funds"},
		{cardExpired, "expired_card", "expired_card"},
	} {
		x.Pay(t, in, c.card)
		got := x.get(t, in.ID)
		want(t, "the status", got.Status, processor.StatusAwaitingMethod)
		if got.Failure == nil {
			t.Fatalf("%s: no failure", c.card)
		}
		want(t, "the code", got.Failure.Code, c.code)
		want(t, "the decline code", got.Failure.DeclineCode, c.declined)
		if got.Failure.Message == "" {
			t.Error("the customer is told nothing")
		}
	}
	x.Pay(t, in, billingtest.CardGood)
	got := x.get(t, in.ID)
	want(t, "the status", got.Status, processor.StatusSucceeded)
	want(t, "the failure", got.Failure, nil)
}

func bank(t *testing.T, x target) {
	for _, c := range []struct {
		authorise bool
		status    processor.Status
		code      string
	}{
		{true, processor.StatusSucceeded, ""},
		{false, processor.StatusAwaitingMethod, "payment_intent_authentication_failure"},
	} {
		in := x.create(t, 2200, 44)
		page := x.Pay(t, in, cardAsksBank)
		asked := x.get(t, in.ID)
		want(t, "the status", asked.Status, processor.StatusAwaitingCustomer)
		want(t, "the bank's page", asked.RedirectURL, page)
		x.Bank(t, page, c.authorise)
		got := x.get(t, in.ID)
		want(t, "the status", got.Status, c.status)
		want(t, "the bank's page", got.RedirectURL, "")
		if code := got.Failure; c.code != "" && (code == nil || code.Code != c.code) {
			t.Errorf("the failure is %+v, want %s", code, c.code)
		}
	}
}

func sameKey(t *testing.T, x target) {
	in := processor.NewPayment{Account: x.Account, Amount: 2200, Currency: x.Currency, Fee: 44, Key: key("pi")}
	first, err := x.Processor.CreatePayment(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	x.Pay(t, first, billingtest.CardGood)
	again, err := x.Processor.CreatePayment(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the payment", again.ID, first.ID)
	// the first answer, not the present state
	want(t, "the replayed status", again.Status, processor.StatusAwaitingMethod)

	in.Account = x.Other
	elsewhere, err := x.Processor.CreatePayment(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if elsewhere.ID == first.ID {
		t.Error("keys of different accounts meet")
	}
}

func sameKeyRace(t *testing.T, x target) {
	in := processor.NewPayment{Account: x.Account, Amount: 2200, Currency: x.Currency, Key: key("pi")}
	ids := make([]string, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			got, err := x.Processor.CreatePayment(t.Context(), in)
			if err != nil && !processor.Retryable(err) {
				t.Error(err)
			}
			ids[i] = got.ID
		})
	}
	wg.Wait()
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	slices.Sort(ids)
	want(t, "the number of payments", len(slices.Compact(ids)), 1)
}

func keyClash(t *testing.T, x target) {
	in := processor.NewPayment{Account: x.Account, Amount: 2200, Currency: x.Currency, Key: key("pi")}
	if _, err := x.Processor.CreatePayment(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	in.Amount = 2300
	_, err := x.Processor.CreatePayment(t.Context(), in)
	wantErr(t, err, processor.ErrKeyReused)
}

func cancel(t *testing.T, x target) {
	in := x.create(t, 2200, 44)
	got, err := x.Processor.CancelPayment(t.Context(), x.Account, in.ID, key("cancel"))
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the status", got.Status, processor.StatusCanceled)

	done := x.paid(t, 2200, 44)
	_, err = x.Processor.CancelPayment(t.Context(), x.Account, done.ID, key("cancel"))
	wantErr(t, err, processor.ErrPaymentFinal)
}

func badAmounts(t *testing.T, x target) {
	info, _ := money.Lookup(x.Currency)
	for name, c := range map[string]struct {
		amount, fee int64
		want        error
	}{
		"below the least":   {info.MinCharge - 1, 0, processor.ErrAmountRefused},
		"above the largest": {money.MaxStripeAmount + 1, 0, processor.ErrAmountRefused},
		"all of it is fee":  {2200, 2200, processor.ErrRefused},
		"a negative fee":    {2200, -1, processor.ErrRefused},
	} {
		_, err := x.Processor.CreatePayment(t.Context(), processor.NewPayment{
			Account: x.Account, Amount: c.amount, Currency: x.Currency, Fee: c.fee, Key: key("pi"),
		})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// hold returns a payment that is authorized on the customer's card.
func (x target) hold(t *testing.T, amount, fee int64) processor.Intent {
	t.Helper()
	in, err := x.Processor.CreatePayment(t.Context(), processor.NewPayment{
		Account: x.Account, Amount: amount, Currency: x.Currency, Fee: fee, ManualCapture: true, Key: key("pi"),
	})
	if err != nil {
		t.Fatal(err)
	}
	x.Pay(t, in, billingtest.CardGood)
	x.Wait(5 * time.Second)
	got := x.get(t, in.ID)
	want(t, "the status of held money", got.Status, processor.StatusAuthorized)
	want(t, "the settlement of held money", got.Settlement, nil)
	return got
}

func capture(t *testing.T, x target) {
	held := x.hold(t, 2200, 44)
	for range 2 {
		got, err := x.Processor.CapturePayment(t.Context(), x.Account, held.ID, "capture:"+held.ID)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "the status", got.Status, processor.StatusSucceeded)
	}
	x.Wait(5 * time.Second)
	got := x.get(t, held.ID)
	if got.Settlement == nil || got.Settlement.Gross != 2200 || got.Settlement.PlatformFee != 44 {
		t.Errorf("what was captured is settled as %+v", got.Settlement)
	}
	_, err := x.Processor.CapturePayment(t.Context(), x.Account, held.ID, key("capture"))
	wantErr(t, err, processor.ErrPaymentFinal)
	_, err = x.Processor.CancelPayment(t.Context(), x.Account, held.ID, key("cancel"))
	wantErr(t, err, processor.ErrPaymentFinal)
}

func letGo(t *testing.T, x target) {
	held := x.hold(t, 2200, 44)
	got, err := x.Processor.CancelPayment(t.Context(), x.Account, held.ID, key("cancel"))
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the status", got.Status, processor.StatusCanceled)
	want(t, "the settlement", x.get(t, held.ID).Settlement, nil)
	_, err = x.Processor.CapturePayment(t.Context(), x.Account, held.ID, key("capture"))
	wantErr(t, err, processor.ErrPaymentFinal)
	open := x.create(t, 2200, 44)
	_, err = x.Processor.CapturePayment(t.Context(), x.Account, open.ID, key("capture"))
	wantErr(t, err, processor.ErrPaymentFinal)
}
