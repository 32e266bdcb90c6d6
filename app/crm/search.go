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

// Query is a search for customers: a part of a name in any spelling, the beginning of an e-mail address, or a part of
// a phone number in any of its usual forms.
type Query struct {
	name    string // as names.Search
	typed   string // as typed, in lower case, without invisible characters
	email   string
	numbers []string // digits, one of them in the key of a number; none: it is no number
}

// ParseQuery parses the text of a search.
func ParseQuery(text string) Query {
	typed := strings.ToLower(names.Clean(text))
	return Query{name: cmp.Or(names.Search(text), typed), typed: typed, email: emailPart(typed), numbers: numberParts(typed)}
}

// Empty reports whether the text is empty, so that the query finds every customer.
func (q Query) Empty() bool { return q.typed == "" }

// Restrict adds to a statement the condition that the query finds customer c. Records without search keys are matched
// as typed.
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

// Fits is Restrict for a customer in memory.
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

// emailPart returns the beginning of an address in its stored form. Of an unfinished international domain it can only
// use that it is one: its ASCII form changes with each letter.
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

// Minimum digits for a search anywhere in a number, as typed and without its prefix. Fewer must be its first.
const (
	digitsMin = 3
	restMin   = 4
)

// numberKey returns the search key of a phone number: its digits as written, with those of its international and of
// its national form where the country is known. Each of them follows a space. It is empty for no number.
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

// numberParts returns the digits to search for a number: as typed, and without the country code or the zero that only
// some forms of a number have. Nil when it is no number.
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

// digitsOf returns the digits of a number; abroad reports whether it has a country code, marked by a plus or by 00,
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

// withoutTrunk returns the digits of an international number without the zero in brackets of +49 (0)170, which is
// never dialled.
func withoutTrunk(phone, digits string) string {
	if code := countryCode(digits); strings.Contains(phone, "(0)") && strings.HasPrefix(digits[len(code):], "0") {
		return code + digits[len(code)+1:]
	}
	return digits
}

// countryCode returns the calling code of an international number; empty: there is none like it.
func countryCode(digits string) string {
	for n := 1; n <= 3 && n <= len(digits); n++ {
		if code, err := strconv.Atoi(digits[:n]); err == nil && phonenumbers.GetSupportedCallingCodes()[code] && digits[0] != '0' {
			return digits[:n]
		}
	}
	return ""
}
