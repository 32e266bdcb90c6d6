package stripesim

import (
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"foyer/app/money"
)

//go:embed pages
var pageFiles embed.FS

var pageTemplates = template.Must(template.ParseFS(pageFiles, "pages/*.html"))

// page is the data of the templates.
type page struct {
	Prefix  string
	Title   string
	Message string // the instruction, or the problem
	Action  string // the form's target
	Key     string // proves that the form was got from here
	Amount  string // shown when a payment is checked
	To      string // its words on the card statement; may be empty
	Back    string // a way back to the app, for a page without a form
}

const maxForm = 64 << 10

func (s *Server) pageRoutes() {
	p := DefaultPrefix
	s.mux.HandleFunc("GET "+p+"/style.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, pageFiles, "pages/style.css")
	})
	s.mux.HandleFunc("POST "+p+"/pay", s.page(s.pay))
	s.mux.HandleFunc("GET "+p+"/3ds/{pi}", s.page(s.askBank))
	s.mux.HandleFunc("POST "+p+"/3ds/{pi}", s.page(s.answerBank))
	s.mux.HandleFunc("GET "+p+"/onboard/{acct}", s.page(s.openOnboarding))
	s.mux.HandleFunc("POST "+p+"/onboard/{acct}", s.page(s.finishOnboarding))
}

// page reads the form and answers under the lock. A page needs no script; the style sheet is a file of its own, so that
// a strict policy needs neither a hash nor an exception.
func (s *Server) page(f func(http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer") // addresses here carry keys
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", s.policy("'none'"))
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := r.ParseForm(); err != nil {
			s.trouble(w, "This form cannot be read.")
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.runDue()
		defer s.commit()
		f(w, r)
	}
}

// policy is the content security policy of a page, with the origins that may frame it.
func (s *Server) policy(ancestors string) string {
	return "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors " + ancestors + "; form-action 'self' " +
		s.app.Scheme + "://" + s.app.Host
}

func (s *Server) show(w http.ResponseWriter, status int, name string, p page) {
	p.Prefix = DefaultPrefix
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = pageTemplates.ExecuteTemplate(w, name, p) // the client has gone
}

// trouble answers a request that cannot lead anywhere.
func (s *Server) trouble(w http.ResponseWriter, message string) {
	s.show(w, http.StatusBadRequest, "trouble.html", page{Title: "This did not work", Message: message, Back: s.opt.AppURL})
}

// home returns an address of the app, or nil for any other: an open redirect is a gift to phishing, even on a page of
// a simulator.
func (s *Server) home(raw string) *url.URL {
	u, err := s.app.Parse(raw)
	if raw == "" || err != nil || u.Scheme != s.app.Scheme || !strings.EqualFold(u.Host, s.app.Host) || u.User != nil || u.Opaque != "" {
		return nil
	}
	if u.Path != s.app.Path && !strings.HasPrefix(u.Path, s.app.Path+"/") {
		return nil
	}
	return u
}

// shown is an amount in words for a person.
func shown(amount int64, currency string) string {
	info, _ := money.Lookup(money.Currency(strings.ToUpper(currency))) // checked when the payment was made
	minor, err := info.FromStripe(amount)
	if err != nil {
		return ""
	}
	return money.Format(minor, info.Code, "en")
}

// openOnboarding shows the page in place of Stripe's own. As there, a link opens once: a second visit, or a late one,
// goes to refresh_url, where the app makes a new link.
func (s *Server) openOnboarding(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("link")
	l, world := s.link(r.PathValue("acct"), token)
	if l == nil {
		s.trouble(w, "This link is not known. Start again from the payment settings.")
		return
	}
	if l.Opened || s.now().After(l.Until) {
		s.leave(w, r, l.RefreshURL, nil)
		return
	}
	l.Opened, s.dirty = true, true
	s.show(w, http.StatusOK, "onboard.html", page{
		Title: "Connect a test account", Key: token, Action: DefaultPrefix + "/onboard/" + world.Account.ID,
		Message: "This page stands for the payment processor, which would ask for business and bank details here.",
	})
}

// finishOnboarding completes the account and goes back. The app learns it from the event or by reading the account.
func (s *Server) finishOnboarding(w http.ResponseWriter, r *http.Request) {
	l, world := s.link(r.PathValue("acct"), r.PostFormValue("link"))
	if l == nil {
		s.trouble(w, "This link is not known. Start again from the payment settings.")
		return
	}
	if !l.Done {
		l.Done = true
		world.Account.complete()
		s.emit(l.Account, "account.updated", world.Account)
	}
	s.leave(w, r, l.ReturnURL, nil)
}

func (s *Server) link(account, token string) (*link, *world) {
	l, ok := s.st.Links[token]
	if !ok || l.Account != account || s.st.Worlds[account].Account.Sim.Revoked {
		return nil, nil
	}
	return l, s.st.Worlds[account]
}

const (
	elsewhere      = "The page to return to is not part of this site."
	unknownPayment = "This payment is not known. It may belong to an earlier run of the program."
)

// pay is the target of the app's own card form. It does what Stripe's script does in the browser: it puts the card on
// the payment, then sends the browser to the bank's check or back to return_url with payment_intent and
// redirect_status.
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
	if !decided(pi) {
		card, wrong := readCard(r.PostFormValue("number"), r.PostFormValue("exp"), r.PostFormValue("cvc"), s.now())
		if wrong != nil {
			c.fail(c.account, pi, wrong)
		} else {
			c.try(pi, c.newMethod(c.world, card), back.String())
		}
	}
	if pi.Status == "requires_action" {
		http.Redirect(w, r, pi.NextAction.RedirectToURL.URL, http.StatusSeeOther)
		return
	}
	s.goBack(w, r, pi, back.String())
}

// goBack ends a visit as Stripe does: with the payment and a hint of its outcome in the address. The hint proves
// nothing.
func (s *Server) goBack(w http.ResponseWriter, r *http.Request, pi *paymentIntent, to string) {
	status := "failed"
	if pi.Status == "succeeded" || pi.Status == "requires_capture" {
		status = "succeeded"
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

// askBank is the page of the customer's bank. The real ones are shown inside the payment page; so this one can be
// framed, if it returns to the app's booking frame.
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
	to := ""
	if pi.StatementDescriptorSuffix != nil {
		to = *pi.StatementDescriptorSuffix
	}
	s.show(w, http.StatusOK, "bank.html", page{
		Title: "Is this payment yours?", Key: key, Amount: shown(pi.Amount, pi.Currency), To: to,
		Action: DefaultPrefix + "/3ds/" + pi.ID,
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
		if found && !w.Account.Sim.Revoked && pi.ClientSecret == secret {
			return &call{Server: s, account: account, world: w}, pi
		}
	}
	return nil, nil
}

// PayByCard pays as a customer does by typing a card into the form of a payment. It returns the address of the
// redirect: the app, or the bank's page for a check.
func (s *Server) PayByCard(clientSecret, number string) (to string, err error) {
	return s.press("/pay", url.Values{
		"client_secret": {clientSecret}, "number": {number}, "exp": {"12/34"}, "cvc": {"123"}, "return_url": {s.opt.AppURL + "/"},
	})
}

// AnswerBank presses a button of the bank's page: the customer confirms the payment, or rejects it.
func (s *Server) AnswerBank(clientSecret string, yes bool) error {
	intent, _, _ := strings.Cut(clientSecret, "_secret_")
	result := "fail"
	if yes {
		result = "authorise"
	}
	_, err := s.press("/3ds/"+intent, url.Values{"key": {clientSecret}, "result": {result}})
	return err
}

func (s *Server) press(page string, form url.Values) (to string, err error) {
	r := httptest.NewRequest(http.MethodPost, DefaultPrefix+page, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther {
		return "", fmt.Errorf("stripesim: %s answers %d: %s", page, w.Code, w.Body)
	}
	return w.Header().Get("Location"), nil
}
