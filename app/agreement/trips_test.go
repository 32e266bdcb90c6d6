package agreement_test

import (
	"testing"
	"time"

	"foyer/app/agreement"
	"foyer/app/checkout"
)

// TestDocumentsCostNoTrip: A160: requirements are read with the cart: five signed documents cost a booking no trip to
// the database.
func TestDocumentsCostNoTrip(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	trips := func(documents ...agreement.Document) (hold, confirm int) {
		t.Helper()
		token := s.Fill(t, s.date(t, s.class, 72*time.Hour+time.Duration(len(documents))*time.Hour))
		count := func(fn func() error) int {
			t.Helper()
			return s.w.Statements(func() {
				if err := fn(); err != nil {
					t.Fatal(err)
				}
			})
		}
		hold = count(func() error { _, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{}); return err })
		if len(documents) > 0 {
			s.agree(t, ada, token, documents...)
		}
		confirm = count(func() error { _, err := s.Checkout.Confirm(t.Context(), ada, token); return err })
		return hold, confirm
	}
	trips() // the customer is new to the studio
	hold, confirm := trips()
	var documents []agreement.Document
	for i := range 5 {
		documents = append(documents, s.asks(t, func(in *agreement.CreateInput) {
			in.Position, in.Show, in.Frequency = i, agreement.ShowList.All()[i%3], agreement.Once.All()[i%2]
		}))
	}
	if h, c := trips(documents...); h != hold || c != confirm {
		t.Errorf("held in %d trips and confirmed in %d, without documents in %d and %d", h, c, hold, confirm)
	}
}
