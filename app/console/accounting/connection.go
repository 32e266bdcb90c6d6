package accounting

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
)

// connection mounts the connection: connect, complete, start date, post now, disconnect.
func (s *screens) connection() {
	s.Page("getAccountingConnection", home, s.overview)
	s.Form("connectAccounting", home+"/connect", desk.Form{Do: s.connect, Show: s.overview})
	s.Form("completeAccounting", home+"/finish", desk.Form{Do: s.finish, Show: s.overview})
	s.Form("updateAccountingConnection", home+"/start", desk.Form{
		Do: s.setStart, Show: s.overview, Inputs: []string{"startDate"},
	})
	s.Form("syncAccounting", home+"/post", desk.Form{Do: s.postNow})
	s.Page("disconnectAccounting", home+"/disconnect", s.showDisconnect)
	s.Form("disconnectAccounting", home+"/disconnect", desk.Form{Do: s.disconnect})
}

// Values of the parameter "accounting": the callback of the provider leads here with an attempt to complete.
const (
	toFinish = "finish"
	failed   = "failed"
)

// overview shows the connection, or what is to do to have one.
func (s *screens) overview(c *desk.Call) (ui.Screen, error) {
	if attempt, err := uuid.Parse(c.Query("attempt")); err == nil && c.Query("accounting") == toFinish {
		return ui.Screen{
			Title: c.UI.T("Connecting to Ledger Online"), Area: area, Up: upHome(c), Body: finishBody(c, attempt),
		}, nil
	}
	st, err := s.read(c)
	return s.screen(c, st, home, c.UI.T("Accounting"), overviewBody(c, s.Accounting.Configured(), st)), err
}

func upHome(c *desk.Call) *view.Link { return &view.Link{Text: c.UI.T("Accounting"), Href: c.To(home)} }

// connect begins an attempt, and sends the browser to the provider: from a page of its own, because a browser does not
// let a form redirect to another site (content policy). The page forwards without script, and has the link, too.
func (s *screens) connect(c *desk.Call, ctx context.Context) (desk.Done, error) {
	to, err := s.Accounting.Begin(ctx, c.Scope)
	if err != nil {
		return desk.Done{}, err
	}
	c.Set("Refresh", "0; url="+to)
	c.UI.Self = c.To(home) // this page cannot be returned to
	return desk.Done{Once: &ui.Screen{
		Title: c.UI.T("Opening Ledger Online"), Area: area, Up: upHome(c), Body: leaveBody(c, to),
	}}, nil
}

// doubled is how soon after a connection a failed attempt of the same person is the same form, sent twice.
const doubled = time.Minute

func (s *screens) finish(c *desk.Call, ctx context.Context) (desk.Done, error) {
	outcome, err := s.Accounting.Complete(ctx, c.Scope, c.UUID("attempt"))
	if err != nil {
		return desk.Done{}, err
	}
	st, err := s.read(c)
	if err != nil {
		return desk.Done{}, err
	}
	again := st.is(accounting.Connected) && st.Live.PersonID == c.Scope.Person() &&
		s.Clock.Now().Sub(st.Live.ConnectedAt) < doubled
	switch {
	case outcome != accounting.OutcomeConnected && !again:
		return desk.Done{To: c.To(home, "accounting", failed)}, nil
	case st.missing() > 0:
		return desk.Done{
			To:   c.To(accountsAt),
			Said: c.UI.T("Connected to {company}. Confirm an account for each row.", "company", st.Live.CompanyName),
		}, nil
	}
	return desk.Done{To: c.To(home), Said: c.UI.T("Connected to {company}.", "company", st.Live.CompanyName)}, nil
}

func (s *screens) setStart(c *desk.Call, ctx context.Context) (desk.Done, error) {
	live, err := s.Accounting.SetStartDate(ctx, c.Scope, c.Value("startDate"))
	if errors.Is(err, accounting.ErrStartDateFrozen) { // the page has no field any more
		err = fault.From(err).At(func(string) string { return "" })
	}
	return desk.Done{To: c.To(home), Said: c.UI.T("Days from {day} on are posted.", "day", day(c.UI, live.StartDate))}, err
}

func (s *screens) postNow(c *desk.Call, ctx context.Context) (desk.Done, error) {
	due, err := s.Accounting.Sync(ctx, c.Scope)
	if err != nil {
		return desk.Done{}, err
	}
	live, err := s.Accounting.Live(c.Context(), c.Scope)
	if err != nil {
		return desk.Done{}, err
	}
	done := desk.Done{To: c.To(home), Said: c.UI.T("No documents are pending.")}
	switch {
	case live.Status != accounting.Connected:
		done.Said, done.Bad = c.UI.T("Reconnect Ledger Online first."), true
	case due > 0:
		done.To = c.To(postingsAt)
		done.Said = c.UI.N(due, "Posting {n} document. Reload to see the result.",
			"Posting {n} documents. Reload to see the result.")
	}
	return done, nil
}

// showDisconnect shows the effects. There are none without an open connection.
func (s *screens) showDisconnect(c *desk.Call) (ui.Screen, error) {
	st, err := s.read(c)
	if err == nil && (st.Live == nil || st.is(accounting.Disconnected)) {
		err = fault.Missing()
	}
	if err != nil {
		return ui.Screen{}, err
	}
	return ui.Screen{
		Title: c.UI.T("Disconnect {company}", "company", st.Live.CompanyName), Area: area, Up: upHome(c),
		Body: disconnectBody(c, st),
	}, nil
}

func (s *screens) disconnect(c *desk.Call, ctx context.Context) (desk.Done, error) {
	err := s.Accounting.Disconnect(ctx, c.Scope)
	return desk.Done{To: c.To(home), Said: c.UI.T("Disconnected from Ledger Online.")}, err
}

// connectionBadge renders the status of a connection; nil: never connected.
func connectionBadge(sh ui.Shell, live *accounting.Connection) (string, ui.Tone) {
	switch {
	case live == nil:
		return sh.T("Not connected"), ""
	case live.Status == accounting.NeedsReauth:
		return sh.T("Reconnect"), "bad"
	case live.Status == accounting.Disconnected:
		return sh.T("Disconnected"), ""
	}
	return sh.T("Connected"), "ok"
}
