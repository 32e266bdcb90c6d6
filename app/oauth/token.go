package oauth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Tokens are what a client gets.
type Tokens struct {
	Access, Refresh string
	ExpiresIn       time.Duration // of Access
}

// why is the reason for the end of a connection.
type why string

const (
	endDisconnected why = "disconnected" // by a person of the business
	endRevoked      why = "revoked"      // by the client
	endReuse        why = "reuse"        // a code or refresh token came again
	endExpired      why = "expired"      // not used for RefreshLife
)

// errGrant refuses a code or token. It never says which of the reasons it is.
func errGrant() error { return refuse(InvalidGrant, refusedGrant) }

// Redeem exchanges a code for the first tokens of a connection. A code that comes again ends the connection that it
// began. Errors: Refusal.
func (s *Service) Redeem(ctx context.Context, c Client, code, redirectURI, verifier string) (Tokens, error) {
	at, hash, ok := codeKind.parse(code)
	if !ok {
		return Tokens{}, errGrant()
	}
	person, found, err := codePerson(ctx, s.db.View(at), hash)
	if err != nil || !found {
		return Tokens{}, orGrant(err)
	}
	family := pg.NewID()
	ctx = acting(ctx, at, person, tenancy.Assistant{ID: family, Client: c.Name})
	t, err := pg.InTx(ctx, s.db, at, func(tx *pg.Tx) (*Tokens, error) {
		row, err := lockCode(ctx, tx, hash)
		switch {
		case err != nil || row.ClientID != c.ID:
			return nil, err
		case row.FamilyID != nil:
			return nil, endFamily(ctx, tx, *row.FamilyID, endReuse)
		case !tx.Now().Before(row.ExpiresAt) || row.RedirectURI != redirectURI || !verifies(verifier, row.Challenge):
			return nil, nil
		}
		if err := insertFamily(ctx, tx, family, row, c); err != nil {
			return nil, err
		}
		t := &Tokens{accessKind.random(at), refreshKind.random(at), AccessLife}
		return t, insertTokens(ctx, tx, family, *t)
	})
	if err != nil || t == nil {
		return Tokens{}, orGrant(err)
	}
	return *t, nil
}

// orGrant is err, or the refusal of a grant.
func orGrant(err error) error {
	if err != nil {
		return err
	}
	return errGrant()
}

// verifies reports whether a verifier has the challenge of the request. RFC 7636. A60.
func verifies(verifier, challenge string) bool {
	if len(verifier) < 43 || len(verifier) > 128 {
		return false
	}
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(challenge)) == 1
}

// acting is a context of a person's assistant, for the audit log.
func acting(ctx context.Context, business uuid.UUID, p tenancy.Actor, via tenancy.Assistant) context.Context {
	p.Kind, p.Via = tenancy.ActorPerson, via
	return tenancy.Acting(ctx, tenancy.Visitor(tenancy.Principal{Actor: p}, business, tenancy.SurfaceAssistant))
}

// Refresh exchanges a refresh token for the next tokens. A token that comes again within ten seconds gets the same
// answer again if nothing has been done with its refresh token; later, it ends the connection. Errors: Refusal.
func (s *Service) Refresh(ctx context.Context, c Client, refresh string) (Tokens, error) {
	at, hash, ok := refreshKind.parse(refresh)
	if !ok {
		return Tokens{}, errGrant()
	}
	next := Tokens{s.successor(accessKind, at, refresh), s.successor(refreshKind, at, refresh), AccessLife}
	row, found, err := familyOf(ctx, s.db.View(at), hash)
	if err != nil || !found || row.ClientID != c.ID {
		return Tokens{}, orGrant(err)
	}
	ctx = acting(ctx, at, row.Actor(), tenancy.Assistant{ID: row.FamilyID, Client: row.ClientName})
	good, err := pg.InTx(ctx, s.db, at, func(tx *pg.Tx) (bool, error) {
		took, err := useRefresh(ctx, tx, hash, c.ID)
		if err != nil {
			return false, err
		}
		if took {
			return true, insertTokens(ctx, tx, row.FamilyID, next)
		}
		again, err := refreshAgain(ctx, tx, hash, hashOf(next.Refresh))
		if err != nil || again.Same {
			return again.Same, err
		}
		if again.Reused {
			return false, endFamily(ctx, tx, row.FamilyID, endReuse)
		}
		return false, nil
	})
	if err != nil || !good {
		return Tokens{}, orGrant(err)
	}
	return next, nil
}

// Revoke ends what a token stands for: a refresh token the connection, an access token itself. A token that is not
// known, or of another client, is no error. RFC 7009.
func (s *Service) Revoke(ctx context.Context, c Client, token string) error {
	at, hash, isRefresh := refreshKind.parse(token)
	if !isRefresh {
		var ok bool
		if at, hash, ok = accessKind.parse(token); !ok {
			return nil
		}
	}
	row, found, err := familyOf(ctx, s.db.View(at), hash)
	if err != nil || !found || row.ClientID != c.ID {
		return err
	}
	ctx = acting(ctx, at, row.Actor(), tenancy.Assistant{ID: row.FamilyID, Client: row.ClientName})
	return pg.Do(ctx, s.db, at, func(tx *pg.Tx) error {
		if isRefresh {
			return endFamily(ctx, tx, row.FamilyID, endRevoked)
		}
		return expireToken(ctx, tx, hash)
	})
}
