package ledgersim

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// change does something to a company. It returns an error if there is none.
func (s *Server) change(realm string, do func(*company) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.commit()
	c := s.company(realm)
	if c == nil {
		return errors.New("ledgersim: no company " + realm)
	}
	s.dirty = true
	return do(c)
}

// changeAccount does something to an account.
func (s *Server) changeAccount(realm, id string, do func(*Account)) error {
	return s.change(realm, func(c *company) error {
		a := c.account(id)
		if a == nil {
			return errors.New("ledgersim: no account " + id)
		}
		do(a)
		return nil
	})
}

// ExpireAccess ends all access tokens of a company. Refresh tokens work on.
func (s *Server) ExpireAccess(realm string) error {
	return s.change(realm, func(*company) error {
		maps.DeleteFunc(s.st.Access, func(_ string, a *access) bool { return a.Realm == realm })
		return nil
	})
}

// Revoke ends all connections of a company, as its owner does on the provider's website.
func (s *Server) Revoke(realm string) error {
	return s.change(realm, func(*company) error {
		for _, g := range s.st.Grants {
			if g.Realm == realm {
				s.endGrant(g)
			}
		}
		return nil
	})
}

// Forbid withdraws the connected person's right to the company, or restores it.
func (s *Server) Forbid(realm string, forbidden bool) error {
	return s.change(realm, func(c *company) error { c.Forbidden = forbidden; return nil })
}

// Lapse ends the company's subscription, or renews it.
func (s *Server) Lapse(realm string, lapsed bool) error {
	return s.change(realm, func(c *company) error { c.Lapsed = lapsed; return nil })
}

// RefuseDuplicates sets whether the company refuses a second journal entry with the number of another one.
func (s *Server) RefuseDuplicates(realm string, refuse bool) error {
	return s.change(realm, func(c *company) error { c.Unique = refuse; return nil })
}

// CloseBooks closes the books through a date (2026-03-08), or opens them for an empty one.
func (s *Server) CloseBooks(realm, through string) error {
	if _, err := time.Parse(time.DateOnly, through); through != "" && err != nil {
		return errors.New("ledgersim: not a date: " + through)
	}
	return s.change(realm, func(c *company) error { c.Closed = through; return nil })
}

// Deactivate makes an account inactive, and renames it as the original does.
func (s *Server) Deactivate(realm, account string) error {
	return s.changeAccount(realm, account, func(a *Account) {
		a.Inactive, a.Name = true, strings.TrimSuffix(a.Name, deleted)+deleted
	})
}

// Activate makes an inactive account active.
func (s *Server) Activate(realm, account string) error {
	return s.changeAccount(realm, account, func(a *Account) {
		a.Inactive, a.Name = false, strings.TrimSuffix(a.Name, deleted)
	})
}

const deleted = " (deleted)"

// Rename renames an account. Its id stays.
func (s *Server) Rename(realm, account, name string) error {
	return s.changeAccount(realm, account, func(a *Account) { a.Name = name })
}

// SetChart replaces the chart of a company. Accounts need an id, a name and a type; they get the company's currency if
// they have none.
func (s *Server) SetChart(realm string, accounts []Account) error {
	return s.change(realm, func(c *company) error {
		c.Accounts = nil
		for _, a := range accounts {
			a.Currency = cmp.Or(a.Currency, c.Currency)
			c.Accounts = append(c.Accounts, &a)
		}
		return nil
	})
}

// Forget forgets the request ids of a company: the same request again makes a second document.
func (s *Server) Forget(realm string) error {
	return s.change(realm, func(c *company) error { clear(c.Answers); return nil })
}

// verbs are the acts of the control API by their names in an address. The fields are company, account, name, date, and
// those of fail: kind, op, times, delay ("2s").
var verbs = map[string]func(s *Server, f func(string) string) error{
	"fail": func(s *Server, f func(string) string) error {
		times, err := strconv.Atoi(cmp.Or(f("times"), "1"))
		if err != nil || times < 1 {
			return errors.New("ledgersim: times must be a positive number")
		}
		delay, err := time.ParseDuration(cmp.Or(f("delay"), "0s"))
		if err != nil {
			return errors.New("ledgersim: delay must be a duration")
		}
		return s.Fail(Fault{Kind: FaultKind(f("kind")), Times: times, Realm: f("company"), Op: f("op"), Delay: delay})
	},
	"heal":               func(s *Server, _ func(string) string) error { s.Heal(); return nil },
	"expire-access":      func(s *Server, f func(string) string) error { return s.ExpireAccess(f("company")) },
	"revoke":             func(s *Server, f func(string) string) error { return s.Revoke(f("company")) },
	"forbid":             func(s *Server, f func(string) string) error { return s.Forbid(f("company"), true) },
	"permit":             func(s *Server, f func(string) string) error { return s.Forbid(f("company"), false) },
	"lapse":              func(s *Server, f func(string) string) error { return s.Lapse(f("company"), true) },
	"renew":              func(s *Server, f func(string) string) error { return s.Lapse(f("company"), false) },
	"refuse-duplicates":  func(s *Server, f func(string) string) error { return s.RefuseDuplicates(f("company"), true) },
	"accept-duplicates":  func(s *Server, f func(string) string) error { return s.RefuseDuplicates(f("company"), false) },
	"close-books":        func(s *Server, f func(string) string) error { return s.CloseBooks(f("company"), f("date")) },
	"deactivate-account": func(s *Server, f func(string) string) error { return s.Deactivate(f("company"), f("account")) },
	"activate-account":   func(s *Server, f func(string) string) error { return s.Activate(f("company"), f("account")) },
	"rename-account": func(s *Server, f func(string) string) error {
		return s.Rename(f("company"), f("account"), f("name"))
	},
	"forget": func(s *Server, f func(string) string) error { return s.Forget(f("company")) },
}

// control answers POST /__ledger/control/{verb} when Options.Control is set: {}, or 409 with {"error": "…"}. A page of
// another site that posts here is refused.
func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	do, known := verbs[r.PathValue("verb")]
	origin := r.Header.Get("Origin")
	switch {
	case !known:
		answerControl(w, http.StatusNotFound, fmt.Errorf("the verbs are %s",
			strings.Join(slices.Sorted(maps.Keys(verbs)), ", ")))
	case origin != "" && !strings.EqualFold(origin, s.app.Scheme+"://"+s.app.Host):
		answerControl(w, http.StatusForbidden, errors.New("the request comes from another site"))
	default:
		err := do(s, r.FormValue)
		status := http.StatusOK
		if err != nil {
			status = http.StatusConflict
		}
		answerControl(w, status, err)
	}
}

func answerControl(w http.ResponseWriter, status int, err error) {
	body := map[string]string{}
	if err != nil {
		body["error"] = strings.TrimPrefix(err.Error(), "ledgersim: ")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has gone
}
