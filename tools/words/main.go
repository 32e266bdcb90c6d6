// Command words brings the catalogues of app/words/po up to date with the sentences in the code: new ones come without a
// translation, what nobody says any more goes, and what is translated stays. `make words` runs it; with a language's tag it begins
// a new catalogue: `go run ./words sv`. What only the console says is in po/console: console.pot is the list of it, and a file
// beside it that is named after a language (`go run ./words console/de`) is its translation.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/leonelquinteros/gotext"

	"foyer/app/apptest/texts"
)

const (
	root = ".."
	home = "../app/words/po"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
}

func run(begin []string) error {
	list, err := texts.Find(root)
	if err != nil {
		return err
	}
	var pages, console []texts.Message
	for _, m := range list {
		if m.Console() {
			console = append(console, m)
		} else {
			pages = append(pages, m)
		}
	}
	files, err := filepath.Glob(filepath.Join(home, "*.po"))
	if err != nil {
		return err
	}
	more, err := filepath.Glob(filepath.Join(home, "console", "*.po"))
	if err != nil {
		return err
	}
	files = append(append(files, more...), filepath.Join(home, "console", "console.pot"))
	for _, tag := range begin {
		files = append(files, filepath.Join(home, tag+".po"))
	}
	for _, file := range files {
		list := pages
		if filepath.Base(filepath.Dir(file)) == "console" {
			list = console
		}
		if err := update(file, list); err != nil {
			return err
		}
	}
	return nil
}

func update(file string, list []texts.Message) error {
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	tag := strings.TrimSuffix(filepath.Base(file), ".po")
	if filepath.Ext(file) == ".pot" {
		tag = "" // of no language
	}
	po := gotext.NewPo()
	po.Parse(old)
	d := po.GetDomain()
	plain, about := d.GetTranslations(), d.GetCtxTranslations()
	var b strings.Builder
	fmt.Fprintf(&b, "msgid \"\"\nmsgstr \"\"\n\"Language: %s\\n\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\"Plural-Forms: %s\\n\"\n",
		tag, plurals(tag, d))
	done := 0
	for _, m := range list {
		t := plain[m.Text]
		if m.Context != "" {
			t = about[m.Context][m.Text]
		}
		b.WriteString("\n")
		for _, f := range m.Files {
			b.WriteString("#: " + f + "\n")
		}
		if m.Context != "" {
			b.WriteString("msgctxt " + quoted(m.Context) + "\n")
		}
		b.WriteString("msgid " + quoted(m.Text) + "\n")
		form := func(i int) string {
			if t == nil {
				return ""
			}
			return t.Trs[i]
		}
		if m.Many == "" {
			b.WriteString("msgstr " + quoted(form(0)) + "\n")
		} else {
			fmt.Fprintf(&b, "msgid_plural %s\nmsgstr[0] %s\nmsgstr[1] %s\n", quoted(m.Many), quoted(form(0)), quoted(form(1)))
		}
		if form(0) != "" {
			done++
		}
	}
	fmt.Printf("%s: %d of %d sentences are translated\n", filepath.Base(file), done, len(list))
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// plurals is the rule of a catalogue; a new one begins with that of German, or of French where it is that.
func plurals(tag string, d *gotext.Domain) string {
	if d.PluralForms != "" {
		return d.PluralForms
	}
	if tag == "fr" || tag == "pt" {
		return "nplurals=2; plural=(n > 1);"
	}
	return "nplurals=2; plural=(n != 1);"
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

func quoted(s string) string { return `"` + escapes.Replace(s) + `"` }
