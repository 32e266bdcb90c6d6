package checkout

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"

	"github.com/google/uuid"
)

// Tokens are base64url without padding. A cart's is 192 random bits, a receipt's 256 derived ones.
const (
	cartTokenBytes = 24
	cartTokenChars = 32
	receiptChars   = 43
)

// newToken makes the token of a cart.
func newToken() string {
	var raw [cartTokenBytes]byte
	if _, err := rand.Read(raw[:]); err != nil {
		panic(err) // crypto/rand does not fail on a machine that works
	}
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// hashOf is what the database keeps of a token. ok is false for text that cannot be one, which spares a look-up.
func hashOf(token string, chars int) (hash []byte, ok bool) {
	if len(token) != chars {
		return nil, false
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(token); err != nil {
		return nil, false
	}
	sum := sha256.Sum256([]byte(token))
	return sum[:], true
}

// ReceiptToken is the token of an order's receipt. It is derived and not kept, so that a mail can name it later.
func (s *Service) ReceiptToken(order uuid.UUID) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("checkout.receipt\x00"))
	mac.Write(order[:])
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// receiptHash is what the database keeps of an order's receipt token.
func (s *Service) receiptHash(order uuid.UUID) []byte {
	sum := sha256.Sum256([]byte(s.ReceiptToken(order)))
	return sum[:]
}
