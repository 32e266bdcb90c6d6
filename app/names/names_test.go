package names

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ given, kept string }{
		{"", ""}, {"Zoë Ray", "Zoë Ray"}, {"  Zoë \u00a0 Ray\u2003", "Zoë Ray"}, {"Zoe\u0308 Ray", "Zoë Ray"}, {"a  b", "a b"}, {" ", ""},
		// Invisible.
		{"\u200b", ""}, {"\u202e", ""}, {"\u2028", ""}, {"\u2029", ""}, {"\u3164", ""}, {"\u2800", ""}, {"\u115f", ""}, {"\u1160\uffa0", ""},
		{"\u200e\u200f\u061c", ""}, {"\ufeff", ""}, {"\u00ad", ""}, {"\u034f", ""}, {"\u2060\u2063", ""}, {"\u2066\u2069", ""}, {"\u180e", ""},
		{"\U000e0041", ""}, {"\ufe0f", ""}, {"\u200d", ""}, {"\u200c \u200d", ""}, {"\u17b4", ""}, {"\ufff9", ""}, {"\U0001d173", ""},
		{"\u0301", ""}, {" \u0301\u200b", ""}, {"\ufdd0\ufffe", ""}, {"\U000e0100", ""},
		// Between visible characters.
		{"Zo\u200bë", "Zoë"}, {"\u202eyaR", "yaR"}, {"Zoë\u2028Ray", "Zoë Ray"}, {"Zo\u200dë", "Zoë"}, {"Zoe\u200b\u0308", "Zoë"}, {"Zoë\ufe0f", "Zoë"},
		{"Zoë\u3164Ray", "Zoë Ray"}, {"\u200bZoë\u200b \u200bRay\u200b", "Zoë Ray"}, {"so\u00adft", "soft"},
		// That do something.
		{"می\u200cخواهم", "می\u200cخواهم"}, {"می\u200c\u200cخواهم", "می\u200cخواهم"}, {"क्\u200dष", "क्\u200dष"}, {"ന്\u200d", "ന്\u200d"},
		{"👩\u200d🦰 Yoga", "👩\u200d🦰 Yoga"}, {"❤\ufe0f", "❤\ufe0f"}, {"🏳\ufe0f\u200d🌈", "🏳\ufe0f\u200d🌈"}, {"1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		{"🏴\U000e0067\U000e0062\U000e007f", "🏴\U000e0067\U000e0062\U000e007f"}, {"👩🏽\u200d🏫", "👩🏽\u200d🏫"}, {"葛\U000e0100", "葛\U000e0100"},
		{"🧘\u200d♀\ufe0f", "🧘\u200d♀\ufe0f"}, {"👩\u200d❤\ufe0f\u200d👩", "👩\u200d❤\ufe0f\u200d👩"}, {"👩\u200d", "👩"}, {"خ\u200c", "خ"},
		// For the check of the field.
		{"a\x00b", "a\x00b"}, {"a\tb", "a\tb"}, {"\xff", "\xff"},
	} {
		if got := Clean(c.given); got != c.kept {
			t.Errorf("Clean(%+q) = %+q, want %+q", c.given, got, c.kept)
		}
	}
}

func TestKey(t *testing.T) {
	same := []string{"Zoë Ray", "Zoe\u0308 Ray", "zoë ray", "ZOË RAY", "Zoë  Ray", "Zoë\u00a0Ray", " Zoë Ray ", "Zo\u200bë Ray", "Ｚoë Ray"}
	for _, name := range same {
		if !Same(name, "Zoë Ray") {
			t.Errorf("%+q is another person than Zoë Ray: %+q", name, Key(name))
		}
	}
	for _, pair := range [][2]string{{"O'Neil", "O’Neil"}, {"Oʼneil", "O'NEIL"}, {"Strauß", "STRAUSS"}, {"Anne-Marie", "anne\u2011marie"}, {"Σίσυφος", "ΣΊΣΥΦΟΣ"}, {"", "\u200b"}} {
		if !Same(pair[0], pair[1]) {
			t.Errorf("%q and %q are two people: %q, %q", pair[0], pair[1], Key(pair[0]), Key(pair[1]))
		}
	}
	for _, pair := range [][2]string{{"Zoë Ray", "Zoe Ray"}, {"Zoë Ray", "ZoëRay"}, {"Zoë", ""}, {"Ana", "Anna"}} {
		if Same(pair[0], pair[1]) {
			t.Errorf("%q and %q are one person", pair[0], pair[1])
		}
	}
}

func TestSearch(t *testing.T) {
	for _, c := range []struct{ name, query string }{
		{"Zoë Müller", "zoe"}, {"Zoë Müller", "muller"}, {"Zoë Müller", "MÜLLER"}, {"Zoe\u0308 Mu\u0308ller", "zoë  mü"}, {"Søren Łuk", "soren luk"},
		{"D’Angelo", "d'angelo"}, {"D'Angelo", "dʼan"}, {"Weiß", "weiss"}, {"Йован", "иован"}, {"Ξένια", "ξενια"}, {"İpek", "ipek"}, {"Nguyễn", "nguyen"},
	} {
		if !Has(c.name, c.query) || !Has(c.query+" x", c.query) {
			t.Errorf("%q is not found by %q: %q", c.name, c.query, Search(c.name))
		}
	}
	if Has("かなえ", "がなえ") || Has("कि", "क") != true || Begins("Zoë Müller", "uller") || !Begins("Zoë Müller", "mu") {
		t.Error("a letter is taken for another, or the middle of a word for its beginning")
	}
}

func TestCleanIsKept(t *testing.T) {
	char := rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("aë 'é\u0301\u200b\u200c\u200d\ufe0f\u20e3👩🏽❤🏴\U000e0067میक्\u3164\u2028\u180e葛\U000e0100")))
	rapid.Check(t, func(t *rapid.T) {
		name := string(rapid.SliceOf(char).Draw(t, "name"))
		kept := Clean(name)
		if Clean(kept) != kept || !norm.NFC.IsNormalString(kept) || !utf8.ValidString(kept) || strings.Contains(kept, "  ") {
			t.Errorf("%+q is kept as %+q, and that as %+q", name, kept, Clean(kept))
		}
		if Key(name) != Key(kept) || Search(name) != Search(kept) {
			t.Errorf("%+q has the key %+q, and once kept %+q", name, Key(name), Key(kept))
		}
	})
}
