package giftcard

import (
	"time"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/billing/giftcard"
)

// Options are the dependencies of a Service; all of them are required.
type Options struct {
	DB       *pg.DB
	Cards    *giftcard.Service
	Checkout *checkout.Service
	Owed     *owed.Service
	Mail     mail.Sender
	// Write writes the mail with the code of a card, in the language that was chosen with it.
	Write func(Letter) mail.Message
}

// Service sells gift cards: order.Seller. It is safe for concurrent use.
type Service struct{ o Options }

// New returns a Service. It panics if an option is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Cards == nil || o.Checkout == nil || o.Owed == nil || o.Mail == nil || o.Write == nil {
		panic("giftcard: an option is missing")
	}
	return &Service{o}
}

var _ order.Seller = (*Service)(nil)

// sendEvery is the interval of the sweep of mails, in real time: a card is in its recipient's mailbox soon after it was
// paid.
const sendEvery = 10 * time.Second

// Register adds the job and the sweep of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailCard)
	jobs.Sweep(r, "giftcard.send", sendEvery, s.SendDue)
}

// Errors of the methods, besides those of checkout and of billing/giftcard that they pass on.
var (
	// ErrUnavailable means that the location sells no gift card of this amount online any more.
	ErrUnavailable = fault.New(fault.Conflict, "gift_card_unavailable", "This gift card is not sold here any more.")
	// ErrNotReturned means that a gift card is to be returned as goods are.
	ErrNotReturned = fault.New(
		fault.Conflict, "gift_card_not_returned", "A gift card cannot be returned. Refund its payment instead.",
	)
	// ErrBuysNone means that a cart with a gift card is to be paid with one.
	ErrBuysNone = fault.New(
		fault.Conflict, "gift_card_buys_none", "A gift card cannot pay for a gift card. Buy it separately.",
	)
)
