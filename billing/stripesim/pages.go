package stripesim

import (
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"foyer/app/money"
)

//go:embed pages
var pageFiles embed.FS

var pageTemplates = template.Must(template.ParseFS(pageFiles, "pages/*.html"))

// page is what the templates are filled with.
type page struct {
	Prefix  string
	Title   string
	Message string // what to do, or what is wrong
	Action  string // where the form posts to
	Key     string // proves that the form was got from here
	Amount  string // shown when a payment is asked about
	Back    string // a way back to the app, for a page without a form
}

const maxForm = 64 << 10

func (s *Server) pageRoutes() {
	p := DefaultPrefix
	s.mux.HandleFunc("GET "+p+"/style.css", s.style)
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

// policy is what a page may load, and who may frame it.
func (s *Server) policy(ancestors string) string {
	return "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors " + ancestors + "; form-action 'self' " + origin(s.opt.AppURL)
}

func (s *Server) style(w http.ResponseWriter, _ *http.Request) {
	css, err := pageFiles.ReadFile("pages/style.css")
	if err != nil {
		panic(err) // it is embedded
	}
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = w.Write(css) // the client has gone
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

// home is an address of the app, or nothing when it is anybody else's: a page that redirects wherever it is told to is a
// gift to phishing, even a page of a simulator.
func (s *Server) home(raw string) *url.URL {
	app, err := url.Parse(s.opt.AppURL)
	if err != nil || app.Host == "" || raw == "" {
		return nil
	}
	u, err := app.Parse(raw)
	if err != nil || u.Scheme != app.Scheme || !strings.EqualFold(u.Host, app.Host) || u.User != nil || u.Opaque != "" {
		return nil
	}
	base := strings.TrimSuffix(app.Path, "/")
	if u.Path != base && !strings.HasPrefix(u.Path, base+"/") {
		return nil
	}
	return u
}

func origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// shown is an amount in words for a person.
func shown(amount int64, currency string) string {
	info, ok := money.Lookup(money.Currency(strings.ToUpper(currency)))
	if !ok {
		return ""
	}
	minor, err := info.FromStripe(amount)
	if err != nil {
		return ""
	}
	return money.Format(minor, info.Code, "en")
}
