package accounting

import (
	"context"
	"time"

	"foyer/app/accounting"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/view"
)

// showPostings lists the documents of the live connection. The verb has the size of a page.
func (s *screens) showPostings(c *desk.Call) (ui.Screen, error) {
	t := desk.TurnOnward[paging.Moment](c, "accounting-postings")
	st, err := s.read(c)
	if err != nil {
		return ui.Screen{}, err
	}
	page, err := s.Accounting.Postings(c.Context(), c.Scope, t.Key)
	leaf := desk.LeafOf(c, t, page, func(p accounting.Posting) paging.Moment {
		return paging.Moment{At: p.CreatedAt, ID: p.ID}
	})
	screen := s.screen(c, st, postingsAt, c.UI.T("Postings"), postingsBody(c, st, leaf))
	screen.Lead, screen.Wide = c.UI.T("Documents for Ledger Online, newest first"), true
	return screen, err
}

func (s *screens) retry(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("batch")
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{Said: c.UI.T("The document is posted again within a minute.")}, s.Accounting.Retry(ctx, c.Scope, id)
}

// standing is the status of a batch's document.
type standing struct {
	Status      accounting.Status // empty: there is no posting
	SkipReason  accounting.SkipReason
	LastError   string
	Currency    money.Currency
	NextAttempt time.Time
	PostedAt    time.Time
}

func standingOf(p accounting.Posting) standing {
	return standing{p.Status, p.SkipReason, p.LastError, p.Currency, p.NextAttempt, p.PostedAt}
}

func standingOfBatch(b accounting.ListedBatch) standing {
	return standing{
		Status: b.Status, SkipReason: b.SkipReason, LastError: b.LastError, Currency: b.Currency, PostedAt: b.PostedAt,
	}
}

// badge renders a status.
func (p standing) badge(sh ui.Shell) (string, ui.Tone) {
	switch p.Status {
	case accounting.Pending:
		return sh.C("document", "Pending"), "warn"
	case accounting.Posted:
		return sh.C("document", "Posted"), "ok"
	case accounting.Failed:
		return sh.C("document", "Failed"), "bad"
	case accounting.Skipped:
		return sh.C("document", "Skipped"), ""
	}
	return sh.C("document", "Not posted"), ""
}

// reason renders the reason of a status; empty: it needs none.
func (p standing) reason(sh ui.Shell, st state) string {
	switch p.Status {
	case accounting.Posted:
		return sh.ShortWhen(p.PostedAt)
	case accounting.Failed:
		return p.LastError
	case accounting.Pending:
		return p.waits(sh, st)
	case accounting.Skipped:
		return skipped(sh, p, st)
	}
	if st.Live == nil || st.is(accounting.Disconnected) {
		return sh.T("Not connected")
	}
	return sh.T("Before the start date")
}

func (p standing) waits(sh ui.Shell, st state) string {
	if st.is(accounting.NeedsReauth) {
		return sh.T("Waits until you reconnect")
	}
	if p.LastError == "" || !p.NextAttempt.After(sh.Now) {
		return p.LastError
	}
	return view.Joined(" ", p.LastError, sh.T("Next attempt: {when}.", "when", sh.ShortWhen(p.NextAttempt)))
}

// skipped renders the reason for which a document is not posted.
func skipped(sh ui.Shell, p standing, st state) string {
	switch p.SkipReason {
	case accounting.BeforeStartDate:
		return sh.T("Before the start date")
	case accounting.CurrencyNotHome:
		if st.Live != nil {
			return sh.T("In {currency}. The company’s currency is {home}.", "currency", string(p.Currency),
				"home", string(st.Live.HomeCurrency))
		}
	case accounting.MapIncomplete:
		return sh.T("An account is not confirmed.")
	}
	return sh.T("Not connected")
}

// kindWord renders a kind of document.
func kindWord(sh ui.Shell, k accounting.Kind) string {
	if k == accounting.DepositKind {
		return sh.T("Deposit")
	}
	return sh.T("Journal entry")
}
