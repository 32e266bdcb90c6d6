// Package texts finds the messages of the product in the code: every constant of the types words.Text and
// words.Console.
package texts

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Message is a sentence as a catalogue has it.
type Message struct {
	Context string
	Text    string // of one thing, where Many is set
	Many    string // plural form; empty without a number
	Files   []string
	// Values are the names of the values in its call; nil if the sentence is not written in the call itself.
	Values []string

	pages bool // used outside the console
}

// Console reports whether only the console uses it: its sentences have catalogues of their own.
func (m Message) Console() bool { return !m.pages }

// key identifies a message.
func (m Message) key() string { return m.Context + "\x04" + m.Text }

// Types of messages, and of messages of the console only.
const (
	textType    = "foyer/app/words.Text"
	consoleType = "foyer/app/words.Console"
)

// Find reads the packages of the module in dir. Two counted messages with one singular are one, and must have one
// plural.
func Find(dir string) ([]Message, error) {
	pkgs, err := packages.Load(&packages.Config{
		Dir: dir, Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports,
	}, "./app/...", "./billing/...", "./media/...")
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	f := finder{root: root, found: map[string]Message{}}
	for _, p := range pkgs {
		if strings.HasPrefix(p.PkgPath, "foyer/app/apptest") { // tests repeat messages of the code to compare them
			continue
		}
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		for _, file := range p.Syntax {
			f.file(p, file)
		}
	}
	return slices.SortedFunc(maps.Values(f.found), func(a, b Message) int {
		return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.Context, b.Context))
	}), f.err
}

type finder struct {
	root  string
	found map[string]Message
	err   error
}

func (f *finder) file(p *packages.Package, file *ast.File) {
	name := p.Fset.Position(file.Pos()).Filename
	if at, err := filepath.Rel(f.root, name); err == nil {
		name = filepath.ToSlash(at)
	}
	name = strings.Replace(name, "_templ.go", ".templ", 1)
	taken := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			f.call(p.TypesInfo, call, name, taken)
		}
		expr, ok := n.(ast.Expr)
		if !ok || taken[expr] {
			return true
		}
		if text, ok := constantText(p.TypesInfo, expr); ok {
			f.add(Message{Text: text, pages: pageOf(name)}, name)
			return false
		}
		if text, ok := constantOf(p.TypesInfo, expr, consoleType); ok {
			f.add(Message{Text: text}, name)
			return false
		}
		return true
	})
}

// call takes a sentence with its context or its plural, and the names of its values.
func (f *finder) call(info *types.Info, call *ast.CallExpr, file string, taken map[ast.Expr]bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	first := map[string]int{"T": 0, "C": 1, "N": 1}
	at, ok := first[sel.Sel.Name]
	if !ok || len(call.Args) <= at {
		return
	}
	text, ok := constantText(info, call.Args[at])
	if !ok {
		return
	}
	m := Message{Text: text, Values: []string{}, pages: pageOf(file)}
	taken[call.Args[at]] = true
	rest := call.Args[at+1:]
	switch sel.Sel.Name {
	case "C":
		m.Context, _ = constantString(info, call.Args[0])
	case "N":
		m.Many, _ = constantText(info, call.Args[2])
		taken[call.Args[2]] = true
		rest = call.Args[3:]
		m.Values = append(m.Values, "n")
	}
	for i := 0; i < len(rest); i += 2 {
		name, ok := constantString(info, rest[i])
		if !ok { // handed on
			m.Values = nil
			break
		}
		m.Values = append(m.Values, name)
	}
	if m.Values != nil {
		f.check(m, file)
	}
	f.add(m, file)
}

// check compares the placeholders of a sentence with the values of its call.
func (f *finder) check(m Message, file string) {
	places := Placeholders(m.Text)
	if m.Many != "" {
		places = Placeholders(m.Many)
	}
	if given := sorted(m.Values); f.err == nil && !slices.Equal(places, given) && !(m.Many != "" && slices.Equal(Placeholders(m.Text), given)) {
		f.err = fmt.Errorf("%s: %q has the placeholders %q but the values %q", file, m.Text, places, given)
	}
}

func (f *finder) add(m Message, file string) {
	if m.Text == "" {
		return
	}
	if old, ok := f.found[m.key()]; ok {
		if old.Many != "" && m.Many != "" && old.Many != m.Many && f.err == nil {
			f.err = fmt.Errorf("%s: %q has the plurals %q and %q", file, m.Text, old.Many, m.Many)
		}
		m.Many, m.Files, m.pages = cmp.Or(old.Many, m.Many), old.Files, old.pages || m.pages
	}
	if !slices.Contains(m.Files, file) {
		m.Files = sorted(append(m.Files, file))
	}
	f.found[m.key()] = m
}

// pageOf reports whether a file has messages for readers besides those of the console.
func pageOf(file string) bool { return !strings.HasPrefix(file, "app/console/") }

func constantText(info *types.Info, e ast.Expr) (string, bool) { return constantOf(info, e, textType) }

func constantOf(info *types.Info, e ast.Expr, of string) (string, bool) {
	if t, ok := info.Types[e]; !ok || t.Type == nil || t.Type.String() != of {
		return "", false
	}
	return constantString(info, e)
}

func constantString(info *types.Info, e ast.Expr) (string, bool) {
	t, ok := info.Types[e]
	if !ok || t.Value == nil || t.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(t.Value), true
}

var place = regexp.MustCompile(`\{([a-zA-Z]+)\}`)

// Placeholders are the names in braces of a sentence, each once, in the order of the alphabet.
func Placeholders(text string) []string {
	names := []string{}
	for _, m := range place.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return sorted(names)
}

func sorted(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
