package api_test

import (
	"strings"
	"testing"
)

// TestReports: the tax and the fees of sales, as JSON and as a table; the line of a payment has its share of the
// platform fee. A224.
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
	} {
		if file := get(200, path); !strings.Contains(string(file.body), line) || !strings.HasPrefix(string(file.body), "date,location,currency,") {
			t.Errorf("%s: %q", path, file.body)
		}
	}
	for path, field := range map[string]string{
		"tax?from=2026-02-30": "query.from", "tax?from=2026-01-01&to=2025-01-01": "query.to", "tax?by=payment": "query.by", "fees?from=2020-01-01&to=2026-06-30": "query.to",
	} {
		if got := get(400, path); len(got.fields()) != 1 || got.fields()[0] != field {
			t.Errorf("%s: %q", path, got.fields())
		}
	}
	one := h.expect(200, call{path: s.at("/businesses/{business}/payments/{payment}"), token: s.owner})
	if lines := one.list("lines"); len(lines) != 1 || js(lines[0]["platformFee"]) != js(50) {
		t.Errorf("%s", js(lines))
	}
}
