package stripesim

import (
	"fmt"
	"time"
)

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
