package ledgersim

import (
	"embed"
	"html/template"
	"net/http"
	"slices"

	"foyer/app/money"
)

//go:embed pages
var pageFiles embed.FS

var pageTemplates = template.Must(template.ParseFS(pageFiles, "pages/*.html"))

// page is the data of the templates.
type page struct {
	Prefix    string
	Title     string
	Message   string // the problem
	Back      string // a way back to the app, for a page that leads nowhere
	Request   authRequest
	Companies []*company
	OneClick  bool
	Books     []books
	Document  *shownDocument
}

// books are a company with its documents, newest first.
type books struct {
	Company   *company
	Documents []shownDocument
}

// shownDocument is a document in words for a person.
type shownDocument struct {
	*Document
	Company string
	Realm   string
	Name    string // of its kind
	URL     string
	Total   string
	Bank    string
	Lines   []shownLine
}

type shownLine struct{ Account, Description, Debit, Credit string }

func (s *Server) pageRoutes() {
	s.mux.HandleFunc("GET "+Prefix+"/style.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, pageFiles, "pages/style.css")
	})
	s.mux.HandleFunc("GET "+Prefix+"/{$}", s.page(s.listDocuments))
	s.mux.HandleFunc("GET "+Prefix+"/app/journal", s.page(s.openDocument("JournalEntry")))
	s.mux.HandleFunc("GET "+Prefix+"/app/deposit", s.page(s.openDocument("Deposit")))
	s.mux.HandleFunc("GET "+Prefix+"/", s.page(func(w http.ResponseWriter, _ *http.Request) {
		s.trouble(w, http.StatusNotFound, "There is no such page.")
	}))
}

// page reads the form and answers under the lock. A page needs no script; the style sheet is a file of its own, so that
// a strict policy needs neither a hash nor an exception.
func (s *Server) page(f func(http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer") // addresses here carry state
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; "+
			"form-action 'self' "+s.app.Scheme+"://"+s.app.Host)
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if err := r.ParseForm(); err != nil {
			s.trouble(w, http.StatusBadRequest, "This form cannot be read.")
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		defer s.commit()
		f(w, r)
	}
}

func (s *Server) show(w http.ResponseWriter, status int, name string, p page) {
	p.Prefix = Prefix
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = pageTemplates.ExecuteTemplate(w, name, p) // the client has gone
}

// trouble answers a request that cannot lead anywhere.
func (s *Server) trouble(w http.ResponseWriter, status int, message string) {
	s.show(w, status, "trouble.html", page{Title: "This did not work", Message: message, Back: s.opt.AppURL})
}

func (s *Server) listDocuments(w http.ResponseWriter, _ *http.Request) {
	p := page{Title: "Ledger Online"}
	for _, c := range s.st.Companies {
		b := books{Company: c}
		for _, d := range slices.Backward(c.Documents) {
			b.Documents = append(b.Documents, shown(c, d))
		}
		p.Books = append(p.Books, b)
	}
	s.show(w, http.StatusOK, "documents.html", p)
}

// openDocument shows a document at the address that stands in the app.
func (s *Server) openDocument(kind string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		id := r.URL.Query().Get("txnId")
		for _, c := range s.st.Companies {
			for _, d := range c.Documents {
				if d.ID == id && d.Kind == kind {
					doc := shown(c, d)
					s.show(w, http.StatusOK, "document.html", page{Title: doc.Name + " " + d.ID, Document: &doc})
					return
				}
			}
		}
		s.trouble(w, http.StatusNotFound, "There is no such document. It may belong to an earlier run of the program.")
	}
}

// shown prepares a document for a page.
func shown(c *company, d *Document) shownDocument {
	amount := func(n int64) string { return money.Format(n, money.Currency(d.Currency), "en") }
	out := shownDocument{
		Document: d, Company: c.Name, Realm: c.Realm, Name: "Journal entry", URL: Prefix + "/app/journal?txnId=" + d.ID,
	}
	var total int64
	if d.Kind == "Deposit" {
		out.Name, out.URL, out.Bank = "Deposit", Prefix+"/app/deposit?txnId="+d.ID, c.accountName(d.Bank)
	}
	for _, l := range d.Lines {
		line := shownLine{Account: c.accountName(l.AccountID), Description: l.Description}
		switch {
		case l.Posting == "Credit":
			line.Credit = amount(l.Amount)
		default:
			line.Debit = amount(l.Amount)
			total += l.Amount
		}
		out.Lines = append(out.Lines, line)
	}
	out.Total = amount(total)
	return out
}
