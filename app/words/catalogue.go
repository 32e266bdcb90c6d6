package words

import (
	"embed"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/leonelquinteros/gotext"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Catalogues are the translations, one file a language: "de.po".
//
//go:embed po/*.po
var Catalogues embed.FS

// English is the language of the code, which needs no catalogue.
const English = "en"

// catalogue is the translations into one language; a nil one leaves the English as it is.
type catalogue struct {
	plain map[string]*gotext.Translation            // by English sentence
	about map[string]map[string]*gotext.Translation // by context and English sentence
	po    *gotext.Po
}

var catalogues = sync.OnceValue(func() map[string]*catalogue {
	books := map[string]*catalogue{}
	files, err := fs.Glob(Catalogues, "po/*.po")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		text, err := Catalogues.ReadFile(file)
		if err != nil {
			panic(err)
		}
		po := gotext.NewPo()
		po.Parse(text)
		d := po.GetDomain()
		books[strings.TrimSuffix(path.Base(file), ".po")] = &catalogue{d.GetTranslations(), d.GetCtxTranslations(), po}
	}
	return books
})

func (b *catalogue) text(context string, text Text) string {
	if b == nil || text == "" { // gettext keeps the head of a catalogue under the empty sentence
		return string(text)
	}
	found := b.plain[string(text)]
	if context != "" {
		found = b.about[context][string(text)]
	}
	if found == nil || !found.IsTranslated() {
		return string(text)
	}
	return found.Get()
}

func (b *catalogue) plural(n int, one, many Text) string {
	if b != nil && b.po.IsTranslatedN(string(one), n) {
		return b.po.GetN(string(one), string(many), n)
	}
	if n == 1 {
		return string(one)
	}
	return string(many)
}

// Language is one that foyer speaks.
type Language struct {
	Tag  string // "de"
	Name string // in itself: "Deutsch"
}

// Languages lists what foyer speaks: English, then the others in the order of their names.
var Languages = sync.OnceValue(func() []Language {
	list := []Language{{English, "English"}}
	for _, tag := range []string{"de", "es", "fr", "it", "nl", "pt"} {
		list = append(list, Language{tag, title(display.Self.Name(language.Make(tag)))})
	}
	return list
})

// Known tells whether foyer speaks the language of a locale.
func Known(locale string) bool {
	base, _ := split(locale)
	for _, l := range Languages() {
		if l.Tag == base {
			return true
		}
	}
	return false
}

// Best is the first language of a browser's Accept-Language, in the order of its wishes, that foyer speaks: "de". Empty
// when there is none.
func Best(accept string) string {
	tags, _, err := language.ParseAcceptLanguage(accept)
	if err != nil {
		return ""
	}
	for _, tag := range tags {
		if base, _ := tag.Base(); Known(base.String()) {
			return base.String()
		}
	}
	return ""
}
