package api_test

import (
	"strings"
	"testing"
)

// TestFailuresNameTheirPlace: a failure inside the database is a 500 without details, and a log line with the verb
// and the function that sent the statement. A73.
func TestFailuresNameTheirPlace(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	h.SQL(t, "alter table tax_rates rename column ppm to gone")
	for _, c := range []struct {
		call
		verb, statement string
	}{
		{call{method: "POST", body: js(object{"name": "Tax", "ppm": 1}), key: "k"}, "business.CreateTaxRate", "business.insertRate (tax_rate_store.go:"},
		{call{method: "GET"}, "business.TaxRates", "business.listRates (tax_rate_store.go:"},
	} {
		c.call.path, c.call.token = s.at("/businesses/{business}/tax-rates"), s.owner
		before := len(h.log.String())
		a := h.expect(500, c.call)
		line, _, _ := strings.Cut(h.log.String()[before:], "\n")
		said := dig[string](decode([]byte(line)), "error")
		if !strings.HasPrefix(said, c.verb+": "+c.statement) || !strings.Contains(said, "ppm") {
			t.Errorf("the log says %s", line)
		}
		for _, inside := range []string{"ppm", "TaxRate", "tax_rate", "SQLSTATE"} {
			if strings.Contains(string(a.body), inside) {
				t.Errorf("the answer says %q: %s", inside, a)
			}
		}
	}
}
