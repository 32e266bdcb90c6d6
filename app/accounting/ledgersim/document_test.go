package ledgersim_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
	"foyer/app/civil"
)

func TestPost(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	doc, err := s.PostJournal(t.Context(), conn, journal(), "id-1")
	if err != nil || doc.DocNumber != journal().DocNumber || doc.Note != journal().Note ||
		doc.URL != app+"/__ledger/app/journal?txnId="+doc.ID {
		t.Fatalf("%+v, %v", doc, err)
	}
	made, err := s.PostDeposit(t.Context(), conn, deposit(), "id-2")
	if err != nil || made.Note != "Payout (batch 2) (BK-ABCD2345)" ||
		made.URL != app+"/__ledger/app/deposit?txnId="+made.ID {
		t.Fatalf("%+v, %v", made, err)
	}
	want := []ledgersim.Document{
		{
			ID: doc.ID, Kind: "JournalEntry", DocNumber: "BK-7F3K2Q9D", Date: "2026-11-20", Note: journal().Note,
			Currency: "USD", Made: start,
			Lines: []ledgersim.Line{
				{Posting: "Debit", AccountID: "26", Amount: 2294, Description: "Card payments"},
				{Posting: "Credit", AccountID: "46", Amount: 2200, Description: "Classes"},
				{Posting: "Credit", AccountID: "89", Amount: 94, Description: "Sales tax"},
			},
		},
		{
			ID: made.ID, Kind: "Deposit", Date: "2026-11-22", Note: made.Note, Currency: "USD", Bank: "35", Made: start,
			Lines: []ledgersim.Line{
				{AccountID: "26", Amount: 2395, Description: "Card payments"}, {AccountID: "8", Amount: -94, Description: "Fees"},
			},
		},
	}
	if diff := cmp.Diff(want, s.Documents(ledgersim.RealmUSD)); diff != "" {
		t.Error(diff)
	}
	for kind, want := range map[ledgeronline.Kind]ledgeronline.Doc{
		ledgeronline.KindJournal: doc, ledgeronline.KindDeposit: made,
	} {
		number, date := journal().DocNumber, journal().Date
		if kind == ledgeronline.KindDeposit {
			number, date = deposit().DocNumber, deposit().Date
		}
		found, err := s.FindDoc(t.Context(), conn, kind, number, date)
		if err != nil || found == nil || *found != want {
			t.Errorf("%s: %+v, %v", kind, found, err)
		}
		found, err = s.FindDoc(t.Context(), conn, kind, "BK-OTHER", date)
		if err != nil || found != nil {
			t.Errorf("%s: %+v, %v", kind, found, err)
		}
	}
	if calls := s.Calls(ledgersim.RealmUSD); calls["journalentry"] != 1 || calls["deposit"] != 1 || calls["query"] != 4 {
		t.Errorf("%v", calls)
	}
}

// Many requests with one id make one document and get one answer.
func TestOneDocumentForOneID(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	var all sync.WaitGroup
	docs := make([]ledgeronline.Doc, 50)
	for i := range docs {
		all.Go(func() {
			c := s.client(t, 0) // each with a pace of its own, as in several processes
			var err error
			if docs[i], err = c.PostJournal(t.Context(), conn, journal(), "id-1"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(s.Documents(ledgersim.RealmUSD)) != 1 || len(slices.Compact(docs)) != 1 {
		t.Errorf("%d documents", len(s.Documents(ledgersim.RealmUSD)))
	}
	other := journal()
	other.DocNumber = "BK-OTHER"
	doc, err := s.PostJournal(t.Context(), conn, other, "id-1")
	if err != nil || doc != docs[0] {
		t.Errorf("another content with the same id: %+v, %v", doc, err)
	}
	if _, err := s.PostJournal(t.Context(), conn, other, "id-2"); err != nil || len(s.Documents(ledgersim.RealmUSD)) != 2 {
		t.Errorf("another id: %v", err)
	}
	eur, _ := s.connect(t, ledgersim.RealmEUR)
	foreign := journal()
	foreign.Currency = "EUR"
	foreign.Lines = []ledgeronline.JournalLine{{Debit: true, AccountID: "10", Amount: 5}, {AccountID: "2", Amount: 5}}
	if _, err := s.PostJournal(t.Context(), eur, foreign, "id-1"); err != nil ||
		len(s.Documents(ledgersim.RealmEUR)) != 1 {
		t.Errorf("the id of another company: %v", err)
	}
}

// The look-up by number and date finds the document alone when the provider forgets the id of the request.
func TestLookUpWithoutRequestIDs(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	for _, x := range []struct {
		kind   ledgeronline.Kind
		number string
		date   civil.Date
		post   func() error
	}{
		{ledgeronline.KindJournal, journal().DocNumber, journal().Date, func() error {
			_, err := s.PostJournal(t.Context(), conn, journal(), "id-1")
			return err
		}},
		{ledgeronline.KindDeposit, deposit().DocNumber, deposit().Date, func() error {
			_, err := s.PostDeposit(t.Context(), conn, deposit(), "id-2")
			return err
		}},
	} {
		fail(t, s, ledgersim.Fault{Kind: ledgersim.Lost})
		failed(t, x.post(), ledgeronline.Transient, true)
		if err := s.Forget(ledgersim.RealmUSD); err != nil {
			t.Fatal(err)
		}
		found, err := s.FindDoc(t.Context(), conn, x.kind, x.number, x.date)
		if err != nil || found == nil {
			t.Fatalf("%s: %+v, %v", x.kind, found, err)
		}
		before := len(s.Documents(ledgersim.RealmUSD))
		if err := x.post(); err != nil || len(s.Documents(ledgersim.RealmUSD)) != before+1 {
			t.Errorf("%s: the id is remembered: %v", x.kind, err)
		}
		again, err := s.FindDoc(t.Context(), conn, x.kind, x.number, x.date)
		if err != nil || again == nil || again.ID != found.ID {
			t.Errorf("%s: the first document is %+v, not %+v, %v", x.kind, found, again, err)
		}
	}
	fail(t, s, ledgersim.Fault{Kind: ledgersim.ForgetID, Times: 2})
	third := journal()
	third.DocNumber = "BK-THIRD"
	for range 2 {
		if _, err := s.PostJournal(t.Context(), conn, third, "id-3"); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, d := range s.Documents(ledgersim.RealmUSD) {
		if d.DocNumber == "BK-THIRD" {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d documents", n)
	}
	if err := s.RefuseDuplicates(ledgersim.RealmUSD, true); err != nil {
		t.Fatal(err)
	}
	_, err := s.PostJournal(t.Context(), conn, third, "id-4")
	failed(t, err, ledgeronline.DuplicateDocument, false)
	var e *ledgeronline.Error
	if errors.As(err, &e); e.ExistingID == "" || !strings.Contains(e.Detail, "BK-THIRD") {
		t.Errorf("%+v", e)
	}
}

func TestClosedBooks(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	if err := s.CloseBooks(ledgersim.RealmUSD, "2026-11-20"); err != nil {
		t.Fatal(err)
	}
	company, err := s.CompanyInfo(t.Context(), conn)
	if err != nil || company.BooksClosedThrough != civil.NewDate(2026, 11, 20) {
		t.Errorf("%+v, %v", company, err)
	}
	_, err = s.PostJournal(t.Context(), conn, journal(), "id-1")
	failed(t, err, ledgeronline.BooksClosed, false)
	later := journal()
	later.Date = later.Date.AddDays(1)
	if _, err := s.PostJournal(t.Context(), conn, later, "id-2"); err != nil {
		t.Error(err)
	}
	if err := s.CloseBooks(ledgersim.RealmUSD, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PostJournal(t.Context(), conn, journal(), "id-1"); err != nil {
		t.Errorf("a refusal is remembered: %v", err)
	}
	if s.CloseBooks(ledgersim.RealmUSD, "tomorrow") == nil || s.CloseBooks("1", "") == nil {
		t.Error("nonsense is accepted")
	}
}

// The original may replay refusals, too; then only another id helps.
func TestReplayedRefusals(t *testing.T) {
	s := open(t, func(o *ledgersim.Options) { o.ReplayFaults = true })
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	if err := s.CloseBooks(ledgersim.RealmUSD, "2026-11-20"); err != nil {
		t.Fatal(err)
	}
	_, err := s.PostJournal(t.Context(), conn, journal(), "id-1")
	failed(t, err, ledgeronline.BooksClosed, false)
	_ = s.CloseBooks(ledgersim.RealmUSD, "")
	_, err = s.PostJournal(t.Context(), conn, journal(), "id-1")
	failed(t, err, ledgeronline.BooksClosed, false)
	if _, err := s.PostJournal(t.Context(), conn, journal(), "id-2"); err != nil {
		t.Error(err)
	}
}

func TestRefusedDocuments(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	if err := s.Deactivate(ledgersim.RealmUSD, "89"); err != nil {
		t.Fatal(err)
	}
	with := func(account string) ledgeronline.Journal {
		j := journal()
		j.Lines[2].AccountID = account
		return j
	}
	euro := with("46")
	euro.Currency = "EUR"
	for name, c := range map[string]struct {
		j     ledgeronline.Journal
		class ledgeronline.Class
	}{
		"inactive account":    {with("89"), ledgeronline.AccountUnusable},
		"unknown account":     {with("4711"), ledgeronline.AccountUnusable},
		"accounts receivable": {with("84"), ledgeronline.Invalid},
		"accounts payable":    {with("33"), ledgeronline.Invalid},
		"another currency":    {euro, ledgeronline.Invalid},
	} {
		_, err := s.PostJournal(t.Context(), conn, c.j, name)
		if ledgeronline.ClassOf(err) != c.class || ledgeronline.Unknown(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := s.PostJournal(t.Context(), conn, with("4711"), "x")
	var e *ledgeronline.Error
	if errors.As(err, &e); e.AccountID != "4711" {
		t.Errorf("account %q", e.AccountID)
	}
	wrong := deposit()
	wrong.BankAccountID = "46"
	_, err = s.PostDeposit(t.Context(), conn, wrong, "wrong")
	failed(t, err, ledgeronline.Invalid, false)
	if err := s.Activate(ledgersim.RealmUSD, "89"); err != nil {
		t.Fatal(err)
	}
	if err := s.Lapse(ledgersim.RealmUSD, true); err != nil {
		t.Fatal(err)
	}
	_, err = s.PostJournal(t.Context(), conn, journal(), "lapsed")
	failed(t, err, ledgeronline.SubscriptionLapsed, false)
	if _, err := s.CompanyInfo(t.Context(), conn); err != nil {
		t.Errorf("a lapsed company cannot be read: %v", err)
	}
	if len(s.Documents(ledgersim.RealmUSD)) != 0 {
		t.Error("a refused document was kept")
	}
	eur, _ := s.connect(t, ledgersim.RealmEUR)
	dollars := journal()
	dollars.Currency = "EUR"
	dollars.Lines = []ledgeronline.JournalLine{{Debit: true, AccountID: "12", Amount: 5}, {AccountID: "2", Amount: 5}}
	_, err = s.PostJournal(t.Context(), eur, dollars, "dollars")
	failed(t, err, ledgeronline.Invalid, false)
}
