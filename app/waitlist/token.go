package waitlist

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/google/uuid"
)

// tokenChars is the length of a token: 256 derived bits in base64url without padding.
const tokenChars = 43

// Token is the token of the one link that shows, accepts, declines and leaves an entry. It is derived and not
// kept, so that every mail can name it.
func (s *Service) Token(entry uuid.UUID) string {
	mac := hmac.New(sha256.New, s.o.Secret)
	mac.Write([]byte("booking.waitlist\x00"))
	mac.Write(entry[:])
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// hashOf is what the database keeps of an entry's token.
func (s *Service) hashOf(entry uuid.UUID) []byte {
	sum := sha256.Sum256([]byte(s.Token(entry)))
	return sum[:]
}

// Locate tells in which business the entry of a token is.
func (s *Service) Locate(ctx context.Context, token string) (business uuid.UUID, found bool, err error) {
	at, found, err := s.locate(ctx, token)
	return at.BusinessID, found, err
}

// locate finds an entry by its token, in whichever business it is.
func (s *Service) locate(ctx context.Context, token string) (at entryPlace, found bool, err error) {
	if len(token) != tokenChars {
		return entryPlace{}, false, nil
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(token); err != nil {
		return entryPlace{}, false, nil
	}
	sum := sha256.Sum256([]byte(token))
	return findByHash(ctx, s.db, sum[:])
}
