package hosted_test

import "testing"

// TestOnePriceOnPages: the schedule, the page of a class and the pay button show one number where lists show prices
// in full; otherwise they mention the additions, and the button has all of it.
func TestOnePriceOnPages(t *testing.T) {
	t.Parallel()
	for display, shown := range map[string]string{"full": "$24.44", "plus_tax": "$22 + tax and service fee"} {
		t.Run(display, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			rate := s.AddTaxRate(t, "Sales tax", 88750)
			yoga := s.class(t, "Sunrise Vinyasa", 5, priced(2200))
			s.SQL(t, "update offerings set tax_rate_id = $1", rate.ID)
			s.SQL(t, "update businesses set fee_mode = 'customer' where business_id = $1", s.Business.ID)
			s.SQL(t, "update locations set price_display = $1, tax_mode = 'exclusive'", display)
			v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
			v.get("/"+s.Location.Slug).want(200, shown)
			v.get(s.path(yoga, nil)).want(200, shown)
			v.get(s.path(yoga, &yoga.Dates[0])).want(200, shown)
			v.choose(yoga, 0).follow().want(200, "Sales tax", "$1.95", "Service fee", "$0.49", "Pay $24.44")
		})
	}
}
