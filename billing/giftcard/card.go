package giftcard

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/tenancy"
)

// State is the state of a gift card.
type State string

// The states.
const (
	Draft  State = "draft"  // in a cart: it is not sold yet, and has no code
	Active State = "active" // sold
)

// Card is a gift card.
type Card struct {
	ID         uuid.UUID
	LocationID uuid.UUID // that sold it; it pays at every location of the business with its currency
	Currency   money.Currency
	State      State
	Amount     int64  // that it was sold for, in minor units of Currency
	Balance    int64  // that is left
	Last4      string // of its code
	Delivery
	IssuedAt  time.Time `db:",null"` // when it was sold
	SentAt    time.Time `db:",null"` // when its code was mailed last
	ExpiresAt time.Time `db:",null"` // zero: never
	Version   int64
	CreatedAt time.Time
}

// Delivery says to whom a gift card is mailed, and when.
type Delivery struct {
	RecipientName  string
	RecipientEmail string // empty: its code is handed over
	SenderName     string
	Message        string
	Locale         string    // of the mail
	DeliverAt      time.Time `db:",null"` // it cannot be used before; zero: at once
}

// Expired reports whether the card can no longer be used.
func (c Card) Expired(now time.Time) bool { return !c.ExpiresAt.IsZero() && !now.Before(c.ExpiresAt) }

// Usable reports whether the card can pay now.
func (c Card) Usable(now time.Time) bool {
	return c.State == Active && c.Balance > 0 && !c.Expired(now) && !now.Before(c.DeliverAt)
}

// Label is the name of a card on receipts.
func (c Card) Label() string { return label(c.Last4) }

func label(last4 string) string { return "•••• " + last4 }

// Kind is the kind of a transaction.
type Kind string

// The kinds.
const (
	Sold     Kind = "sold"     // its amount was paid
	Spent    Kind = "spent"    // a payment with it
	Refunded Kind = "refunded" // a payment with it was refunded
	Returned Kind = "returned" // its own purchase was refunded
	Restored Kind = "restored" // such a refund failed
	Adjusted Kind = "adjusted" // by hand
	Expired  Kind = "expired"
)

// All returns all kinds.
func (Kind) All() []Kind {
	return []Kind{Sold, Spent, Refunded, Returned, Restored, Adjusted, Expired}
}

// Transaction is one change of the balance of a card. It never changes.
type Transaction struct {
	ID          uuid.UUID
	CardID      uuid.UUID `db:"gift_card_id"`
	LocationID  uuid.UUID
	Kind        Kind
	Amount      int64 // negative: less
	Balance     int64 // after it
	OrderLineID *uuid.UUID
	TenderID    *uuid.UUID
	RefundID    *uuid.UUID
	Note        string
	ActorKind   tenancy.ActorKind
	ActorName   string
	CreatedAt   time.Time
}

// Reasons are the reasons of the refusals, as the document lists them.
var Reasons = []string{ErrUnusable.Reason, ErrShort.Reason, ErrSent.Reason}

// Errors of the methods.
var (
	// ErrUnusable is the one answer for a code that pays nothing here: one that is wrong, of another business, in another
	// currency, expired, not delivered yet or spent.
	ErrUnusable = fault.New(fault.Conflict, "gift_card_unusable", "This code cannot be used here. Check it and try again.")
	// ErrTooMany limits the codes that a visitor can try in an hour, and the wrong ones that a business answers in a day.
	ErrTooMany = fault.New(fault.TooMany, "", "Too many codes were tried. Try again later.")
	// ErrShort means that a card has less than is to be taken off it. details.balance is the amount that is free.
	ErrShort = fault.New(fault.Conflict, "gift_card_short", "There is not enough on this gift card.")
	// ErrSent means that the mail with the code was not sent yet, or that there is none to send.
	ErrSent = fault.New(fault.Conflict, "gift_card_not_sent", "This gift card was not sent by email.")
)
