package order

import (
	"crypto/sha256"
	"encoding/base64"
)

// ReceiptChars is the length of a receipt's token: 256 derived bits as base64url without padding.
const ReceiptChars = 43

// TokenHash returns the stored hash of a token. ok is false for text that cannot be one, which spares a query.
func TokenHash(token string, chars int) (hash []byte, ok bool) {
	if len(token) != chars {
		return nil, false
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(token); err != nil {
		return nil, false
	}
	sum := sha256.Sum256([]byte(token))
	return sum[:], true
}
