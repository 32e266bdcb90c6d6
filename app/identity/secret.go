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

// newToken returns 256 random bits as text, and their stored hash. A token in the form of an API key would be taken
// for one, so the few of them are discarded.
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

// HashToken returns the stored hash of a token. ok is false for text that cannot be a token, so no query is needed.
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

// codeOf returns the six digits of a challenge. A64. Of 2^64 values mod 10^6 none is more likely than another by more
// than one in 10^13.
func (s *Service) codeOf(challenge uuid.UUID) string {
	mac := hmac.New(sha256.New, s.pepper)
	mac.Write([]byte("identity.code\x00"))
	mac.Write(challenge[:])
	return fmt.Sprintf("%06d", binary.BigEndian.Uint64(mac.Sum(nil))%1_000_000)
}

// bucket names a rate window of one address or visitor. It is hashed, so that the table of windows holds no address
// and keys have one length.
func bucket(kind, of string) string {
	sum := sha256.Sum256([]byte(of))
	return "identity." + kind + ":" + hex.EncodeToString(sum[:16])
}

// Seal encrypts a secret that is shown once. A request repeated under its Idempotency-Key gets its first response
// again, so that response is stored for a day (pg.Claim); sealed, it is useless to a reader of the database.
type Seal struct{ aead cipher.AEAD }

// NewSeal returns a seal with a key derived from the server's secret.
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

var errSeal = errors.New("identity: cannot open a sealed response: the server's secret has changed")

// Show decrypts the output of Hide.
func (s Seal) Show(sealed []byte) (string, error) {
	plain, err := s.aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return "", errSeal
	}
	return string(plain), nil
}
