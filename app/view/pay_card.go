package view

import (
	"iter"
	"maps"

	"foyer/app/words"
)

// cardTrouble is what a customer reads about a card that did not pay: what happened, and what to do.
type cardTrouble struct{ title, text words.Text }

// What can happen to a card.
var (
	cardDeclined = cardTrouble{"Your bank declined the card", "The bank does not tell us why. Try another card, or ask your bank."}
	cardPoor     = cardTrouble{"There is not enough money on this card", "Try another card."}
	cardLimit    = cardTrouble{"This card has reached its limit", "Try another card, or ask your bank."}
	cardExpired  = cardTrouble{"This card has expired", "Check the expiry date, or use another card."}
	cardExpiry   = cardTrouble{"The expiry date is not right", "Write the month and the year as they are on the card, like 04/29."}
	cardCode     = cardTrouble{"The security code is not right", "It is the three digits on the back of the card, or the four on the front of an American Express."}
	cardNumber   = cardTrouble{"The card number is not right", "Check the digits, or use another card."}
	cardUnproven = cardTrouble{"Your bank could not confirm that it is you", "The bank’s check was not finished, or it failed. Try again, or use another card."}
	cardUnfit    = cardTrouble{"This card cannot pay here", "It does not take this kind of payment. Use another card."}
	removeCard   = cardTrouble{"The payment service had a problem", "Wait a moment, then try again."}
	cardTest     = cardTrouble{"This is a test payment", "Use one of the test card numbers."}
)

// cardTroubles say what happened by the processor's code: the issuer's finer one where there is one, which is what billing keeps.
// What says why somebody is under suspicion (lost, stolen, fraud) is told as any other no of the bank, as the processor asks.
var cardTroubles = map[string]cardTrouble{
	"card_declined": cardDeclined, "generic_decline": cardDeclined, "do_not_honor": cardDeclined, "call_issuer": cardDeclined,
	"fraudulent": cardDeclined, "lost_card": cardDeclined, "stolen_card": cardDeclined, "pickup_card": cardDeclined,
	"restricted_card": cardDeclined, "transaction_not_allowed": cardDeclined, "no_action_taken": cardDeclined,

	"insufficient_funds": cardPoor, "withdrawal_count_limit_exceeded": cardLimit, "card_velocity_exceeded": cardLimit,

	"expired_card": cardExpired, "invalid_expiry_month": cardExpiry, "invalid_expiry_year": cardExpiry,

	"incorrect_cvc": cardCode, "invalid_cvc": cardCode,

	"incorrect_number": cardNumber, "invalid_number": cardNumber, "invalid_account": cardNumber,

	"payment_intent_authentication_failure": cardUnproven, "authentication_required": cardUnproven, "authentication_not_handled": cardUnproven,

	"card_not_supported": cardUnfit, "currency_not_supported": cardUnfit, "not_permitted": cardUnfit, "service_not_allowed": cardUnfit,

	"processing_error": removeCard, "issuer_not_available": removeCard, "try_again_later": removeCard, "reenter_transaction": removeCard,
	"api_error": removeCard, "lock_timeout": removeCard,

	"test_mode_live_card": cardTest, "testmode_decline": cardTest,
}

// CardTrouble is why a card did not pay, by the processor's code. One that is not known is a no of the bank.
func CardTrouble(w Words, code string) *Trouble {
	tr, known := cardTroubles[code]
	if !known {
		tr = cardDeclined
	}
	return &Trouble{Title: w.T(tr.title), Text: w.T("{what} Nothing was charged, and your spots are still held.", "what", w.T(tr.text))}
}

// CardCodes are the processor's codes of what can happen to a card, in no order.
func CardCodes() iter.Seq[string] { return maps.Keys(cardTroubles) }
