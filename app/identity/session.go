package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Lifetime of a session. A44.
const (
	SessionIdle = 30 * 24 * time.Hour // without a call
	SessionLife = 90 * 24 * time.Hour // regardless of use
	slideEvery  = time.Hour           // precision of the renewal: one write an hour, not one a call
)

// MaxSessions is the maximum number of sessions that Sessions lists.
const MaxSessions = 200

// ErrSession is returned for a token without a live session. A44, A56.
var ErrSession = fault.New(fault.Unauthorized, "", "The session has ended. Sign in again.")

// Session is one sign-in.
type Session struct {
	ID        uuid.UUID
	Agent     string // the client's user agent
	CreatedAt time.Time
	SeenAt    time.Time // last use, to the hour
	ExpiresAt time.Time // SessionIdle after the last use, and at most SessionLife after the start
	Current   bool      // the session of this call
}

// Authenticate returns the person of a session token, in one round trip. It extends the session at most once an hour.
// The only error is ErrSession: unknown, expired and revoked tokens are not distinguished. A39, A44, A56.
func (s *Service) Authenticate(ctx context.Context, bearer string) (tenancy.Principal, error) {
	hash, ok := HashToken(bearer)
	if !ok {
		return tenancy.Principal{}, ErrSession
	}
	v := s.db.View(noBusiness)
	b := v.Batch()
	who := QueueSession(b, v, hash)
	if err := b.Send(ctx); err != nil {
		return tenancy.Principal{}, err
	}
	return who()
}

// QueueSession queues in a batch of v the read of the session of a token's hash. After the batch was sent, the
// returned function returns its person, like Authenticate.
func QueueSession(b *pg.Batch, v *pg.View, hash []byte) (who func() (tenancy.Principal, error)) {
	var row SessionRow
	var found bool
	pg.QueueOne(b, &row, &found, selectSession, SessionArgs(hash, v.Now())...)
	return func() (tenancy.Principal, error) {
		if !found {
			return tenancy.Principal{}, ErrSession
		}
		return row.Who(), nil
	}
}

// Sessions lists the caller's live sessions, newest first, MaxSessions at most. Errors: ErrSignIn, ErrKeyRefused.
func (s *Service) Sessions(ctx context.Context, p tenancy.Principal) ([]Session, error) {
	person, err := PersonOf(p)
	if err != nil {
		return nil, err
	}
	list, err := liveSessions(ctx, s.db.View(noBusiness), person)
	for i := range list {
		list[i].Current = list[i].ID == p.Session
	}
	return list, err
}

// RevokeSession ends one of the caller's own live sessions; its next use is refused. Any other id is fault.Missing: a
// stranger's session is not distinguished from an unknown one. Errors also: ErrSignIn, ErrKeyRefused.
func (s *Service) RevokeSession(ctx context.Context, p tenancy.Principal, session uuid.UUID) error {
	person, err := PersonOf(p)
	if err != nil {
		return err
	}
	return pg.Do(ctx, s.db, noBusiness, func(tx *pg.Tx) error {
		n, err := endSession(ctx, tx, person, session)
		return fault.When(n == 0, fault.Missing(), err)
	})
}

// Logout ends the session of this call. It succeeds when the session had ended already. Errors: ErrSignIn,
// ErrKeyRefused.
func (s *Service) Logout(ctx context.Context, p tenancy.Principal) error {
	person, err := PersonOf(p)
	if err != nil {
		return err
	}
	return pg.Do(ctx, s.db, noBusiness, func(tx *pg.Tx) error {
		_, err := endSession(ctx, tx, person, p.Session)
		return err
	})
}

// LogoutEverywhere ends all of the caller's sessions, including the one of this call. It succeeds without any.
// Errors: ErrSignIn, ErrKeyRefused.
func (s *Service) LogoutEverywhere(ctx context.Context, p tenancy.Principal) error {
	person, err := PersonOf(p)
	if err != nil {
		return err
	}
	return pg.Do(ctx, s.db, noBusiness, func(tx *pg.Tx) error {
		_, err := endSessions(ctx, tx, person)
		return err
	})
}
