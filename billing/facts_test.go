package billing_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/fault"
	"foyer/app/integrity"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/balance"
	"foyer/billing/dispute"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/policy"
)

// A payment whose money the bank takes back, or has taken, is not refunded a second time; one that was won is.
func TestRefundOfADisputedPayment(t *testing.T) {
	s := openTill(t)
	won, lost := s.paid(t), s.paid(t)
	disputes := map[uuid.UUID]string{}
	for _, p := range []billing.Payment{won, lost} {
		disputes[p.ID] = must(s.Sim.Dispute(s.Account, p.IntentID, "fraudulent"))(t)
	}
	s.settle(t)
	for _, p := range []billing.Payment{won, lost} {
		_, err := s.refund(t, p.ID, 100)
		wants(t, "an open dispute", err, processor.ErrRefundDisputed)
	}
	none(t, s.Sim.WinDispute(s.Account, disputes[won.ID]))
	none(t, s.Sim.LoseDispute(s.Account, disputes[lost.ID]))
	s.settle(t)
	if _, err := s.refund(t, won.ID, 100); err != nil {
		t.Errorf("a dispute that was won: %v", err)
	}
	_, err := s.refund(t, lost.ID, 100)
	wants(t, "a dispute that was lost", err, processor.ErrRefundDisputed)
	s.check(t)
	if n := s.account(t, ledger.IncomeClass); n != -4300 {
		t.Errorf("the classes are %d: disputes touch no income", n)
	}
}

// The studio refunds everything by hand while our refund is in progress: the money is refunded once, ours is given
// up, and nothing else.
func TestRefundedInTheDashboardMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		ours, byHand int64
		want         string
	}{
		"all of it, and all of it":   {2200, 2200, "external succeeded 2200, requested canceled 2200"},
		"a part, and all of it":      {500, 2200, "external succeeded 2200, requested failed 500"},
		"a part, and all but a part": {500, 1700, "external succeeded 1700, requested succeeded 500"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTill(t)
			p := s.paid(t)
			if _, err := s.refund(t, p.ID, c.ours); err != nil {
				t.Fatal(err)
			}
			must(s.Sim.DashboardRefund(s.Account, p.IntentID, c.byHand))(t)
			s.settle(t)
			s.check(t)
			got := apptest.Value[string](t, s.w, "select string_agg(concat_ws(' ', reason, state, amount), ', ' order by reason) from refunds")
			if got != c.want {
				t.Errorf("refunds: %s, want %s", got, c.want)
			}
		})
	}
}

// A studio's refund by hand is spread over the refundable amount of each part by largest remainder, and its parts are
// all of it.
func TestPartsOfARefundByHand(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	for _, amount := range []int64{333, 1000, 867} {
		must(s.Sim.DashboardRefund(s.Account, p.IntentID, amount))(t)
	}
	s.settle(t)
	s.check(t)
	got := apptest.Value[string](t, s.w, `select count(*) || ' ' || sum(amount) || ' ' || sum((select sum((x->>'amount')::bigint) from jsonb_array_elements(parts) x))
		from refunds where reason = 'external' and fee_amount = 0`)
	if got != "3 2200 2200" {
		t.Errorf("refunds: %s", got)
	}
	_, err := s.refund(t, p.ID, 1)
	wants(t, "more than is left", err, processor.ErrRefundTooLarge)
}

// A refund that fails days after its success is learned from the list when its event is lost, of ours and of one made
// by hand.
func TestRefundFailsLaterWithoutAnEvent(t *testing.T) {
	s := openTill(t)
	s.EventFate = func(*http.Request) apptest.Fate { return apptest.Lost }
	_, _, p, secret := s.waiting(t)
	s.PayCard(t, secret, cardRefundFails)
	if _, err := s.Billing.Reread(t.Context(), s.Business.ID, p.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.refund(t, p.ID, 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := s.RunJobs(t); err != nil {
		t.Fatal(err)
	}
	must(s.Sim.DashboardRefund(s.Account, p.IntentID, 700))(t)
	s.w.Clock.Advance(24 * time.Hour)
	s.Sim.Flush(t.Context())
	s.List(t)
	if got := apptest.Value[string](t, s.w, "select string_agg(reason || ' ' || state, ', ' order by reason) from refunds"); got != "external failed, requested failed" {
		t.Errorf("refunds: %s", got)
	}
	s.EventFate = nil
	s.check(t)
	if n := s.account(t, ledger.IncomeClass); n != -2200 {
		t.Errorf("the class is %d, want all of it", n)
	}
}

// A refund that fails days later makes its amount refundable again, and the studio may refund it by hand once more.
// The second is booked with all of its parts though the failure of the first was not reported, for one of ours and
// for one made by hand.
func TestRefundAfterOneThatFailed(t *testing.T) {
	for name, first := range map[string]func(t *testing.T, s till, p billing.Payment){
		"ours": func(t *testing.T, s till, p billing.Payment) {
			_, err := s.refund(t, p.ID, 2100)
			none(t, err)
		},
		"by hand": func(t *testing.T, s till, p billing.Payment) {
			must(s.Sim.DashboardRefund(s.Account, p.IntentID, 2100))(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTill(t)
			_, _, p, secret := s.waiting(t)
			s.PayCard(t, secret, cardRefundFails)
			s.settle(t)
			first(t, s, p)
			s.settle(t)
			s.EventFate = func(*http.Request) apptest.Fate { return apptest.Lost }
			s.w.Clock.Advance(24 * time.Hour)
			s.Sim.Flush(t.Context()) // it fails, without a report
			s.EventFate = nil
			must(s.Sim.DashboardRefund(s.Account, p.IntentID, 2000))(t)
			s.settle(t)
			got := apptest.Value[string](t, s.w, `select string_agg(concat_ws(' ', state, amount, (select sum((x->>'amount')::bigint) from jsonb_array_elements(parts) x)), ', '
				order by amount) from refunds`)
			if got != "succeeded 2000 2000, failed 2100 2100" {
				t.Errorf("refunds: %s", got)
			}
			s.check(t)
			if n := s.account(t, ledger.IncomeClass); n != -200 {
				t.Errorf("the class is %d", n)
			}
		})
	}
}

// An event of one studio's account that names an object of another does nothing to either.
func TestFactsOfAnotherStudio(t *testing.T) {
	a := openTill(t)
	b := till{a.w.Sales(t), a.w}
	b.settle(t)
	p := b.paid(t)
	b.EventFate = func(*http.Request) apptest.Fate { return apptest.Lost }
	b.available(t)
	id := must(b.Sim.Dispute(b.Account, p.IntentID, "fraudulent"))(t)
	payouts := must(b.Sim.PayOut(b.Account))(t)
	refund := ""
	if p := b.paid(t); p.ID != uuid.Nil {
		refund = must(b.Sim.DashboardRefund(b.Account, p.IntentID, 100))(t)
	}
	for id, object := range map[string]string{id: "dispute", refund: "refund", strings.Join(payouts, ""): "payout"} {
		kind := map[string]string{"dispute": "charge.dispute.created", "refund": "refund.created", "payout": "payout.paid"}[object]
		if id == "" {
			continue
		}
		none(t, a.receive(t, body("evt_"+object, kind, a.Account, false, map[string]any{"id": id, "object": object, "payment_intent": p.IntentID})))
	}
	a.settle(t)
	a.List(t)
	for _, table := range []string{"disputes", "payouts", "balance_transactions", "refunds"} {
		if n := apptest.Value[int](t, a.w, "select count(*) from "+table+" where business_id = $1", a.Business.ID); n != 0 {
			t.Errorf("%d %s of another studio", n, table)
		}
	}
	// The same for the readers.
	b.List(t)
	theirs := apptest.Value[uuid.UUID](t, b.w, "select id from disputes")
	if _, err := a.Disputes.Get(t.Context(), a.Owner, theirs); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("another's dispute: %v", err)
	}
	if page, err := a.Disputes.List(t.Context(), a.Owner, dispute.ListInput{}); err != nil || len(page.Items) != 0 {
		t.Errorf("%+v, %v", page, err)
	}
	if got, err := b.Disputes.Get(t.Context(), b.Owner, theirs); err != nil || got.PaymentID != p.ID ||
		got.Withdrawn != 2200 || got.FeeAmount != 1500 {
		t.Errorf("%+v, %v", got, err)
	}
}

// If the processor reports another figure than the books, that is reported, found by the integrity check, and gone
// after its correction.
func TestReconciliationFindsADifference(t *testing.T) {
	s := openTill(t)
	s.paid(t)
	s.check(t)
	agreed := must(s.Balance.Reconciliations(t.Context(), s.Owner))(t)
	if len(agreed.Items) != 1 || !agreed.Items[0].Reconciled() || agreed.Items[0].Books != 2062 || agreed.Items[0].Balance != 2062 || agreed.ListedThrough.IsZero() {
		t.Errorf("%+v", agreed)
	}
	s.Instead = func(q *http.Request) (int, string) {
		if q.URL.Path == "/v1/balance" {
			return http.StatusOK, `{"object":"balance","available":[{"amount":2000,"currency":"usd"}],"pending":[{"amount":7,"currency":"usd"}]}`
		}
		return 0, ""
	}
	s.List(t)
	got := must(s.Balance.Reconciliations(t.Context(), s.Owner))(t).Items[0]
	if got.Reconciled() || got.Difference != -55 || got.Books != 2062 || got.Recorded != 2062 || got.Balance != 2007 {
		t.Errorf("%+v", got)
	}
	report, err := integrity.CheckBusiness(t.Context(), s.w.DB.View(s.Business.ID), assembly.Checks()...)
	if err != nil || len(report.Differences) != 1 || report.Differences[0].Check != "reconciliation" {
		t.Errorf("%+v, %v", report, err)
	}
	s.Instead = nil
	s.check(t)
}

// A balance transaction that differs from its payment is in no books, and is reported.
func TestUnmatchedBalanceTransaction(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	s.check(t)
	s.w.SQL(t, "update payments set balance_transaction = 'txn_sim_x' where id = $1", p.ID)
	s.w.SQL(t, "update balance_transactions set state = 'new', booked_at = null")
	s.List(t)
	got := must(s.Balance.Reconciliations(t.Context(), s.Owner))(t)
	if len(got.Unmatched) != 1 || got.Unmatched[0].State != balance.TransactionUnmatched || got.Unmatched[0].PaymentID != p.ID {
		t.Errorf("%+v", got.Unmatched)
	}
	report, err := integrity.CheckBusiness(t.Context(), s.w.DB.View(s.Business.ID), assembly.Checks()...)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, d := range report.Differences {
		found = found || d.Check == "movements_booked" && d.RecordID == got.Unmatched[0].ID
	}
	if !found {
		t.Errorf("%+v", report.Differences)
	}
}

// A payment that the processor no longer has does not stop other listings, and is not read again every hour.
func TestListingGoesOnWithoutAPayment(t *testing.T) {
	s := openTill(t)
	s.EventFate = func(*http.Request) apptest.Fate { return apptest.Lost }
	s.paid(t)
	must(s.Sim.ChargeOutside(s.Account, 1000, "usd"))(t)
	s.w.Clock.Advance(24 * time.Hour)
	s.Instead = func(q *http.Request) (int, string) {
		if strings.HasPrefix(q.URL.Path, "/v1/payment_intents/") {
			return http.StatusNotFound, `{"error":{"type":"invalid_request_error","code":"resource_missing","message":"x"}}`
		}
		return 0, ""
	}
	none(t, s.Balance.ListingsDue(t.Context()))
	if got := apptest.Value[string](t, s.w, "select string_agg(state, ' ' order by state) from balance_transactions"); got != "booked unmatched" {
		t.Errorf("movements: %s", got)
	}
	got := apptest.Value[bool](t, s.w, "select listed_through = $1 and due_at > $1::timestamptz + interval '1 hour' from processor_listings", s.w.Clock.Now())
	if !got {
		t.Error("the listing has not come to its end")
	}
	s.Instead, s.EventFate = nil, nil
	s.recheck(t, 0)
	s.check(t)
}

// Payouts with their lines, page by page; nothing of it for a caller with today's payments only, or those of a
// location.
func TestPayoutsAreListed(t *testing.T) {
	s := openTill(t)
	var paid []billing.Payment
	for range 3 {
		p := s.paid(t)
		s.available(t)
		must(s.Sim.PayOut(s.Account))(t)
		paid = append(paid, p)
	}
	must(s.Sim.DashboardRefund(s.Account, paid[2].IntentID, 200))(t)
	s.w.Clock.Advance(26 * time.Hour)
	s.settle(t)
	s.check(t)
	ctx := t.Context()
	var seen []balance.Payout
	in := balance.PayoutsInput{Page: paging.In[paging.Moment]{Limit: 2}}
	for {
		page, err := s.Balance.Payouts(ctx, s.Owner, in)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, page.Items...)
		if page.Next == nil {
			break
		}
		in.Page.After = page.Next
	}
	if len(seen) != 3 || !seen[0].HappenedAt.After(seen[1].HappenedAt) || seen[0].Status != processor.PayoutPaid || seen[0].Amount != 2062 {
		t.Fatalf("%+v", seen)
	}
	if arrives := seen[0].ArrivesOn; !arrives.Equal(arrives.UTC().Truncate(24 * time.Hour)) {
		t.Errorf("it arrives on %s", arrives)
	}
	got := must(s.Balance.Payout(ctx, s.Owner, seen[0].ID))(t)
	if len(got.Lines) != 1 || got.More || got.Lines[0].PaymentID != paid[2].ID || got.Lines[0].OrderID != paid[2].OrderID ||
		got.Lines[0].ProcessorFee != 94 || got.Lines[0].PlatformFee != 44 || got.Lines[0].Net != got.Amount {
		t.Errorf("%+v", got)
	}
	if len(got.Sums) != 1 || got.Sums[0].Count != 1 || got.Sums[0].Gross != 2200 || got.Sums[0].Net != 2062 {
		t.Errorf("%+v", got.Sums)
	}
	failed := must(s.Balance.Payouts(ctx, s.Owner, balance.PayoutsInput{Statuses: []processor.PayoutStatus{processor.PayoutFailed}}))(t)
	if len(failed.Items) != 0 {
		t.Errorf("%+v", failed)
	}
	if _, err := s.Balance.Payout(ctx, s.Owner, uuid.New()); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
	for who, sc := range map[string]tenancy.Scope{
		"the front desk of all": s.Join(t, "desk@example.com", apptest.Everywhere(policy.FrontDesk)),
		"a manager of one":      s.Join(t, "manager@example.com", apptest.At(policy.Manager, s.Location.ID)),
		"an instructor":         s.Join(t, "teacher@example.com", apptest.Everywhere(policy.Instructor)),
	} {
		for what, err := range map[string]error{
			"payouts":        second(s.Balance.Payouts(ctx, sc, balance.PayoutsInput{})),
			"a payout":       second(s.Balance.Payout(ctx, sc, seen[0].ID)),
			"disputes":       second(s.Disputes.List(ctx, sc, dispute.ListInput{})),
			"a dispute":      second(s.Disputes.Get(ctx, sc, uuid.New())),
			"reconciliation": second(s.Balance.Reconciliations(ctx, sc)),
		} {
			if !fault.IsKind(err, fault.Forbidden) {
				t.Errorf("%s for %s: %v", what, who, err)
			}
		}
	}
	if _, err := s.Balance.Payouts(ctx, s.Join(t, "books@example.com", apptest.Everywhere(policy.Accountant)), balance.PayoutsInput{}); err != nil {
		t.Errorf("the accountant: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
