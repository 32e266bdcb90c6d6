package billing_test

import (
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

func (s till) refund(t *testing.T, payment uuid.UUID, amount int64) (billing.RefundRequest, error) {
	t.Helper()
	return inTx(t, s, func(tx *pg.Tx) (billing.RefundRequest, error) {
		return s.Billing.RefundTx(
			t.Context(), tx, billing.RefundInput{PaymentID: payment, Amount: amount, Reason: "requested"},
		)
	})
}

// A series that gives everything back gives the whole fee back, and not a unit more of either.
func TestRefundSeries(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	var fees int64
	for _, amount := range []int64{800, 800, 550, 50} {
		r, err := s.refund(t, p.ID, amount)
		if err != nil {
			t.Fatal(err)
		}
		fees += r.FeeAmount
	}
	if fees != p.FeeAmount {
		t.Errorf("%d of the fee of %d goes back", fees, p.FeeAmount)
	}
	_, err := s.refund(t, p.ID, 1)
	wants(t, "more than was paid", err, processor.ErrRefundTooLarge)
	s.settle(t)
	if got := apptest.Value[string](t, s.w, "select string_agg(distinct state, ',') || ' ' || sum(fee_amount) from refunds"); got != "succeeded 44" {
		t.Errorf("refunds: %s", got)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from refunds where due_at is not null or external_id is null"); n != 0 {
		t.Errorf("%d refunds are not over", n)
	}
}

func TestRefundRefuses(t *testing.T) {
	s := openTill(t)
	_, _, open, _ := s.waiting(t)
	_, err := s.refund(t, open.ID, 1)
	wants(t, "not paid", err, processor.ErrRefundTooLarge)
	if _, err := s.refund(t, open.ID, 0); !fault.IsKind(err, fault.Validation) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := s.refund(t, uuid.New(), 1); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
}

// Ten people give the same payment back at once: together never more than it was.
func TestRefundRace(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	var granted atomic.Int64
	var done sync.WaitGroup
	for range 10 {
		done.Go(func() {
			_, err := s.refund(t, p.ID, 500)
			if err == nil {
				granted.Add(1)
			} else if !errors.Is(err, processor.ErrRefundTooLarge) {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if granted.Load() != 4 {
		t.Errorf("%d refunds of 5.00 from 22.00", granted.Load())
	}
}

// The answer is lost, the job runs again and again: the partial refund is made once.
func TestRefundOnce(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	r, err := s.refund(t, p.ID, 500)
	if err != nil {
		t.Fatal(err)
	}
	s.Answered = cut("/v1/refunds")
	if _, err := s.RunJobs(t); err == nil {
		t.Fatal("the job does not tell that it failed")
	}
	job := billing.RefundJob{Business: s.Business.ID, Refund: r.ID}
	for range 3 {
		wants(t, "a lost answer", s.Billing.SubmitRefund(t.Context(), job), processor.ErrDown)
	}
	s.Answered = nil
	for range 3 {
		if err := s.Billing.SubmitRefund(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	if got := apptest.Value[string](t, s.w, "select state || ' ' || amount || ' ' || fee_amount from refunds"); got != "succeeded 500 10" {
		t.Errorf("refund: %s", got)
	}
	if back := s.Refunded(t); back != 500 {
		t.Errorf("the processor gave %d back", back)
	}
}

// The job is lost: the sweep carries the refund on.
func TestRefundsDue(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	if _, err := s.refund(t, p.ID, 2200); err != nil {
		t.Fatal(err)
	}
	s.w.SQL(t, "delete from river.river_job")
	if err := s.Billing.RefundsDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := apptest.Value[string](t, s.w, "select state from refunds"); got != "pending" {
		t.Errorf("too early: %s", got)
	}
	s.w.Clock.Advance(2 * time.Minute)
	s.Call = cut("/v1/refunds")
	if err := s.Billing.RefundsDue(t.Context()); !errors.Is(err, processor.ErrDown) {
		t.Errorf("the trouble is not told: %v", err)
	}
	s.Call = nil
	s.w.Clock.Advance(7 * time.Hour)
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			if err := s.Billing.RefundsDue(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if got := apptest.Value[string](t, s.w, "select state from refunds"); got != "succeeded" {
		t.Errorf("refund is %s", got)
	}
}

// The card was closed: the refund succeeded and fails later. That is found out by its event.
func TestRefundFailsLater(t *testing.T) {
	s := openTill(t)
	s.late(t, "4000000000005126")
	if got := apptest.Value[string](t, s.w, "select state from refunds"); got != "succeeded" {
		t.Errorf("at first it is %s", got)
	}
	for range 3 { // the simulator takes its time
		s.w.Clock.Advance(time.Hour)
		s.settle(t)
	}
	if got := apptest.Value[string](t, s.w, "select state || ' ' || (due_at is null) from refunds"); got != "failed true" {
		t.Errorf("in the end it is %s", got)
	}
}

// Refusals that are final, and those that the studio can resolve.
func TestRefundRefusedByTheProcessor(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		want   string
		err    *fault.Error
	}{
		"all of it is back already": {`{"error":{"type":"invalid_request_error","code":"charge_already_refunded","message":"x"}}`, "succeeded", nil},
		"disputed":                  {`{"error":{"type":"invalid_request_error","code":"charge_disputed","message":"x"}}`, "failed", nil},
		"the studio's balance":      {`{"error":{"type":"invalid_request_error","code":"balance_insufficient","message":"x"}}`, "pending", processor.ErrBalanceInsufficient},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTill(t)
			p := s.paid(t)
			r, err := s.refund(t, p.ID, p.Amount)
			if err != nil {
				t.Fatal(err)
			}
			s.Instead = func(q *http.Request) (int, string) {
				if q.URL.Path == "/v1/refunds" {
					return http.StatusBadRequest, c.answer
				}
				return 0, ""
			}
			err = s.Billing.SubmitRefund(t.Context(), billing.RefundJob{Business: s.Business.ID, Refund: r.ID})
			if c.err == nil && err != nil || c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("%v, want %v", err, c.err)
			}
			if got := apptest.Value[string](t, s.w, "select state from refunds"); got != c.want {
				t.Errorf("refund is %s, want %s", got, c.want)
			}
		})
	}
}

// A partial refund was requested more than a day ago and no answer ever came: a repetition could pay twice, so a
// person decides.
func TestRefundUnsure(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	r, err := s.refund(t, p.ID, 100)
	if err != nil {
		t.Fatal(err)
	}
	s.w.Clock.Advance(24 * time.Hour)
	if err := s.Billing.SubmitRefund(t.Context(), billing.RefundJob{Business: s.Business.ID, Refund: r.ID}); err != nil {
		t.Fatal(err)
	}
	if got := apptest.Value[string](t, s.w, "select state from refunds"); got != "failed" {
		t.Errorf("refund is %s", got)
	}
	s.check(t)
}

// It was made, and only the answer was lost: if the processor reports it after all, that stands.
func TestRefundUnsureAndMade(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	r, err := s.refund(t, p.ID, 100)
	if err != nil {
		t.Fatal(err)
	}
	job := billing.RefundJob{Business: s.Business.ID, Refund: r.ID}
	s.Answered = cut("/v1/refunds")
	if err := s.Billing.SubmitRefund(t.Context(), job); !processor.Retryable(err) {
		t.Fatal(err)
	}
	s.Answered = nil
	s.w.Clock.Advance(24 * time.Hour)
	if err := s.Billing.SubmitRefund(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if got := apptest.Value[string](t, s.w, "select state from refunds"); got != "failed" {
		t.Fatalf("refund is %s", got)
	}
	s.check(t)
	if got := apptest.Value[string](t, s.w, "select state from refunds"); got != "succeeded" {
		t.Errorf("refund is %s", got)
	}
}

// A refund that succeeded is read until its money is in the books, for a month; no answer changes that it did, and
// nothing is requested anew.
func TestRefundLookedForAgain(t *testing.T) {
	s := openTill(t)
	s.late(t, apptest.CardGood)
	s.check(t)
	state := func() string {
		return apptest.Value[string](t, s.w, "select concat_ws(' ', state, due_at - $1::timestamptz) from refunds", s.w.Clock.Now())
	}
	due := func(change string) {
		s.w.SQL(t, "update refunds set due_at = $1, balance_transaction = null"+change, s.w.Clock.Now())
	}
	asked := 0
	s.Call = func(q *http.Request) error {
		if q.Method == http.MethodPost {
			asked++
		}
		return nil
	}
	s.Instead = func(q *http.Request) (int, string) {
		return http.StatusNotFound, `{"error":{"type":"invalid_request_error","code":"resource_missing","message":"x"}}`
	}
	due("")
	if err := s.Billing.RefundsDue(t.Context()); !errors.Is(err, processor.ErrUnknownObject) {
		t.Errorf("unknown to the processor: %v", err)
	}
	if got := state(); got != "succeeded 06:00:00" {
		t.Errorf("unknown to the processor: %s", got)
	}
	s.w.Clock.Advance(31 * 24 * time.Hour)
	if err := s.Billing.RefundsDue(t.Context()); !errors.Is(err, processor.ErrUnknownObject) {
		t.Errorf("a month later: %v", err)
	}
	if got := state(); got != "succeeded" {
		t.Errorf("a month later: %s", got)
	}
	s.Instead = func(q *http.Request) (int, string) { // in the currency of an account that converts
		return http.StatusOK, `{"id":"re_x","object":"refund","status":"succeeded","amount":2200,"currency":"usd","payment_intent":"pi_x","charge":"ch_x",
			"balance_transaction":{"id":"txn_x","object":"balance_transaction","amount":-2000,"currency":"eur","net":-2000,"fee_details":[]}}`
	}
	due("")
	if err := s.Billing.RefundsDue(t.Context()); err != nil {
		t.Error(err)
	}
	if got := state(); got != "succeeded" {
		t.Errorf("another currency on the balance: %s", got)
	}
	due(", external_id = null")
	if err := s.Billing.RefundsDue(t.Context()); err != nil {
		t.Error(err)
	}
	if got := state(); got != "succeeded" || asked != 0 {
		t.Errorf("of which nobody knows the id: %s, %d requests", got, asked)
	}
	s.w.CheckBooks(t)
}
