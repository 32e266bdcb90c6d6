package business

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/names"
	"foyer/app/patch"
)

// Bounds of texts, in characters, and of other values.
const (
	MaxName       = 120 // of a business, a location, a member
	MaxSpaceName  = 80
	MaxKeyName    = 80
	MaxRateName   = 60
	MaxCategory   = 60 // name of a revenue category
	MaxWord       = 40 // headings for listings
	MaxStreet     = 200
	MaxCity       = 120
	MaxRegion     = 120
	MaxPostalCode = 20
	MaxWebsite    = 300
	MaxOtherSites = 20         // further addresses of a studio's website
	MaxSpaceSize  = 10_000     // people in a space
	MaxTaxPPM     = 1_000_000  // 100 %
	MaxIntervals  = 70         // opening intervals of a week
	MaxSlugs      = 20         // addresses that one record has or had
	MaxRoles      = 50         // roles of one member
	MaxCap        = 10_000     // bookings of a location in a day
	MaxRefundCap  = 99_999_999 // refund of one payment at the desk, in minor units: the maximum of a card payment
	MaxMemberCap  = 1000       // appointments of a member in a day or a week
)

// checkLine cleans s, when it is given, and requires one line of 1 to limit characters.
func checkLine(c *fault.Checks, field string, s *string, limit int) {
	if s == nil {
		return
	}
	*s = names.Clean(*s)
	c.That(*s != "" && identity.IsLine(*s, limit), field, fmt.Sprintf("Write 1 to %d characters on one line.", limit))
}

// checkMaybe is checkLine for text that may be empty.
func checkMaybe(c *fault.Checks, field string, s *string, limit int) {
	*s = names.Clean(*s)
	c.That(identity.IsLine(*s, limit), field, fmt.Sprintf("Write at most %d characters on one line.", limit))
}

func checkZone(c *fault.Checks, field, zone string) {
	c.That(identity.KnownZone(zone), field, "Write a time zone of the IANA list, like Europe/Lisbon.")
}

func checkCurrency(c *fault.Checks, field string, code money.Currency) {
	_, ok := money.Lookup(code)
	c.That(ok, field, "Write the code of a currency that cards can be charged in, like USD.")
}

// under records the message of an error under the field of this request, where the other package names the field
// otherwise.
func under(c *fault.Checks, field string, err error) {
	f := fault.From(err)
	if f == nil {
		return
	}
	for _, wrong := range f.Fields {
		c.That(false, field, wrong.Message)
	}
}

// parseWebsite returns an address in its stored form: with a scheme, the host in lower case. It accepts http and
// https, a host with a dot, no user information, and no text that a browser parses differently from its appearance.
func parseWebsite(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", true
	}
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || strings.ContainsAny(s, "\\ \t\r\n<>\"") {
		return "", false
	}
	u.Host = strings.ToLower(u.Host)
	host := u.Hostname()
	dot := strings.IndexByte(host, '.')
	s = u.String()
	return s, dot > 0 && dot < len(host)-1 && utf8.RuneCountInString(s) <= MaxWebsite
}

// checkCap checks a maximum per day or week, if one is set.
func checkCap(c *fault.Checks, field string, most patch.Field[int], limit int) {
	if most.Value != nil {
		c.That(*most.Value >= 1 && *most.Value <= limit, field, fmt.Sprintf("Use 1 to %d, or null for no limit.", limit))
	}
}
