package apptest

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"foyer/billing/stripesim"
)

// broken are the rules of seats and money, each as a query for what breaks it.
var broken = map[string]string{
	"taken is the number of live bookings": `select o.id::text || ' has ' || o.taken || ' taken of ' || o.capacity || ', ' || count(b.id) || ' live'
		from occurrences o left join bookings b on b.occurrence_id = o.id and b.state in ('held', 'confirmed')
		group by o.id having o.taken <> count(b.id) or o.taken_online <> count(b.id) filter (where b.online)
			or o.taken > o.capacity or o.taken_online > o.online_capacity`,
	"held bookings belong to live holds and the others do not": `select b.id::text || ' is ' || b.state || ' under a hold that is ' || h.state
		from bookings b join holds h on h.id = b.hold_id where (b.state = 'held') <> (h.state = 'live')
			and not (h.state = 'live' and b.state = 'expired')`,
	// Counted and not ordered: two moves within a millisecond carry the times at which their transactions began.
	"the moves of a booking are a way from nothing to its state": `select b.id::text || ' is ' || b.state || ' and moved to '
			|| coalesce((select string_agg(m.to_state, ', ') from booking_moves m where m.booking_id = b.id), 'nothing')
		from bookings b, unnest(array['', 'held', 'expired', 'confirmed']) as s (state)
		where (select count(*) filter (where m.to_state = s.state) - count(*) filter (where m.from_state = s.state)
			from booking_moves m where m.booking_id = b.id)
			<> case s.state when b.state then 1 when '' then -1 else 0 end`,
	"nobody has one seat twice": `select b.customer_id::text || ' has ' || count(*) || ' of ' || b.occurrence_id
		from bookings b where b.state in ('held', 'confirmed') group by b.customer_id, b.occurrence_id, b.attendee having count(*) > 1`,
	"a settled order is booked and paid": `select o.id::text from orders o where o.state = 'settled' and (
			exists (select from order_lines l join bookings b on b.id = l.booking_id
				where l.order_id = o.id and (b.state <> 'confirmed' or b.order_id <> o.id))
			or not exists (select from order_lines l where l.order_id = o.id)
			or o.total_amount <> coalesce((select sum(p.amount) from payments p
				where p.order_id = o.id and p.status = 'succeeded' and p.outcome = 'settled'), 0))`,
	"a confirmed booking is sold": `select b.id::text from bookings b left join orders o on o.id = b.order_id
		where b.state = 'confirmed' and o.state is distinct from 'settled'`,
	"taken money has an outcome, and money that was not settled goes back, fee and all": `select p.id::text || ' ' || p.status || ' ' || p.outcome
		from payments p left join refunds r on r.payment_id = p.id and r.state not in ('failed', 'canceled')
		group by p.id having (p.status = 'succeeded') <> (p.outcome <> '')
			or (p.outcome = 'refunded') <> (coalesce(sum(r.amount), 0) = p.amount)
			or (p.outcome = 'refunded') and sum(r.fee_amount) <> p.fee_amount`,
	"one success per order": `select order_id::text from payments where status = 'succeeded' group by order_id having count(*) > 1`,
	"the platform fee is its rate of the card amount": `select id::text from payments
		where fee_amount <> floor((amount::numeric * fee_ppm + 500000) / 1000000)`,
}

// CheckBooks fails the test when a rule of seats and money is broken in the database.
func (w *World) CheckBooks(t testing.TB) {
	t.Helper()
	for rule, query := range broken {
		for _, row := range Values[string](t, w, query) {
			t.Errorf("broken: %s: %s", rule, row)
		}
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
	if want := Value[int64](t, s.w, `select coalesce(sum(fee_amount), 0)::bigint from payments
		where business_id = $1 and outcome = 'settled'`, s.Business.ID); fees != want {
		t.Errorf("the platform has %d of fees, the settled payments say %d", fees, want)
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
