package names

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The characters that join: they are invisible themselves and shape the letters, or make one picture of several,
// beside them.
const (
	nonJoiner      = '\u200c'
	joiner         = '\u200d'
	vowelSeparator = '\u180e' // of Mongolian
	textStyle      = '\ufe0e'
	emojiStyle     = '\ufe0f'
	keycap         = '\u20e3'
	flag           = '\U0001f3f4'
	firstTag       = '\U000e0020'
	lastTag        = '\U000e007f'
	firstIdeograph = '\U000e0100' // the variants of ideographs that Japanese names are written with
	lastIdeograph  = '\U000e01ef'
)

// blanks are characters that look like spaces but are none in Unicode.
var blanks = []rune{'\u115f', '\u1160', '\u2800', '\u3164', '\uffa0'}

// shaped are the scripts with letters that a joiner between them changes: those that join like Arabic, and those with
// a virama.
var shaped = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Phags_Pa,
	unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Tibetan, unicode.Myanmar, unicode.Khmer, unicode.Thai, unicode.Lao, unicode.Balinese, unicode.Javanese,
	unicode.Sundanese, unicode.Chakma, unicode.Newa, unicode.Tirhuta, unicode.Meetei_Mayek, unicode.Grantha,
}

// Clean returns a name as it is stored: composed (NFC), with single spaces, and without invisible characters. A name
// without a visible character becomes empty, so that required names are refused. Control characters and text that is
// not UTF-8 stay, for the check of the field to refuse.
//
// Joiners stay where they have an effect: between letters of scripts that join or have a virama (Persian, Hindi),
// between the pictures of an emoji, and as the variant of an emoji or an ideograph.
func Clean(name string) string {
	if plain(name) {
		return name
	}
	if !utf8.ValidString(name) {
		return strings.TrimSpace(name)
	}
	for range passes {
		before := name
		if name = pass(name); name == before {
			break
		}
	}
	return name
}

// passes bounds the passes over a name: marks on both sides of a removed character may change places, and then a
// joiner is beside another letter.
const passes = 4

// pass is one reading of Clean.
func pass(name string) string {
	in := []rune(norm.NFC.String(strings.TrimSpace(name)))
	out := make([]rune, 0, len(in))
	visible := false
	for i, r := range in {
		var before, after rune
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		if i+1 < len(in) {
			after = in[i+1]
		}
		switch {
		case unicode.IsControl(r):
			out, visible = append(out, r), visible || !unicode.IsSpace(r)
		case isBlank(r):
			if before != 0 && before != ' ' {
				out = append(out, ' ')
			}
		case !Invisible(r):
			out, visible = append(out, r), visible || !unicode.IsMark(r)
		case joins(before, r, after):
			out = append(out, r)
		}
	}
	if !visible {
		return ""
	}
	return norm.NFC.String(strings.TrimSpace(string(out)))
}

// plain reports whether a name needs no cleaning: words of printable ASCII with single spaces between them, as most
// are.
func plain(name string) bool {
	before := byte(' ')
	for i := range len(name) {
		if b := name[i]; b < ' ' || b > '~' || b == ' ' && before == ' ' {
			return false
		}
		before = name[i]
	}
	return name == "" || before != ' '
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || slices.Contains(blanks, r) }

// Invisible reports whether a character is invisible by itself and is neither a space nor a control character: the
// default ignorable ones of Unicode, marks of direction, and noncharacters.
func Invisible(r rune) bool {
	switch {
	case r < 0x80 || unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	case r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// joins reports whether an invisible character does something between these two.
func joins(before, r, after rune) bool {
	switch {
	case r == nonJoiner || r == joiner || r == vowelSeparator:
		if isShaped(before) && (isShaped(after) || isVirama(before)) {
			return true
		}
		return r == joiner && isPicture(before) && unicode.IsSymbol(after)
	case r == textStyle || r == emojiStyle:
		return after == keycap || isPicture(before) || unicode.Is(unicode.Han, before)
	case r >= firstIdeograph && r <= lastIdeograph:
		return unicode.Is(unicode.Han, before)
	case r >= firstTag && r <= lastTag:
		return before == flag || before >= firstTag && before <= lastTag
	case unicode.Is(unicode.Variation_Selector, r):
		return unicode.In(before, unicode.Han, unicode.Mongolian, unicode.Myanmar)
	}
	return false
}

func isShaped(r rune) bool { return !Invisible(r) && unicode.In(r, shaped...) }

func isVirama(r rune) bool { return norm.NFC.PropertiesString(string(r)).CCC() == 9 }

// isPicture reports whether a character can be a part of an emoji that others are joined to.
func isPicture(r rune) bool {
	return unicode.IsSymbol(r) || r == emojiStyle || r == keycap || r == '\u203c' || r == '\u2049' || r == '\u3030'
}
