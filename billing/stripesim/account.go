package stripesim

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"foyer/app/money"
)

var accountParams = []string{
	"controller[fees][payer]", "controller[losses][payments]", "controller[requirement_collection]",
	"controller[stripe_dashboard][type]", "country", "email", "metadata[]",
}

// The open requirements of a new account.
var openRequirements = []string{"business_profile.url", "external_account", "tos_acceptance.date"}

func createAccount(c *call) (any, *problem) {
	country := c.p.need("country")
	c.p.one("controller[fees][payer]", "account", "application")
	c.p.one("controller[losses][payments]", "stripe", "application")
	c.p.one("controller[stripe_dashboard][type]", "full", "express", "none")
	c.p.one("controller[requirement_collection]", "stripe", "application")
	metadata := c.p.metadata()
	if p := c.p.wrong; p != nil {
		return nil, p
	}
	if c.account != "" {
		return nil, mistaken("", "", "An account is made by the platform: leave out the Stripe-Account header.")
	}
	currency, ok := money.ForCountry(country)
	if !ok {
		return nil, mistaken("country_unsupported", "country", "Country '"+country+"' is unknown. Use a two-letter code.")
	}
	a := &account{
		ID: c.newID("acct"), Object: "account", Country: country, DefaultCurrency: strings.ToLower(string(currency)), Metadata: metadata,
	}
	a.mayCharge("inactive")
	a.want(openRequirements, "requirements.past_due", nil)
	c.st.Worlds[a.ID] = newWorld(a)
	return a, nil
}

// mayCharge sets whether the account accepts cards: active, pending or inactive.
func (a *account) mayCharge(state string) {
	a.ChargesEnabled = state == "active"
	a.Capabilities = map[string]string{"card_payments": state, "transfers": state}
}

// want sets the open requirements of the account; nothing and no reason means that it is complete.
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
	w, p := c.connected(c.id)
	if p != nil {
		return nil, p
	}
	return w.Account, nil
}

// link is an account link: the address where a studio completes its account. It works for a few minutes and is opened
// once.
type link struct {
	Account    string    `json:"account"`
	ReturnURL  string    `json:"return_url"`
	RefreshURL string    `json:"refresh_url"`
	Until      time.Time `json:"until"`
	Opened     bool      `json:"opened,omitempty"`
	Done       bool      `json:"done,omitempty"`
}

const linkLife = 5 * time.Minute

var linkParams = []string{"account", "refresh_url", "return_url", "type"}

func createLink(c *call) (any, *problem) {
	id, kind := c.p.need("account"), c.p.need("type")
	refresh, back := c.p.need("refresh_url"), c.p.need("return_url")
	if p := c.p.wrong; p != nil {
		return nil, p
	}
	if kind != "account_onboarding" {
		return nil, mistaken("", "type", "Only account_onboarding is possible: the account has a Stripe-hosted dashboard.")
	}
	if _, p := c.connected(id); p != nil {
		return nil, p
	}
	now := c.now()
	maps.DeleteFunc(c.st.Links, func(_ string, l *link) bool { return now.After(l.Until.Add(time.Hour)) })
	l := &link{Account: id, ReturnURL: back, RefreshURL: refresh, Until: now.Add(linkLife)}
	token := c.newID("link")
	c.st.Links[token] = l
	return map[string]any{
		"object": "account_link", "created": now.Unix(), "expires_at": l.Until.Unix(),
		"url": c.opt.AppURL + DefaultPrefix + "/onboard/" + id + "?link=" + token,
	}, nil
}

// Activate completes an account as the onboarding page does: it can accept cards and is paid out.
func (s *Server) Activate(id string) error {
	return s.change(id, (*account).complete)
}

func (a *account) complete() {
	a.DetailsSubmitted, a.PayoutsEnabled = true, true
	a.mayCharge("active")
	a.want(nil, "", nil)
}

// Restrict disables charges and payouts of an account until its requirements are fulfilled.
func (s *Server) Restrict(id string, due ...string) error {
	return s.change(id, func(a *account) {
		a.PayoutsEnabled = false
		a.mayCharge("inactive")
		a.want(due, "requirements.past_due", nil)
	})
}

// Verify leaves an account complete but unchecked: its details are in and charges are not on yet.
func (s *Server) Verify(id string) error {
	return s.change(id, func(a *account) {
		a.DetailsSubmitted, a.PayoutsEnabled = true, false
		a.mayCharge("pending")
		a.want(nil, "requirements.pending_verification", nil)
	})
}

// RequireInfo adds requirements to a working account, with a deadline after which it would be restricted.
func (s *Server) RequireInfo(id string, by time.Time, due ...string) error {
	return s.change(id, func(a *account) { a.want(due, "", &by) })
}

// PausePayouts stops the payouts of an account until its requirements are fulfilled, by a deadline.
func (s *Server) PausePayouts(id string, by time.Time, due ...string) error {
	return s.change(id, func(a *account) {
		a.PayoutsEnabled = false
		a.want(due, "", &by)
	})
}

// Disconnect ends the platform's access to an account, as the studio can do in its own dashboard.
func (s *Server) Disconnect(id string) error {
	return s.with(id, func(w *world) {
		w.Account.Sim.Revoked = true
		s.emit(id, "account.application.deauthorized", map[string]any{"id": "ca_sim_foyer", "object": "application", "name": "Foyer"})
	})
}

// change alters an account and sends an event about it.
func (s *Server) change(id string, f func(*account)) error {
	return s.with(id, func(w *world) {
		f(w.Account)
		s.emit(id, "account.updated", w.Account)
	})
}

func (s *Server) with(id string, f func(*world)) error {
	return s.try(id, func(w *world) error {
		f(w)
		return nil
	})
}

// try is with for a change that may be impossible; then nothing happens.
func (s *Server) try(id string, f func(*world) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.st.Worlds[id]
	if !ok {
		return fmt.Errorf("stripesim: no account %q", id)
	}
	if err := f(w); err != nil {
		return fmt.Errorf("stripesim: %w", err)
	}
	s.commit()
	return nil
}

// Totals adds up the balance transactions of payments that the product made, in Stripe's units: the charges, the
// refunds, and the part of them that the platform kept.
func (s *Server) Totals(id string) (charged, refunded, fees int64, err error) {
	err = s.with(id, func(w *world) {
		for _, b := range w.Balance {
			if w.outside(b) {
				continue
			}
			switch b.Type {
			case "charge":
				charged += b.Amount
			case "refund", "refund_failure":
				refunded -= b.Amount
			case "application_fee_refund":
				if b.Source != nil { // requested by us
					fees -= b.Amount
				}
			}
			for _, f := range b.FeeDetails {
				if f.Type == "application_fee" {
					fees += f.Amount
				}
			}
		}
	})
	return charged, refunded, fees, err
}

// Holds returns the balance of an account in a currency, in the processor's units: available, pending, or held.
func (s *Server) Holds(id, currency string) (held int64, err error) {
	err = s.with(id, func(w *world) {
		for _, b := range w.Balance {
			if b.Currency == currency && b.ReportingCategory != "risk_reserved_funds" {
				held += b.Net
			}
		}
	})
	return held, err
}
