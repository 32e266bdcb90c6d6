package stripesim

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// arrivesAfter is how long a payout is on its way.
const arrivesAfter = 24 * time.Hour

func (w *world) payout(id string) *payout {
	i := slices.IndexFunc(w.Payouts, func(p *payout) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return w.Payouts[i]
}

// PayOut pays out the available balance of an account, as its schedule does, and returns the payouts: one for each
// currency with a balance.
func (s *Server) PayOut(account string) (ids []string, err error) {
	err = s.with(account, func(w *world) {
		now, free := s.now().Unix(), map[string][]*balanceTransaction{}
		sums := map[string]int64{}
		for _, b := range w.Balance {
			if b.AvailableOn <= now && b.Sim.Payout == "" {
				free[b.Currency] = append(free[b.Currency], b)
				sums[b.Currency] += b.Net
			}
		}
		for _, currency := range slices.Sorted(maps.Keys(free)) {
			if sums[currency] > 0 {
				ids = append(ids, s.send(account, w, currency, sums[currency], free[currency]).ID)
			}
		}
	})
	return ids, err
}

func (s *Server) send(account string, w *world, currency string, amount int64, of []*balanceTransaction) *payout {
	arrives := s.now().Add(arrivesAfter).UTC().Truncate(24 * time.Hour)
	p := &payout{
		ID: s.newID("po"), Object: "payout", Amount: amount, ArrivalDate: arrives.Unix(), Automatic: true, Created: s.now().Unix(),
		Currency: currency, ReconciliationStatus: "in_progress", Status: "in_transit",
	}
	b := s.book(account, "payout", "payout", p.ID, -amount, currency)
	p.BalanceTransaction = &b.ID
	for _, paid := range append(of, b) {
		paid.Sim.Payout = p.ID
	}
	w.Payouts = append(w.Payouts, p)
	s.later(arrivesAfter, taskPayout, account, p.ID)
	s.emit(account, "payout.created", p)
	return p
}

// arrive ends the way of a payout that has not failed.
func (s *Server) arrive(account string, p *payout) {
	if p.Status != "in_transit" {
		return
	}
	p.Status, p.ReconciliationStatus = "paid", "completed"
	s.emit(account, "payout.paid", p)
	s.emit(account, "payout.reconciliation_completed", p)
}

// FailPayout has the bank return a payout, even one that had arrived.
func (s *Server) FailPayout(account, id string) error {
	return s.try(account, func(w *world) error {
		p := w.payout(id)
		if p == nil || p.Status == "failed" {
			return fmt.Errorf("no payout %q that could fail", id)
		}
		code, message := "account_closed", "The bank account has been closed."
		p.Status, p.ReconciliationStatus, p.FailureCode, p.FailureMessage = "failed", "completed", &code, &message
		p.FailureBalanceTransaction = &s.book(account, "payout_failure", "payout_reversal", p.ID, p.Amount, p.Currency).ID
		s.emit(account, "payout.failed", p)
		return nil
	})
}
