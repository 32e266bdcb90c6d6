package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/order"
	"foyer/app/view"
	"foyer/billing/tender"
)

// TestEachTender: a cart shows the credit used and the remaining amount, the receipt and the mail the payment
// methods.
func TestEachTender(t *testing.T) {
	t.Parallel()
	w := view.Words{Locale: "en-US", Now: now}
	totals := order.Totals{
		Currency: "USD", TaxMode: "exclusive", SubtotalAmount: 2200, ServiceFeeAmount: 10, TotalAmount: 2210,
		Prepaid: []tender.Prepaid{{Kind: tender.AccountCredit, Amount: 1200}},
	}
	said := func(b view.Bill) (out []string) {
		for _, l := range b.Tenders {
			out = append(out, l.Label+" "+w.Money(l.Amount))
		}
		return out
	}
	bill := view.BillOf(w, totals, "1 class")
	if got := strings.Join(said(bill), ", "); got != "Your credit -$12.00" || bill.DueNow().Minor != 1010 {
		t.Errorf("a cart: %q, %+v", got, bill.DueNow())
	}
	receipt := order.Receipt{
		OrderID: uuid.New(), State: order.Fulfilled, CreatedAt: now, Totals: totals, Card: &order.ReceiptCard{Brand: "visa", Last4: "4242", Amount: 1010, PaidAt: now},
		Lines: []order.ReceiptLine{{Label: "Sunrise Vinyasa", Kind: order.Class, OfferingKind: catalog.Class,
			Quantity: 1, State: booking.Confirmed, ListedAmount: 2200, Party: 1,
			StartsAt: now.Add(24 * time.Hour), EndsAt: now.Add(25 * time.Hour)}},
	}
	v := view.ReceiptOf(w, receipt)
	if got := strings.Join(said(v.Order.Bill), ", "); got != "Paid with your credit $12.00, Paid with Visa ending 4242 $10.10" || v.PaidWith != "" {
		t.Errorf("a receipt: %q, %q", got, v.PaidWith)
	}
	text := view.BookedLetter(view.From{Words: w, Studio: "Harbour Yoga"}, view.Booked{Receipt: v}).Text
	for _, want := range []string{"Total: $22.10", "Paid with your credit: $12.00", "Paid with Visa ending 4242: $10.10"} {
		if !strings.Contains(text, want) {
			t.Errorf("the mail lacks %q: %s", want, text)
		}
	}
	receipt.State = order.Refunded
	if v := view.ReceiptOf(w, receipt); len(v.Order.Bill.Tenders) != 0 || v.PaidWith != "Visa ending 4242" {
		t.Errorf("what was not booked: %+v, %q", v.Order.Bill.Tenders, v.PaidWith)
	}
	receipt.Totals.Prepaid = nil
	if v := view.ReceiptOf(w, receipt); len(v.Order.Bill.Tenders) != 0 {
		t.Errorf("one means: %+v", v.Order.Bill.Tenders)
	}
}
