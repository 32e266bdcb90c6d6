package ledgersim

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"time"
)

// code is an authorization that was not exchanged for tokens yet.
type code struct {
	Realm    string    `json:"realm"`
	Redirect string    `json:"redirect"`
	Until    time.Time `json:"until"`
}

// grant is a connection of the client with a company.
type grant struct {
	ID       int64     `json:"id"`
	Realm    string    `json:"realm"`
	Began    time.Time `json:"began"`
	Refresh  string    `json:"refresh"`            // the valid token; empty when revoked
	Until    time.Time `json:"until"`              // of that token
	Rotated  time.Time `json:"rotated"`            // when it was made
	Previous string    `json:"previous,omitempty"` // valid for a day, with Options.Grace
}

// access is an access token.
type access struct {
	Realm string    `json:"realm"`
	Grant int64     `json:"grant"`
	Until time.Time `json:"until"`
}

func (s *Server) oauthRoutes() {
	s.mux.HandleFunc("GET "+Prefix+"/connect/oauth2", s.page(s.openAuthorize))
	s.mux.HandleFunc("POST "+Prefix+"/connect/oauth2", s.page(s.answerAuthorize))
	s.mux.HandleFunc("POST "+Prefix+"/oauth2/v1/tokens/bearer", func(w http.ResponseWriter, r *http.Request) {
		s.authorization("token", s.exchange, w, r)
	})
	s.mux.HandleFunc("POST "+Prefix+"/oauth2/v1/tokens/revoke", func(w http.ResponseWriter, r *http.Request) {
		s.authorization("revoke", s.revoke, w, r)
	})
}

// authRequest is a valid request for access.
type authRequest struct{ Client, Redirect, State, Scope string }

// readRequest reads a request for access, from an address or from the form of the page.
func (s *Server) readRequest(v url.Values) (authRequest, string) {
	q := authRequest{v.Get("client_id"), v.Get("redirect_uri"), v.Get("state"), v.Get("scope")}
	switch {
	case q.Client != DefaultClientID:
		return q, "The client_id is not that of an app."
	case v.Get("response_type") != "code":
		return q, "The response_type is not code."
	case !slices.Contains(strings.Fields(q.Scope), Scope):
		return q, "The scope does not have " + Scope + "."
	case q.State == "":
		return q, "The state is missing."
	case s.home(q.Redirect) == nil:
		return q, "The redirect_uri is not one of the app."
	}
	return q, ""
}

// home returns an address of the app, or nil for any other: an open redirect is a gift to phishing, even on a page of a
// simulator.
func (s *Server) home(raw string) *url.URL {
	u, err := s.app.Parse(raw)
	if raw == "" || err != nil || u.Scheme != s.app.Scheme || !strings.EqualFold(u.Host, s.app.Host) || u.User != nil ||
		u.Opaque != "" || u.Path != s.app.Path && !strings.HasPrefix(u.Path, s.app.Path+"/") {
		return nil
	}
	return u
}

func (s *Server) openAuthorize(w http.ResponseWriter, r *http.Request) {
	q, problem := s.readRequest(r.URL.Query())
	if problem != "" {
		s.trouble(w, http.StatusBadRequest, problem)
		return
	}
	s.show(w, http.StatusOK, "authorize.html", page{
		Title: "Connect your books", Request: q, Companies: s.st.Companies, OneClick: s.opt.OneClick,
	})
}

// answerAuthorize returns to the app with a code, or with a refusal.
func (s *Server) answerAuthorize(w http.ResponseWriter, r *http.Request) {
	form := r.PostForm
	form.Set("response_type", "code")
	q, problem := s.readRequest(form)
	if problem != "" {
		s.trouble(w, http.StatusBadRequest, problem)
		return
	}
	to := s.home(q.Redirect)
	back := to.Query()
	back.Set("state", q.State)
	switch c := s.company(form.Get("company")); {
	case form.Get("decision") == "deny":
		back.Set("error", "access_denied")
	case c == nil:
		s.trouble(w, http.StatusBadRequest, "Choose a company first.")
		return
	default:
		now := s.now()
		for value, old := range s.st.Codes {
			if !now.Before(old.Until) {
				delete(s.st.Codes, value)
			}
		}
		value := s.token("simcode_")
		s.st.Codes[value] = &code{Realm: c.Realm, Redirect: q.Redirect, Until: now.Add(codeLife)}
		back.Set("code", value)
		back.Set("realmId", c.Realm)
	}
	to.RawQuery = back.Encode()
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

// Approve presses Approve on the page of an address that asks for access, and returns the address of the redirect: the
// app's callback with code, state and realmId.
func (s *Server) Approve(authorizeURL, realm string) (callback string, err error) {
	return s.press(authorizeURL, url.Values{"company": {realm}, "decision": {"approve"}})
}

// Deny presses Deny, like Approve. The callback has error=access_denied and state.
func (s *Server) Deny(authorizeURL string) (callback string, err error) {
	return s.press(authorizeURL, url.Values{"decision": {"deny"}})
}

func (s *Server) press(authorizeURL string, form url.Values) (string, error) {
	u, err := url.Parse(authorizeURL)
	if err != nil {
		return "", fmt.Errorf("ledgersim: %w", err)
	}
	for name, values := range u.Query() {
		form[name] = values
	}
	r := httptest.NewRequest(http.MethodPost, Prefix+"/connect/oauth2", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther {
		return "", fmt.Errorf("ledgersim: the page answers %d: %s", w.Code, w.Body)
	}
	return w.Header().Get("Location"), nil
}

// authorization carries a request of a client to the authorization server through its fault and the client's password.
func (s *Server) authorization(
	op string, run func(r *http.Request, body []byte) answer, w http.ResponseWriter, r *http.Request,
) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	a, f := func() (answer, Fault) {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer s.commit()
		f := s.takeFault("", op)
		if a, fails := s.before(f); fails || f.Kind == Cut {
			return a, f
		}
		if id, secret, ok := r.BasicAuth(); !ok || id != DefaultClientID || secret != DefaultClientSecret {
			return s.render(http.StatusUnauthorized, map[string]string{"error": "invalid_client"}), f
		}
		return run(r, body), f
	}()
	after(w, r, f, a)
}

func (s *Server) refuseGrant(kind, description string) answer {
	return s.render(http.StatusBadRequest, map[string]string{"error": kind, "error_description": description})
}

// exchange answers a request for tokens.
func (s *Server) exchange(r *http.Request, body []byte) answer {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	form, err := url.ParseQuery(string(body))
	if media != "application/x-www-form-urlencoded" || err != nil {
		return s.refuseGrant("invalid_request", "The body is not a form")
	}
	now := s.now()
	switch form.Get("grant_type") {
	case "authorization_code":
		c, ok := s.st.Codes[form.Get("code")]
		delete(s.st.Codes, form.Get("code")) // whatever follows: a code works once
		s.dirty = true
		if !ok || !now.Before(c.Until) || c.Redirect != form.Get("redirect_uri") {
			return s.refuseGrant("invalid_grant", "Invalid authorization code")
		}
		g := &grant{ID: s.next(), Realm: c.Realm, Began: now}
		s.st.Grants = append(s.st.Grants, g)
		s.rotate(g, now)
		return s.tokens(r, g, now)
	case "refresh_token":
		g := s.grantOf(form.Get("refresh_token"), now)
		if g == nil || !now.Before(g.Until) {
			return s.refuseGrant("invalid_grant", "Incorrect or invalid refresh token")
		}
		if !s.opt.Grace || now.Sub(g.Rotated) >= graceLife {
			s.rotate(g, now)
		}
		g.Until = now.Add(refreshLife)
		return s.tokens(r, g, now)
	}
	return s.refuseGrant("unsupported_grant_type", "The grant_type is not supported")
}

// grantOf finds the grant of a refresh token that works. The previous one works for a day, with Options.Grace.
func (s *Server) grantOf(refresh string, now time.Time) *grant {
	for _, g := range s.st.Grants {
		switch {
		case refresh == "" || g.Refresh == "":
		case !now.Before(g.Began.Add(grantLife)):
		case g.Refresh == refresh:
			return g
		case s.opt.Grace && g.Previous == refresh && now.Sub(g.Rotated) < graceLife:
			return g
		}
	}
	return nil
}

func (s *Server) rotate(g *grant, now time.Time) {
	g.Previous, g.Refresh = g.Refresh, s.token("simrefresh_")
	g.Rotated, g.Until = now, now.Add(refreshLife)
}

// tokens makes an access token and answers with both.
func (s *Server) tokens(r *http.Request, g *grant, now time.Time) answer {
	for token, a := range s.st.Access {
		if !now.Before(a.Until) {
			delete(s.st.Access, token)
		}
	}
	token := s.token("simaccess_")
	s.st.Access[token] = &access{Realm: g.Realm, Grant: g.ID, Until: now.Add(accessLife)}
	out := map[string]any{
		"token_type": "bearer", "access_token": token, "expires_in": int64(accessLife.Seconds()),
		"refresh_token": g.Refresh, "x_refresh_token_expires_in": int64(g.Until.Sub(now).Seconds()),
	}
	if r.Header.Get("X-Include-Refresh-Token-Hard-Expires-In") == "true" {
		out["x_refresh_token_hard_expires_in"] = int64(g.Began.Add(grantLife).Sub(now).Seconds())
	}
	return s.render(http.StatusOK, out)
}

// revoke ends a grant, by its refresh token or by an access token, in JSON or in a form.
func (s *Server) revoke(r *http.Request, body []byte) answer {
	var in struct {
		Token string `json:"token"`
	}
	if json.Unmarshal(body, &in) != nil {
		form, _ := url.ParseQuery(string(body))
		in.Token = form.Get("token")
	}
	id := int64(0)
	if a := s.st.Access[in.Token]; a != nil {
		id = a.Grant
	}
	for _, g := range s.st.Grants {
		if g.Refresh != "" && (g.Refresh == in.Token || g.ID == id) {
			s.endGrant(g)
			return answer{Status: http.StatusOK, Trace: newTrace(), Body: []byte{}}
		}
	}
	return s.refuseGrant("invalid_request", "The token is not valid")
}

func (s *Server) endGrant(g *grant) {
	g.Refresh, g.Previous, s.dirty = "", "", true
	for token, a := range s.st.Access {
		if a.Grant == g.ID {
			delete(s.st.Access, token)
		}
	}
}
