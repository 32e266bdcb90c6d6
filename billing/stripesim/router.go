package stripesim

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// route is one operation of the API.
type route struct {
	pattern string   // method and path
	params  []string // the parameters it knows, beside expand
	run     func(*call) (any, *problem)
}

// call is a request after the checks of enter.
type call struct {
	*Server
	account string // empty for the platform
	world   *world // of the platform: empty
	id      string // in the path
	p       *params
}

const maxRequest = 1 << 20

func (s *Server) apiRoutes() {
	for _, rt := range []route{
		{"POST /v1/accounts", accountParams, createAccount},
		{"GET /v1/accounts/{id}", nil, getAccount},
		{"POST /v1/account_links", linkParams, createLink},
		{"POST /v1/customers", customerParams, createCustomer},
		{"GET /v1/payment_methods", listParams("customer", "type"), listMethods},
		{"GET /v1/payment_methods/{id}", nil, getMethod},
		{"POST /v1/payment_methods/{id}/detach", nil, detachMethod},
		{"POST /v1/payment_method_domains", domainParams, createDomain},
		{"GET /v1/payment_method_domains", listParams("domain_name", "enabled"), listDomains},
		{"GET /v1/payment_method_domains/{id}", nil, getDomain},
		{"POST /v1/payment_method_domains/{id}", []string{"enabled"}, updateDomain},
		{"POST /v1/payment_method_domains/{id}/validate", nil, validateDomain},
		{"POST /v1/payment_intents", intentParams, createIntent},
		{"GET /v1/payment_intents/{id}", nil, getIntent},
		{"POST /v1/payment_intents/{id}", updateParams, updateIntent},
		{"POST /v1/payment_intents/{id}/confirm", confirmParams, confirmIntent},
		{"POST /v1/payment_intents/{id}/capture", nil, captureIntent},
		{"POST /v1/payment_intents/{id}/cancel", nil, cancelIntent},
		{"POST /v1/refunds", refundParams, createRefund},
		{"GET /v1/refunds", listParams("payment_intent"), listRefunds},
		{"GET /v1/refunds/{id}", nil, getRefund},
		{"POST /v1/application_fees/{id}/refunds", feeRefundParams, refundFee},
		{"GET /v1/application_fees/{id}/refunds", listParams(), listFeeRefunds},
		{"GET /v1/balance", nil, getBalance},
		{"GET /v1/balance_transactions", listParams("payout"), listBalance},
		{"GET /v1/payouts", listParams(), listPayouts},
		{"GET /v1/payouts/{id}", nil, getPayout},
		{"GET /v1/disputes", listParams("payment_intent"), listDisputes},
		{"GET /v1/disputes/{id}", nil, getDispute},
		{"POST /v1/disputes/{id}", evidenceParams, submitEvidence},
		{"GET /v1/events", listParams(), listEvents},
		{"GET /v1/events/{id}", nil, getEvent},
	} {
		s.mux.HandleFunc(rt.pattern, func(w http.ResponseWriter, r *http.Request) { s.api(rt, w, r) })
	}
	s.mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		message := fmt.Sprintf("Unrecognized request URL (%s: %s).", r.Method, r.URL.Path)
		write(w, render(newProblem(http.StatusNotFound, "", "", message)))
	})
}

// answer is the answer to a request.
type answer struct {
	Status int    `json:"status"`
	Body   []byte `json:"body"`
}

// savedAnswer is the answer stored for an idempotency key.
type savedAnswer struct {
	Request string    `json:"request"` // hash of method, path and parameters
	At      time.Time `json:"at"`
	Answer  answer    `json:"answer"`
}

const keptAnswer = 24 * time.Hour

// api carries one request through the checks, the replay and its handler.
func (s *Server) api(rt route, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		write(w, render(invalid("", "", "The request body cannot be read.")))
		return
	}
	s.runDue()
	defer s.commit()
	c, p := s.enter(rt, r, string(body))
	if p != nil {
		write(w, render(p))
		return
	}
	if key := r.Header.Get("Idempotency-Key"); r.Method == http.MethodPost && key != "" {
		write(w, c.once(rt, w, r, key))
		return
	}
	a, _ := c.carryOut(rt)
	write(w, a)
}

// once answers a request with an idempotency key: with the bytes of the first time, or by carrying it out.
func (c *call) once(rt route, w http.ResponseWriter, r *http.Request, key string) answer {
	sum := sha256.Sum256([]byte(r.Method + " " + r.URL.Path + "\n" + c.p.values.Encode()))
	hash, slot, now := hex.EncodeToString(sum[:]), c.account+" "+key, c.now()
	maps.DeleteFunc(c.st.Answers, func(_ string, a *savedAnswer) bool { return now.Sub(a.At) > keptAnswer })
	if saved, ok := c.st.Answers[slot]; ok {
		if saved.Request != hash {
			p := invalid("", "", "Keys for idempotent requests can only be used with the same parameters they were first used with. "+
				"Try using a key other than '"+key+"' if you meant to execute a different request.")
			p.Type = "idempotency_error"
			return render(p)
		}
		w.Header().Set("Idempotent-Replayed", "true")
		return saved.Answer
	}
	a, keep := c.carryOut(rt)
	if keep {
		c.st.Answers[slot] = &savedAnswer{Request: hash, At: now, Answer: a}
		c.dirty = true
	}
	return a
}

// enter checks the key, the version, the account and the form of the parameters.
func (s *Server) enter(rt route, r *http.Request, body string) (*call, *problem) {
	if r.Header.Get("Authorization") != "Bearer "+DefaultSecretKey {
		return nil, newProblem(http.StatusUnauthorized, "", "", "Invalid API Key provided: it is not the simulator's.")
	}
	if v := r.Header.Get("Stripe-Version"); v != "" && v != APIVersion {
		return nil, invalid("", "", "The simulator speaks "+APIVersion+", not "+v+".")
	}
	if len(r.Header.Get("Idempotency-Key")) > 255 {
		return nil, invalid("", "", "An idempotency key has up to 255 characters.")
	}
	c := &call{Server: s, account: r.Header.Get("Stripe-Account"), id: r.PathValue("id")}
	c.world = &world{} // the platform sells nothing, so it has no payments of its own to find
	if c.account != "" {
		world, p := s.connected(c.account)
		if p != nil {
			return nil, p
		}
		c.world = world
	}
	if r.Method == http.MethodGet {
		body = r.URL.RawQuery
	} else if t := r.Header.Get("Content-Type"); body != "" && !strings.HasPrefix(t, "application/x-www-form-urlencoded") {
		return nil, invalid("", "", "Invalid request (check that the Content-Type is application/x-www-form-urlencoded).")
	}
	c.p = parse(body, rt.params)
	return c, nil
}

// connected returns the world of an account, unless it never was the platform's or is so no longer.
func (s *Server) connected(account string) (*world, *problem) {
	w, ok := s.st.Worlds[account]
	if !ok || w.Account.Sim.Revoked {
		return nil, newProblem(http.StatusForbidden, "account_invalid", "", fmt.Sprintf("The provided key 'sk_sim_***' does not have "+
			"access to account '%s' (or that account does not exist). Application access may have been revoked.", account))
	}
	return w, nil
}

// carryOut runs the handler and reports whether its answer is stored for the key: a malformed request never started,
// so it may be corrected and sent again.
func (c *call) carryOut(rt route) (answer, bool) {
	if p := c.p.wrong; p != nil {
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
		status, body = p.status, map[string]any{"error": p}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // an object of ours that JSON cannot hold
	}
	return answer{Status: status, Body: append(raw, '\n')}
}

func write(w http.ResponseWriter, a answer) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Request-Id", "req_sim_"+rand.Text())
	h.Set("Stripe-Version", APIVersion)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // the client has gone
}
