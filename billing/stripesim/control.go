package stripesim

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// order is a request to the control API: the fields of its form.
type order struct{ account, id, reason, currency, due string }

// amountOf returns a number of the processor's units.
func amountOf(r *http.Request) (int64, error) {
	n, err := strconv.ParseInt(r.FormValue("amount"), 10, 64)
	if err != nil || n <= 0 {
		return 0, errors.New("stripesim: amount must be a whole number of the currency's units")
	}
	return n, nil
}

// verbs are the acts of studios on Stripe's own website and of banks, by their names in an address. They return the
// ids of the objects made or changed.
var verbs = map[string]func(*Server, order, *http.Request) ([]string, error){
	"dispute": func(s *Server, o order, _ *http.Request) ([]string, error) {
		return one(s.Dispute(o.account, o.id, o.reason))
	},
	"win": func(s *Server, o order, _ *http.Request) ([]string, error) {
		return same(o, s.WinDispute(o.account, o.id))
	},
	"lose": func(s *Server, o order, _ *http.Request) ([]string, error) {
		return same(o, s.LoseDispute(o.account, o.id))
	},
	"inquire": func(s *Server, o order, _ *http.Request) ([]string, error) {
		return one(s.Inquire(o.account, o.id, o.reason))
	},
	"escalate": func(s *Server, o order, _ *http.Request) ([]string, error) {
		return same(o, s.Escalate(o.account, o.id))
	},
	"close-inquiry": func(s *Server, o order, _ *http.Request) ([]string, error) {
		return same(o, s.CloseInquiry(o.account, o.id))
	},
	"pay-out": func(s *Server, o order, _ *http.Request) ([]string, error) { return s.PayOut(o.account) },
	"fail-payout": func(s *Server, o order, _ *http.Request) ([]string, error) {
		return same(o, s.FailPayout(o.account, o.id))
	},
	"activate":   func(s *Server, o order, _ *http.Request) ([]string, error) { return nil, s.Activate(o.account) },
	"restrict":   func(s *Server, o order, _ *http.Request) ([]string, error) { return nil, s.Restrict(o.account, o.due) },
	"disconnect": func(s *Server, o order, _ *http.Request) ([]string, error) { return nil, s.Disconnect(o.account) },
	"replay":     func(s *Server, o order, _ *http.Request) ([]string, error) { return same(o, s.Replay(o.id)) },
	"refund": func(s *Server, o order, r *http.Request) ([]string, error) {
		n, err := amountOf(r)
		if err != nil {
			return nil, err
		}
		return one(s.DashboardRefund(o.account, o.id, n))
	},
	"charge": func(s *Server, o order, r *http.Request) ([]string, error) {
		n, err := amountOf(r)
		if err != nil {
			return nil, err
		}
		return one(s.ChargeOutside(o.account, n, o.currency))
	},
}

func one(id string, err error) ([]string, error) { return []string{id}, err }

func same(o order, err error) ([]string, error) { return []string{o.id}, err }

// control answers POST /__sim/control/{verb}, when Options.Control lets it: {"ids": […]}, or 409 with {"error": "…"}.
// A page of another site that posts here is refused.
func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	do, known := verbs[r.PathValue("verb")]
	origin := r.Header.Get("Origin")
	switch {
	case !known:
		answerControl(w, http.StatusNotFound, nil, fmt.Errorf("stripesim: the verbs are %s", strings.Join(slices.Sorted(maps.Keys(verbs)), ", ")))
		return
	case origin != "" && !strings.EqualFold(origin, s.app.Scheme+"://"+s.app.Host):
		answerControl(w, http.StatusForbidden, nil, errors.New("stripesim: the request comes from another site"))
		return
	}
	f := r.FormValue
	o := order{account: f("account"), id: f("id"), reason: f("reason"), currency: f("currency"), due: f("due")}
	ids, err := do(s, o, r)
	if err != nil {
		answerControl(w, http.StatusConflict, nil, err)
		return
	}
	answerControl(w, http.StatusOK, append([]string{}, ids...), nil)
}

func answerControl(w http.ResponseWriter, status int, ids []string, err error) {
	body := map[string]any{"ids": ids}
	if err != nil {
		body = map[string]any{"error": strings.TrimPrefix(err.Error(), "stripesim: ")}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has gone
}
