package words_test

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leonelquinteros/gotext"

	"foyer/app/apptest/texts"
	"foyer/app/words"
)

// TestCatalogues compares each catalogue with the sentences in the code: none is missing, none is left over, and each
// keeps its places.
func TestCatalogues(t *testing.T) {
	list, err := texts.Find("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 50 {
		t.Fatalf("only %d sentences were found in the code", len(list))
	}
	pages := slices.DeleteFunc(slices.Clone(list), texts.Message.Console)
	console := slices.DeleteFunc(slices.Clone(list), func(m texts.Message) bool { return !m.Console() })
	if len(console) < 50 {
		t.Fatalf("only %d sentences of the console were found in the code", len(console))
	}
	files, _ := fs.Glob(words.Catalogues, "po/*.po")
	if want := len(words.Languages()) - 1; len(files) != want {
		t.Fatalf("%d catalogues, want %d", len(files), want)
	}
	more, _ := fs.Glob(words.Catalogues, "po/console/*.po")
	for _, file := range append(files, append(more, "po/console/console.pot")...) {
		list := pages
		if path.Base(path.Dir(file)) == "console" {
			list = console
		}
		text, err := words.Catalogues.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		po := gotext.NewPo()
		po.Parse(text)
		d := po.GetDomain()
		template := path.Ext(file) == ".pot"
		if tag := strings.TrimSuffix(path.Base(file), ".po"); !template && (d.Headers.Get("Language") != tag || d.PluralForms == "") {
			t.Errorf("%s: the head says language %q and plurals %q", file, d.Headers.Get("Language"), d.PluralForms)
		}
		plain, about := d.GetTranslations(), d.GetCtxTranslations()
		delete(plain, "")
		for _, m := range list {
			tr := plain[m.Text]
			delete(plain, m.Text)
			if m.Context != "" {
				tr = about[m.Context][m.Text]
				delete(about[m.Context], m.Text)
			}
			if template && tr == nil {
				t.Errorf("%s: %q is missing (run make words)", file, m.Text)
			}
			if wrong := wrongIn(m, tr); wrong != "" && !template {
				t.Errorf("%s: %q %s (run make words, then translate)", file, m.Text, wrong)
			}
		}
		for text := range plain {
			t.Errorf("%s: nobody says %q (run make words)", file, text)
		}
		for context, texts := range about {
			delete(texts, "") // as the library reads a context
			for text := range texts {
				t.Errorf("%s: nobody says %q of %s (run make words)", file, text, context)
			}
		}
	}
}

// wrongIn returns the errors of a translation. A plural form may spell out its number, in the form for one.
func wrongIn(m texts.Message, tr *gotext.Translation) string {
	forms := 1
	if m.Many != "" {
		forms = 2
	}
	for i := range forms {
		if tr == nil || tr.Trs[i] == "" {
			return "is not translated"
		}
		places, want := texts.Placeholders(tr.Trs[i]), texts.Placeholders(m.Text)
		if i > 0 {
			want = texts.Placeholders(m.Many)
		}
		without := slices.DeleteFunc(slices.Clone(places), func(p string) bool { return p == "n" })
		if m.Many != "" && i == 0 && slices.Equal(without, slices.DeleteFunc(slices.Clone(want), func(p string) bool { return p == "n" })) {
			continue
		}
		if !slices.Equal(places, want) {
			return fmt.Sprintf("has the places %q, in translation %q", want, places)
		}
		if strings.Contains(tr.Trs[i], ";") && !strings.Contains(m.Text, ";") {
			return "has a semicolon, which joins the clauses of what cancelling costs"
		}
		if strings.TrimSpace(tr.Trs[i]) != tr.Trs[i] {
			return "has space around its translation"
		}
	}
	return ""
}

// TestDates writes one instant in the ways of many places, as CLDR 47 does. E44.
func TestDates(t *testing.T) {
	at := time.Date(2026, 11, 6, 18, 5, 0, 0, time.UTC)
	for locale, want := range map[string]string{
		"en-US": "Nov 6|Fri, Nov 6|Friday, November 6|November 2026|6:05 pm",
		"en-GB": "6 Nov|Fri 6 Nov|Friday 6 November|November 2026|18:05",
		"en-PT": "6 Nov|Fri 6 Nov|Friday 6 November|November 2026|18:05",
		"en-JP": "6 Nov|Fri 6 Nov|Friday 6 November|November 2026|18:05",
		"en":    "6 Nov|Fri 6 Nov|Friday 6 November|November 2026|18:05",
		"de":    "6. Nov.|Fr., 6. Nov.|Freitag, 6. November|November 2026|18:05",
		"de-AT": "6. Nov.|Fr., 6. Nov.|Freitag, 6. November|November 2026|18:05",
		"es-ES": "6 nov|vie, 6 nov|viernes, 6 de noviembre|noviembre de 2026|18:05",
		"es-MX": "6 nov|vie 6 de nov|viernes, 6 de noviembre|noviembre de 2026|6:05 p.m.",
		"fr-FR": "6 nov.|ven. 6 nov.|vendredi 6 novembre|novembre 2026|18:05",
		"fr-CA": "6 nov.|ven. 6 nov.|vendredi 6 novembre|novembre 2026|18 h 05",
		"pt-BR": "6 de nov.|sex., 6 de nov.|sexta-feira, 6 de novembro|novembro de 2026|18:05",
		"pt-PT": "6/11|sexta, 6/11|sexta-feira, 6 de novembro|novembro de 2026|18:05",
		"it-IT": "6 nov|ven 6 nov|venerdì 6 novembre|novembre 2026|18:05",
		"nl-NL": "6 nov|vr 6 nov|vrijdag 6 november|november 2026|18:05",
		"xx":    "6 Nov|Fri 6 Nov|Friday 6 November|November 2026|18:05",
	} {
		l := words.In(locale)
		digits, half := l.Clock(at)
		got := strings.Join([]string{l.Date(at, at, words.Short), l.Date(at, at, words.ShortDate), l.Date(at, at, words.FullDate),
			l.Date(at, at, words.MonthYear), strings.TrimSpace(digits + " " + half)}, "|")
		if got != want {
			t.Errorf("%s: %s, want %s", locale, got, want)
		}
	}
	next := at.AddDate(1, 0, 0)
	for locale, want := range map[string]string{
		"en-US": "Sat, Nov 6, 2027|Saturday, November 6, 2027", "en-GB": "Sat 6 Nov 2027|Saturday 6 November 2027",
		"de": "Sa., 6. Nov. 2027|Samstag, 6. November 2027", "pt": "sáb., 6 de nov. de 2027|sábado, 6 de novembro de 2027",
	} {
		l := words.In(locale)
		if got := l.Date(next, at, words.ShortDate) + "|" + l.Date(next, at, words.FullDate); got != want {
			t.Errorf("%s in another year: %s, want %s", locale, got, want)
		}
	}
}

// TestLanguages tests the supported languages, and the wishes of a browser.
func TestLanguages(t *testing.T) {
	var names []string
	for _, l := range words.Languages() {
		names = append(names, l.Tag+" "+l.Name)
	}
	if got, want := strings.Join(names, ", "), "en English, de Deutsch, es Español, fr Français, it Italiano, nl Nederlands, pt Português"; got != want {
		t.Errorf("languages: %s, want %s", got, want)
	}
	for accept, want := range map[string]string{
		"": "", "de-CH,de;q=0.9,en;q=0.8": "de", "ja,fr;q=0.5,en;q=0.7": "en", "ja": "", "pt-BR": "pt", "*": "", "x;;;": "",
	} {
		if got := words.Best(accept); got != want {
			t.Errorf("%q: %q, want %q", accept, got, want)
		}
	}
	l := words.In("de-CH")
	if got := l.Tag() + " " + l.Base() + " " + l.Country("CH") + " " + l.Number(1480) + " " + words.In("xx-PT").Tag() + " " + words.In("en").Country("PT"); got != "de-CH de Schweiz 1’480 en-PT Portugal" {
		t.Error(got)
	}
}

// TestClockOfTheReader: a clock is that of the language that is read, not only of the country where the place is.
// Issue 31, item 19.
func TestClockOfTheReader(t *testing.T) {
	at := time.Date(2026, 11, 6, 18, 5, 0, 0, time.UTC)
	for locale, want := range map[string]string{
		"de-US": "18:05", "fr-US": "18:05", "it-AU": "18:05", "nl-IN": "18:05", "pt-US": "18:05", "fr-CA": "18 h 05",
		"en-US": "6:05 pm", "en-AU": "6:05 pm", "en-DE": "18:05", "en-GB": "18:05", "es-US": "6:05 p.m.", "es-ES": "18:05", "de-DE": "18:05", "en": "18:05",
	} {
		digits, half := words.In(locale).Clock(at)
		if got := strings.TrimSpace(digits + " " + half); strings.ReplaceAll(got, "\u00a0", " ") != want {
			t.Errorf("%s: %q, want %q", locale, got, want)
		}
	}
}
