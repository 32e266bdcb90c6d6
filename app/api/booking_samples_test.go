package api_test

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
)

// furnishBookings adds bookings that tests may spoil, open holds and fees, at both locations. Bookings of a customer
// are "my booking".
func (s *studio) furnishBookings(customer, customer2 string) {
	s.h.t.Helper()
	s.ids["my booking"] = s.ids["booking"]
	for at, session := range map[string]string{"": customer, "2": customer2} {
		s.ids["spare booking"+at] = s.booked(at)
		cart := s.h.post("/storefront/carts", "", object{"locationId": s.ids["location"+at]}).text("token")
		s.h.post("/storefront/carts/"+cart+"/items", "", object{"occurrenceId": s.ids["occurrence++++"+at]})
		s.h.post("/storefront/carts/"+cart+"/hold", session, nil)
		s.ids["hold"+at] = apptest.Value[uuid.UUID](s.h.t, s.h.World, `select h.id from holds h join carts c on c.id = h.cart_id
			where h.state = 'live' and c.location_id = $1`, s.ids["location"+at]).String()
		fee := uuid.New()
		s.h.SQL(s.h.t, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency,
				review_until, created_at, updated_at)
			select $1, business_id, location_id, id, customer_id, 'late_cancel', 'due', 1500, 'USD', $3, $3, $3 from bookings where id = $2`,
			fee, s.ids["booking"+at], s.h.Clock.Now())
		s.ids["fee"+at] = fee.String()
		card := uuid.New()
		s.h.SQL(s.h.t, `insert into saved_cards (id, business_id, customer_id, env, account, method, brand, last4, exp_month, exp_year, fingerprint,
				consent_text, consent_version, consented_at, created_at, updated_at)
			select $1, business_id, customer_id, 'simulated', coalesce((select external_id from processor_accounts p where p.business_id = b.business_id), 'acct_sim_kept'), 'pm_' || id, 'visa', '4242', 12, 2034, '', 'Keep my card.', '2026-11',
				$3, $3, $3 from bookings b where id = $2`, card, s.ids["booking"+at], s.h.Clock.Now())
		s.ids["paymentMethod"+at] = card.String()
		s.ids["payment"+at] = s.paid(s.ids["booking"+at])
		s.ids["drawer"+at] = s.h.post(s.at("/locations/{location"+at+"}/drawers/open"), s.owner, object{"floatAmount": 10000}).text("id")
		s.ids["taking"+at] = s.takes(at, "cash")
		s.gift(at)
		s.ids["order"+at], s.ids["line"+at] = s.sells(at, 900)
	}
	s.ids["payout"], s.ids["dispute"] = uuid.NewString(), uuid.NewString()
	s.h.atProcessor(s.ids["business"], s.ids["payout"], s.ids["dispute"])
}

// gift sells a gift card at the desk.
func (s *studio) gift(at string) {
	s.h.t.Helper()
	sold := s.h.post(s.at("/businesses/{business}/gift-cards"), s.owner, object{
		"locationId": s.ids["location"+at], "amount": 5000, "method": "cash", "recipientName": "Kim",
	})
	s.ids["giftCard"+at], s.ids["gift code"+at] = dig[string](sold.data(), "giftCard", "id"), sold.text("code")
}

// furnishPlans adds a draft that tests may spoil, a complimentary plan that is published, and at both locations two
// customers' plans of it, of which tests may spoil one.
func (s *studio) furnishPlans() {
	s.h.t.Helper()
	s.add("spare plan", "/businesses/{business}/plans", s.bodies("createPlan"))
	s.guestPlan()
	for _, at := range []string{"", "2"} {
		for _, spare := range []string{"", "spare "} {
			s.add(spare+"membership"+at, "/businesses/{business}/customers/{customer"+at+"}/plans", object{
				"planId": s.ids["plan"], "locationId": s.ids["location"+at],
			})
		}
	}
}

// guestPlan adds a published complimentary plan with five credits.
func (s *studio) guestPlan() {
	s.h.t.Helper()
	s.add("plan", "/businesses/{business}/plans", object{
		"name": "With our compliments", "kind": "comp", "priceAmount": 0, "benefits": []object{{"credits": 5,
			"kinds": []string{"appointment"}}},
	})
	s.post("/businesses/{business}/plans/{plan}/publish", nil)
}

// takes records the payment of a fee of 7.00 at the desk, and returns the payment.
func (s *studio) takes(at, method string) string {
	s.h.t.Helper()
	fee := uuid.New()
	s.h.SQL(s.h.t, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency,
			review_until, created_at, updated_at)
		select $1, business_id, location_id, id, customer_id, 'no_show', 'due', 700, 'USD', $3, $3, $3 from bookings where id = $2`,
		fee, s.booked(at), s.h.Clock.Now())
	sale := s.h.post(s.at("/businesses/{business}/sales"), s.owner, object{"feeIds": []string{fee.String()}, "tenders": []object{{"method": method}}})
	return sale.list("payments")[0]["id"].(string)
}

// sells sells so many bottles at the desk, and returns the order and its line.
func (s *studio) sells(at string, quantity int) (order, line string) {
	s.h.t.Helper()
	sale := s.h.post(s.at("/businesses/{business}/sales"), s.owner, object{
		"goods": []object{{"variantId": s.bottle(at), "quantity": quantity}}, "locationId": s.ids["location"+at],
		"tenders": []object{{"method": "other"}},
	})
	payment := s.at("/businesses/{business}/payments/" + sale.list("payments")[0]["id"].(string))
	line = s.h.expect(200, call{path: payment, token: s.owner}).list("lines")[0]["id"].(string)
	return sale.text("orderId"), line
}

// counted adds a counted drawer of an earlier day.
func (s *studio) counted(at string) {
	s.h.t.Helper()
	s.h.SQL(s.h.t, `insert into drawers (id, business_id, location_id, currency, float_amount, found_amount, closed_at, expected_amount, counted_amount,
			left_amount, created_at, updated_at)
		values (gen_random_uuid(), $1, $2, 'USD', 1000, 1000, $3, 1000, 1000, 1000, $3, $3)`, s.ids["business"], s.ids["location"+at], s.h.Clock.Now())
}

// atProcessor stores a payout and a dispute of a studio, as its listing does.
func (h *house) atProcessor(business, payout, dispute string) {
	h.t.Helper()
	const what = ` (id, business_id, env, account, external_id, amount, currency, status, happened_at, created_at, updated_at, `
	h.SQL(h.t, `insert into payouts`+what+`arrives_on, automatic)
		values ($1, $2, 'simulated', 'acct_sim_x', $1::uuid::text, 2294, 'USD', 'paid', $3, $3, $3, '2026-07-04', true)`, payout, business, h.Clock.Now())
	h.SQL(h.t, `insert into disputes`+what+`charge, reason, evidence_due_by)
		values ($1, $2, 'simulated', 'acct_sim_x', $1::uuid::text, 2444, 'USD', 'needs_response', $3, $3, $3, 'ch_x', 'general', $3::timestamptz + interval '7 days')`, dispute, business, h.Clock.Now())
}

// paid stores a card payment for a booking, as if it had been sold for 22.00.
func (s *studio) paid(booking string) string {
	s.h.t.Helper()
	order, payment, now := uuid.New(), uuid.New(), s.h.Clock.Now()
	s.h.SQL(s.h.t, `insert into orders (id, business_id, location_id, customer_id, receipt_hash, state, currency, tax_mode, subtotal_amount, tax_amount,
			total_amount, created_at)
		select $1, business_id, location_id, customer_id, convert_to($2, 'UTF8'), 'open', currency, 'exclusive', 2200, 0, 2200, $4 from bookings where id = $3`,
		order, order.String(), booking, now)
	s.h.SQL(s.h.t, `insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount,
		tax_amount,
			income_account)
		select gen_random_uuid(), business_id, $1, id, 1, 'class', 'Evening Flow', 2200, 0, 'income.class'
			from bookings where id = $2`, order, booking)
	s.h.SQL(s.h.t, `with t as (
			insert into order_tenders (id, business_id, location_id, order_id, position, kind, state, amount, currency,
				created_at)
				select gen_random_uuid(), business_id, location_id, id, 1, 'card', 'open', 2200, currency, $2
				from orders where id = $1 returning business_id, id, order_id)
		insert into tender_parts (business_id, tender_id, seq, line_id, account, amount)
			select t.business_id, t.id, 1, l.id, l.income_account, 2200
			from t join order_lines l on l.order_id = t.order_id`, order, now)
	s.h.SQL(s.h.t, `insert into payments (id, business_id, location_id, order_id, env, account, attempt, intent, amount, currency, fee_amount, fee_ppm, status,
			card_brand, card_last4, outcome, succeeded_at, created_at, updated_at)
		select $1, business_id, location_id, id, 'simulated', 'acct_sim_' || id, 1, 'pi_' || id, 2200, currency, 44, 20000, 'succeeded', 'visa', '4242', 'fulfilled', $3, $3, $3
		from orders where id = $2`, payment, order, now)
	return payment.String()
}

// booked returns a booking just made by the studio for a new customer.
func (s *studio) booked(at string) string {
	s.h.t.Helper()
	return s.h.post(s.at("/businesses/{business}/bookings"), s.owner, object{
		"email": uuid.NewString() + "@example.com", "occurrenceId": s.ids["occurrence"+at],
	}).text("id")
}

// spare makes a new booking the spare one and sets its state directly; with today it starts now.
func spare(state string, today bool) func(*studio, string) {
	return func(s *studio, _ string) {
		s.h.t.Helper()
		id := s.booked("")
		s.ids["spare booking"] = id
		s.h.SQL(s.h.t, "update bookings set state = $2 where id = $1", id, state)
		if today {
			s.h.SQL(s.h.t, "update bookings set starts_at = $2::timestamptz, ends_at = $2::timestamptz + interval '1 hour' where id = $1", id, s.h.Clock.Now())
		}
		if state == "requested" {
			s.h.SQL(s.h.t, "update occurrences set taken = taken - 1 where id = $1", s.ids["occurrence"])
		}
	}
}

// soon returns the date in that many days.
func (s *studio) soon(days int) string {
	return s.h.Clock.Now().AddDate(0, 0, days).Format(time.DateOnly)
}
