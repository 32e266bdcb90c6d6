package view_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"foyer/app/apptest"
	"foyer/app/view"
	"foyer/app/web/assets"
)

// shop serves the gallery as the product would: hashed assets, branding stylesheets, and pages under their content
// policies.
type shop struct {
	url   string
	posts atomic.Int64 // forms sent
}

var seconds = regexp.MustCompile(`data-left="\d+"`)

// serve starts a shop. Pages are below /gallery/ (?left=30 sets the remaining time of their holds to 30 seconds,
// ?local=1 makes this server the studio's website), letters below /letter/.
func serve(t *testing.T) *shop {
	t.Helper()
	s, closing := &shop{}, make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+assets.Prefix+"{name}", func(w http.ResponseWriter, r *http.Request) {
		f, ok := assets.Files()[r.PathValue("name")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", f.Type)
		_, _ = w.Write(f.Body)
	})
	for slug, look := range looks {
		mux.HandleFunc("GET /"+slug+"/look.css", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/css; charset=utf-8")
			_, _ = io.WriteString(w, look.CSS())
		})
	}
	mux.HandleFunc("GET /gallery/{name}", func(w http.ResponseWriter, r *http.Request) { showPage(t, w, r) })
	mux.HandleFunc("GET /letter/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, letters()[r.PathValue("name")].HTML)
	})
	mux.HandleFunc("GET /file.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Security-Policy", view.PolicyOfPDF(false))
		_, _ = w.Write(apptest.PDF(5, "Price list"))
	})
	mux.HandleFunc("GET /site", func(w http.ResponseWriter, _ *http.Request) { website(w, s.url) })
	mux.HandleFunc("POST /cart/abc/pay", answerPay)
	mux.HandleFunc("POST /", func(http.ResponseWriter, *http.Request) {
		s.posts.Add(1)
		<-closing // never answers: the visitor sees the page that was sent
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { close(closing); server.Close() })
	s.url = server.URL
	return s
}

func showPage(t *testing.T, w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	page := render(t, name)
	if left := r.FormValue("left"); left != "" {
		page = seconds.ReplaceAll(page, []byte(`data-left="`+left+`"`))
	}
	if r.FormValue("local") != "" {
		page = bytes.ReplaceAll(page, []byte("https://harbouryoga.com/timetable"), []byte("/front"))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	policy := view.Policy(strings.HasSuffix(name, "-framed"), strings.HasPrefix(name, "pay-live"))
	if bytes.Contains(page, []byte("<object")) {
		policy = view.PolicyOfFile(false)
	}
	w.Header().Set("Content-Security-Policy", policy)
	_, _ = w.Write(page)
}

// website is a studio's own page: a link to the booking page and the booking frame.
func website(w io.Writer, base string) {
	_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Site</title><h1>Our studio</h1>
<a id="book" href="%[1]s/gallery/receipt?local=1">Book</a>
<script>heard = []; addEventListener("message", e => { heard.push(e.data); document.querySelector("iframe").height = e.data.height; });</script>
<iframe title="Booking" width="600" height="48" src="%[1]s/gallery/sign-in-framed"></iframe>`, base)
}

func render(t testing.TB, name string) []byte {
	t.Helper()
	page, ok := gallery()[name]
	if !ok {
		t.Errorf("the gallery has no page %q", name)
		return nil
	}
	var b bytes.Buffer
	if err := page.Render(context.Background(), &b); err != nil {
		t.Error(err)
	}
	return b.Bytes()
}
