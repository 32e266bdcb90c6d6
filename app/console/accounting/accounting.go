// Package accounting has the screens of the studio's accounting: the connection to the provider, the account of each
// kind of income, tax and fee, the documents posted, and each closed day down to its orders.
package accounting

import (
	"github.com/a-h/templ"
	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

const (
	area       = "settings"
	home       = desk.Accounting
	accountsAt = home + "/accounts"
	postingsAt = home + "/postings"
	daysAt     = home + "/days"
	rowsAPage  = 50
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	s.connection()
	s.accounts()
	d.Page("listAccountingPostings", postingsAt, s.showPostings)
	d.Form("retryAccountingPosting", postingsAt+"/:batch/retry", desk.Form{Do: s.retry})
	d.Page("listAccountingPostings", daysAt, s.showDays)
	d.File("listAccountingPostings", daysAt+"/csv", s.table)
	d.Page("listAccountingPostings", daysAt+"/:batch", s.showBatch)
	d.Page("listAccountingPostings", daysAt+"/:batch/lines/:line", s.showEntries)
}

// state is a summary of the accounting, for the tabs and the notes of every screen.
type state struct {
	Live     *accounting.Connection // nil: never connected
	Progress accounting.Progress
	Counts   accounting.Counts
}

// is reports whether the live connection has a status.
func (st state) is(status accounting.ConnectionStatus) bool {
	return st.Live != nil && st.Live.Status == status
}

// missing is the number of rows of the map without a confirmed account.
func (st state) missing() int { return st.Progress.Rows - st.Progress.Confirmed }

func (s *screens) read(c *desk.Call) (st state, err error) {
	err = desk.Together(
		func() (err error) { st.Live, err = s.Accounting.Live(c.Context(), c.Scope); return err },
		func() (err error) { st.Progress, err = s.Accounting.Progress(c.Context(), c.Scope); return err },
		func() (err error) { st.Counts, err = s.Accounting.Count(c.Context(), c.Scope); return err },
	)
	return st, err
}

// screen is one of the tabs; at is its path.
func (s *screens) screen(c *desk.Call, st state, at, title string, body templ.Component) ui.Screen {
	return ui.Screen{
		Title: title, Area: area, Up: &view.Link{Text: c.UI.T("Settings"), Href: c.To("/settings")}, Tabs: tabs(c, st, at),
		Body: framed(c, st, at, body),
	}
}

// tabs returns those with something to show: without a connection nothing is mapped or posted.
func tabs(c *desk.Call, st state, at string) []ui.Tab {
	sh := c.UI
	list := []ui.Tab{{Text: sh.T("Connection"), Href: c.To(home), Now: at == home}}
	if st.Live != nil {
		list = append(list,
			ui.Tab{Text: sh.T("Accounts"), Href: c.To(accountsAt), Now: at == accountsAt, Count: st.missing()},
			ui.Tab{Text: sh.T("Postings"), Href: c.To(postingsAt), Now: at == postingsAt, Count: st.Counts.Failed},
		)
	}
	return append(list, ui.Tab{Text: sh.T("Days"), Href: c.To(daysAt), Now: at == daysAt})
}

func batchAt(id uuid.UUID) string { return daysAt + "/" + id.String() }

// day renders a date without a zone.
func day(sh ui.Shell, d civil.Date) string {
	w := sh.Words
	w.Zone = nil
	return w.ShortDate(d.Utc())
}
