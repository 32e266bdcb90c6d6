package cart

import "foyer/app/view"

// FeePay is the page on which a customer pays a fee, or the price of bookings, that no card of theirs has paid.
type FeePay struct {
	Pay          // with its Fee set
	Price bool   // of bookings, and no fee
	For   string // OwedFor
}

func (v FeePay) title(w view.Words) string {
	if v.Price {
		return w.T("Pay for what you booked")
	}
	return w.T("Pay a fee")
}

// trouble is why a card did not pay, on this page.
func (v Pay) trouble(w view.Words, code string) *view.Trouble {
	if v.Fee {
		return view.FeeTrouble(w, code)
	}
	return view.CardTrouble(w, code)
}

// needsScript says what to do without one.
func (v Pay) needsScript(w view.Words) string {
	if v.Fee {
		return w.T("This step needs JavaScript: the card form comes straight from the payment service, so that your card number never reaches us. Turn it on and reload the page.")
	}
	return w.T("This step needs JavaScript: the card form comes straight from the payment service, so that your card number never reaches us. Turn it on and reload the page. Your spots are still held.")
}
