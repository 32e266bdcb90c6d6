package credit_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/billing/credit"
	"foyer/billing/ledger"
	"foyer/policy"
)

// studio is a business with one customer.
type studio struct {
	apptest.Studio
	w        *apptest.World
	s        *credit.Service
	customer uuid.UUID
}

func open(t testing.TB) studio {
	t.Helper()
	w := apptest.Open(t)
	s := studio{Studio: w.Studio(t), w: w, s: credit.New(w.DB)}
	s.customer = customer(t, w, s.Studio)
	return s
}

func customer(t testing.TB, w *apptest.World, s apptest.Studio) uuid.UUID {
	t.Helper()
	c, err := crm.New(crm.Options{DB: w.DB, Ports: crm.Ports{FollowTx: waitlist.FollowTx}}).Create(t.Context(), s.Owner, crm.CreateInput{Name: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	return c.ID
}

func (s studio) adjust(t testing.TB, sc tenancy.Scope, amount int64) (credit.Transaction, error) {
	t.Helper()
	return s.s.Adjust(t.Context(), sc, credit.AdjustInput{CustomerID: s.customer, LocationID: s.Location.ID, Amount: amount, Note: " the heating was off "})
}

// Credit is granted and removed by hand, never below zero; each transaction is stored with its reason, and booked.
func TestAdjust(t *testing.T) {
	s := open(t)
	m, err := s.adjust(t, s.Owner, 2500)
	if err != nil || m.Kind != credit.Granted || m.Balance != 2500 || m.Note != "the heating was off" || m.Currency != s.Location.Currency {
		t.Fatalf("%+v, %v", m, err)
	}
	if m, err = s.adjust(t, s.Owner, -1000); err != nil || m.Kind != credit.Removed || m.Balance != 1500 {
		t.Errorf("%+v, %v", m, err)
	}
	_, err = s.adjust(t, s.Owner, -1501)
	if f := fault.From(err); !errors.Is(err, credit.ErrShort) || f.Details["creditAmount"] != int64(1500) {
		t.Errorf("more than there is: %v", err)
	}
	view := s.w.DB.View(s.Business.ID)
	if list, err := credit.Of(t.Context(), view, s.customer); err != nil || len(list) != 1 || list[0].Balance != 1500 {
		t.Errorf("%+v, %v", list, err)
	}
	for account, want := range map[ledger.Account]int64{ledger.Credit: -1500, ledger.IncomeOther: 1500} {
		if n, err := ledger.Balance(t.Context(), view, account, s.Location.Currency); err != nil || n != want {
			t.Errorf("%s holds %d, %v", account, n, err)
		}
	}
	var got []int64
	in := paging.In[paging.Moment]{Limit: 1}
	for {
		page, err := credit.Transactions(t.Context(), view, s.customer, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Items {
			got = append(got, m.Amount)
		}
		if in.After = page.Next; in.After == nil {
			break
		}
	}
	if len(got) != 2 || got[0] != -1000 || got[1] != 2500 {
		t.Errorf("moves %v", got)
	}
	s.w.CheckBooks(t)
}

func TestAdjustRefuses(t *testing.T) {
	s := open(t)
	for field, in := range map[string]credit.AdjustInput{
		"amount":     {CustomerID: s.customer, LocationID: s.Location.ID, Note: "why"},
		"note":       {CustomerID: s.customer, LocationID: s.Location.ID, Amount: 1},
		"locationId": {CustomerID: s.customer, Amount: 1, Note: "why"},
	} {
		_, err := s.s.Adjust(t.Context(), s.Owner, in)
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || len(f.Fields) != 1 || f.Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := s.adjust(t, s.Owner, 1_000_000_000_001); !fault.IsKind(err, fault.Validation) {
		t.Errorf("a slip of the finger: %v", err)
	}
	if _, err := s.adjust(t, s.Owner, -1); !errors.Is(err, credit.ErrShort) {
		t.Errorf("of nothing: %v", err)
	}
	foreign := s.w.Studio(t)
	stranger := customer(t, s.w, foreign)
	for what, in := range map[string]credit.AdjustInput{
		"an unknown customer": {CustomerID: uuid.New(), LocationID: s.Location.ID, Amount: 1, Note: "why"},
		"a foreign customer":  {CustomerID: stranger, LocationID: s.Location.ID, Amount: 1, Note: "why"},
	} {
		if _, err := s.s.Adjust(t.Context(), s.Owner, in); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := s.adjust(t, s.Holding(s.Location.ID, policy.PaymentTake, policy.PaymentRefund), 1); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("the front desk: %v", err)
	}
	if n := apptest.Value[int64](t, s.w, "select count(*) from credit_transactions"); n != 0 {
		t.Errorf("%d moves", n)
	}
}
