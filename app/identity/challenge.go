package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Bounds of one code. A38.
const (
	CodeLife = 10 * time.Minute
	CodeTry  = 5
)

// ErrTooManyCodes is returned when a rate limit is exceeded. RetryAfter is the seconds to the end of the window.
var ErrTooManyCodes = fault.New(fault.TooMany, "", "Too many codes were requested. Try again later.")

// Challenge mails a six-digit code to an address and returns the id to verify it with.
//
// Response and work are the same for known and unknown addresses, and for an address with too many wrong codes today
// from this source: the job decides whether a mail is sent. Errors: Validation on email, ErrTooManyCodes. A34, A36,
// A217.
func (s *Service) Challenge(ctx context.Context, email string, by Origin) (uuid.UUID, error) {
	address, ok := ParseEmail(email)
	if !ok {
		return uuid.Nil, fault.Invalid("email", "Enter an e-mail address, like name@example.com.")
	}
	if err := s.limit(ctx, bucket("visitor", by.Visitor), s.limits.PerVisitor); err != nil {
		return uuid.Nil, err
	}
	if network, wide := tenancy.Network(by.Visitor); wide {
		if err := s.limit(ctx, bucket("visitor", network), s.limits.PerVisitor*tenancy.WideAllowance); err != nil {
			return uuid.Nil, err
		}
	}
	source := s.source(by, address)
	if err := s.limit(ctx, ofSource("address", address, source), s.limits.PerAddress); err != nil {
		return uuid.Nil, err
	}
	return pg.InTx(ctx, s.db, noBusiness, func(tx *pg.Tx) (uuid.UUID, error) {
		id := pg.NewID()
		if err := insertChallenge(ctx, tx, id, address, by.Language); err != nil {
			return uuid.Nil, err
		}
		return id, jobs.EnqueueTx(ctx, tx, CodeJob{Challenge: id, Wrong: wrongOf(address, source), At: by.At})
	})
}

// limit counts one call in a window.
func (s *Service) limit(ctx context.Context, window string, most int) error {
	hits, err := s.db.Hit(ctx, window, most, s.limits.Window)
	if err != nil || hits.Allowed {
		return err
	}
	refusal := ErrTooManyCodes.WithMessage(ErrTooManyCodes.Message)
	wait := hits.ResetAt.Sub(s.db.Clock().Now())
	refusal.RetryAfter = max(1, int((wait+time.Second-1)/time.Second))
	return refusal
}
