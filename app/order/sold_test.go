package order_test

import (
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/app/business"
	"foyer/app/order"
	"foyer/billing/ledger"
)

// A sale is split without a remainder: the parts are the total, the taxes of each rate and the service fee are those
// of the quote, less the tax inside it.
func TestSoldIsTheWholeOrder(t *testing.T) {
	category := uuid.New()
	incomes := []ledger.Account{
		ledger.IncomeClass, ledger.IncomeSession, ledger.IncomeOf(category), ledger.IncomeSpace,
	}
	walks.Scenarios(t, func(t *rapid.T) {
		items, terms := drawItems(t), drawTerms(t)
		if len(items) == 0 {
			return
		}
		q := order.Price(items, drawOffs(t, len(items)), terms)
		lines := make([]order.SoldPart, len(items))
		for i, it := range items {
			lines[i] = order.SoldPart{
				LineID: uuid.New(), IncomeAccount: incomes[i%len(incomes)], ListedAmount: it.ListedAmount,
				DiscountAmount: q.Lines[i].DiscountAmount, TaxAmount: q.Lines[i].TaxAmount,
				TaxMode: terms.TaxMode, OrderTaxAmount: q.Totals.TaxAmount, ServiceFeeAmount: q.Totals.ServiceFeeAmount,
			}
			if it.Tax != nil {
				lines[i].TaxRateID, lines[i].TaxPpm = &it.Tax.RateID, it.Tax.PPM
			}
		}
		var sum, fee, lineTax int64
		tax, ofLine := map[ledger.Account]int64{}, map[uuid.UUID]int64{}
		for _, p := range order.PartsOf(lines) {
			if p.Amount <= 0 {
				t.Fatalf("%+v", p)
			}
			sum += p.Amount
			ofLine[p.Line] += p.Amount
			switch p.Account {
			case ledger.IncomeBookingFee:
				fee += p.Amount
			case ledger.IncomeClass, ledger.IncomeSession, ledger.IncomeSpace, ledger.IncomeOf(category):
			default:
				tax[p.Account] += p.Amount
			}
		}
		if sum != q.Totals.TotalAmount {
			t.Fatalf("the parts are %d, the total %d", sum, q.Totals.TotalAmount)
		}
		for _, r := range q.Totals.Taxes {
			if got := tax[ledger.Tax(r.RateID)]; got != r.Amount {
				t.Fatalf("%d of tax %s, want %d", got, r.Name, r.Amount)
			}
		}
		for i, l := range q.Lines {
			lineTax += l.TaxAmount
			if got := ofLine[lines[i].LineID]; got != l.TotalAmount {
				t.Fatalf("line %d is %d, want %d", i, got, l.TotalAmount)
			}
		}
		want := q.Totals.ServiceFeeAmount
		if terms.TaxMode == business.TaxInclusive {
			want -= q.Totals.TaxAmount - lineTax
		}
		if fee != want {
			t.Fatalf("a service fee of %d, want %d", fee, want)
		}
	})
}
