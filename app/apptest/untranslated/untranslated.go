// Package untranslated finds English on a page in another language. It recognizes English by the catalogue: a
// sentence of the code with a different translation. Text written by a studio is not in the catalogue, and is passed
// to the reader separately.
package untranslated

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/leonelquinteros/gotext"

	"foyer/app/words"
)

// Reader reads pages of one language. It is safe for concurrent use once it is made.
type Reader struct {
	sentences []sentence
	theirs    map[string]bool // sentences of the language itself, without placeholders
	studio    *strings.Replacer
}

// sentence is an English sentence, as the parts around its placeholders.
type sentence struct {
	text  string
	parts []string // in their order, none empty
	whole *regexp.Regexp
	runs  bool // it has a part of two words, so it is also known in the middle of other words
}

// For returns the reader of a language with a catalogue. studio is text written by hand that may be English: names
// and descriptions.
func For(language string, studio []string) (*Reader, error) {
	text, err := words.Catalogues.ReadFile("po/" + language + ".po")
	if err != nil {
		return nil, err
	}
	po := gotext.NewPo()
	po.Parse(text)
	r := &Reader{theirs: map[string]bool{}}
	entries := map[string][]*gotext.Translation{}
	for english, tr := range po.GetDomain().GetTranslations() {
		entries[english] = append(entries[english], tr)
	}
	for _, about := range po.GetDomain().GetCtxTranslations() {
		for english, tr := range about {
			entries[english] = append(entries[english], tr)
		}
	}
	for english, list := range entries {
		for _, tr := range list {
			for i, is := range tr.Trs {
				r.theirs[is] = true
				from := english
				if i > 0 && tr.PluralID != "" {
					from = tr.PluralID
				}
				if from != "" && is != from {
					r.add(from)
				}
			}
		}
	}
	slices.SortFunc(r.sentences, func(a, b sentence) int { return strings.Compare(a.text, b.text) })
	r.sentences = slices.CompactFunc(r.sentences, func(a, b sentence) bool { return a.text == b.text })
	slices.SortFunc(studio, func(a, b string) int { return len(b) - len(a) }) // the longest first: one may begin with another
	var pairs []string
	for _, s := range studio {
		if s = squeeze(s); s != "" {
			pairs = append(pairs, s, "…")
		}
	}
	r.studio = strings.NewReplacer(pairs...)
	return r, nil
}

// Pieces returns an expression for a browser: the pieces of the page that it shows, for Find.
func Pieces(language string) string { return fmt.Sprintf("%s(%q)", pieces, language) }

// pieces returns the texts of a page in a language: its text nodes, its paragraphs as a whole, and the attributes
// that are read out or shown by a script.
const pieces = `(base => {
	const out = new Set(), mine = e => (e.closest('[lang]')?.lang ?? '').split('-')[0] === base;
	const silent = 'script, style, code, pre, noscript, textarea';
	const all = document.createTreeWalker(document, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
	for (let n = all.nextNode(); n; n = all.nextNode()) {
		const e = n.nodeType === 3 ? n.parentElement : n;
		if (!e || e.closest(silent) || !mine(e)) continue;
		if (n.nodeType === 3) { out.add(n.data); continue; }
		if (e.matches('p, li, dt, dd, h1, h2, h3, h4, td, th, button, label, summary, legend, figcaption') &&
			e.textContent.length < 400 && !e.querySelector('[lang], ' + silent)) out.add(e.textContent);
		for (const a of e.attributes) {
			if (['aria-label', 'title', 'alt', 'placeholder'].includes(a.name) ||
				a.name.startsWith('data-') && a.value.includes(' ')) out.add(a.value);
			if (a.name === 'content' && e.getAttribute('name') === 'description') out.add(a.value);
		}
	}
	return [...out].filter(s => s.trim());
})`

var (
	place = regexp.MustCompile(`\{[a-zA-Z]+\}`)
	word  = regexp.MustCompile(`\p{L}[\p{L}’'-]*`)
)

func (r *Reader) add(english string) {
	s := sentence{text: english}
	whole := "^"
	for i, part := range place.Split(squeeze(english), -1) {
		if i > 0 {
			whole += ".+?"
		}
		whole += regexp.QuoteMeta(part)
		if part != "" {
			s.parts = append(s.parts, part)
		}
		s.runs = s.runs || len(word.FindAllString(part, -1)) > 1
	}
	if !word.MatchString(strings.Join(s.parts, " ")) {
		return // nothing but places and signs
	}
	s.whole = regexp.MustCompile(whole + "$")
	r.sentences = append(r.sentences, s)
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// Find returns the English sentences in the pieces of a page, each text node or other piece by itself: a piece that
// is one, or that contains one of two words or more. The result is empty if the page is in its language.
func (r *Reader) Find(pieces []string) []string {
	var found []string
	for _, piece := range pieces {
		said := r.studio.Replace(squeeze(piece))
		if said == "" || r.theirs[said] {
			continue
		}
		for _, s := range r.sentences {
			if s.in(said) {
				found = append(found, fmt.Sprintf("%q in %q", s.text, piece))
				break
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// in reports whether a piece is the sentence, or contains it.
func (s sentence) in(said string) bool {
	at, rest := 0, said
	for _, part := range s.parts {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		at++
		rest = rest[i+len(part):]
	}
	if at > 0 && s.runs && alone(said, s.parts) {
		return true
	}
	// A sentence with a placeholder and only one word is too weak: "{n} min" is also correct in other languages.
	return len(word.FindAllString(strings.Join(s.parts, " "), -1)) > 0 && (s.runs || !place.MatchString(s.text)) && s.whole.MatchString(said)
}

// alone reports whether each part of two words is between other words, and not in the middle of one.
func alone(said string, parts []string) bool {
	for _, part := range parts {
		if len(word.FindAllString(part, -1)) < 2 {
			continue
		}
		bounded := regexp.MustCompile(`(^|[^\p{L}])` + regexp.QuoteMeta(strings.TrimSpace(part)) + `($|[^\p{L}])`)
		if !bounded.MatchString(said) {
			return false
		}
	}
	return true
}

// Finds returns the translations of a language, with a number in each placeholder.
func Finds(language string) []string {
	text, err := words.Catalogues.ReadFile("po/" + language + ".po")
	if err != nil {
		return nil
	}
	po := gotext.NewPo()
	po.Parse(text)
	var out []string
	add := func(list map[string]*gotext.Translation) {
		for english, tr := range list {
			for _, is := range tr.Trs {
				if english != "" {
					out = append(out, place.ReplaceAllString(is, "7"))
				}
			}
		}
	}
	add(po.GetDomain().GetTranslations())
	for _, about := range po.GetDomain().GetCtxTranslations() {
		add(about)
	}
	return out
}
