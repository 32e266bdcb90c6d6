package names

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// alike are the spellings of one sign: of the apostrophe of O'Neil and of the hyphen of Anne-Marie.
var alike = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'", "ʻ", "'", "‛", "'", "′", "'", "`", "'", "´", "'",
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "–", "-", "\u2212", "-")

// Key returns the part that two names of one person have in common: letters in any composition and letter case, words
// with any spacing, apostrophes and hyphens of any kind. Accents distinguish people. The key of an empty name is
// empty.
func Key(name string) string {
	if name == "" {
		return ""
	}
	// A compatible form can be of several letters, with a space in front of an accent (´), so signs are made alike
	// before it.
	folded := cases.Fold().String(norm.NFKC.String(alike.Replace(Clean(name))))
	folded = strings.ToLower(norm.NFKC.String(folded)) // folding brings Cherokee to its capitals
	return strings.Join(strings.Fields(strings.Map(visible, folded)), " ")
}

// Same reports whether two names are one person's.
func Same(a, b string) bool { return a == b || Key(a) == Key(b) }

func visible(r rune) rune {
	if Invisible(r) {
		return -1
	}
	return r
}

// letters are those with a bar, hook or ligature that is no accent in Unicode, as they are typed on a keyboard
// without them.
var letters = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ð", "d", "ħ", "h", "ı", "i", "ŧ", "t", "ŋ", "n",
	"æ", "ae", "œ", "oe", "þ", "th", "ə", "e", "ĸ", "k")

// Search returns a name as it is searched: its Key without accents. Text that is searched for is found in a name when
// its own form is a part of the name's. The vowels of Hindi and the voiced marks of Japanese are no accents.
func Search(name string) string {
	key := Key(name)
	if ascii(key) {
		return key
	}
	bare := strings.Map(func(r rune) rune {
		if isAccent(r) {
			return -1
		}
		return r
	}, norm.NFD.String(key))
	return letters.Replace(norm.NFC.String(bare))
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// isAccent reports whether a mark of a decomposed letter may be left out in a search: accents of Latin, Greek and
// Cyrillic, and the points of Hebrew and Arabic.
func isAccent(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x1ab0 && r <= 0x1aff || r >= 0x1dc0 && r <= 0x1dff || r >= 0xfe20 && r <= 0xfe2f ||
		r >= 0x591 && r <= 0x5c7 && unicode.IsMark(r) || r >= 0x64b && r <= 0x65f || r == 0x670
}

// Begins reports whether one of the words of a text begins with the query, as Search compares.
func Begins(text, query string) bool {
	return strings.Contains(" "+Search(text), " "+Search(query))
}

// Has reports whether a text contains the query, as Search compares.
func Has(text, query string) bool { return strings.Contains(Search(text), Search(query)) }
