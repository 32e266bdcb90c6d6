package apptest

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/integrity"
	"foyer/billing/stripesim"
)

// CheckBooks fails the test when anything in the database is not what the rows say (package integrity), of any business,
// or when more seats were sold online than may be. A studio may lower that share below what is sold; no test does.
func (w *World) CheckBooks(t testing.TB) {
	t.Helper()
	for _, business := range Values[uuid.UUID](t, w, "select business_id from businesses") {
		r, err := integrity.Look(t.Context(), w.DB.View(business))
		if err != nil {
			t.Fatalf("apptest: %v", err)
		}
		for _, d := range r.Differences {
			t.Errorf("broken: %s: %s %s: expected %s, found %s", d.Check, d.Record, d.RecordID, d.Expected, d.Found)
		}
	}
	for _, row := range Values[string](t, w, `select id::text || ' has sold ' || taken_online || ' of ' || online_capacity || ' online'
		from occurrences where taken_online > online_capacity`) {
		t.Errorf("broken: %s", row)
	}
}

// CheckProcessor fails the test when the studio's balance at the processor is not what the database says: every success
// once, every refund once, and nothing else. It lets the few seconds pass that the processor takes to book.
func (s *Sales) CheckProcessor(t testing.TB) {
	t.Helper()
	s.w.Clock.Advance(3 * time.Second)
	s.Sim.Flush(t.Context())
	charged, refunded, fees := s.balance(t)
	if want := Value[int64](t, s.w, `select coalesce(sum(amount), 0)::bigint from payments where business_id = $1 and status = 'succeeded'`, s.Business.ID); charged != want {
		t.Errorf("the processor took %d, the payments say %d", charged, want)
	}
	if want := Value[int64](t, s.w, `select coalesce(sum(amount), 0)::bigint from refunds where business_id = $1 and state = 'succeeded'`, s.Business.ID); refunded != want {
		t.Errorf("the processor gave %d back, the refunds say %d", refunded, want)
	}
	if want := Value[int64](t, s.w, `select coalesce(sum(p.fee_amount - (select coalesce(sum(r.fee_amount), 0) from refunds r
			where r.payment_id = p.id and r.state = 'succeeded')), 0)::bigint from payments p
		where p.business_id = $1 and p.outcome = 'settled'`, s.Business.ID); fees != want {
		t.Errorf("the platform has %d of fees, the settled payments and their refunds say %d", fees, want)
	}
}

// Refunded is what the processor has given back of the studio's payments.
func (s *Sales) Refunded(t testing.TB) int64 {
	t.Helper()
	_, refunded, _ := s.balance(t)
	return refunded
}

// balance adds up the studio's account: what was taken, what went back, and what the platform kept of it.
func (s *Sales) balance(t testing.TB) (charged, refunded, fees int64) {
	t.Helper()
	after := ""
	for {
		var page struct {
			Data []struct {
				ID         string `json:"id"`
				Type       string `json:"type"`
				Amount     int64  `json:"amount"`
				FeeDetails []struct {
					Type   string `json:"type"`
					Amount int64  `json:"amount"`
				} `json:"fee_details"`
			} `json:"data"`
			HasMore bool `json:"has_more"`
		}
		s.get(t, "/v1/balance_transactions?limit=100"+after, &page)
		for _, b := range page.Data {
			if b.Type == "charge" {
				charged += b.Amount
			} else {
				refunded -= b.Amount
			}
			for _, f := range b.FeeDetails {
				if f.Type == "application_fee" {
					fees += f.Amount
				}
			}
		}
		if !page.HasMore {
			return charged, refunded, fees
		}
		after = "&starting_after=" + page.Data[len(page.Data)-1].ID
	}
}

func (s *Sales) get(t testing.TB, path string, into any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, stripesim.BaseURL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+stripesim.DefaultSecretKey)
	r.Header.Set("Stripe-Account", s.Account)
	res, err := s.Sim.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || json.Unmarshal(body, into) != nil {
		t.Fatalf("apptest: %s: %s: %s (%v)", path, res.Status, body, err)
	}
}
