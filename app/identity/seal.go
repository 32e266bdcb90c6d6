package identity

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
)

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
