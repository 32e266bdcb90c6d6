package stripe_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/fault"
	"foyer/billing/billingtest"
	"foyer/billing/processor"
)

// read proves a delivery and returns its event.
func (x target) read(t *testing.T, d billingtest.Delivery) processor.Event {
	t.Helper()
	e, err := x.Processor.ConstructEvent(processor.EndpointConnect, d.Body, d.Signature)
	if err != nil {
		t.Fatalf("%v: %s", err, d.Body)
	}
	return e
}

// find returns the event of a type about a payment; it fails when there is none.
func (x target) find(t *testing.T, kind, payment string) (processor.Event, billingtest.Delivery) {
	t.Helper()
	x.Wait(3 * time.Second)
	for _, d := range x.Deliveries(t) {
		if e := x.read(t, d); e.Type == kind && (payment == "" || e.PaymentID == payment) {
			return e, d
		}
	}
	t.Fatalf("no %s for %q", kind, payment)
	return processor.Event{}, billingtest.Delivery{}
}

func announced(t *testing.T, x target) {
	in := x.create(t, 2245, 45)
	x.Pay(t, in, cardDeclined)
	x.Pay(t, in, billingtest.CardGood)
	x.Wait(5 * time.Second)
	x.get(t, in.ID) // time passes at the processor during a call, too
	if _, err := x.refund(t, in.ID, 100); err != nil {
		t.Fatal(err)
	}
	for kind, object := range map[string]string{
		"payment_intent.payment_failed": "payment_intent",
		"charge.failed":                 "charge",
		"payment_intent.succeeded":      "payment_intent",
		"charge.succeeded":              "charge",
		"charge.updated":                "charge",
		"charge.refunded":               "charge",
		"refund.created":                "refund",
	} {
		e, _ := x.find(t, kind, in.ID)
		want(t, "the account of "+kind, e.Account, x.Account)
		want(t, "the object of "+kind, e.ObjectKind, object)
		if e.ID == "" || e.ObjectID == "" || e.Created.IsZero() || !e.Of(x.Processor.Env()) {
			t.Errorf("%s is %+v", kind, e)
		}
	}
	e, _ := x.find(t, "account.updated", "")
	want(t, "the object", e.ObjectKind, "account")
}

func provenEvents(t *testing.T, x target) {
	in := x.create(t, 2200, 44)
	x.Pay(t, in, billingtest.CardGood)
	_, good := x.find(t, "payment_intent.succeeded", in.ID)
	now := x.Now()
	version := bytes.Replace(good.Body, []byte(`"2024-06-20"`), []byte(`"2019-01-01"`), 1)
	renamed := func(id string) []byte { // the event's own id, which is the first
		at := bytes.Index(good.Body, []byte(`"evt_`))
		end := at + 1 + bytes.IndexByte(good.Body[at+1:], '"')
		return slices.Concat(good.Body[:at+1], []byte(id), good.Body[end:])
	}
	withNUL, long := renamed(`evt_\u0000`), renamed("evt_"+strings.Repeat("x", 3000))
	largest := append(bytes.Clone(good.Body), bytes.Repeat([]byte(" "), 256<<10-len(good.Body))...)
	larger := append(bytes.Clone(largest), ' ')
	notAnEvent := []byte(`{"id":"evt_1","object":"list"}`)
	for name, c := range map[string]struct {
		body      []byte
		signature string
		want      *fault.Error
	}{
		"the first secret":       {good.Body, x.Sign(good.Body, 0, now), nil},
		"the second secret":      {good.Body, x.Sign(good.Body, 1, now), nil},
		"just fresh enough":      {good.Body, x.Sign(good.Body, 0, now.Add(-5*time.Minute)), nil},
		"a clock a little ahead": {good.Body, x.Sign(good.Body, 0, now.Add(5*time.Minute)), nil},
		"stale":                  {good.Body, x.Sign(good.Body, 0, now.Add(-5*time.Minute-time.Second)), processor.ErrEventSignature},
		"from the future":        {good.Body, x.Sign(good.Body, 0, now.Add(10*time.Hour)), processor.ErrEventSignature},
		"forged body":            {append(bytes.Clone(good.Body), ' '), x.Sign(good.Body, 0, now), processor.ErrEventSignature},
		"forged signature":       {good.Body, "t=" + now.Format("20060102") + ",v1=00", processor.ErrEventSignature},
		"no signature":           {good.Body, "", processor.ErrEventSignature},
		"no time":                {good.Body, "v1=00", processor.ErrEventSignature},
		"another version":        {version, x.Sign(version, 0, now), processor.ErrEventVersion},
		"not an event":           {notAnEvent, x.Sign(notAnEvent, 0, now), processor.ErrEventMalformed},
		"not JSON":               {[]byte("{"), x.Sign([]byte("{"), 0, now), processor.ErrEventMalformed},
		"an id with NUL":         {withNUL, x.Sign(withNUL, 0, now), processor.ErrEventMalformed},
		"an endless id":          {long, x.Sign(long, 0, now), processor.ErrEventMalformed},
		"just small enough":      {largest, x.Sign(largest, 0, now), nil},
		"too large":              {larger, x.Sign(larger, 0, now), processor.ErrEventTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := x.Processor.ConstructEvent(processor.EndpointConnect, c.body, c.signature)
			if c.want == nil && err != nil {
				t.Errorf("refused: %v", err)
			}
			if c.want != nil {
				wantErr(t, err, c.want)
			}
		})
	}
}

func duplicateEvents(t *testing.T, x target) {
	in := x.create(t, 2200, 44)
	x.Pay(t, in, billingtest.CardGood)
	first, d := x.find(t, "payment_intent.succeeded", in.ID)
	again := x.read(t, billingtest.Delivery{Body: d.Body, Signature: x.Sign(d.Body, 0, x.Now())})
	want(t, "the event that came twice", again, first)
}
