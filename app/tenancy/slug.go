package tenancy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/norm"

	"foyer/app/fault"
)

// A root slug is the first part of a public address: /{studio} or /{location}, and the location an embed names. All
// businesses and locations share one space of root slugs with the program's own paths, hence the reserved words.

// The length of a slug in characters.
const (
	SlugMin = 3
	SlugMax = 60
)

// reserved are words that a studio must not use: first parts of the program's own addresses (E153), words that look
// like them, and words that would let a page pass for ours. Words with a dot or an underscore (openapi.json, __sim)
// need no entry, as they are no slugs.
var reserved = strings.Fields(`
	about account accounting admin agreements api api-keys app appointments assets asset auth
	billing blog book booking bookings business businesses
	calendar cart carts checkout classes connect console contact customers
	dashboard dev docs download
	embed embeds error explore export
	faq favicon feed feeds foyer
	health healthz help home hooks
	image images import index internal invite invites
	legal listing listings livez llms location locations login logout
	mail mailbox manage mcp me media metrics my
	new null
	oauth offering offerings openapi operator
	page pages password pay payment payments plans ping platform pricing privacy product products profile public
	ready readyz receipt receipts register rentals report reports robots root
	search security session sessions settings setup shop sign-in sign-out sign-up signin signout signup sim sitemap static
	status storefront studio stylesheet support system
	team terms theme themes
	undefined upload uploads user users
	verify
	walkins webhook webhooks welcome well-known widget www
`)

// CheckSlug returns an error unless s may be a root slug: 3 to 60 lower-case letters a-z, digits and single hyphens,
// with no hyphen at either end, not shaped like a UUID and not a reserved word. The error is a Validation fault on
// the field "slug". The store checks whether another business has it.
func CheckSlug(s string) error {
	switch {
	case len(s) < SlugMin || len(s) > SlugMax:
		return fault.Invalid("slug", "Use 3 to 60 characters.")
	case !SlugShaped(s):
		return fault.Invalid("slug", "Use lower-case letters a to z, digits and single hyphens, with a letter or digit at both ends.")
	case uuidShaped(s):
		return fault.Invalid("slug", "This looks like a record id. Use a word.")
	case slices.Contains(reserved, s):
		return fault.Invalid("slug", "This word is reserved. Add another word to it.")
	}
	return nil
}

var slugShape = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// SlugShaped reports whether s has only slug characters, a letter or digit at both ends, no two hyphens in a row.
func SlugShaped(s string) bool { return slugShape.MatchString(s) }

func slugByte(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// uuidShaped: 36 characters with hyphens, or the 32 hexadecimal digits alone. An id in a path must never be a slug.
func uuidShaped(s string) bool {
	_, err := uuid.Parse(s)
	return err == nil
}

// Slugify proposes a root slug for a name: accents are dropped ("Café Zoë" gives cafe-zoe), other scripts are written
// in Latin letters ("瑜伽" gives yu-jia), other signs become hyphens. A name without any letter, such as a picture,
// gives "studio-" and the suffix; a reserved or too short one gets the suffix appended. The caller chooses the
// suffix, a few random letters and digits ("7f3k"), and tries another one if the proposal is in use. The result
// passes CheckSlug if the suffix has a letter or digit.
func Slugify(name, suffix string) string {
	slug, suffix := Clip(fold(name), SlugMax, '-'), Clip(fold(suffix), SlugMax/2, '-')
	if slug == "" {
		return "studio-" + suffix
	}
	if CheckSlug(slug) != nil {
		slug = Clip(slug, SlugMax-1-len(suffix), '-') + "-" + suffix
	}
	if CheckSlug(slug) != nil { // a reserved word again, "api" and "keys"
		return "studio-" + suffix
	}
	return slug
}

// Clip shortens ASCII text to at most n characters, behind a whole word when one ends in the second half. between
// stands between words.
func Clip(s string, n int, between byte) string {
	if len(s) <= n {
		return s
	}
	if cut := strings.LastIndexByte(s[:n+1], between); cut > n/2 {
		return s[:cut]
	}
	return strings.TrimRight(s[:n], string(between))
}

// letters that do not decompose into a plain letter and an accent, and signs that read as a word.
var latin = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ı': "i", 'ħ': "h", 'ŋ': "ng",
	'ŧ': "t", 'ə': "e", 'ĸ': "k", '&': "-and-", '+': "-plus-", '\'': "", '’': "", '‘': "", 'ʼ': "",
}

// fold turns any text into slug characters with single hyphens between words; other characters are word breaks.
// Letters of other scripts are transliterated, each alone: a Chinese one in the way of Mandarin.
func fold(s string) string {
	out := make([]byte, 0, len(s))
	for _, whole := range norm.NFKC.String(s) {
		if foreign(whole) {
			out = fit(out, strings.ToLower(unidecode.Unidecode(string(whole))))
			continue
		}
		for _, r := range norm.NFKD.String(string(whole)) { // an accent comes apart from its letter
			if unicode.Is(unicode.Mn, r) {
				continue
			}
			r = unicode.ToLower(r)
			part, known := latin[r]
			if !known {
				part = string(r)
			}
			out = fit(out, part)
		}
	}
	return strings.TrimRight(string(out), "-")
}

// Latin returns text in ASCII, for a system that takes no other: letters without their accents, other scripts
// transliterated as in slugs. A character without such a form is left out; control characters stay.
func Latin(text string) string { return unidecode.Unidecode(text) }

// foreign reports whether r is a letter outside the Latin script, or a vowel that is written beside one.
func foreign(r rune) bool {
	_, known := latin[r]
	return !known && (unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) || unicode.Is(unicode.Mc, r))
}

// fit adds a part of a text to a slug: its slug characters, and one hyphen for all that stands between them.
func fit(slug []byte, part string) []byte {
	for i := range len(part) {
		switch {
		case slugByte(part[i]):
			slug = append(slug, part[i])
		case len(slug) > 0 && slug[len(slug)-1] != '-':
			slug = append(slug, '-')
		}
	}
	return slug
}
