package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Options are what a Service needs.
type Options struct {
	DB *pg.DB
	// RefundTx tells what was paid for bookings, and asks for it to go back where it says so: checkout.Service.RefundTx.
	RefundTx func(ctx context.Context, tx *pg.Tx, asks []Refund) (map[uuid.UUID]Refunded, error)
	// RoundsAt looks at the waitlists of occurrences if that is due, and reports whether it was for any:
	// waitlist.Service.RoundsAt.
	RoundsAt func(ctx context.Context, business uuid.UUID, occurrences []uuid.UUID) (bool, error)
	Mail     mail.Sender
	// NoticeMail writes the mails about a booking, in the customer's language, and TeamMail those that tell a member of the
	// team about a date, in theirs.
	NoticeMail func(Notice) mail.Message
	TeamMail   func(TeamNotice) mail.Message
	// WaitlistMail writes the mails about a place on a waitlist, in the customer's language.
	WaitlistMail func(WaitLetter) mail.Message
	// Secret is the server's secret, at least identity.MinPepper bytes. The links of waitlist entries are derived from it.
	Secret []byte
	// OpenCartTx begins a cart for an accepted place and returns its id: checkout.Service.OpenCartTx. SettlePromotionTx books
	// that cart when it comes to nothing, and returns the order then: checkout.Service.SettlePromotionTx.
	OpenCartTx        func(ctx context.Context, tx *pg.Tx, in OpenCart) (uuid.UUID, error)
	SettlePromotionTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, cart uuid.UUID) (order *uuid.UUID, err error)
}

// Service has the verbs of this package that open their own transaction. It is safe for concurrent use.
type Service struct {
	db *pg.DB
	o  Options
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.RefundTx == nil || o.Mail == nil || o.NoticeMail == nil || o.TeamMail == nil || o.WaitlistMail == nil ||
		o.OpenCartTx == nil || o.SettlePromotionTx == nil || len(o.Secret) < identity.MinPepper {
		panic("booking: an option is missing")
	}
	return &Service{db: o.DB, o: o}
}

// Register puts the sweeps and jobs of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailNotice)
	jobs.Handle(r, s.MailTeamNotice)
	jobs.Handle(r, s.MailWaitlist)
	jobs.Handle(r, s.RunRound)
	jobs.Sweep(r, "booking.expire", sweepEvery, s.ExpireDue)
	jobs.Sweep(r, "booking.complete", completeEvery, s.CompleteDue)
	jobs.Sweep(r, "booking.waitlist", sweepEvery, s.PromoteDue)
}

// sweepEvery is how often overdue holds are looked for, in real time. Nobody waits for it: whoever finds a time full
// ends the overdue holds there at once (ExpireAt).
const sweepEvery = 2 * time.Second

// completeEvery is how often sessions are looked for that are over, in every business. Nothing waits for it.
const completeEvery = 5 * time.Minute
