package hosted_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/business"
)

// TestBillOfInclusivePrices shows the tax as contained, and the service fee before it.
func TestBillOfInclusivePrices(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) {
		p.Studio = func(sp *apptest.StudioPlan) { sp.Location.TaxMode = business.TaxInclusive }
	})
	rate := s.AddTaxRate(t, "VAT", 230_000)
	s.SQL(t, "update businesses set fee_mode = 'customer' where business_id = $1", s.Business.ID)
	yoga := s.class(t, "Sunrise Vinyasa", 1, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID })
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200, "1 class $22.00", "Service fee", "Includes VAT 23%")
	if text := pay.text(); strings.Index(text, "Service fee") > strings.Index(text, "Includes VAT") {
		t.Errorf("the fee stands after the tax it contains: %s", clip(text))
	}
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "Includes VAT 23%", "Service fee")
}
