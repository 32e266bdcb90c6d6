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

// Catalogues are the translations, one file a language: "de.po". Messages of the console only are in po/console,
// where a language is complete or has no file; console.pot lists them.
//
//go:embed po/*.po po/console
var Catalogues embed.FS

// English is the language of the code. It needs no catalogue.
const English = "en"

// catalogue is the translations into one language; a nil one leaves the English as it is.
type catalogue struct {
	plain map[string]*gotext.Translation            // by English sentence
	about map[string]map[string]*gotext.Translation // by context and English sentence
	po    *gotext.Po
}

var catalogues = sync.OnceValue(func() map[string]*catalogue {
	books := map[string]*catalogue{}
	for file, text := range files("po/*.po") {
		tag := strings.TrimSuffix(path.Base(file), ".po")
		if more, err := Catalogues.ReadFile("po/console/" + tag + ".po"); err == nil {
			_, entries, _ := strings.Cut(string(more), "\n\n") // without its head
			text += "\n" + entries
		}
		po := gotext.NewPo()
		po.Parse([]byte(text))
		d := po.GetDomain()
		books[tag] = &catalogue{d.GetTranslations(), d.GetCtxTranslations(), po}
	}
	return books
})

// files are the catalogues that a pattern finds, by their path.
func files(pattern string) map[string]string {
	found, err := fs.Glob(Catalogues, pattern)
	if err != nil {
		panic(err)
	}
	out := map[string]string{}
	for _, file := range found {
		text, err := Catalogues.ReadFile(file)
		if err != nil {
			panic(err)
		}
		out[file] = string(text)
	}
	return out
}

// ForConsole returns the language of the console for a wished language: English if the console's own sentences are
// not translated.
func ForConsole(wish string) string {
	base, _ := split(wish)
	if _, err := fs.Stat(Catalogues, "po/console/"+base+".po"); err != nil {
		return English
	}
	return base
}

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

// Languages lists the supported languages: English, then the others in the order of their names.
var Languages = sync.OnceValue(func() []Language {
	list := []Language{{English, "English"}}
	for _, tag := range []string{"de", "es", "fr", "it", "nl", "pt"} {
		list = append(list, Language{tag, title(display.Self.Name(language.Make(tag)))})
	}
	return list
})

// Known reports whether the language of a locale is supported.
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
