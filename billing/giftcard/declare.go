package giftcard

import (
	"foyer/app/declare"
	"foyer/app/words"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "billing/giftcard",
		Tables: []declare.Table{
			{Name: "gift_card_terms", Life: declare.Trade, Record: "Gift card settings"},
			{Name: "gift_card_transactions", Life: declare.Trade, Record: "Gift card transaction",
				Readers: []string{"app/integrity"}},
			{Name: "gift_cards", Life: declare.Trade, Record: "Gift card", Readers: []string{"app/integrity"}},
		},
		Fields: map[string]words.Console{
			"amounts":        "suggested amounts",
			"deliverAt":      "delivery",
			"expiresMonths":  "expires after months",
			"giftCardId":     "gift card",
			"issuedAt":       "issued",
			"last4":          "last four characters",
			"leastAmount":    "smallest amount",
			"locale":         "language",
			"message":        "message",
			"mostAmount":     "largest amount",
			"recipientEmail": "recipient's email",
			"recipientName":  "recipient",
			"senderName":     "sender",
			"sentAt":         "sent",
			"soldOnline":     "sold online",
		},
		Checks: checks,
	}
}
