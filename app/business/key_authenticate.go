package business

import (
	"context"

	"foyer/app/tenancy"
)

// AuthenticateKey returns the principal of an API key, and notes the minute of its use. A key acts as its business and
// is tied to no location (A48). Text without the form and checksum of a key costs no round trip. A key costs two: its
// business is found first, which is known from then on, and its row is read behind that business's wall. What the key may
// do is Admit's answer. The only refusal is ErrKey.
func (s *Service) AuthenticateKey(ctx context.Context, bearer string) (tenancy.Principal, error) {
	if !wellFormed(bearer) {
		return tenancy.Principal{}, ErrKey
	}
	hash := hashKey(bearer)
	at, found, err := s.o.DB.KeyOf(ctx, hash)
	if err == nil && !found {
		err = ErrKey
	}
	if err != nil {
		return tenancy.Principal{}, err
	}
	return useKey(ctx, s.o.DB.View(at.Business), hash)
}
