package accounting_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/app/web"
	"foyer/billing"
	"foyer/billing/tender"
	"foyer/policy"
)

const at = "/settings/accounting"

// connecting presses Connect and agrees at the provider: the page of the callback.
func connecting(t *testing.T, s *consoletest.Studio, c *consoletest.Client) *consoletest.Page {
	t.Helper()
	page := c.Send(c.Get(at).Is(t, 200).Form("/connect")).Is(t, 200).Shows(t, "Continue to Ledger Online")
	to := page.Link("/connect/oauth2")
	if got := page.Header.Get("Refresh"); got != "0; url="+to {
		t.Errorf("the page forwards to %q, its link leads to %q", got, to)
	}
	callback, err := s.Books.Sim.Approve(to, ledgersim.RealmUSD)
	if err != nil {
		t.Fatal(err)
	}
	return c.Get(local(s, callback)).Is(t, 200)
}

// local is an address of the studio's server without its host.
func local(s *consoletest.Studio, address string) string { return strings.TrimPrefix(address, s.URL) }

func live(t *testing.T, s *consoletest.Studio) *accounting.Connection {
	t.Helper()
	c, err := s.Accounting.Live(t.Context(), s.Owner)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func postings(t *testing.T, s *consoletest.Studio) []accounting.Posting {
	t.Helper()
	page, err := s.Accounting.Postings(t.Context(), s.Owner, nil)
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

// TestNotConfigured: without a provider the screen says so, offers no button, and still has the days.
func TestNotConfigured(t *testing.T) {
	s := consoletest.OpenWith(t, func(o *assembly.Settings) { o.Accounting = nil })
	s.Sell(t, "Ada Lovelace")
	s.CloseDay(t)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at).Is(t, 200).
		Shows(t, "No accounting provider is set up on this installation.", "LEDGER_ONLINE_CLIENT_ID")
	if page.Has("/connect") || page.Has("/accounts") {
		t.Error("it offers to connect")
	}
	owner.Get(page.Link("/days")).Is(t, 200).Shows(t, "Journal entry", "Not posted", "Not connected", "Download as CSV")
	owner.Post(at+"/connect", url.Values{web.FieldToken: {owner.Token()}, web.FieldKey: {web.NewKey()}}).Is(t, 404)
}

// TestConnect: the callback connects nothing; its page has one button that does, once, for the person who began.
func TestConnect(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	owner.Get("/settings").Shows(t, "Accounting", "Not connected")
	page := connecting(t, s, owner).Shows(t, "Connecting to Ledger Online", "Finish connecting")
	owner.Get(local(s, page.URL.String()))
	if live(t, s) != nil {
		t.Fatal("a page connected it")
	}
	other := s.SignedIn(t, s.Join(t, "olaf@team.example.com", apptest.Everywhere(policy.Owner)).Email)
	other.Send(other.Get(local(s, page.URL.String())).Form("/finish")).Is(t, 200).
		Shows(t, "Ledger Online was not connected.", "Connect again")
	if live(t, s) != nil {
		t.Fatal("another person completed it")
	}
	form := connecting(t, s, owner).Form("/finish")
	for range 2 { // a double click
		done := owner.Send(form).Is(t, 200).Shows(t, "Connected to Demo USD. Confirm an account for each row.")
		if !strings.HasSuffix(done.URL.Path, at+"/accounts") {
			t.Errorf("it ends at %s", done.URL)
		}
	}
	owner.Get(at).
		Shows(t, "Demo USD", "USD", "None yet", "Confirm accounts", "Post now", "First day to post").Silent(t,
		"Connect Ledger Online")
	owner.Get("/settings").Shows(t, "Accounting", "Connected")
	s.Clock.Advance(2 * time.Minute)
	owner.Send(form).Is(t, 200).Shows(t, "Ledger Online was not connected.")
	form.Values.Set("attempt", uuid.NewString())
	owner.Send(form).Is(t, 404)
	owner.Get(at+"?accounting=finish&attempt=none").Is(t, 200).Shows(t, "Demo USD")
}

// TestDenied: a refusal at the provider leaves everything as it was, and says what to do.
func TestDenied(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	to := owner.Send(owner.Get(at).Form("/connect")).Link("/connect/oauth2")
	callback, err := s.Books.Sim.Deny(to)
	if err != nil {
		t.Fatal(err)
	}
	page := owner.Send(owner.Get(local(s, callback)).Form("/finish")).Is(t, 200).
		Shows(t, "Ledger Online was not connected.", "Access was denied")
	page.Form("/connect")
	if live(t, s) != nil {
		t.Error("it is connected")
	}
}

// TestWhoMaySeeAccounting: owners and admins. For other roles it is in no list, and no address answers.
func TestWhoMaySeeAccounting(t *testing.T) {
	s := consoletest.Open(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	s.Sell(t, "Ada Lovelace")
	s.CloseDay(t)
	batch := postings(t, s)[0].BatchID.String()
	clients := map[string]*consoletest.Client{
		"a manager at a location": s.Member(t, "max@team.example.com", apptest.At(policy.Manager, s.Location.ID)),
	}
	for _, role := range []policy.Role{policy.Manager, policy.FrontDesk, policy.Instructor, policy.Accountant} {
		clients[string(role)] = s.As(t, role)
	}
	for name, c := range clients {
		if c.Get("/settings").Has(at) {
			t.Errorf("%s is shown the way to it", name)
		}
		for _, path := range []string{"", "/accounts", "/accounts/suggestions", "/postings", "/days", "/days/csv",
			"/days/" + batch, "/days/" + batch + "/lines/0", "/disconnect"} {
			if got := c.Get(at + path).Status; got != 403 {
				t.Errorf("%s: %s answers %d", name, path, got)
			}
		}
	}
}

// TestAccounts: a suggestion is in the list and is confirmed by a person only; an error is at its row.
func TestAccounts(t *testing.T) {
	s := consoletest.Open(t)
	s.AddTaxRate(t, "Sales tax", 88_750)
	s.AddRevenueCategory(t, "Workshops")
	s.ConnectBooks(t, ledgersim.RealmUSD)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at+"/accounts").Is(t, 200).
		Shows(t, "Income", "Liabilities", "Costs and bank", "Sales tax · 8.875%", "Workshops",
			"0 of 11 confirmed", "Confirm all suggestions", "Create “Workshops income”", "(suggested)")
	page.Silent(t, "Accounts Receivable", "Creditors")
	owner.Get(at+"/accounts?all=1").Shows(t, "Rent & Lease · Expense", "Offer only accounts that fit the row")

	bank := page.Form("/asset.bank/confirm")
	const field = "account-asset-bank"
	owner.Send(bank, field, "").Is(t, 400).Shows(t, "Choose an account.")
	owner.Send(bank, field, "999").Is(t, 400).Shows(t, "The chart of accounts has no such account.")
	owner.Send(bank, field, "33").Is(t, 400).
		Shows(t, "Accounts receivable and payable need a customer or a vendor in each line.")
	owner.Send(bank, field, "35").Is(t, 200).Shows(t, "Bank account is posted to Business Checking.", "1 of 11 confirmed")
	owner.Send(bank, field, "36").Is(t, 200).Shows(t, "Bank account is posted to Savings.", "1 of 11 confirmed")

	for _, row := range []string{"asset.nothing", "income.pack", "liability.sales_tax",
		"liability.sales_tax:" + uuid.NewString(), "income.class:" + uuid.NewString()} {
		forged := *bank
		forged.Action = strings.Replace(bank.Action, "asset.bank", row, 1)
		forged.Values.Set("account-"+strings.NewReplacer(":", "-", ".", "-").Replace(row), "35")
		owner.Send(&forged).Is(t, 404)
		forged.Action = strings.Replace(forged.Action, "/confirm", "/create", 1)
		owner.Send(&forged).Is(t, 404)
	}
}

// TestCreateAccount: an account is created for a row and confirmed; a name that is taken is an error at its field, and
// can be changed there.
func TestCreateAccount(t *testing.T) {
	s := consoletest.Open(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	owner := s.As(t, consoletest.Owner)
	if err := s.Books.Sim.Rename(ledgersim.RealmUSD, "7", "Dispute fees"); err != nil { // of another type's
		t.Fatal(err)
	}
	form := owner.Get(at + "/accounts").Form("/expense.dispute_fees/create")
	page := owner.Send(form).Is(t, 400).
		Shows(t, "An account of this name exists at the accounting provider.", "Name of the new account")
	page = owner.Send(page.Form("/expense.dispute_fees/create"), "name-expense-dispute_fees",
		"Dispute fees: cards").Is(t, 400)
	page.Shows(t, "Use at most 100 characters, without : and quotation marks.")
	owner.Send(page.Form("/expense.dispute_fees/create"), "name-expense-dispute_fees", "Dispute fees of cards").Is(t, 200).
		Shows(t, "Dispute fees is posted to Dispute fees of cards.")
	made := 0
	for _, a := range s.Books.Sim.Accounts(ledgersim.RealmUSD) {
		if a.Name == "Dispute fees of cards" {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d accounts", made)
	}
}

// TestConfirmSuggestions: they are listed first. A list that is no longer the same confirms nothing.
func TestConfirmSuggestions(t *testing.T) {
	s := consoletest.Open(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(owner.Get(at+"/accounts").Link("/suggestions")).Is(t, 200).
		Shows(t, "Confirm suggestions", "Business Checking", "Bank")
	if n := confirmed(t, s); n != 0 {
		t.Fatalf("the list confirmed %d", n)
	}
	form := page.Form("/suggestions")
	owner.Send(owner.Get(at+"/accounts").Form("/asset.bank/confirm"), "account-asset-bank", "36") // in another tab
	again := owner.Send(form).Is(t, 409).Shows(t, "The details have changed")
	if n := confirmed(t, s); n != 1 {
		t.Fatalf("%d are confirmed", n)
	}
	done := owner.Send(again.Form("/suggestions")).Is(t, 200).Shows(t, "Confirmed ")
	if n := confirmed(t, s); n < 2 {
		t.Errorf("%d are confirmed: %s", n, done.Text())
	}
	owner.Get(at+"/accounts/suggestions").Is(t, 200).Shows(t, "No suggestions")
	s.ConfirmBooks(t)
	owner.Get(at+"/accounts").Is(t, 200).Shows(t, "Complete")
	owner.Get(at+"/accounts?missing=1").Is(t, 200).Shows(t, "All accounts are confirmed.")
}

func confirmed(t *testing.T, s *consoletest.Studio) int {
	t.Helper()
	p, err := s.Accounting.Progress(t.Context(), s.Owner)
	if err != nil {
		t.Fatal(err)
	}
	return p.Confirmed
}

// TestProviderDown: its screens say so, and nothing is an error of ours.
func TestProviderDown(t *testing.T) {
	s := consoletest.Open(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get(at + "/accounts").Form("/asset.bank/confirm")
	list := owner.Get(at + "/accounts/suggestions").Form("/suggestions")
	if err := s.Books.Sim.Fail(ledgersim.Fault{Kind: ledgersim.HTML, Times: 100}); err != nil {
		t.Fatal(err)
	}
	owner.Send(form, "account-asset-bank", "35").Is(t, 409).
		Shows(t, "Ledger Online did not answer. Try again in a minute.")
	owner.Send(list).Is(t, 409).Shows(t, "Ledger Online did not answer. Try again in a minute.")
	s.Clock.Advance(11 * time.Minute) // the chart of before is too old
	owner.Get(at+"/accounts").Is(t, 200).
		Shows(t, "Ledger Online did not answer. Its accounts cannot be shown.", "Try again")
	owner.Get(at+"/accounts/suggestions").Is(t, 200).Shows(t, "Its accounts cannot be shown.")
	owner.Get(at).Is(t, 200).Shows(t, "Demo USD", "0 of ")
	s.Books.Sim.Heal()
	owner.Get(at+"/accounts").Is(t, 200).Shows(t, "Bank account")
}

// TestStartDate: an error is at its field; after the first document it is locked, also for a page of before.
func TestStartDate(t *testing.T) {
	s := consoletest.Open(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get(at).Form("/start")
	owner.Send(form, "startDate", "soon").Is(t, 400).Shows(t, "Enter a date like 2026-03-08.")
	owner.Send(owner.Get(at).Form("/start"), "startDate", "2026-06-12").Is(t, 200).
		Shows(t, "Days from Fri 12 Jun on are posted.")
	s.Sell(t, "Ada Lovelace")
	s.CloseDay(t)
	owner.Get(at+"/postings").Is(t, 200).Shows(t, "Skipped", "Before the start date")
	owner.Get(at+"/days").Is(t, 200).Shows(t, "Skipped", "Before the start date")
	owner.Send(owner.Get(at).Form("/start"), "startDate", "2026-06-01").Is(t, 200)
	owner.Get(at+"/postings").Is(t, 200).Shows(t, "Skipped", "An account is not confirmed.", "Confirm accounts")
	late := owner.Get(at).Form("/start")
	s.ConfirmBooks(t)
	s.PostBooks(t)
	owner.Get(at).Is(t, 200).
		Shows(t, "Mon 1 Jun. It cannot change after the first document was posted.").Silent(t, "Save start date")
	owner.Send(late, "startDate", "2026-05-01").Is(t, 400).
		Shows(t, "The start date cannot change after the first document was posted.")
}

// TestPostings: a status and its reason in words, a way on for each of them, and pages of thirty.
func TestPostings(t *testing.T) {
	s := consoletest.Open(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	owner := s.As(t, consoletest.Owner)
	s.Sell(t, "Ada Lovelace")
	s.CloseDay(t)
	page := owner.Get(at+"/postings").Is(t, 200).
		Shows(t, "Wed 10 Jun", s.Location.Name, "Journal entry", "$24.44", "Skipped", "An account is not confirmed.")
	owner.Get(page.Link("/accounts")).Is(t, 200)
	s.ConfirmBooks(t)
	owner.Get(at+"/postings").Shows(t, "Pending")
	if err := s.Books.Sim.CloseBooks(ledgersim.RealmUSD, "2026-06-30"); err != nil {
		t.Fatal(err)
	}
	s.PostBooks(t)
	page = owner.Get(at+"/postings").Shows(t, "Failed", "closed")
	owner.Get(at).Shows(t, "1 document was not posted.", "See the reasons")
	owner.Get("").Shows(t, "1 document was not posted.", "See the reasons")
	if err := s.Books.Sim.CloseBooks(ledgersim.RealmUSD, ""); err != nil {
		t.Fatal(err)
	}
	retry := page.Form("/retry")
	owner.Send(retry).Is(t, 200).Shows(t, "The document is posted again within a minute.")
	s.PostBooks(t)
	page = owner.Get(at+"/postings").Shows(t, "Posted", "View")
	if got := page.Link("/app/journal"); !strings.HasPrefix(got, s.URL+ledgersim.Prefix) {
		t.Errorf("the document is at %q", got)
	}
	owner.Send(retry).Is(t, 200).Silent(t, "Failed") // sent again: it is posted
	forged := *retry
	forged.Action = strings.Replace(retry.Action, postings(t, s)[0].BatchID.String(), uuid.NewString(), 1)
	owner.Send(&forged).Is(t, 404)
	owner.Get("").Silent(t, "was not posted")
	if n := len(s.Books.Sim.Documents(ledgersim.RealmUSD)); n != 1 {
		t.Errorf("%d documents", n)
	}

	s.SQL(t, `update accounting_postings set status = 'skipped', skip_reason = 'currency_not_home', posted_at = null,
		external_id = '', external_url = ''`)
	owner.Get(at+"/postings").Shows(t, "In USD. The company’s currency is USD.")
	s.SQL(t, `insert into accounting_batches (id, business_id, location_id, local_date, currency, kind, deposit_ref,
			amount, lines, row_keys, created_at)
		select gen_random_uuid(), business_id, location_id, local_date + i, currency, 'journal_entry', '', amount,
			lines, row_keys, created_at
		from accounting_batches, generate_series(1, 30) i where amount > 0`)
	s.SQL(t, `insert into accounting_postings (id, business_id, batch_id, connection_id, status, skip_reason, created_at,
			updated_at)
		select gen_random_uuid(), b.business_id, b.id, c.id, 'skipped', 'before_start_date',
			b.created_at + make_interval(hours => (b.local_date - date '2026-06-10')), b.created_at
		from accounting_batches b join accounting_connections c using (business_id)
		where b.amount > 0 and b.local_date > '2026-06-10'`)
	page = owner.Get(at+"/postings").Is(t, 200).Shows(t, "Fri 10 Jul", "Next page").Silent(t, "Wed 10 Jun")
	page = owner.Get(next(page)).Is(t, 200)
	page.Shows(t, "Wed 10 Jun", "Previous page").Silent(t, "Fri 10 Jul", "Next page")
}

// next returns the address of the next page of a list.
func next(p *consoletest.Page) string {
	for _, to := range p.Links() {
		if strings.Contains(to, "after=") {
			return to
		}
	}
	return ""
}

// TestPostNow: what is pending is due at once, and a broken connection says so instead.
func TestPostNow(t *testing.T) {
	s := consoletest.Open(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get(at).Form("/post")
	owner.Send(form).Is(t, 200).Shows(t, "No documents are pending.")
	s.Sell(t, "Ada Lovelace")
	s.ConfirmBooks(t)
	s.CloseDay(t)
	owner.Send(owner.Get(at).Form("/post")).Is(t, 200).Shows(t, "Posting 1 document.", "Postings")
	if err := s.Books.Sim.Revoke(ledgersim.RealmUSD); err != nil {
		t.Fatal(err)
	}
	late := owner.Get(at).Form("/post")
	s.PostBooks(t)
	owner.Send(late).Is(t, 200).Shows(t, "Reconnect Ledger Online first.")
}

// TestReconnect: a connection that the provider ended has a note on every tab and on Today; the same company again
// continues with its accounts.
func TestReconnect(t *testing.T) {
	s := consoletest.Open(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	s.Sell(t, "Ada Lovelace")
	s.ConfirmBooks(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get(at + "/accounts").Form("/asset.bank/confirm")
	s.CloseDay(t)
	if err := s.Books.Sim.Revoke(ledgersim.RealmUSD); err != nil {
		t.Fatal(err)
	}
	const note = "Reconnect Ledger Online: daily entries wait."
	owner.Get("").Silent(t, note)
	owner.Send(form).Is(t, 409).Shows(t, "Reconnect Ledger Online first.") // which finds it out
	s.PostBooks(t)
	for _, path := range []string{"", "/accounts", "/postings", "/days"} {
		owner.Get(at+path).Is(t, 200).Shows(t, note).Form("/connect")
	}
	owner.Get(at+"/postings").Shows(t, "Pending", "Waits until you reconnect")
	owner.Get(owner.Get("").Shows(t, note).Link(at)).Is(t, 200)
	s.As(t, policy.Manager).Get("").Silent(t, note)
	owner.Get("/settings").Shows(t, "Reconnect")
	owner.Send(connecting(t, s, owner).Form("/finish")).Is(t, 200).Shows(t, "Connected to Demo USD.").Silent(t, note)
	s.PostBooks(t)
	owner.Get(at+"/postings").Shows(t, "Posted")
	owner.Get("").Silent(t, note)
}

// TestDisconnect: its effects are shown before the button; the documents stay.
func TestDisconnect(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	owner.Get(at+"/disconnect").Is(t, 404)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	s.Sell(t, "Ada Lovelace")
	s.ConfirmBooks(t)
	s.CloseDay(t)
	s.PostBooks(t)
	page := owner.Get(owner.Get(at).Link("/disconnect")).Is(t, 200).
		Shows(t, "Access to Demo USD is revoked", "1 posted document stays in Ledger Online")
	if live(t, s).Status != accounting.Connected {
		t.Fatal("the page disconnected it")
	}
	form := page.Form("/disconnect")
	for range 2 {
		owner.Send(form).Is(t, 200).Shows(t, "Disconnected", "Connect Ledger Online")
	}
	owner.Get(at+"/disconnect").Is(t, 404)
	owner.Get(at+"/postings").Is(t, 200).Shows(t, "Posted", "View")
	owner.Get(at+"/accounts").Is(t, 200).Shows(t, "Confirmed").Silent(t, "Change account")
	if n := len(s.Books.Sim.Documents(ledgersim.RealmUSD)); n != 1 {
		t.Errorf("%d documents", n)
	}
	owner.Get("/settings").Shows(t, "Not connected")
}

// TestDays: a document opens to its lines, refunds apart from sales, each to its entries, and these to the payment and
// the booking.
func TestDays(t *testing.T) {
	s := consoletest.Open(t)
	paid := s.Sell(t, "Ada Lovelace")
	back := s.Sell(t, "Grace Hopper")
	if _, err := s.Services.Sales.Refund(t.Context(), s.Owner, sales.RefundInput{PaymentID: back.ID,
		Reason: billing.ReasonGoodwill, ServiceFee: true}); err != nil {
		t.Fatal(err)
	}
	cash := byCash(t, s)
	s.CloseDay(t)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at+"/days").Is(t, 200).
		Shows(t, "Wed 10 Jun", s.Location.Name, "Journal entry", "Not posted", "Not connected")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from accounting_batches where amount > 0")
	page = owner.Get(page.Link("/days/"+id.String())).Is(t, 200).
		Shows(t, "Journal entry of Wed 10 Jun", "Debit", "Credit", "Class income", "Refunds",
			"Card payments clearing", "Cash on hand", "Total")
	batch, err := s.Accounting.BatchOf(t.Context(), s.Owner, id)
	if err != nil {
		t.Fatal(err)
	}
	sold := false
	for i, line := range batch.Lines {
		entries := owner.Get(page.Link(fmt.Sprintf("/lines/%d", i))).Is(t, 200)
		switch {
		case line.Category == accounting.IncomeClass && !line.Refund:
			sold = true
			entries.Shows(t, "Class income", "Sale", "Ada Lovelace · Evening Flow", "Grace Hopper", "$22.00")
			owner.Get(entries.Link("/sales/"+paid.ID.String())).Is(t, 200).Shows(t, "Ada Lovelace")
			owner.Get(entries.Link("/bookings/"+bookingOf(t, s, "Ada Lovelace"))).Is(t, 200).Shows(t, "Ada Lovelace")
		case line.Refund:
			entries.Shows(t, "refunds", "Refund", "Grace Hopper").Silent(t, "Ada Lovelace")
		case line.Category == accounting.AssetCashOnHand:
			entries.Shows(t, "Sale", "Cleo Marin")
			owner.Get(entries.Link("/bookings/"+cash)).Is(t, 200)
		}
	}
	if !sold {
		t.Error("no sales")
	}
	for _, path := range []string{"/" + uuid.NewString(), "/" + foreign(t, s), "/" + id.String() + "/lines/99",
		"/" + id.String() + "/lines/-1", "/" + id.String() + "/lines/x", "/x"} {
		owner.Get(at+"/days"+path).Is(t, 404)
	}
	owner.Get(at+"/days?from=2026-06-11&to=2026-06-30").Is(t, 200).Shows(t, "No closed days with sales on these dates.")
	owner.Get(at+"/days?from=2026-06-11&to=2026-06-01").Is(t, 400).
		Shows(t, "The last day is before the first one.", "Choose other dates.")
	file := owner.Get(owner.Get(at+"/days").Link("/days/csv")).Is(t, 200)
	if got := file.Header.Get("Content-Type"); got != "text/csv; charset=utf-8" || !strings.Contains(file.Body,
		"2026-06-10,") {
		t.Errorf("%s: %.300s", got, file.Body)
	}
	owner.Get(at+"/days/csv?from=2026-06-11&to=2026-06-01").Is(t, 400)
}

// byCash takes cash for a seat at the desk, and returns the booking.
func byCash(t *testing.T, s *consoletest.Studio) string {
	t.Helper()
	price := int64(1800)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) {
		o.Name, o.Slug, o.Price = "Sunrise Vinyasa", "sunrise",
			&price
	})
	date := s.AddOccurrence(t, class, s.Clock.Now().Add(3*time.Hour))
	did, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: "cleo@example.com", Name: "Cleo Marin"}, OccurrenceID: date.ID,
	})
	if err == nil {
		_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
			BookingIDs: []uuid.UUID{did.Booking.ID}, Tenders: owed.Pays(tender.Cash),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return did.Booking.ID.String()
}

func bookingOf(t *testing.T, s *consoletest.Studio, customer string) string {
	t.Helper()
	page, err := s.Booking.List(t.Context(), s.Owner, booking.ListInput{Page: paging.In[paging.Moment]{Limit: 50}})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range page.Items {
		if b.CustomerName == customer {
			return b.ID.String()
		}
	}
	t.Fatalf("no booking of %s", customer)
	return ""
}

// foreign returns a batch of another business.
func foreign(t *testing.T, s *consoletest.Studio) string {
	t.Helper()
	other, id := s.World.Studio(t), uuid.New()
	s.SQL(t, `insert into accounting_batches (id, business_id, location_id, local_date, currency, kind, amount, lines,
			row_keys, created_at)
		values ($1, $2, $3, '2026-06-10', 'USD', 'journal_entry', 100, '[]', '[]', $4)`, id, other.Business.ID,
		other.Location.ID, s.Clock.Now())
	return id.String()
}
