package crm

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/pg"
)

// Query is text that customers are searched for by: a part of a name however it is spelled, the beginning of an e-mail
// address, or a part of a phone number in any of the forms that people write it in.
type Query struct {
	name    string // as names.Search
	typed   string // as it was typed, in lower case, without what nobody sees
	email   string
	numbers []string // digits of which a number's key has one; none: it is no number
}

// ParseQuery reads what somebody typed to find a customer.
func ParseQuery(text string) Query {
	typed := strings.ToLower(names.Clean(text))
	return Query{name: cmp.Or(names.Search(text), typed), typed: typed, email: emailPart(typed), numbers: numberParts(typed)}
}

// Empty reports whether nothing was typed, which finds everybody.
func (q Query) Empty() bool { return q.typed == "" }

// Restrict adds to a statement that the query finds customer c. Records whose keys are yet to be written are found as
// they were typed.
func (q Query) Restrict(s *pg.Shape) {
	if q.Empty() {
		return
	}
	s.And(`(case when c.name_key is null then c.name ilike ? else c.name_key like ? end or c.email like ?`,
		"%"+literal(q.typed)+"%", "%"+literal(q.name)+"%", literal(q.email)+"%")
	if len(q.numbers) > 0 {
		s.Add(` or coalesce(c.phone_key, ' ' || translate(c.phone, ' +()./-', '')) like any(?)`, patterns(q.numbers))
	}
	s.Add(`)`)
}

// Fits is Restrict for a customer at hand.
func (q Query) Fits(name, email, phone string) bool {
	key := numberKey(phone)
	return q.Empty() || strings.Contains(names.Search(name), q.name) || strings.HasPrefix(email, q.email) ||
		slices.ContainsFunc(q.numbers, func(digits string) bool { return strings.Contains(key, digits) })
}

// literal makes text match itself in LIKE.
func literal(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}

func patterns(numbers []string) []string {
	out := make([]string, len(numbers))
	for i, digits := range numbers {
		out[i] = "%" + digits + "%"
	}
	return out
}

// emailPart is the beginning of an address as it is kept. Of an international domain that is not typed to its end only
// that it is one is known: its ASCII form is another with each letter.
func emailPart(typed string) string {
	if address, ok := identity.ParseEmail(typed); ok {
		return address
	}
	local, domain, _ := strings.Cut(typed, "@")
	if strings.ContainsFunc(domain, func(r rune) bool { return r >= 0x80 }) {
		return local + "@xn--"
	}
	return typed
}

// The least digits that are searched for anywhere in a number, as they are typed and without what may stand before
// them. Fewer have to be its first.
const (
	digitsMin = 3
	restMin   = 4
)

// numberKey is what a phone number is searched by: its digits as they were written, with those of its international
// and of its national form where it says which country it is of. A space is before each of them. No number has none.
func numberKey(phone string) string {
	digits, abroad := digitsOf(phone)
	if digits == "" {
		return ""
	}
	key := []string{digits}
	if !abroad {
		return " " + digits
	}
	n, err := phonenumbers.Parse("+"+withoutTrunk(phone, digits), "")
	if err == nil && phonenumbers.IsPossibleNumber(n) {
		for _, form := range []phonenumbers.PhoneNumberFormat{phonenumbers.E164, phonenumbers.NATIONAL} {
			if more, _ := digitsOf(phonenumbers.Format(n, form)); !slices.Contains(key, more) {
				key = append(key, more)
			}
		}
	}
	return " " + strings.Join(key, " ")
}

// numberParts are the digits that a query for a number is found by: as they were typed, and without the country's code
// or the zero that stand before them in one form of a number and not in another. Nil when it is no number.
func numberParts(typed string) []string {
	digits, abroad := digitsOf(typed)
	if digits == "" || strings.ContainsFunc(typed, func(r rune) bool { return !strings.ContainsRune("0123456789 +()./-", r) }) {
		return nil
	}
	if len(digits) < digitsMin {
		return []string{" " + digits}
	}
	parts := []string{digits}
	rest := digits
	if abroad {
		rest = digits[len(countryCode(digits)):]
	}
	if rest = strings.TrimLeft(rest, "0"); len(rest) >= restMin && rest != digits {
		parts = append(parts, rest)
	}
	return parts
}

// digitsOf are the digits of a number; abroad reports whether it says which country it is of, by a plus or by 00,
// which are left out.
func digitsOf(phone string) (digits string, abroad bool) {
	digits = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, phone)
	if strings.HasPrefix(strings.TrimLeft(phone, " ("), "+") {
		return digits, true
	}
	return strings.CutPrefix(digits, "00")
}

// withoutTrunk are the digits of an international number without the zero in brackets of +49 (0)170, which nobody
// dials.
func withoutTrunk(phone, digits string) string {
	if code := countryCode(digits); strings.Contains(phone, "(0)") && strings.HasPrefix(digits[len(code):], "0") {
		return code + digits[len(code)+1:]
	}
	return digits
}

// countryCode is the calling code that an international number begins with; empty: there is none like it.
func countryCode(digits string) string {
	for n := 1; n <= 3 && n <= len(digits); n++ {
		if code, err := strconv.Atoi(digits[:n]); err == nil && phonenumbers.GetSupportedCallingCodes()[code] && digits[0] != '0' {
			return digits[:n]
		}
	}
	return ""
}
