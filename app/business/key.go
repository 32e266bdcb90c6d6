package business

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// An API key is "bk_", 40 random characters of base 62 (238 bits) and the CRC-32 of all that in 6 more. Prefix and
// checksum let scanners of leaked secrets recognise a key, and let us refuse a mistyped one without a query.
const (
	KeyPrefix   = "bk_"
	keyRandom   = 40
	keyChecksum = 6
	keyShown    = len(KeyPrefix) + 6 // the part that lists show, to distinguish keys
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// ErrKey is returned for a key that is unknown, revoked or expired. A56.
var ErrKey = fault.New(fault.Unauthorized, "", "This API key is not valid.")

// APIKey is a machine's credential, without the secret.
type APIKey struct {
	ID        uuid.UUID
	Name      string // may be empty
	Prefix    string // "bk_" and the first characters of the secret
	Features  []tenancy.Feature
	CreatedBy uuid.UUID // member
	CreatedAt time.Time
	ExpiresAt *time.Time // nil: never
	UsedAt    *time.Time // last use, to the minute; nil: never
}

// mintKey returns a new key.
func mintKey() string {
	out := make([]byte, 0, len(KeyPrefix)+keyRandom+keyChecksum)
	out = append(out, KeyPrefix...)
	for len(out) < len(KeyPrefix)+keyRandom {
		var raw [64]byte
		rand.Read(raw[:])
		for _, b := range raw {
			if b < 4*62 && len(out) < len(KeyPrefix)+keyRandom { // no character is likelier than another
				out = append(out, base62[b%62])
			}
		}
	}
	return string(append(out, checksum(out)...))
}

// checksum is the CRC-32 (IEEE) of b in six characters of base 62.
func checksum(b []byte) []byte {
	var out [keyChecksum]byte
	n := crc32.ChecksumIEEE(b)
	for i := keyChecksum - 1; i >= 0; i-- {
		out[i] = base62[n%62]
		n /= 62
	}
	return out[:]
}

// wellFormed reports whether text could be a key, by its form and checksum.
func wellFormed(text string) bool {
	if len(text) != len(KeyPrefix)+keyRandom+keyChecksum || !strings.HasPrefix(text, KeyPrefix) {
		return false
	}
	body, sum := text[:len(text)-keyChecksum], text[len(text)-keyChecksum:]
	return string(checksum([]byte(body))) == sum && strings.Trim(body[len(KeyPrefix):], base62) == ""
}

// hashKey returns the stored hash of a key. A key has enough random bits that a plain hash cannot be searched.
func hashKey(key string) [32]byte { return sha256.Sum256([]byte(key)) }

// HashKey returns the stored hash of a key. ok is false for text without the form and checksum of a key, so no query
// is needed.
func HashKey(bearer string) (hash [32]byte, ok bool) {
	if !wellFormed(bearer) {
		return hash, false
	}
	return hashKey(bearer), true
}

// AuthenticateKey returns the principal of an API key, and records the minute of its use. A key acts as its business
// and is tied to no location (A48). Text without the form and checksum of a key costs no round trip. A key costs two:
// one for its business, and one for its row within that tenant. The only error is ErrKey.
func (s *Service) AuthenticateKey(ctx context.Context, bearer string) (tenancy.Principal, error) {
	hash, ok := HashKey(bearer)
	if !ok {
		return tenancy.Principal{}, ErrKey
	}
	at, found, err := s.o.DB.KeyOf(ctx, hash)
	if err := fault.When(!found, ErrKey, err); err != nil {
		return tenancy.Principal{}, err
	}
	v := s.o.DB.View(at.Business)
	b := v.Batch()
	who := QueueKey(b, v, hash)
	if err := b.Send(ctx); err != nil {
		return tenancy.Principal{}, err
	}
	c, err := who()
	return c.Principal, err
}
