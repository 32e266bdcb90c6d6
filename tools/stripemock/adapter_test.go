package stripemock

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-mock/embedded"
	"github.com/stripe/stripe-mock/server"

	"foyer/app/clock"
	"foyer/billing/processor"
	"foyer/billing/stripe"
)

const (
	account = "acct_1032D82eZvKYlo2C" // as stripe-mock's own examples have them
	version = "2024-06-20"
)

// sent is a request that reached stripe-mock, and how it was answered.
type sent struct {
	method, path, body string
	header             http.Header
	status             int
	answer             string
}

// mock is stripe-mock behind the adapter's transport. It keeps what passes.
type mock struct {
	stub http.Handler
	sent []sent
}

func open(t *testing.T) *mock {
	t.Helper()
	spec, err := server.LoadSpec(embedded.OpenAPISpec, "")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := server.LoadFixtures(embedded.OpenAPIFixtures, "")
	if err != nil {
		t.Fatal(err)
	}
	stub, err := server.NewStubServer(fixtures, spec, false, false)
	if err != nil {
		t.Fatal(err)
	}
	return &mock{stub: http.HandlerFunc(stub.HandleRequest)}
}

// RoundTrip carries a request to stripe-mock.
func (m *mock) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	q := httptest.NewRequest(r.Method, r.URL.String(), bytes.NewReader(body))
	q.Header = r.Header.Clone()
	answer := httptest.NewRecorder()
	m.stub.ServeHTTP(answer, q)
	m.sent = append(m.sent, sent{r.Method, r.URL.Path, string(body), r.Header.Clone(), answer.Code, answer.Body.String()})
	if r.URL.Path == "/v1/payment_intents/"+withFee && answer.Code == http.StatusOK { // no example of theirs has a fee
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(
			`{"id": "` + withFee + `", "latest_charge": {"id": "ch_1", "object": "charge", "application_fee": "fee_1"}}`))}, nil
	}
	return answer.Result(), nil
}

// withFee is a payment with an application fee.
const withFee = "pi_fee"

// calls are the methods of the adapter that ask Stripe for something, each with all that it can send.
var calls = map[string]func(context.Context, processor.Processor) error{
	"CreateAccount": func(ctx context.Context, p processor.Processor) error {
		_, err := p.CreateAccount(ctx, processor.NewAccount{Business: "b", Country: "US", Email: "owner@example.com", Key: "key:acct"})
		return err
	},
	"AccountLink": func(ctx context.Context, p processor.Processor) error {
		_, err := p.AccountLink(ctx, processor.NewLink{Account: account, ReturnURL: "https://a.example/back", RefreshURL: "https://a.example/again"})
		return err
	},
	"GetAccount": func(ctx context.Context, p processor.Processor) error {
		_, err := p.GetAccount(ctx, account)
		return err
	},
	"RegisterDomain": func(ctx context.Context, p processor.Processor) error {
		_, err := p.RegisterDomain(ctx, processor.NewDomain{Account: account, Name: "book.example.com", Key: "key:domain"})
		return err
	},
	"CreatePayment": func(ctx context.Context, p processor.Processor) error {
		_, err := p.CreatePayment(ctx, processor.NewPayment{
			Account: account, Amount: 2200, Currency: "USD", Fee: 44, Description: "Morning Yoga", Customer: "cus_1",
			Metadata: map[string]string{"order_id": "o"}, ManualCapture: true, Key: "key:pi",
		})
		return err
	},
	"GetPayment": func(ctx context.Context, p processor.Processor) error {
		_, err := p.GetPayment(ctx, account, "pi_1")
		return err
	},
	"CapturePayment": func(ctx context.Context, p processor.Processor) error {
		_, err := p.CapturePayment(ctx, account, "pi_1", "key:capture")
		return err
	},
	"CancelPayment": func(ctx context.Context, p processor.Processor) error {
		_, err := p.CancelPayment(ctx, account, "pi_1", "key:cancel")
		return err
	},
	"ReturnFee": func(ctx context.Context, p processor.Processor) error {
		_, err := p.ReturnFee(ctx, processor.FeeReturn{Account: account, Payment: withFee, Amount: 10, Whole: 1_000_000, Currency: "USD", Key: "key:fee"})
		return err
	},
	"Refund": func(ctx context.Context, p processor.Processor) error {
		_, err := p.Refund(ctx, processor.NewRefund{
			Account: account, Payment: "pi_1", Amount: 1000, Currency: "USD", ReturnFee: true, Metadata: map[string]string{"refund_id": "r"}, Key: "key:refund",
		})
		return err
	},
	"GetRefund": func(ctx context.Context, p processor.Processor) error {
		_, err := p.GetRefund(ctx, account, "re_1")
		return err
	},
	"ListRefunds": func(ctx context.Context, p processor.Processor) error {
		_, err := p.ListRefunds(ctx, account, "pi_1")
		return err
	},
	"Balance": func(ctx context.Context, p processor.Processor) error {
		_, err := p.Balance(ctx, account)
		return err
	},
	"ListBalance": func(ctx context.Context, p processor.Processor) error {
		_, err := p.ListBalance(ctx, processor.BalanceList{List: page("txn_1"), Payout: "po_1"})
		return err
	},
	"GetPayout": func(ctx context.Context, p processor.Processor) error {
		_, err := p.GetPayout(ctx, account, "po_1")
		return err
	},
	"ListPayouts": func(ctx context.Context, p processor.Processor) error {
		_, err := p.ListPayouts(ctx, page("po_1"))
		return err
	},
	"GetDispute": func(ctx context.Context, p processor.Processor) error {
		_, err := p.GetDispute(ctx, account, "dp_1")
		return err
	},
	"SubmitEvidence": func(ctx context.Context, p processor.Processor) error {
		_, err := p.SubmitEvidence(ctx, processor.EvidenceSubmission{
			Account: account, Dispute: "dp_1", Key: "key:answer", Words: processor.Evidence{Product: "Yoga", CustomerName: "Ada", CustomerEmail: "ada@example.com",
				CustomerIP: "192.0.2.1", ServiceDate: "2026-06-11", Attendance: "Came", Policy: "Free until", Refusal: "Completed", Other: "More"},
		})
		return err
	},
	"ListDisputes": func(ctx context.Context, p processor.Processor) error {
		_, err := p.ListDisputes(ctx, page("dp_1"))
		return err
	},
	"CreateCustomer": func(ctx context.Context, p processor.Processor) error {
		_, err := p.CreateCustomer(ctx, processor.NewCustomer{Account: account, Metadata: map[string]string{"customer_id": "c"}, Key: "key:cus"})
		return err
	},
	"PreparePayment": func(ctx context.Context, p processor.Processor) error {
		_, err := p.PreparePayment(ctx, processor.Preparation{Account: account, Payment: "pi_1", Customer: "cus_1", SaveCard: true, Key: "key:keep"})
		if err == nil {
			_, err = p.PreparePayment(ctx, processor.Preparation{Account: account, Payment: "pi_1", Key: "key:keepnot"})
		}
		return err
	},
	"ConfirmPayment": func(ctx context.Context, p processor.Processor) error {
		_, err := p.ConfirmPayment(ctx, processor.Confirmation{Account: account, Payment: "pi_1", Method: "pm_1", OffSession: true, Key: "key:away"})
		if err == nil {
			_, err = p.ConfirmPayment(ctx, processor.Confirmation{Account: account, Payment: "pi_1", Method: "pm_1", ReturnURL: "https://a.example/back", Key: "key:here"})
		}
		return err
	},
	"GetMethod": func(ctx context.Context, p processor.Processor) error {
		_, err := p.GetMethod(ctx, account, "pm_1")
		return err
	},
	"ListMethods": func(ctx context.Context, p processor.Processor) error {
		_, err := p.ListMethods(ctx, account, "cus_1")
		return err
	},
	"DetachMethod": func(ctx context.Context, p processor.Processor) error {
		return p.DetachMethod(ctx, account, "pm_1", "key:detach")
	},
}

func page(after string) processor.List {
	return processor.List{Account: account, Since: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), After: after}
}

// asksNothing are the methods that send nothing.
var asksNothing = []string{"Env", "PublishableKey", "ConstructEvent"}

// Whatever the adapter sends, Stripe has: the address, each parameter and each value of a closed list. It says which version it speaks and,
// but for what is the platform's own, whose account is meant; a change has the key that it was given, and not one that stripe-go made up.
func TestTheAdapterSendsWhatStripeKnows(t *testing.T) {
	m := open(t)
	p, err := stripe.New(stripe.Config{
		SecretKey: "sk_test_stripemock", PublishableKey: "pk_test_stripemock", BaseURL: "http://stripemock.example",
		HTTPClient: &http.Client{Transport: m}, Clock: clock.System{}, NoRetry: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	names, err := ReadNames()
	if err != nil {
		t.Fatal(err)
	}
	of := reflect.TypeFor[processor.Processor]()
	for i := range of.NumMethod() {
		if name := of.Method(i).Name; calls[name] == nil && !slices.Contains(asksNothing, name) {
			t.Errorf("%s is not called here", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		t.Run(name, func(t *testing.T) {
			m.sent = nil
			if err := calls[name](t.Context(), p); err != nil {
				t.Error(err)
			}
			if len(m.sent) == 0 {
				t.Error("nothing was sent")
			}
			for _, s := range m.sent {
				if s.status != http.StatusOK {
					t.Errorf("%s %s %s: %d %s", s.method, s.path, s.body, s.status, s.answer)
				}
				for _, wrong := range append(s.headers(), s.unknown(t, names)...) {
					t.Errorf("%s %s: %s", s.method, s.path, wrong)
				}
			}
		})
	}
}

// headers says what is wrong with those of a request.
func (s sent) headers() (wrong []string) {
	if v := s.header.Get("Stripe-Version"); v != version {
		wrong = append(wrong, fmt.Sprintf("the version is %q", v))
	}
	want := account
	if strings.HasPrefix(s.path, "/v1/accounts") || s.path == "/v1/account_links" || strings.HasPrefix(s.path, "/v1/application_fees/") {
		want = ""
	}
	if got := s.header.Get("Stripe-Account"); got != want {
		wrong = append(wrong, fmt.Sprintf("the account is %q, want %q", got, want))
	}
	// A link is made anew by each call: it has no key of ours.
	if key := s.header.Get("Idempotency-Key"); s.method == http.MethodPost && s.path != "/v1/account_links" && !strings.HasPrefix(key, "key:") {
		wrong = append(wrong, fmt.Sprintf("the key is %q", key))
	}
	return wrong
}

// unknown are the parameters of a change that Stripe does not have.
func (s sent) unknown(t *testing.T, names Names) (wrong []string) {
	t.Helper()
	if s.method != http.MethodPost {
		return nil
	}
	values, err := url.ParseQuery(s.body)
	if err != nil {
		t.Fatal(err)
	}
	for name := range values {
		if !names.Has(s.path, name) {
			wrong = append(wrong, name+" is not known")
		}
	}
	return wrong
}

// Names are known as they are sent, and no others.
func TestNames(t *testing.T) {
	names, err := ReadNames()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"country": true, "controller[fees][payer]": true, "metadata[business_id]": true, "expand[0]": true, "capabilities[card_payments][requested]": true,
		"nonsense": false, "controller[nonsense]": false, "controller[fees][nonsense]": false, "metadata[a][b]": false,
	} {
		if got := names.Has("/v1/accounts", name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if names.Has("/v1/nonsense", "country") {
		t.Error("a path that does not exist has parameters")
	}
}

// stripe-mock refuses what Stripe does not have: or the test above would prove nothing.
func TestStripeMockRefuses(t *testing.T) {
	m := open(t)
	const good = "amount=2200&currency=usd&payment_method_types[0]=card"
	for name, c := range map[string]struct {
		path, body string
		status     int
	}{
		"what is right":                    {"/v1/payment_intents", good, http.StatusOK},
		"a parameter that does not exist":  {"/v1/payment_intents", good + "&nonsense=1", http.StatusBadRequest},
		"a value that does not exist":      {"/v1/payment_intents", good + "&capture_method=nonsense", http.StatusBadRequest},
		"a parameter that is missing":      {"/v1/payment_intents", "amount=2200", http.StatusBadRequest},
		"an address that does not exist":   {"/v1/nonsense", "", http.StatusNotFound},
		"an amount that is not an integer": {"/v1/payment_intents", "amount=22.00&currency=usd", http.StatusBadRequest},
	} {
		r := httptest.NewRequest(http.MethodPost, "http://stripemock.example"+c.path, strings.NewReader(c.body))
		r.Header.Set("Authorization", "Bearer sk_test_stripemock")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer, err := m.RoundTrip(r)
		if err != nil || answer.StatusCode != c.status {
			t.Errorf("%s: %d, want %d: %v", name, answer.StatusCode, c.status, err)
		}
	}
}
