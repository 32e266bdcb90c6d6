package waitlist

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// tokenChars is the length of a token: 256 derived bits in base64url without padding.
const tokenChars = 43

// Token returns the token of the one link that shows, accepts, declines and leaves an entry. It is derived and not
// stored, so that every mail can have it.
func (s *Service) Token(entry uuid.UUID) string {
	mac := hmac.New(sha256.New, s.o.Secret)
	mac.Write([]byte("booking.waitlist\x00"))
	mac.Write(entry[:])
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// hashOf returns the stored hash of an entry's token.
func (s *Service) hashOf(entry uuid.UUID) []byte {
	sum := sha256.Sum256([]byte(s.Token(entry)))
	return sum[:]
}

// answer runs a verb by the token of an entry of this business, and returns the entry as it is then. Not found for an
// unknown token.
func (s *Service) answer(ctx context.Context, sc tenancy.Scope, token string, do func(tx *pg.Tx, entry uuid.UUID) error) (CustomerEntry, error) {
	id, err := s.entryHere(ctx, sc, token)
	if err == nil {
		err = pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error { return do(tx, id) })
	}
	if err != nil {
		return CustomerEntry{}, err
	}
	return s.customerEntry(ctx, sc.Tenant, id)
}

// entryHere finds an entry of this business by its token. Not found for any other.
func (s *Service) entryHere(ctx context.Context, sc tenancy.Scope, token string) (uuid.UUID, error) {
	at, found, err := s.Locate(ctx, token)
	if err == nil && (!found || at.BusinessID != sc.Tenant) {
		err = fault.Missing()
	}
	return at.ID, err
}

// Locate finds an entry by its token, in any business.
func (s *Service) Locate(ctx context.Context, token string) (at pg.Keyed, found bool, err error) {
	hash, ok := hashToken(token)
	if !ok {
		return pg.Keyed{}, false, nil
	}
	return findByHash(ctx, s.db, hash[:])
}

// OfferLookup finds the business of an entry by its token; ok is false for text that cannot be one.
func OfferLookup(token string) (l pg.Lookup, ok bool) {
	hash, ok := hashToken(token)
	return pg.OfferHash(hash), ok
}

func hashToken(token string) (hash [32]byte, ok bool) {
	if len(token) != tokenChars {
		return hash, false
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(token); err != nil {
		return hash, false
	}
	return sha256.Sum256([]byte(token)), true
}
