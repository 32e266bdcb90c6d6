package cart

import "foyer/app/view"

// FeePay is the page for paying a fee, or the price of bookings, after a failed charge of a card.
type FeePay struct {
	Pay          // with its Fee set
	Price bool   // of bookings, not a fee
	Plan  bool   // of a billing period of a membership
	For   string // DueFor
}

func (v FeePay) title(w view.Words) string {
	if v.Plan {
		return w.T("Pay for your membership")
	}
	if v.Price {
		return w.T("Pay for your booking")
	}
	return w.T("Pay a fee")
}

// trouble is the message for a declined card, on this page.
func (v Pay) trouble(w view.Words, code string) *view.Trouble {
	if v.Fee {
		return view.FeeTrouble(w, code)
	}
	return view.CardTrouble(w, code, !v.Items)
}

// needsScript is the message for a browser without script.
func (v Pay) needsScript(w view.Words) string {
	if v.Fee {
		return w.T("This step needs JavaScript: the card form comes straight from the payment service, so that your card number never reaches us. Turn it on and reload the page.")
	}
	if v.Items {
		return w.T("This step needs JavaScript: the card form comes straight from the payment service, so that your " +
			"card number never reaches us. Turn it on and reload the page. Your items are still held.")
	}
	return w.T("This step needs JavaScript: the card form comes straight from the payment service, so that your card number never reaches us. Turn it on and reload the page. Your spots are still held.")
}
