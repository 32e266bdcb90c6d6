package stripe_test

import (
	"testing"

	"foyer/billing/billingtest"
	"foyer/billing/processor"
)

func (x target) customer(t *testing.T) string {
	t.Helper()
	id, err := x.Processor.CreateCustomer(t.Context(), processor.NewCustomer{
		Account: x.Account, Metadata: map[string]string{"customer_id": "c"}, Key: key("cus"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// prepared is a payment of a customer, whose card is kept or not.
func (x target) prepared(t *testing.T, customer string, keep bool) processor.Intent {
	t.Helper()
	in := x.create(t, 2200, 44)
	got, err := x.Processor.PreparePayment(t.Context(), processor.Preparation{
		Account: x.Account, Payment: in.ID, Customer: customer, SaveCard: keep, Key: key("prep"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the customer", got.CustomerID, customer)
	want(t, "that the card is kept", got.SavesCard, keep)
	return got
}

// savedCard is a customer with a card that a payment has just kept.
func (x target) savedCard(t *testing.T, card billingtest.Card) (customer, method string) {
	t.Helper()
	customer = x.customer(t)
	in := x.prepared(t, customer, true)
	if page := x.Pay(t, in, card); card == cardAsksBank || card == cardAsksOnce {
		x.Bank(t, page, true)
	}
	got := x.get(t, in.ID)
	want(t, "the payment that keeps the card", got.Status, processor.StatusSucceeded)
	return customer, got.MethodID
}

// confirm charges a saved card, with the customer there or without.
func (x target) confirm(t *testing.T, customer, method string, away bool) processor.Intent {
	t.Helper()
	c := processor.Confirmation{Account: x.Account, Payment: x.prepared(t, customer, false).ID, Method: method, OffSession: away, Key: key("conf")}
	if !away {
		c.ReturnURL = billingtest.AppURL + "/done"
	}
	in, err := x.Processor.ConfirmPayment(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	again, err := x.Processor.ConfirmPayment(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the payment of the same key", again.ID, in.ID)
	want(t, "its charge", again.ChargeID, in.ChargeID)
	return in
}

func savedCard(t *testing.T, x target) {
	customer, method := x.savedCard(t, billingtest.CardGood)
	m, err := x.Processor.GetMethod(t.Context(), x.Account, method)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "whose it is", m.Customer, customer)
	want(t, "the brand", m.Card.Brand, "visa")
	want(t, "the digits", m.Card.Last4, "4242")
	want(t, "the year", m.Card.ExpYear, 2034)
	list, err := x.Processor.ListMethods(t.Context(), x.Account, customer)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0] != m {
		t.Errorf("the kept cards are %+v", list)
	}

	in := x.confirm(t, customer, method, false)
	want(t, "the status", in.Status, processor.StatusSucceeded)
	want(t, "the card", in.MethodID, method)
	want(t, "the fee", in.Fee, 44)
	got := x.get(t, in.ID)
	want(t, "the same number again", got.Card.Fingerprint, m.Card.Fingerprint)
	_, err = x.Processor.ConfirmPayment(t.Context(), processor.Confirmation{
		Account: x.Account, Payment: in.ID, Method: method, ReturnURL: billingtest.AppURL + "/done", Key: key("conf"),
	})
	wantErr(t, err, processor.ErrPaymentFinal)
	_, err = x.Processor.PreparePayment(t.Context(), processor.Preparation{
		Account: x.Account, Payment: in.ID, Customer: customer, SaveCard: true, Key: key("prep"),
	})
	wantErr(t, err, processor.ErrPaymentFinal)
}

func notSaved(t *testing.T, x target) {
	customer := x.customer(t)
	in := x.prepared(t, customer, true)
	if _, err := x.Processor.PreparePayment(t.Context(), processor.Preparation{
		Account: x.Account, Payment: in.ID, Customer: customer, Key: key("prep"),
	}); err != nil { // the customer has thought again
		t.Fatal(err)
	}
	x.Pay(t, in, billingtest.CardGood)
	got := x.get(t, in.ID)
	want(t, "the status", got.Status, processor.StatusSucceeded)
	want(t, "that the card is kept", got.SavesCard, false)
	list, err := x.Processor.ListMethods(t.Context(), x.Account, customer)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the number of kept cards", len(list), 0)
}

func savedCardAsksBank(t *testing.T, x target) {
	customer, method := x.savedCard(t, cardAsksOnce)
	for _, c := range []struct {
		yes    bool
		status processor.Status
	}{{true, processor.StatusSucceeded}, {false, processor.StatusAwaitingMethod}} {
		in := x.confirm(t, customer, method, false)
		want(t, "the status", in.Status, processor.StatusAwaitingCustomer)
		if in.RedirectURL == "" {
			t.Fatal("the customer is not sent to the bank")
		}
		x.Bank(t, in.RedirectURL, c.yes)
		want(t, "the status", x.get(t, in.ID).Status, c.status)
	}
}

func offSession(t *testing.T, x target) {
	for _, c := range []struct {
		card   billingtest.Card
		status processor.Status
		code   string
	}{
		{billingtest.CardGood, processor.StatusSucceeded, ""},
		{cardAsksOnce, processor.StatusSucceeded, ""},
		{cardAsksBank, processor.StatusAwaitingMethod, "authentication_required"},
		{cardDeclinesSaved, processor.StatusAwaitingMethod, "card_declined"},
	} {
		customer, method := x.savedCard(t, c.card)
		in := x.confirm(t, customer, method, true)
		want(t, "the status of "+string(c.card), in.Status, c.status)
		if f := in.Failure; c.code != "" && (f == nil || f.Code != c.code || f.Message == "") {
			t.Errorf("the failure of %s is %+v, want %s", c.card, f, c.code)
		}
		want(t, "the bank's page", in.RedirectURL, "")
	}
}

func forgotten(t *testing.T, x target) {
	customer, method := x.savedCard(t, billingtest.CardGood)
	for range 2 { // also when it is forgotten already
		if err := x.Processor.DetachMethod(t.Context(), x.Account, method, key("detach")); err != nil {
			t.Fatal(err)
		}
	}
	m, err := x.Processor.GetMethod(t.Context(), x.Account, method)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "whose it is", m.Customer, "")
	_, err = x.Processor.ConfirmPayment(t.Context(), processor.Confirmation{
		Account: x.Account, Payment: x.prepared(t, customer, false).ID, Method: method, OffSession: true, Key: key("conf"),
	})
	wantErr(t, err, processor.ErrCardRemoved)
	told := 0
	for _, d := range x.Deliveries(t) {
		e, err := x.Processor.ConstructEvent(processor.EndpointConnect, d.Body, d.Signature)
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == "payment_method.detached" && e.ObjectID == method && e.Account == x.Account {
			told++
		}
	}
	if told == 0 {
		t.Error("no event tells that the card was forgotten")
	}
}

func savedElsewhere(t *testing.T, x target) {
	_, method := x.savedCard(t, billingtest.CardGood)
	_, err := x.Processor.GetMethod(t.Context(), x.Other, method)
	wantErr(t, err, processor.ErrUnknownObject)
	wantErr(t, x.Processor.DetachMethod(t.Context(), x.Other, method, key("detach")), processor.ErrUnknownObject)
	in := x.prepared(t, x.customer(t), false) // of another customer
	_, err = x.Processor.ConfirmPayment(t.Context(), processor.Confirmation{
		Account: x.Account, Payment: in.ID, Method: method, OffSession: true, Key: key("conf"),
	})
	wantErr(t, err, processor.ErrCardRemoved)
}
