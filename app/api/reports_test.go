package api_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
)

// TestReports: the tax, the fees and the revenue of sales, as JSON and as a table; the line of a payment has its
// share of the platform fee. A224.
func TestReports(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.ids["payment"] = s.bought(h.signIn("rosa@example.com"))
	year := "?from=2026-01-01&to=2026-12-31"
	get := func(status int, path string) answer {
		return h.expect(status, call{path: s.at("/businesses/{business}/reports/" + path), token: s.owner})
	}
	tax := get(200, "tax"+year)
	if rows := tax.list("rows"); len(rows) != 1 || js(rows[0]["taxable"]) != "2500" || rows[0]["rateId"] != nil || rows[0]["locationId"] != s.ids["location"] || tax.text("by") != "month" {
		t.Errorf("%s", tax)
	}
	fees := get(200, "fees?by=payment&from=2026-06-01&to=2026-06-30")
	if rows := fees.list("rows"); len(rows) != 1 || rows[0]["paymentId"] != s.ids["payment"] || js(rows[0]["cardAmount"]) != "2500" || js(rows[0]["payments"]) != "1" {
		t.Errorf("%s", fees)
	}
	for path, line := range map[string]string{
		"tax.csv" + year: "2026-06,Harbour North,USD,,0,25.00,0.00,0.00,0.00,25.00,0.00", "fees.csv" + year: "2026-06,Harbour North,USD,,1,25.00,",
		"revenue.csv" + year: "2026-06,Harbour North,USD,income.class,Classes,1,25.00,0.00,25.00",
	} {
		if file := get(200, path); !strings.Contains(string(file.body), line) || !strings.HasPrefix(string(file.body), "date,location,currency,") {
			t.Errorf("%s: %q", path, file.body)
		}
	}
	for path, field := range map[string]string{
		"tax?from=2026-02-30": "query.from", "tax?from=2026-01-01&to=2025-01-01": "query.to", "tax?by=payment": "query.by", "fees?from=2020-01-01&to=2026-06-30": "query.to",
		"revenue?by=payment": "query.by", "payouts?from=2026-06-01&to=2026-07-30": "query.to",
		"liabilities?from=x": "query.from",
	} {
		if got := get(400, path); len(got.fields()) != 1 || got.fields()[0] != field {
			t.Errorf("%s: %q", path, got.fields())
		}
	}
	revenue := get(200, "revenue"+year)
	if rows := revenue.list("rows"); len(rows) != 1 || rows[0]["category"] != "income.class" ||
		rows[0]["revenueCategoryId"] != nil || js(rows[0]["net"]) != "2500" || js(rows[0]["payments"]) != "1" ||
		js(revenue.list("totals")[0]["gross"]) != "2500" {
		t.Errorf("%s", revenue)
	}
	one := h.expect(200, call{path: s.at("/businesses/{business}/payments/{payment}"), token: s.owner})
	if lines := one.list("lines"); len(lines) != 1 || js(lines[0]["platformFee"]) != js(50) {
		t.Errorf("%s", js(lines))
	}
}

// TestPayoutReport: the payouts that arrived, with the payment of each line and its customer.
func TestPayoutReport(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.ids["payment"] = s.bought(h.signIn("rosa@example.com"))
	h.SQL(t, `update customers set name = 'Rosa Diaz'`)
	h.SQL(t, `insert into payouts (id, business_id, env, account, external_id, amount, currency, status, arrives_on,
			automatic, happened_at, listed_at, created_at, updated_at)
		select gen_random_uuid(), business_id, env, account, 'po_1', 2347, 'USD', 'paid', '2026-06-12', true,
			$1::timestamptz, $1::timestamptz, $1::timestamptz, $1::timestamptz from payments`, apptest.Start)
	h.SQL(t, `insert into balance_transactions (id, business_id, env, account, external_id, type, category, currency,
			gross, processor_fee, platform_fee, net, payout, payment_id, state, happened_at, available_at, booked_at, created_at)
		select gen_random_uuid(), business_id, env, account, 'txn_1', 'charge', 'charge', 'USD', 2500, 103, 50, 2347, 'po_1',
			id, 'booked', $1::timestamptz, $1::timestamptz, $1::timestamptz, $1::timestamptz from payments`, apptest.Start)
	june := "?from=2026-06-01&to=2026-06-30"
	get := func(path string) answer {
		return h.expect(200, call{path: s.at("/businesses/{business}/reports/" + path), token: s.owner})
	}
	r := get("payouts" + june)
	payouts := r.list("payouts")
	if len(payouts) != 1 || payouts[0]["externalId"] != "po_1" || js(payouts[0]["amount"]) != "2347" ||
		js(payouts[0]["other"]) != "0" {
		t.Fatalf("%s", r)
	}
	lines := js(payouts[0]["lines"])
	for _, want := range []string{
		`"customerName":"Rosa Diaz"`, `"paymentId":"` + s.ids["payment"] + `"`, `"locationName":"Harbour North"`,
		`"net":2347`,
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("%s is not in %s", want, lines)
		}
	}
	table := string(get("payouts.csv" + june).body)
	if !strings.Contains(table, "2026-06-12,po_1,paid,USD,23.47,charge,") {
		t.Errorf("%q", table)
	}
}

// TestLiabilityReport: account credit of the whole business, and no tax of untaxed sales.
func TestLiabilityReport(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	ada := object{"name": "Ada", "email": "ada@example.com"}
	customer := h.post(s.at("/businesses/{business}/customers"), s.owner, ada).text("id")
	h.post(s.at("/businesses/{business}/customers/"+customer+"/balance/adjustments"), s.owner,
		object{"locationId": s.ids["location"], "amount": 500, "note": "A gift"})
	get := func(path string) answer {
		return h.expect(200, call{path: s.at("/businesses/{business}/reports/" + path), token: s.owner})
	}
	june := "?from=2026-06-01&to=2026-06-30"
	r := get("liabilities" + june)
	rows := r.list("rows")
	if len(rows) != 1 || rows[0]["account"] != "stored_value.credit" || rows[0]["locationId"] != nil ||
		js(rows[0]["openingBalance"]) != "0" || js(rows[0]["added"]) != "500" || js(rows[0]["closingBalance"]) != "500" ||
		js(r.list("totals")[0]["closingBalance"]) != "500" {
		t.Errorf("%s", r)
	}
	if rows := get("liabilities" + june + "&locationId=" + s.ids["location"]).list("rows"); len(rows) != 0 {
		t.Errorf("%s", js(rows))
	}
	table := string(get("liabilities.csv" + june).body)
	if !strings.Contains(table, "2026-06,,USD,stored_value.credit,Account credit,,0.00,5.00,0.00,5.00") {
		t.Errorf("%q", table)
	}
}

// TestMembershipReport: a member joins for cash and stays, as JSON and as a table; the recurring value of a quarter is
// a third of its price.
func TestMembershipReport(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	get := func(status int, path string) answer {
		return h.expect(status, call{path: s.at("/businesses/{business}/reports/" + path), token: s.owner})
	}
	june := "?from=2026-06-10&to=2026-06-20"
	if r := get(200, "memberships"+june); r.text("from")+" "+r.text("to") != "2026-06-01 2026-06-30" ||
		len(r.list("rows"))+len(r.list("months"))+len(r.list("plans"))+len(r.list("totals")) != 0 {
		t.Errorf("%s", r)
	}
	s.add("plan", "/businesses/{business}/plans", object{
		"name": "Quarterly", "kind": "membership", "priceAmount": 30000, "validCount": 3, "validUnit": "month",
		"benefits": []object{{"credits": nil}},
	})
	s.post("/businesses/{business}/plans/{plan}/publish", nil)
	customer := h.post(s.at("/businesses/{business}/customers"), s.owner, object{"name": "Ada"}).text("id")
	s.post("/businesses/{business}/sales", object{
		"plans": []string{s.ids["plan"]}, "customerId": customer, "locationId": s.ids["location"],
		"tenders": []object{{"method": "cash"}},
	})
	r := get(200, "memberships"+june+"&locationId="+s.ids["location"])
	row, total, plan := r.list("rows")[0], r.list("totals")[0], r.list("plans")[0]
	if join(row, "date", "locationId", "planId", "planName", "currency", "openingMembers", "joined", "canceled", "unpaid",
		"completed", "closingMembers", "churnPpm", "payments", "income") != "2026-06-01 "+s.ids["location"]+" "+
		s.ids["plan"]+" Quarterly USD 0 1 0 0 0 1 0 1 30000" {
		t.Errorf("%s", js(row))
	}
	for _, sum := range []object{total, plan} {
		if join(sum, "joined", "members", "monthlyValue", "averageMonthly") != "1 1 10000 10000" {
			t.Errorf("%s", js(sum))
		}
	}
	if months := r.list("months"); len(months) != 1 || join(months[0], "date", "joined") != "2026-06-01 1" {
		t.Errorf("%s", js(months))
	}
	table := string(get(200, "memberships.csv"+june).body)
	if !strings.Contains(table, "2026-06,Harbour North,USD,Quarterly,0,1,0,0,0,1,0,1,300.00") {
		t.Errorf("%q", table)
	}
	if got := get(400, "memberships?from=2020-01-01"); len(got.fields()) != 1 || got.fields()[0] != "query.to" {
		t.Errorf("%q", got.fields())
	}
}
