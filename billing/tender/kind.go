package tender

import (
	"slices"

	"foyer/billing/ledger"
)

// Kind is the payment method of a tender.
type Kind string

// Card is the tender by card, through the processor.
const Card Kind = "card"

// The kinds of payments at the studio. Neither the processor nor the platform has a part in it: there is no fee (A29).
const (
	Cash          Kind = "cash"
	Other         Kind = "other"          // a method of the studio's own: its terminal, a bank transfer
	AccountCredit Kind = "account_credit" // package credit
	GiftCard      Kind = "gift_card"      // package giftcard
)

// All returns the kinds of payments at the studio.
func (Kind) All() []Kind { return []Kind{Cash, Other, AccountCredit, GiftCard} }

// Valid reports whether k is one of All.
func (k Kind) Valid() bool { return slices.Contains(k.All(), k) }

// Account returns the ledger account of the money of a payment at the studio, or of the source that pays.
func (s Sources) Account(k Kind) ledger.Account {
	if source := s[k]; source != nil {
		return source.Account()
	}
	if k == Cash {
		return ledger.Cash
	}
	return ledger.ClearingOther
}

// State is the state of a tender.
type State string

// The states.
const (
	Open       State = "open"       // a card's: its payment is not made yet
	Authorized State = "authorized" // account credit that is reserved
	Captured   State = "captured"   // paid
	Void       State = "void"       // given up, or a mistake: it pays nothing
)
