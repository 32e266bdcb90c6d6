package journeys_test

import (
	"fmt"
	"testing"

	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest/browser"
	"foyer/app/apptest/walks"
	"foyer/app/console/consoletest"
	"foyer/app/sales"
	"foyer/billing"
)

// TestOwnerConnectsAccounting goes from the settings to the first posted day and down to its order; then the provider
// ends the connection, and the owner reconnects.
func TestOwnerConnectsAccounting(t *testing.T) {
	t.Parallel()
	ways := []way{{Width: desktop}, {Width: narrow}, {Width: phone, NoScript: true}}
	if walks.Long() {
		ways = append(ways, way{Width: desktop, NoScript: true})
	}
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			s := consoletest.Open(t)
			paid := s.Sell(t, "Ada Lovelace")
			owner := signedIn(t, s, w, s.Owner.Email)
			owner.connects()
			owner.confirmsAccounts()
			owner.postsADay()
			owner.opensADay()
			refund := sales.RefundInput{PaymentID: paid.ID, Reason: billing.ReasonGoodwill, ServiceFee: true}
			if _, err := s.Services.Sales.Refund(t.Context(), s.Owner, refund); err != nil {
				t.Fatal(err)
			}
			s.Sweep(t) // it is sent
			owner.reconnects()
			owner.leaves()
			if n := len(s.Books.Sim.Documents(ledgersim.RealmUSD)); n != 2 {
				t.Errorf("%s: %d documents", w, n)
			}
		})
	}
}

// connects goes from Today to the accounts.
func (p *person) connects() {
	p.t.Helper()
	p.takes("Connect accounting", 7, anyInputs, func() {
		p.area("Settings")
		p.press("Accounting")
		p.press("Connect Ledger Online")
		p.agrees()
		p.reads("Connected to Demo USD. Confirm an account for each row.")
	})
	p.checked()
}

// agrees chooses the company at the provider and agrees. Without script the page of the callback has a button.
func (p *person) agrees() {
	p.t.Helper()
	p.reads("Connect your books")
	p.press("Demo USD (USD)")
	p.press("Approve")
	if p.way.NoScript {
		p.press("Finish connecting")
	}
}

// checked looks for barriers on the page, at its end: there the bars at the bottom cover nothing.
func (p *person) checked() {
	p.t.Helper()
	if !p.way.NoScript {
		browser.Eval[bool](p.Page, "scrollTo({ top: 1e6, behavior: 'instant' }), true")
		p.Axe(p.t)
	}
}

// confirmsAccounts confirms all suggestions, which are listed first, and creates the other accounts.
func (p *person) confirmsAccounts() {
	p.t.Helper()
	m, err := p.s.Accounting.Map(p.t.Context(), p.s.Owner)
	if err != nil {
		p.t.Fatal(err)
	}
	suggested := 0
	for _, r := range m.Rows {
		if r.Proposed != nil {
			suggested++
		}
	}
	all := len(m.Rows)
	p.reads(fmt.Sprintf("0 of %d confirmed", all))
	p.takes("Confirm all suggested accounts", 3, anyInputs, func() {
		p.press("Confirm all suggestions")
		p.reads("Business Checking")
		p.checked()
		p.press(fmt.Sprintf("Confirm %d accounts", suggested))
		p.reads(fmt.Sprintf("%d of %d confirmed", suggested, all))
	})
	for n := suggested + 1; n <= all; n++ {
		p.press("Create “")
		p.reads(fmt.Sprintf("%d of %d confirmed", n, all))
	}
	p.reads("Complete")
	p.checked()
}

// postsADay lets the day close, and posts it without waiting.
func (p *person) postsADay() {
	p.t.Helper()
	p.s.CloseDay(p.t)
	p.press("Connection")
	p.press("Post now")
	p.reads("Posting 1 document.")
	p.s.PostBooks(p.t)
	p.press("Postings")
	p.reads("Journal entry", "Posted", "View")
	p.checked()
}

// opensADay goes from the document down to the order.
func (p *person) opensADay() {
	p.t.Helper()
	p.takes("From a posted day to a booking behind it", 3, anyInputs, func() {
		p.press("Wed 10 Jun")
		p.reads("Card payments clearing", "Debit", "Credit")
		p.checked()
		p.press("Class income")
		p.reads("Sale", "$22.00")
		p.checked()
		p.press("Ada Lovelace · Evening Flow")
		p.reads("Evening Flow", "History")
	})
}

// reconnects follows the note on Today after the provider has ended the connection.
func (p *person) reconnects() {
	p.t.Helper()
	if err := p.s.Books.Sim.Revoke(ledgersim.RealmUSD); err != nil {
		p.t.Fatal(err)
	}
	p.s.CloseDay(p.t)
	p.s.PostBooks(p.t)
	p.home()
	p.reads("Reconnect Ledger Online: daily entries wait.")
	p.checked()
	p.takes("Reconnect accounting", 6, anyInputs, func() {
		p.press("Reconnect Ledger Online") // of the note: to the screen
		p.reads("Home currency")
		p.press("Reconnect Ledger Online")
		p.agrees()
		p.reads("Connected to Demo USD.")
	})
	p.misses("daily entries wait")
	p.s.PostBooks(p.t)
	p.press("Postings")
	p.reads("Thu 11 Jun", "Posted")
	p.misses("Pending", "Failed")
}
