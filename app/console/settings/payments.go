package settings

import (
	"context"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/billing"
)

// payments is the account at the processor that card payments go to.
func (s *screens) payments() {
	s.Page("getProcessor", "/settings/payments", s.showAccount)
	s.Form("startProcessorOnboarding", "/settings/payments/connect", desk.Form{Do: s.connect, Show: s.showAccount, Inputs: []string{"country"}})
	s.Page("startProcessorOnboarding", "/settings/payments/continue", s.showContinue)
}

// showAccount shows the account as it was last read, or, back from the processor, as it is now.
func (s *screens) showAccount(c *desk.Call) (ui.Screen, error) {
	read := s.Billing.Connection
	if c.Query("refresh") != "" {
		read = s.Billing.Refresh
	}
	account, err := read(c.Context(), c.Scope)
	if err != nil && c.Told(err) { // it does not answer: then as it was last read
		account, err = s.Billing.Connection(c.Context(), c.Scope)
	}
	return ui.Screen{Title: c.UI.T("Payments"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"), Body: accountBody(c, account)}, err
}

func (s *screens) onboard(c *desk.Call, ctx context.Context) (string, error) {
	return s.Billing.Onboard(ctx, c.Scope, billing.OnboardInput{
		Country: c.Value("country"), ReturnURL: s.BaseURL + c.To("/settings/payments", "refresh", "1"), RefreshURL: s.BaseURL + c.To("/settings/payments/continue"),
	})
}

// connect makes the account. Its page at the processor is opened from a page of ours, because a browser does not let a form lead to
// another site (content policy), and because that page's address works once.
func (s *screens) connect(c *desk.Call, ctx context.Context) (desk.Done, error) {
	_, err := s.onboard(c, ctx)
	return desk.Done{To: c.To("/settings/payments/continue")}, err
}

func (s *screens) showContinue(c *desk.Call) (ui.Screen, error) {
	to, err := s.onboard(c, c.Context())
	if err != nil && !c.Told(err) {
		return ui.Screen{}, err
	}
	return ui.Screen{
		Title: c.UI.T("Your details at the payment processor"), Area: area, Up: up(c, c.UI.T("Payments"), "/settings/payments"), Body: continueBody(c, to),
	}, nil
}

// accountBadge is a state of the account in a word.
func accountBadge(sh ui.Shell, state billing.State) (string, ui.Tone) {
	switch state {
	case billing.StateActive:
		return sh.T("Takes cards"), "ok"
	case billing.StatePaused:
		return sh.T("Payouts paused"), "warn"
	case billing.StateOnboarding:
		return sh.T("Not finished"), "warn"
	case billing.StatePending:
		return sh.T("Being checked"), "warn"
	case billing.StateRestricted:
		return sh.T("Details missing"), "bad"
	case billing.StateDisconnected:
		return sh.T("Disconnected"), "bad"
	}
	return sh.T("Not connected"), "warn"
}

// accountStory is what a state means and what to do about it.
func accountStory(sh ui.Shell, state billing.State) string {
	switch state {
	case billing.StateActive:
		return sh.T("Customers can pay by card. The money goes to your own account at the processor, which pays it out to your bank.")
	case billing.StatePaused:
		return sh.T("Customers can pay by card, but no money reaches your bank until the processor has what it asks for.")
	case billing.StateOnboarding:
		return sh.T("The account is there, and the processor waits for your details. Customers cannot pay by card yet.")
	case billing.StatePending:
		return sh.T("The processor is checking your details. This can take a day or two.")
	case billing.StateRestricted:
		return sh.T("The processor needs something more. Until it has that, customers cannot pay by card.")
	case billing.StateDisconnected:
		return sh.T("The account was disconnected at the processor. Connect it again to take cards.")
	}
	return sh.T("Connect an account to take cards. Without one customers pay at the studio.")
}

func connectText(sh ui.Shell, state billing.State) string {
	if state == billing.StateNotConnected || state == billing.StateDisconnected {
		return sh.T("Connect an account")
	}
	return sh.T("Continue at the processor")
}
