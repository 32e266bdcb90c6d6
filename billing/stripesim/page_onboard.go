package stripesim

import "net/http"

// openOnboarding shows the page that stands for Stripe's own. As there, a link opens once: a second visit, or a late one,
// goes to refresh_url, where the app makes a new link.
func (s *Server) openOnboarding(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("link")
	l, world := s.link(r.PathValue("acct"), token)
	if l == nil {
		s.trouble(w, "This link is not known. Start again from the payment settings.")
		return
	}
	if l.Opened || s.now().After(l.Until) {
		s.leave(w, r, l.RefreshURL, nil)
		return
	}
	l.Opened, s.dirty = true, true
	s.show(w, http.StatusOK, "onboard.html", page{
		Title: "Connect a test account", Key: token, Action: DefaultPrefix + "/onboard/" + world.Account.ID,
		Message: "This page stands for the payment processor, which would ask for business and bank details here.",
	})
}

// finishOnboarding completes the account and goes back. The app learns it from the event or by reading the account.
func (s *Server) finishOnboarding(w http.ResponseWriter, r *http.Request) {
	l, world := s.link(r.PathValue("acct"), r.PostFormValue("link"))
	if l == nil {
		s.trouble(w, "This link is not known. Start again from the payment settings.")
		return
	}
	if !l.Done {
		l.Done = true
		world.Account.complete()
		s.emit(l.Account, "account.updated", world.Account, eventRequest{})
	}
	s.leave(w, r, l.ReturnURL, nil)
}

func (s *Server) link(account, token string) (*link, *world) {
	l, ok := s.st.Links[token]
	if !ok || l.Account != account || s.st.Worlds[account].Account.Sim.Revoked {
		return nil, nil
	}
	return l, s.st.Worlds[account]
}
