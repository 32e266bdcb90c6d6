package identity

import (
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"foyer/app/names"
)

// Maximum lengths of texts, in characters.
const (
	MaxEmail  = 254
	MaxName   = 120
	MaxPhone  = 32
	MaxLocale = 35
	MaxZone   = 64
	MaxAgent  = 200
)

var emailShape = regexp.MustCompile(`^[a-z0-9!#$%&'*+/=?^_{|}~` + "`" + `-]+(\.[a-z0-9!#$%&'*+/=?^_{|}~` + "`" + `-]+)*` +
	`@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$`)

// ParseEmail returns an address in its stored form: trimmed, in lower case, and with an international domain in
// ASCII, as browsers and mail servers write it: ana@exämple.com and ana@xn--exmple-cua.com are one address. The part
// before the @ is ASCII; ok is false for anything else. Invisible characters, often copied along with an address, are
// removed.
func ParseEmail(text string) (address string, ok bool) {
	address = strings.ToLower(names.Clean(text))
	local, domain, found := strings.Cut(address, "@")
	if found && !isASCII(domain) && len(domain) <= typedMax {
		var err error
		if domain, err = domains.ToASCII(domain); err != nil {
			return address, false
		}
		address = local + "@" + domain
	}
	return address, len(address) <= MaxEmail && len(local) <= 64 && emailShape.MatchString(address)
}

// typedMax is the maximum length of an international domain, in bytes: characters of four bytes, each of up to four
// parts, and at least one in ASCII. Punycode takes quadratic time.
const typedMax = 4 * 4 * MaxEmail

// domains parses a domain as typed: its letters in any case, composed or not, of full width, or with an ideographic
// full stop.
var domains = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(true), idna.BidiRule(), idna.CheckJoiners(true))

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

var zoneShape = regexp.MustCompile(`^[A-Z][A-Za-z0-9_+-]*(/[A-Z][A-Za-z0-9_+-]*){1,2}$`)

// KnownZone reports whether name is a time zone of the IANA database, in its own spelling: "Europe/Lisbon", or "UTC".
// Abbreviations and the machine's own zone are none.
func KnownZone(name string) bool {
	if name == "UTC" {
		return true
	}
	if len(name) > MaxZone || !zoneShape.MatchString(name) {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

var localeShape = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$`)

// KnownLocale reports whether tag has the form of a BCP 47 language tag: language, then optional script and region,
// as in "pt-BR" or "zh-Hant-TW".
func KnownLocale(tag string) bool { return len(tag) <= MaxLocale && localeShape.MatchString(tag) }

var phoneShape = regexp.MustCompile(`^\+?([ ()./-]*[0-9]){5,}[ ()./-]*$`)

// KnownPhone reports whether s is a phone number as people write it: digits with the usual signs between them, five
// digits at least.
func KnownPhone(s string) bool { return len(s) <= MaxPhone && phoneShape.MatchString(s) }

// IsLine reports whether s is text for one line: at most limit characters and no control characters, which would
// break a mail's header or a table.
func IsLine(s string, limit int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= limit && !strings.ContainsFunc(s, unicode.IsControl)
}

// clipLine makes any text fit IsLine.
func clipLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit])
	}
	return s
}
