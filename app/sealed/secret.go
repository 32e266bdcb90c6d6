package sealed

import (
	"crypto/subtle"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Secret is a token in memory. It prints, logs and marshals as "[secret]"; only Reveal returns the token. The zero
// value is the empty token.
//
// The token is behind a pointer because package fmt prints unexported fields of an outer struct without calling their
// methods: it then prints an address.
type Secret struct {
	_     [0]func() // == does not compile: it would compare addresses
	value *string
}

// redacted is printed in place of a token.
const redacted = "[secret]"

// NewSecret returns a Secret with a token.
func NewSecret(token string) Secret { return Secret{value: &token} }

// Reveal returns the token, to send it to its provider or to seal it.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// IsZero reports whether the token is empty.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

// Equal reports whether two tokens are equal, in constant time for tokens of one length.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(other.Reveal())) == 1
}

// Format prints "[secret]" for every verb; without it, verbs such as %d would print fields.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// String returns "[secret]".
func (Secret) String() string { return redacted }

// GoString returns "[secret]".
func (Secret) GoString() string { return redacted }

// LogValue returns "[secret]".
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalJSON returns "[secret]" as a JSON string.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// MarshalText returns "[secret]", for encodings other than JSON.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// UnmarshalText takes over a token, for example from a provider's response. It refuses the output of MarshalText, which
// is not a token.
func (s *Secret) UnmarshalText(text []byte) error {
	if string(text) == redacted {
		return errors.New("sealed: a marshaled secret has no token")
	}
	*s = NewSecret(string(text))
	return nil
}

// Value returns an error, because a token is stored only after Keys.Seal.
func (Secret) Value() (driver.Value, error) {
	return nil, errors.New("sealed: seal a secret before storing it")
}
