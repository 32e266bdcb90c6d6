package stripesim

import (
	"fmt"
	"strings"
	"time"

	"foyer/app/money"
)

var accountParams = []string{
	"capabilities.card_payments.requested", "capabilities.transfers.requested",
	"controller.fees.payer", "controller.losses.payments", "controller.requirement_collection",
	"controller.stripe_dashboard.type", "country", "default_currency", "email", "metadata.*", "type",
}

// What a new account still has to give.
var toGive = []string{"business_profile.url", "external_account", "tos_acceptance.date"}

func createAccount(c *call) (any, *problem) {
	country := "US"
	if v := c.p.text("country"); v != nil {
		country = *v
	}
	payer := c.p.one("controller.fees.payer", "account", "application")
	losses := c.p.one("controller.losses.payments", "stripe", "application")
	dashboard := c.p.one("controller.stripe_dashboard.type", "full", "express", "none")
	collects := c.p.one("controller.requirement_collection", "stripe", "application")
	c.p.one("type", "standard", "express", "custom")
	metadata := c.p.metadata()
	if p := c.p.problem(); p != nil {
		return nil, p
	}
	if c.account != "" {
		return nil, mistaken("", "", "An account is made by the platform: leave out the Stripe-Account header.")
	}
	if c.p.text("type") != nil && c.p.text("controller.fees.payer") != nil {
		return nil, mistaken("parameters_exclusive", "type", "You may not provide the `type` parameter and `controller` parameters simultaneously.")
	}
	currency, ok := money.ForCountry(country)
	if !ok {
		return nil, mistaken("country_unsupported", "country", "Country '"+country+"' is unknown. Use a two-letter code.")
	}
	a := &account{
		ID: c.newID("acct"), Object: "account", Type: "standard", Country: country, Created: c.at.Unix(),
		DefaultCurrency: strings.ToLower(string(currency)), Email: c.p.text("email"),
		Capabilities: map[string]string{"card_payments": "inactive", "transfers": "inactive"},
		Controller: map[string]any{
			"type": "application", "is_controller": true, "requirement_collection": collects,
			"fees": map[string]string{"payer": payer}, "losses": map[string]string{"payments": losses},
			"stripe_dashboard": map[string]string{"type": dashboard},
		},
		Metadata: metadata,
	}
	a.want(toGive, "requirements.past_due", nil)
	c.st.Worlds[a.ID] = newWorld(a)
	return a, nil
}

// want sets what the account has to give now; nothing and no reason means that it is complete.
func (a *account) want(due []string, reason string, deadline *time.Time) {
	a.Requirements = requirements{CurrentlyDue: append([]string{}, due...), PastDue: []string{}}
	if reason != "" {
		a.Requirements.DisabledReason = &reason
	}
	if deadline != nil {
		unix := deadline.Unix()
		a.Requirements.CurrentDeadline = &unix
	}
}

func getAccount(c *call) (any, *problem) {
	w, ok := c.st.Worlds[c.id]
	if !ok || w.Account.Sim.Revoked {
		return nil, noAccess(c.id)
	}
	return w.Account, nil
}

// link is an account link: where a studio completes its account. It works for a few minutes and is opened once.
type link struct {
	Account    string    `json:"account"`
	ReturnURL  string    `json:"return_url"`
	RefreshURL string    `json:"refresh_url"`
	Until      time.Time `json:"until"`
	Opened     bool      `json:"opened,omitempty"`
	Done       bool      `json:"done,omitempty"`
}

const linkLife = 5 * time.Minute

var linkParams = []string{"account", "collect", "collection_options.fields", "refresh_url", "return_url", "type"}

func createLink(c *call) (any, *problem) {
	id, kind := c.p.need("account"), c.p.need("type")
	refresh, back := c.p.need("refresh_url"), c.p.need("return_url")
	if p := c.p.problem(); p != nil {
		return nil, p
	}
	if kind != "account_onboarding" {
		return nil, mistaken("", "type", "Only account_onboarding is possible: the account has a Stripe-hosted dashboard.")
	}
	w, ok := c.st.Worlds[id]
	if !ok || w.Account.Sim.Revoked {
		return nil, noAccess(id)
	}
	for token, l := range c.st.Links {
		if c.at.After(l.Until.Add(time.Hour)) {
			delete(c.st.Links, token)
		}
	}
	l := &link{Account: id, ReturnURL: back, RefreshURL: refresh, Until: c.at.Add(linkLife)}
	token := c.newID("link")
	c.st.Links[token] = l
	return map[string]any{
		"object": "account_link", "created": c.at.Unix(), "expires_at": l.Until.Unix(),
		"url": c.opt.AppURL + DefaultPrefix + "/onboard/" + id + "?link=" + token,
	}, nil
}

// newID makes an id and marks the state as changed.
func (c *call) newID(prefix string) string {
	c.dirty = true
	return c.st.newID(prefix)
}

// Activate completes an account as the onboarding page does: it can take cards and is paid out.
func (s *Server) Activate(id string) error {
	return s.change(id, (*account).complete)
}

func (a *account) complete() {
	a.DetailsSubmitted, a.ChargesEnabled, a.PayoutsEnabled = true, true, true
	a.Capabilities = map[string]string{"card_payments": "active", "transfers": "active"}
	a.want(nil, "", nil)
}

// Restrict takes charges and payouts away from an account until something is given.
func (s *Server) Restrict(id string, due ...string) error {
	return s.change(id, func(a *account) {
		a.ChargesEnabled, a.PayoutsEnabled = false, false
		a.Capabilities = map[string]string{"card_payments": "inactive", "transfers": "inactive"}
		a.want(due, "requirements.past_due", nil)
	})
}

// Verify leaves an account complete but unchecked: its details are in and charges are not on yet.
func (s *Server) Verify(id string) error {
	return s.change(id, func(a *account) {
		a.DetailsSubmitted, a.ChargesEnabled, a.PayoutsEnabled = true, false, false
		a.Capabilities = map[string]string{"card_payments": "pending", "transfers": "pending"}
		a.want(nil, "requirements.pending_verification", nil)
	})
}

// PausePayouts stops the money of an account on its way to the bank until something is given by a deadline.
func (s *Server) PausePayouts(id string, by time.Time, due ...string) error {
	return s.change(id, func(a *account) {
		a.PayoutsEnabled = false
		a.want(due, "", &by)
	})
}

// Disconnect takes the platform's access to an account away, as the studio can do in its own dashboard.
func (s *Server) Disconnect(id string) error {
	return s.with(id, func(w *world) {
		w.Account.Sim.Revoked = true
		s.emit(id, "account.application.deauthorized", map[string]any{"id": applicationID, "object": "application", "name": "Foyer"}, eventRequest{})
	})
}

// change alters an account and says so in an event.
func (s *Server) change(id string, f func(*account)) error {
	return s.with(id, func(w *world) {
		f(w.Account)
		s.emit(id, "account.updated", w.Account, eventRequest{})
	})
}

func (s *Server) with(id string, f func(*world)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.st.Worlds[id]
	if !ok {
		return fmt.Errorf("stripesim: no account %q", id)
	}
	f(w)
	s.commit()
	return nil
}
