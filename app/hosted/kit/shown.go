package kit

import (
	"crypto/sha256"
	"encoding/hex"
)

// ShownDigest names a text that a page shows. A form posts it, so that a customer agrees only to what they have read.
func ShownDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
