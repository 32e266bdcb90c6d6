package view

import (
	"iter"
	"maps"

	"foyer/app/words"
)

// cardTrouble is the message to a customer about a declined card: the problem, and the remedy.
type cardTrouble struct{ title, text words.Text }

// The messages about declined cards.
var (
	cardDeclined = cardTrouble{"Your bank declined the card", "The bank gave no reason. Try another card, or contact your bank."}
	cardPoor     = cardTrouble{"This card has insufficient funds", "Try another card."}
	cardLimit    = cardTrouble{"This card has reached its limit", "Try another card, or contact your bank."}
	cardExpired  = cardTrouble{"This card has expired", "Check the expiry date, or use another card."}
	cardExpiry   = cardTrouble{"The expiry date is incorrect", "Enter the month and year as shown on the card, like 04/29."}
	cardCode     = cardTrouble{"The security code is incorrect", "Enter the three digits on the back of the card, or the four on the front of an American Express."}
	cardNumber   = cardTrouble{"The card number is incorrect", "Check the digits, or use another card."}
	cardUnproven = cardTrouble{"Your bank could not verify your identity", "The bank’s verification was not completed, or it failed. Try again, or use another card."}
	cardUnfit    = cardTrouble{"This card is not supported", "It does not support this type of payment. Use another card."}
	removeCard   = cardTrouble{"The payment service had a problem", "Wait a moment, then try again."}
	cardTest     = cardTrouble{"This is a test payment", "Use one of the test card numbers."}
)

// cardTroubles has the messages by the processor's code. Billing stores the issuer's more specific code if there is
// one. Codes that reveal a suspicion (lost, stolen, fraud) have the message of any other decline, as the processor
// requires.
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

// CardTrouble returns the message for a declined card, by the processor's code. An unknown code reads like a decline
// by the bank. seats: the cart holds spots; else it holds other items.
func CardTrouble(w Words, code string, seats bool) *Trouble {
	tr, known := cardTroubles[code]
	if !known {
		tr = cardDeclined
	}
	text := w.T("{what} Nothing was charged, and your spots are still held.", "what", w.T(tr.text))
	if !seats {
		text = w.T("{what} Nothing was charged, and your items are still held.", "what", w.T(tr.text))
	}
	return &Trouble{Title: w.T(tr.title), Text: text}
}

// CardCodes returns the processor's codes with a message, in no order.
func CardCodes() iter.Seq[string] { return maps.Keys(cardTroubles) }
