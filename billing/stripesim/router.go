package stripesim

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// route is one operation of the API.
type route struct {
	pattern string   // method and path
	params  []string // the parameters it knows, beside expand
	run     func(*call) (any, *problem)
}

// call is a request that passed the door.
type call struct {
	*Server
	at      time.Time
	account string // empty for the platform
	world   *world // of the platform: empty
	id      string // in the path
	p       *params
	request eventRequest
}

const maxRequest = 1 << 20

func (s *Server) apiRoutes() {
	for _, rt := range []route{
		{"POST /v1/accounts", accountParams, createAccount},
		{"GET /v1/accounts/{id}", nil, getAccount},
		{"POST /v1/account_links", linkParams, createLink},
		{"POST /v1/payment_methods", methodParams, createMethod},
		{"GET /v1/payment_methods/{id}", nil, getObject("payment_method", "PaymentMethod")},
		{"POST /v1/payment_intents", intentParams, createIntent},
		{"GET /v1/payment_intents/{id}", nil, getObject("payment_intent", "payment_intent")},
		{"POST /v1/payment_intents/{id}/confirm", confirmParams, confirmIntent},
		{"POST /v1/payment_intents/{id}/cancel", cancelParams, cancelIntent},
		{"GET /v1/charges/{id}", nil, getObject("charge", "charge")},
		{"POST /v1/refunds", refundParams, createRefund},
		{"GET /v1/refunds/{id}", nil, getObject("refund", "refund")},
		{"GET /v1/application_fees/{id}", nil, getFee},
		{"GET /v1/balance_transactions", listParams, listBalance},
		{"GET /v1/balance_transactions/{id}", nil, getObject("balance_transaction", "balance transaction")},
		{"GET /v1/events", listParams, listEvents},
		{"GET /v1/events/{id}", nil, getObject("event", "event")},
	} {
		s.mux.HandleFunc(rt.pattern, func(w http.ResponseWriter, r *http.Request) { s.api(rt, w, r) })
	}
	s.mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		p := invalid("", "", fmt.Sprintf("Unrecognized request URL (%s: %s).", r.Method, r.URL.Path))
		p.status = http.StatusNotFound
		s.mu.Lock()
		defer s.mu.Unlock()
		write(w, s.nextRequest(), render(p))
	})
}

// answer is what a request is answered with.
type answer struct {
	Status int    `json:"status"`
	Body   []byte `json:"body"`
}

// savedAnswer is kept for an idempotency key.
type savedAnswer struct {
	Request string    `json:"request"` // hash of method, path and parameters
	At      time.Time `json:"at"`
	Answer  answer    `json:"answer"`
}

const keptAnswer = 24 * time.Hour

// api carries one request through the door, the replay check and its handler.
func (s *Server) api(rt route, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest+1))
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.nextRequest()
	if err != nil || len(body) > maxRequest {
		write(w, id, render(invalid("", "", "The request body cannot be read.")))
		return
	}
	s.runDue()
	defer s.commit()
	c, p := s.enter(rt, r, id, string(body))
	if p != nil {
		write(w, id, render(p))
		return
	}
	key := r.Header.Get("Idempotency-Key")
	if r.Method != http.MethodPost || key == "" {
		a, _ := c.carryOut(rt)
		write(w, id, a)
		return
	}
	w.Header().Set("Idempotency-Key", key)
	s.once(c, rt, w, r, string(body), key, id)
}

// once answers a request with an idempotency key: with the bytes of the first time, or by carrying it out.
func (s *Server) once(c *call, rt route, w http.ResponseWriter, r *http.Request, body, key, id string) {
	form, _ := url.ParseQuery(body) // sorted below; parse found what is wrong with it
	sum := sha256.Sum256([]byte(r.Method + " " + r.URL.Path + "\n" + form.Encode()))
	hash, slot := hex.EncodeToString(sum[:]), c.account+" "+key
	for k, a := range s.st.Answers {
		if c.at.Sub(a.At) > keptAnswer {
			delete(s.st.Answers, k)
		}
	}
	if saved, ok := s.st.Answers[slot]; ok {
		if saved.Request != hash {
			p := invalid("", "", "Keys for idempotent requests can only be used with the same parameters they were first used with. "+
				"Try using a key other than '"+key+"' if you meant to execute a different request.")
			p.Type = "idempotency_error"
			write(w, id, render(p))
			return
		}
		w.Header().Set("Idempotent-Replayed", "true")
		write(w, id, saved.Answer)
		return
	}
	a, keep := c.carryOut(rt)
	if keep {
		s.st.Answers[slot] = &savedAnswer{Request: hash, At: c.at, Answer: a}
		s.dirty = true
	}
	write(w, id, a)
}

// enter checks the key, the version, the account and the form of the parameters.
func (s *Server) enter(rt route, r *http.Request, id, body string) (*call, *problem) {
	if !authorized(r) {
		p := invalid("", "", "Invalid API Key provided: it is not the simulator's.")
		p.status = http.StatusUnauthorized
		return nil, p
	}
	if v := r.Header.Get("Stripe-Version"); v != "" && v != APIVersion {
		return nil, invalid("", "", "The simulator speaks "+APIVersion+", not "+v+".")
	}
	if len(r.Header.Get("Idempotency-Key")) > 255 {
		return nil, invalid("", "", "An idempotency key has up to 255 characters.")
	}
	c := &call{Server: s, at: s.now(), account: r.Header.Get("Stripe-Account"), id: r.PathValue("id")}
	c.request.ID = &id
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		c.request.IdempotencyKey = &key
	}
	if c.account != "" {
		world, ok := s.st.Worlds[c.account]
		if !ok || world.Account.Sim.Revoked {
			return nil, noAccess(c.account)
		}
		c.world = world
	} else {
		c.world = newWorld(nil) // the platform sells nothing, so it has no payments of its own to find
	}
	if r.Method == http.MethodGet {
		body = r.URL.RawQuery
	} else if t := r.Header.Get("Content-Type"); body != "" && !strings.HasPrefix(t, "application/x-www-form-urlencoded") {
		return nil, invalid("", "", "Invalid request (check that the Content-Type is application/x-www-form-urlencoded).")
	}
	c.p = parse(body, rt.params)
	return c, nil
}

func authorized(r *http.Request) bool {
	key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if user, _, basic := r.BasicAuth(); basic {
		key, bearer = user, true
	}
	return bearer && subtle.ConstantTimeCompare([]byte(key), []byte(DefaultSecretKey)) == 1
}

// direct refuses to make something of a sale on the platform itself.
func (c *call) direct() {
	if c.account == "" {
		c.p.fail(mistaken("", "", "The simulator knows direct charges only: set the Stripe-Account header."))
	}
}

// noAccess is the answer for an account that never was the platform's or is so no longer.
func noAccess(account string) *problem {
	p := invalid("account_invalid", "", fmt.Sprintf("The provided key 'sk_sim_***' does not have access to account '%s' "+
		"(or that account does not exist). Application access may have been revoked.", account))
	p.status = http.StatusForbidden
	return p
}

// carryOut runs the handler and reports whether its answer is kept for the key: a request that was wrong in form never
// started, so it may be mended and sent again.
func (c *call) carryOut(rt route) (answer, bool) {
	if p := c.p.problem(); p != nil {
		return render(p), !p.early
	}
	object, p := rt.run(c)
	if p != nil {
		return render(p), !p.early
	}
	body, p := c.expanded(object)
	if p != nil {
		return render(p), true // it was carried out
	}
	return render(body), true
}

// render encodes an answer: a problem with its status, anything else with 200.
func render(body any) answer {
	status := http.StatusOK
	if p, ok := body.(*problem); ok {
		status, body = p.status, map[string]any{"error": wire(p)}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // an object of ours that JSON cannot hold
	}
	return answer{Status: status, Body: append(raw, '\n')}
}

func write(w http.ResponseWriter, request string, a answer) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Request-Id", request)
	h.Set("Stripe-Version", APIVersion)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // the client has gone
}

// nextRequest makes the id of a request. It is not part of the state: reading changes nothing.
func (s *Server) nextRequest() string {
	s.requests++
	return "req_sim_" + s.st.derive(fmt.Sprintf("request %d", s.requests))
}
