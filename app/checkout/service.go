package checkout

import (
	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/billing"
)

// Options are what a Service needs; all of them are required. Billing's OnSettled is this service's SettleTx.
type Options struct {
	DB      *pg.DB
	Booking *booking.Service
	Billing *billing.Service
	// Secret is the server's secret, at least identity.MinPepper bytes. Receipt links are derived from it: changing it
	// does not break those that are out, but mails sent later name others, which do not work for older orders.
	Secret []byte
	Mail   mail.Sender
	// ConfirmationMail writes the mail that says that a booking is made, and RefundMail the one that says that money which
	// came too late goes back; both in the person's language.
	ConfirmationMail func(Confirmation) mail.Message
	RefundMail       func(LateRefund) mail.Message
}

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct {
	db               *pg.DB
	booking          *booking.Service
	billing          *billing.Service
	secret           []byte
	seal             identity.Seal
	mail             mail.Sender
	confirmationMail func(Confirmation) mail.Message
	refundMail       func(LateRefund) mail.Message
}

// New returns a Service. It panics when an option is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Booking == nil || o.Billing == nil || o.Mail == nil || o.ConfirmationMail == nil || o.RefundMail == nil ||
		len(o.Secret) < identity.MinPepper {
		panic("checkout: an option is missing, or the secret is shorter than 32 bytes")
	}
	return &Service{
		db: o.DB, booking: o.Booking, billing: o.Billing, secret: o.Secret, seal: identity.NewSeal(o.Secret), mail: o.Mail,
		confirmationMail: o.ConfirmationMail, refundMail: o.RefundMail,
	}
}

// Register puts the jobs of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailConfirmation)
	jobs.Handle(r, s.MailLateRefund)
}
