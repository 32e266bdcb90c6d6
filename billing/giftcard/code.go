package giftcard

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"strings"
)

// Code is the code of a gift card. Whoever has it can pay with the card, so that it has no field that a printed value
// or a log line would show: Reveal is for the one who is to have it.
type Code struct{ chars string }

// alphabet are the digits of Crockford's base32, without letters that look like other characters.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// codeChars is the length of a code: 75 random bits and a check digit.
const codeChars = 16

// newCode returns a new random code.
func newCode() Code {
	var raw [codeChars - 1]byte
	if _, err := rand.Read(raw[:]); err != nil {
		panic(err) // crypto/rand does not fail on a machine that works
	}
	for i, b := range raw {
		raw[i] = alphabet[b%32]
	}
	return Code{string(raw[:]) + string(checkDigit(string(raw[:])))}
}

// meant are the characters that people read as others.
var meant = strings.NewReplacer("O", "0", "I", "1", "L", "1", " ", "", "-", "", "–", "", "\u00a0", "")

// ParseCode reads a code as people type it: in any letter case, with spaces and hyphens, O for 0, and I or L for 1. ok
// is false if it is no code, also if one character is wrong or two neighbours are swapped.
func ParseCode(typed string) (c Code, ok bool) {
	if len(typed) > 4*codeChars {
		return Code{}, false
	}
	chars := meant.Replace(strings.ToUpper(strings.TrimSpace(typed)))
	if len(chars) != codeChars || strings.Trim(chars, alphabet) != "" {
		return Code{}, false
	}
	return Code{chars}, checkDigit(chars[:codeChars-1]) == chars[codeChars-1]
}

// checkDigit returns the check digit of characters, by the algorithm of Luhn with 32 digits.
func checkDigit(chars string) byte {
	sum := 0
	for i := len(chars) - 1; i >= 0; i-- {
		n := strings.IndexByte(alphabet, chars[i])
		if (len(chars)-1-i)%2 == 0 {
			n *= 2
			n = n/32 + n%32
		}
		sum += n
	}
	return alphabet[(32-sum%32)%32]
}

// Reveal returns the code in groups of four: "7K2M-9QXT-…".
func (c Code) Reveal() string {
	var groups []string
	for i := 0; i+4 <= len(c.chars); i += 4 {
		groups = append(groups, c.chars[i:i+4])
	}
	return strings.Join(groups, "-")
}

// Last4 returns its last four characters.
func (c Code) Last4() string { return c.chars[max(0, len(c.chars)-4):] }

// String hides all but the last four characters.
func (c Code) String() string { return "•••• " + c.Last4() }

// GoString is String.
func (c Code) GoString() string { return c.String() }

// hash returns the keyed hash of a code, as the database has it.
func (c Code) hash(key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("gift card " + c.chars))
	return mac.Sum(nil)
}
