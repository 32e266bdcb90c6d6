package identity

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

const (
	tokenBytes = 32
	tokenChars = 43 // of base64url without padding
)

// newToken returns 256 random bits as text, and what the database keeps of it. A token that looks like an API key would
// be taken for one, so the few that do are thrown away.
func newToken() (token string, hash []byte) {
	for {
		var raw [tokenBytes]byte
		rand.Read(raw[:])
		if token = base64.RawURLEncoding.EncodeToString(raw[:]); !strings.HasPrefix(token, "bk_") {
			sum := sha256.Sum256([]byte(token))
			return token, sum[:]
		}
	}
}

// HashToken is what the database keeps of a token that was given to us. ok is false for text that cannot be one, which spares a look-up.
func HashToken(token string) (hash []byte, ok bool) {
	if len(token) != tokenChars {
		return nil, false
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(token); err != nil {
		return nil, false
	}
	sum := sha256.Sum256([]byte(token))
	return sum[:], true
}

// codeOf is the six digits of a challenge. A64. Of 2^64 values mod 10^6 none is more likely than another by more than
// one in 10^13.
func (s *Service) codeOf(challenge uuid.UUID) string {
	mac := hmac.New(sha256.New, s.pepper)
	mac.Write([]byte("identity.code\x00"))
	mac.Write(challenge[:])
	return fmt.Sprintf("%06d", binary.BigEndian.Uint64(mac.Sum(nil))%1_000_000)
}

// bucket names a rate window of one address or visitor. Hashed, so that the table of windows holds no address and a key
// has one length.
func bucket(kind, of string) string {
	sum := sha256.Sum256([]byte(of))
	return "identity." + kind + ":" + hex.EncodeToString(sum[:16])
}

// Seal encrypts a secret that is shown once. A request that is repeated under its Idempotency-Key gets its first answer
// again, so that answer is kept for a day (pg.Claim); sealed, it is of no use to somebody who reads the database.
type Seal struct{ aead cipher.AEAD }

// NewSeal makes a seal whose key comes from the server's secret.
func NewSeal(secret []byte) Seal {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("identity.seal"))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		panic(err) // the key has 32 bytes
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return Seal{aead}
}

// Hide encrypts secret.
func (s Seal) Hide(secret string) []byte { return s.aead.Seal(nil, nil, []byte(secret), nil) }

var errSeal = errors.New("identity: a sealed answer does not open: the server's secret has changed since")

// Show decrypts what Hide made.
func (s Seal) Show(sealed []byte) (string, error) {
	plain, err := s.aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return "", errSeal
	}
	return string(plain), nil
}
