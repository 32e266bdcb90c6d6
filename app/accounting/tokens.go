package accounting

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/pg"
	"foyer/app/sealed"
)

// refreshBefore is how long before its end an access token is refreshed.
const refreshBefore = 5 * time.Minute

// errReauth means that the connection needs its owner: the provider no longer accepts its tokens.
var errReauth = errors.New("accounting: connection needs to be authorized again")

// withToken calls the provider with a valid access token. If the provider refuses it, it is refreshed once and the
// call repeated once. It returns errReauth after it set the connection to needs_reauth.
func (s *Service) withToken(
	ctx context.Context, business uuid.UUID, c Connection, call func(context.Context, ledgeronline.Conn) error,
) error {
	access, err := s.accessToken(ctx, business, c, nil)
	if err != nil {
		return err
	}
	err = timed(ctx, c.conn(access), call)
	switch classOf(err) {
	case ledgeronline.Token:
		if access, err = s.accessToken(ctx, business, c, &access); err != nil {
			return err
		}
		err = timed(ctx, c.conn(access), call)
		if classOf(err) == ledgeronline.Token {
			return s.needsReauth(ctx, business, c, "The accounting provider does not accept the connection any more. Reconnect.")
		}
	case ledgeronline.Rights:
	default:
		return err
	}
	if classOf(err) == ledgeronline.Rights {
		return s.needsReauth(ctx, business, c,
			"The person who connected has lost access to the company. Reconnect as somebody with access.")
	}
	return err
}

func timed(ctx context.Context, conn ledgeronline.Conn, call func(context.Context, ledgeronline.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, callMost)
	defer cancel()
	return call(ctx, conn)
}

// classOf returns the class of the provider's error; empty for nil and for other errors.
func classOf(err error) ledgeronline.Class {
	var e *ledgeronline.Error
	if errors.As(err, &e) {
		return e.Class
	}
	return ""
}

// Unavailable reports whether err is a failure of the provider, or of the way to it, and no refusal of the call.
func Unavailable(err error) bool { return classOf(err) != "" }

// needsReauth sets a connection to needs_reauth and returns errReauth.
func (s *Service) needsReauth(ctx context.Context, business uuid.UUID, c Connection, problem string) error {
	err := pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return markReauth(ctx, tx, c.ID, problem) })
	if err != nil {
		return err
	}
	return errReauth
}

// accessToken returns an access token that is valid for refreshBefore. It refreshes an older one, and refused, which
// the provider did not accept. Of several callers at once one refreshes: the others wait for the lock of its row and
// find the new token. The new refresh token is committed before the access token is used, since the old one may be
// dead by then. That call of the provider is inside a transaction: the lock is what makes it single.
func (s *Service) accessToken(
	ctx context.Context, business uuid.UUID, c Connection, refused *sealed.Secret,
) (sealed.Secret, error) {
	if s.provider == nil {
		return sealed.Secret{}, ErrNotConfigured
	}
	v := s.db.View(business)
	if t, found, err := readTokens(ctx, v, c.ID); err != nil || !found {
		return sealed.Secret{}, orReauth(err)
	} else if access, err := s.valid(business, t, v.Now(), refused); err != nil || !access.IsZero() {
		return access, err
	}
	done, err := s.refreshTurn(ctx)
	if err != nil {
		return sealed.Secret{}, err
	}
	defer done()
	type refreshed struct {
		Access sealed.Secret
		Ended  bool
	}
	out, err := pg.InTx(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) (refreshed, error) {
		t, found, err := lockTokens(ctx, tx, c.ID)
		if err != nil || !found {
			return refreshed{}, orReauth(err)
		}
		if access, err := s.valid(business, t, tx.Now(), refused); err != nil || !access.IsZero() {
			return refreshed{Access: access}, err
		}
		refresh, err := s.open(business, c.ID, "refresh", t.Refresh)
		if err != nil {
			return refreshed{}, err
		}
		calling, cancel := context.WithTimeout(ctx, callMost)
		defer cancel()
		fresh, err := s.provider.Refresh(calling, refresh)
		if classOf(err) == ledgeronline.InvalidGrant {
			return refreshed{Ended: true}, nil
		}
		if err != nil {
			return refreshed{}, err
		}
		t, err = s.sealTokens(business, c.ID, fresh)
		if err != nil {
			return refreshed{}, err
		}
		b := tx.Batch()
		saveTokensIn(b, tx, t, fresh.RefreshExpires)
		return refreshed{Access: fresh.Access}, b.Send(ctx)
	})
	if err == nil && out.Ended {
		err = s.needsReauth(ctx, business, c, "The accounting provider ended the connection. Reconnect.")
	}
	return out.Access, err
}

// A refresh holds a connection to the database until the provider answers. Of many companies with old tokens, as after
// midnight, refreshesMost in a process refresh at once, so that the others leave the connections to other work.
const (
	refreshesMost = 3
	refreshWait   = 10 * time.Second
)

// refreshTurn waits for a turn to refresh, without a connection. The caller calls done at the end of it.
func (s *Service) refreshTurn(ctx context.Context) (done func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, refreshWait)
	defer cancel()
	select {
	case s.refreshing <- struct{}{}:
		return func() { <-s.refreshing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func orReauth(err error) error {
	if err != nil {
		return err
	}
	return errReauth
}

// valid returns the stored access token; zero if it must be refreshed.
func (s *Service) valid(
	business uuid.UUID, t sealedToken, now time.Time, refused *sealed.Secret,
) (sealed.Secret, error) {
	if t.AccessExpiresAt.Sub(now) < refreshBefore {
		return sealed.Secret{}, nil
	}
	access, err := s.open(business, t.ConnectionID, "access", t.Access)
	if err == nil && refused != nil && access.Equal(*refused) {
		return sealed.Secret{}, nil
	}
	return access, err
}

// accessLasts is the life of an access token of which the provider does not state the end.
const accessLasts = time.Hour

func (s *Service) sealTokens(business, connection uuid.UUID, t ledgeronline.Tokens) (sealedToken, error) {
	access, err := s.seal(business, connection, "access", t.Access)
	if err != nil {
		return sealedToken{}, err
	}
	refresh, err := s.seal(business, connection, "refresh", t.Refresh)
	ends := t.AccessExpires
	if ends.IsZero() {
		ends = s.db.View(business).Now().Add(accessLasts)
	}
	return sealedToken{ConnectionID: connection, Access: access, Refresh: refresh, AccessExpiresAt: ends}, err
}
