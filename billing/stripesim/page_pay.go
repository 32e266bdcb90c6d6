package stripesim

import (
	"crypto/subtle"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"unicode"
)

const (
	elsewhere      = "The page to return to is not part of this site."
	unknownPayment = "This payment is not known. It may belong to an earlier run of the program."
)

// pay is the target of the app's own card form. It does what Stripe's script does in the browser: it puts the card on the
// payment, then sends the browser to the bank's check or back to return_url with payment_intent and redirect_status.
func (s *Server) pay(w http.ResponseWriter, r *http.Request) {
	back := s.home(r.PostFormValue("return_url"))
	if back == nil {
		s.trouble(w, elsewhere)
		return
	}
	c, pi := s.bySecret(r.PostFormValue("client_secret"))
	if pi == nil {
		s.trouble(w, unknownPayment)
		return
	}
	if !final(pi) {
		month, year := expiry(r.PostFormValue("exp"))
		m, wrong := c.newMethod(typed{r.PostFormValue("number"), month, year, r.PostFormValue("cvc")})
		if wrong != nil {
			c.fail(pi, wrong)
		} else {
			address := back.String()
			_ = c.try(pi, m, false, &address) // a decline is kept on the payment and read there
		}
	}
	if pi.Status == "requires_action" {
		http.Redirect(w, r, pi.NextAction.RedirectToURL.URL, http.StatusSeeOther)
		return
	}
	s.goBack(w, r, pi, back.String())
}

// goBack ends a visit as Stripe does: with the payment and a hint of its outcome in the address. The hint proves nothing.
func (s *Server) goBack(w http.ResponseWriter, r *http.Request, pi *paymentIntent, to string) {
	status := "failed"
	if pi.Status == "succeeded" {
		status = pi.Status
	}
	s.leave(w, r, to, url.Values{"payment_intent": {pi.ID}, "redirect_status": {status}})
}

// leave sends the browser back to the app, with more in the address.
func (s *Server) leave(w http.ResponseWriter, r *http.Request, to string, more url.Values) {
	u := s.home(to)
	if u == nil {
		s.trouble(w, elsewhere)
		return
	}
	if len(more) > 0 {
		q := u.Query()
		maps.Copy(q, more)
		u.RawQuery = q.Encode()
	}
	http.Redirect(w, r, u.String(), http.StatusSeeOther)
}

// askBank is the page of the customer's bank. The real ones are shown inside the page that takes the payment; so this one can
// be framed, when it is the app's booking frame that it goes back to.
func (s *Server) askBank(w http.ResponseWriter, r *http.Request) {
	key := r.URL.Query().Get("key")
	_, pi := s.bySecret(key)
	if pi == nil || pi.ID != r.PathValue("pi") {
		s.trouble(w, unknownPayment)
		return
	}
	if pi.Status != "requires_action" {
		s.goBack(w, r, pi, pi.Sim.ReturnURL)
		return
	}
	if back, err := url.Parse(pi.Sim.ReturnURL); err == nil && back.Query().Get("embed") == "1" {
		w.Header().Set("Content-Security-Policy", s.policy("*"))
	}
	s.show(w, http.StatusOK, "bank.html", page{
		Title: "Is this payment yours?", Key: key, Amount: shown(pi.Amount, pi.Currency), Action: DefaultPrefix + "/3ds/" + pi.ID,
	})
}

func (s *Server) answerBank(w http.ResponseWriter, r *http.Request) {
	c, pi := s.bySecret(r.PostFormValue("key"))
	if pi == nil || pi.ID != r.PathValue("pi") {
		s.trouble(w, unknownPayment)
		return
	}
	if pi.Status == "requires_action" {
		c.authenticate(pi, r.PostFormValue("result") == "authorise")
	}
	s.goBack(w, r, pi, pi.Sim.ReturnURL)
}

// bySecret finds a payment by its client secret, and the account it is on.
func (s *Server) bySecret(secret string) (*call, *paymentIntent) {
	id, _, ok := strings.Cut(secret, "_secret_")
	if !ok {
		return nil, nil
	}
	for account, w := range s.st.Worlds {
		pi, found := w.Intents[id]
		if found && !w.Account.Sim.Revoked && subtle.ConstantTimeCompare([]byte(pi.ClientSecret), []byte(secret)) == 1 {
			return &call{Server: s, at: s.now(), account: account, world: w}, pi
		}
	}
	return nil, nil
}

// expiry reads "12/34", "12 / 2034" or "1234".
func expiry(s string) (month, year string) {
	parts := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
	switch {
	case len(parts) == 2:
		return parts[0], parts[1]
	case len(parts) == 1 && (len(parts[0]) == 4 || len(parts[0]) == 6):
		return parts[0][:2], parts[0][2:]
	}
	return s, ""
}
