package checkout_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/checkout"
)

// A215: the card statement names the studio. A request that is repeated says what the first one said, also after the
// studio has changed its name: the processor refuses a repetition with other words.
func TestA215_StatementNamesTheStudio(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.w.SQL(t, "update businesses set name = 'Café Søn & \"Yoga\" am Großen Hafen'")
	token := s.Fill(t, s.class(t, 2200, 1))
	s.hold(t, ada, token)
	s.Answered = failing() // it was made, and the answer is lost
	if _, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 2200}); err == nil {
		t.Fatal("no answer was lost")
	}
	s.Answered = nil
	s.w.SQL(t, "update businesses set name = 'Another name'")
	p := s.pay(t, ada, token, 2200)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	s.onStatement(t, "Cafe Son & Yoga am")
	s.check(t)
}

// A processor that refuses the words on a statement is paid without them: a name is no reason to lose a sale.
func TestStatementRefused(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2200, 1))
	s.hold(t, ada, token)
	asked := 0
	s.Instead = func(r *http.Request) (int, string) {
		if !strings.HasSuffix(r.URL.Path, "/v1/payment_intents") {
			return 0, ""
		}
		asked++
		body, err := r.GetBody()
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		form, err := io.ReadAll(body)
		if err != nil {
			t.Error(err)
		}
		if sent, err := url.ParseQuery(string(form)); err != nil || !sent.Has("statement_descriptor_suffix") {
			return 0, ""
		}
		return http.StatusBadRequest, `{"error": {"type": "invalid_request_error", "param": "statement_descriptor_suffix",
			"message": "The statement descriptor suffix is too generic."}}`
	}
	p := s.pay(t, ada, token, 2200)
	s.Instead = nil
	if asked != 2 {
		t.Errorf("%d requests", asked)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	s.onStatement(t, "")
	s.check(t)
}

// onStatement fails the test unless the only payment has these words on the card statement.
func (s shop) onStatement(t *testing.T, want string) {
	t.Helper()
	intent := apptest.Value[string](t, s.w, "select intent from payments")
	words, err := s.Sim.Statement(s.Account, intent)
	if must(t, words, err); words != want {
		t.Errorf("the statement says %q, want %q", words, want)
	}
}
