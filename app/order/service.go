package order

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/port"
	"foyer/app/tenancy"
	"foyer/billing"
)

// Options are the dependencies of a Service; all of them are required. Billing's Orders are this service.
type Options struct {
	DB      *pg.DB
	Billing *billing.Service
	// Secret is the server's secret, at least identity.MinPepper bytes. Receipt links are derived from it: a change
	// does not break existing links, but later mails have others, which do not work for older orders.
	Secret []byte
	Mail   mail.Sender
	// ConfirmationMail writes the mail that confirms a booking, and RefundMail the one about the refund of a payment
	// that came too late; both in the person's language.
	ConfirmationMail func(Confirmation) mail.Message
	RefundMail       func(LateRefund) mail.Message
}

// Ports are those who open orders, and fulfil them once they are paid. They are connected before the first payment.
type Ports struct {
	// Cart queues the locks and reads of fulfilling the order of a cart. The function that it returns fulfils it; ours
	// is false for an order of no cart, and then nothing was done.
	Cart func(b *pg.Batch, tx *pg.Tx, id uuid.UUID) FulfilCart
	// Due fulfils the order of an amount that was due.
	Due func(ctx context.Context, tx *pg.Tx, id uuid.UUID, p billing.Payment) (billing.Outcome, error)
	// PlansTx returns the uses of bookings to the plans that paid for them.
	PlansTx func(ctx context.Context, tx *pg.Tx, by tenancy.Actor, bookings []uuid.UUID) ([]booking.PlanBack, error)
	// Sellers sell the kinds without seats, one each.
	Sellers Sellers
}

// FulfilCart fulfils the order of a cart that is paid; ours is false if it is of none.
type FulfilCart func(ctx context.Context, p billing.Payment) (out billing.Outcome, ours bool, err error)

// Service reads orders and refunds them. It is safe for concurrent use.
type Service struct {
	port.Late[Ports]
	db               *pg.DB
	billing          *billing.Service
	secret           []byte
	mail             mail.Sender
	confirmationMail func(Confirmation) mail.Message
	refundMail       func(LateRefund) mail.Message
}

// New returns a Service; its ports are to be connected. It panics if an option is missing: that is a mistake to find
// at start.
func New(o Options) *Service {
	if o.DB == nil || o.Billing == nil || o.Mail == nil || o.ConfirmationMail == nil || o.RefundMail == nil ||
		len(o.Secret) < identity.MinPepper {
		panic("order: an option is missing, or the secret is shorter than 32 bytes")
	}
	return &Service{
		db: o.DB, billing: o.Billing, secret: o.Secret, mail: o.Mail,
		confirmationMail: o.ConfirmationMail, refundMail: o.RefundMail,
	}
}

// Register adds the jobs of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailConfirmation)
	jobs.Handle(r, s.MailLateRefund)
}

// Fulfil fulfils a paid order, by whoever opened it: billing.Orders.
func (s *Service) Fulfil(b *pg.Batch, tx *pg.Tx, id uuid.UUID) billing.Fulfil {
	cart := s.Ports().Cart(b, tx, id)
	return func(ctx context.Context, p billing.Payment) (billing.Outcome, error) {
		out, ours, err := cart(ctx, p)
		if ours || err != nil {
			return out, err
		}
		return s.Ports().Due(ctx, tx, id, p)
	}
}
