package app_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// The scopes in which a term can be forbidden, as the tables of docs/words.md name them.
const (
	inMessages = "messages" // English messages of the catalogues: pages, columns of screens, mails
	inAPI      = "API"      // titles, summaries and descriptions of docs/openapi.json
	inNames    = "names"    // packages and exported identifiers of app, billing, media and policy
)

var scopes = []string{inMessages, inAPI, inNames}

// allowedTerms lists uses of a forbidden term that are right as they are: a whole message, line of a description or
// identifier. The test fails when a use no longer exists.
var allowedTerms = []struct{ scope, term, text, reason string }{
	{inMessages, "move", "Move up", positions},
	{inMessages, "move", "Move down", positions},
	{inAPI, "ask", "- `not_allowed`: The studio's rules do not allow this. Ask the studio.", addressed},
	{inAPI, "ask", "- `price_difference`: The new time costs more. Ask the studio to reschedule the booking.", addressed},
	{inAPI, "ask", "- `refund_cap`: The amount is larger than your refund limit for a payment. " +
		"Ask a staff member with a higher limit.", addressed},
	{inAPI, "taken", "- `slug_taken`: This address is already in use. Choose another one.", unavailable},
	{inAPI, "taken", "- `slug_taken`: Another offering of this location has this address.", unavailable},
	{inAPI, "taken", "- `code_taken`: Another discount has this code.", unavailable},
	{inAPI, "taken", "- `policy_name_taken`: Another policy has this name. Use another one.", unavailable},
	{inAPI, "taken", "- `space_name_taken`: This location has a space of that name.", unavailable},
	{inAPI, "taken", "- `revenue_category_name_taken`: Another revenue category has this name.", unavailable},
	{inAPI, "taken", "- `seats_taken`: Some dates have more bookings than the new capacity.", seats},
	{inNames, "taken", "ErrSlugTaken", unavailable},
	{inNames, "taken", "ErrCodeTaken", unavailable},
	{inNames, "taken", "Taken", seats},
	{inNames, "taken", "TakenOnline", seats},
	{inNames, "left", "SpotsLeft", "availability: the message is \"3 spots left\""},
	{inNames, "left", "TimeLeft", "the countdown of a hold or an offer"},
	{inNames, "left", "SecondsLeft", "the countdown of a hold or an offer"},
	{inNames, "left", "Left", "the state of a customer who left the waitlist"},
	{inNames, "move", "MayMove", "dates of a class are moved in the calendar; bookings are MayReplace there"},
	{inNames, "move", "Move", stockMoves},
	{inNames, "move", "MoveKind", stockMoves},
	{inNames, "move", "Moves", stockMoves},
	{inNames, "move", "MovesInput", stockMoves},
	{inNames, "moved", "Moved", "dates of a class, and records of an archived location, are moved"},
	{inNames, "moved", "MovedDate", "a date of a class is moved"},
	{inNames, "moved", "MovedPermanently", "the name of HTTP status 301"},
	{inNames, "owed", "Owed", room},
	{inNames, "owed", "package owed", room},
	{inNames, "place", "Place", "the verb of a photo's placement"},
	{inNames, "place", "PlaceInput", "the verb of a photo's placement"},
}

// Reasons of several entries.
const (
	positions   = "the order of a list"
	addressed   = "advice to a customer or staff member; a request for approval is another thing"
	unavailable = "the usual word for a name that is already in use"
	stockMoves  = "of stock: the trade's word, as in Odoo"
	room        = "the package that collects balances due and fees; on screens they are due"
	seats       = "a seat is taken whether it is booked or held; no money is meant"
)

// term is one entry of a column "not".
type term struct {
	text  string
	words []string
	in    []string // scopes
}

// phrase is a text of one scope, cut into words. An empty word stands where punctuation ends a phrase.
type phrase struct {
	scope, place, text string
	words              []string
}

func TestTerms(t *testing.T) {
	terms := readTerms(t)
	used := map[int]bool{} // indexes of allowedTerms
	for _, p := range slices.Concat(messages(t), descriptions(t), exportedNames(t)) {
		for _, word := range terms {
			if !slices.Contains(word.in, p.scope) || !contains(p.words, word.words) {
				continue
			}
			if i := allowedUse(word, p); i >= 0 {
				used[i] = true
				continue
			}
			t.Errorf("%s: %q in %s: %s", p.scope, word.text, p.place, p.text)
		}
	}
	for i, a := range allowedTerms {
		if !used[i] {
			t.Errorf("allowedTerms: %s: %q is no longer in %q", a.scope, a.term, a.text)
		}
	}
}

// readTerms reads the second column of the tables of docs/words.md that call it "not".
func readTerms(t *testing.T) []term {
	t.Helper()
	body, err := os.ReadFile("../docs/words.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []term
	inTable := false
	for n, line := range strings.Split(string(body), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			inTable = false
			continue
		}
		cell := strings.TrimSpace(cells[2])
		switch {
		case cell == "not":
			inTable = true
		case inTable && strings.Trim(cell, "- ") != "":
			terms, err := parseTerms(cell)
			if err != nil {
				t.Fatalf("docs/words.md:%d: %v", n+1, err)
			}
			for _, word := range terms {
				if twice := slices.ContainsFunc(out, func(t term) bool { return t.text == word.text }); twice {
					t.Errorf("docs/words.md:%d: %q is forbidden twice", n+1, word.text)
				}
				out = append(out, word)
			}
		}
	}
	if len(out) < 50 {
		t.Fatalf("docs/words.md forbids only %d terms", len(out))
	}
	return out
}

var termForm = regexp.MustCompile(`^\s*([a-z0-9'{} -]+?)(?:\s+\(([^)]*)\))?\s*(?:,|$)`)

// parseTerms reads a cell: terms between commas, each followed by the scopes in which it is forbidden, in parentheses, or by
// nothing when it is forbidden in all.
func parseTerms(cell string) ([]term, error) {
	var out []term
	for rest := cell; rest != ""; {
		m := termForm.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("%q does not begin with a term in small letters, and its scopes in parentheses", rest)
		}
		rest = rest[len(m[0]):]
		in := scopes
		if m[2] != "" {
			in = strings.Split(m[2], ", ")
		}
		for _, scope := range in {
			if !slices.Contains(scopes, scope) {
				return nil, fmt.Errorf("%q: the scopes are %s", m[0], strings.Join(scopes, ", "))
			}
		}
		out = append(out, term{m[1], wordsOf(m[1]), in})
	}
	return out, nil
}

// contains reports whether a text has the words of a term, one after the other. The form in -s of a word is the word.
func contains(text, words []string) bool {
	for i := range len(text) - len(words) + 1 {
		if slices.EqualFunc(text[i:i+len(words)], words, sameWord) {
			return true
		}
	}
	return false
}

func sameWord(used, word string) bool {
	if used == word || used == word+"s" || used == word+"es" {
		return true
	}
	stem, y := strings.CutSuffix(word, "y")
	return y && used == stem+"ies"
}

var proseWord = regexp.MustCompile(`\{[^}]*\}|[\pL\pN]+(?:'\pL+)?|[^\pL\pN\s-]`)

// wordsOf cuts prose into words in small letters. A hyphen parts words like a space, other punctuation like the end of a
// sentence; a place like {amount} is a word.
func wordsOf(text string) []string {
	var out []string
	for _, w := range proseWord.FindAllString(strings.ReplaceAll(text, "’", "'"), -1) {
		if first := []rune(w)[0]; first != '{' && !unicode.IsLetter(first) && !unicode.IsDigit(first) {
			w = ""
		}
		out = append(out, strings.TrimSuffix(strings.ToLower(w), "'s"))
	}
	return out
}

// wordsOfName cuts an identifier into words in small letters: an initialism such as HTTP is one.
func wordsOfName(name string) []string {
	var out []string
	runes := []rune(name)
	start := 0
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && !beginsWord(runes, i) {
			continue
		}
		if w := strings.Trim(string(runes[start:i]), "_"); w != "" {
			out = append(out, strings.ToLower(w))
		}
		start = i
	}
	return out
}

// beginsWord reports whether a word of an identifier begins at index i.
func beginsWord(name []rune, i int) bool {
	last, here := name[i-1], name[i]
	switch {
	case here == '_' || last == '_':
		return true
	case unicode.IsDigit(here) != unicode.IsDigit(last):
		return true
	case !unicode.IsUpper(here):
		return false
	}
	return !unicode.IsUpper(last) || i+1 < len(name) && unicode.IsLower(name[i+1])
}

// allowedUse returns the index of the entry of allowedTerms that allows this use, or -1.
func allowedUse(word term, p phrase) int {
	for i, a := range allowedTerms {
		if a.scope == p.scope && a.term == word.text && a.text == p.text {
			return i
		}
	}
	return -1
}

// messages returns the English of both catalogues. TestCatalogues compares them with the code.
func messages(t *testing.T) []phrase {
	t.Helper()
	var out []phrase
	for _, file := range []string{"words/po/de.po", "words/po/console/console.pot"} {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		place := ""
		for _, line := range strings.Split(string(body), "\n") {
			key, quoted, _ := strings.Cut(line, " ")
			switch key {
			case "#:":
				place = quoted
			case "msgid", "msgid_plural":
				text, err := strconv.Unquote(quoted)
				if err != nil {
					t.Fatalf("%s: %s: %v", file, line, err)
				}
				out = append(out, phrase{inMessages, place, text, wordsOf(text)})
			}
		}
	}
	if len(out) < 3000 {
		t.Fatalf("only %d messages found", len(out))
	}
	return out
}

// descriptions returns the prose of the API's document by lines: a paragraph, or an item of a list, is one.
func descriptions(t *testing.T) []phrase {
	t.Helper()
	body, err := os.ReadFile("../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	var out []phrase
	seen := map[string]bool{} // one line is at many places
	var walk func(place string, node any)
	walk = func(place string, node any) {
		switch node := node.(type) {
		case []any:
			for i, item := range node {
				walk(place+"/"+strconv.Itoa(i), item)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(node)) {
				if key == "example" || key == "examples" {
					continue
				}
				text, isText := node[key].(string)
				if isText && slices.Contains([]string{"title", "summary", "description"}, key) {
					for line := range strings.Lines(text) {
						if line = strings.TrimSpace(line); line != "" && !seen[line] {
							seen[line] = true
							out = append(out, phrase{inAPI, place + "/" + key, line, wordsOf(line)})
						}
					}
				}
				walk(place+"/"+key, node[key])
			}
		}
	}
	walk("", doc)
	if len(out) < 1000 {
		t.Fatalf("only %d descriptions found", len(out))
	}
	return out
}

// exportedNames returns the packages and exported identifiers of the product: functions, methods, types, fields, constants
// and variables.
func exportedNames(t *testing.T) []phrase {
	t.Helper()
	var out []phrase
	set := token.NewFileSet()
	packages := map[string]bool{}
	add := func(id *ast.Ident) {
		if id.IsExported() {
			at := set.Position(id.Pos())
			out = append(out, phrase{inNames, fmt.Sprintf("%s:%d", at.Filename, at.Line), id.Name, wordsOfName(id.Name)})
		}
	}
	for _, root := range []string{"../app", "../billing", "../media", "../policy"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_gen.go") {
				return err
			}
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if dir := filepath.Dir(path); !packages[dir] {
				packages[dir] = true
				out = append(out, phrase{inNames, path, "package " + file.Name.Name, []string{file.Name.Name}})
			}
			for _, decl := range file.Decls {
				identifiersOf(decl, add)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) < 5000 {
		t.Fatalf("only %d identifiers found", len(out))
	}
	return out
}

// identifiersOf passes what a declaration of a package names to add.
func identifiersOf(decl ast.Decl, add func(*ast.Ident)) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		add(decl.Name)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					add(id)
				}
			case *ast.TypeSpec:
				add(spec.Name)
				ast.Inspect(spec.Type, func(n ast.Node) bool {
					if list, ok := n.(*ast.FieldList); ok {
						for _, field := range list.List {
							for _, id := range field.Names {
								add(id)
							}
						}
					}
					return true
				})
			}
		}
	}
}

// TestTermsAreFound: the search sees a term in a sentence and in an identifier, and not inside another word.
func TestTermsAreFound(t *testing.T) {
	terms, err := parseTerms("given back, kept card, tie-out, penalty, {amount} left, place (names), over (messages, API)")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scope, text string
		want        []string
	}{
		{inMessages, "Given back", []string{"given back"}},
		{inMessages, "$5.00 was given back on Friday.", []string{"given back"}},
		{inMessages, "It is given. Back to the list", nil},
		{inMessages, "{amount} left of it", []string{"{amount} left"}},
		{inMessages, "{n} spots left", nil},
		{inMessages, "Place of class", nil},
		{inAPI, "It is over.", []string{"over"}},
		{inAPI, "Overdue penalties, moreover", []string{"penalty"}},
		{inNames, "KeptCard", []string{"kept card"}},
		{inNames, "RemoveKeptCardsTx", []string{"kept card"}},
		{inNames, "TieOut", []string{"tie-out"}},
		{inNames, "KeptCardholder", nil},
		{inNames, "APIPlaceURL", []string{"place"}},
		{inNames, "Replace", nil},
	} {
		words := wordsOf(c.text)
		if c.scope == inNames {
			words = wordsOfName(c.text)
		}
		var got []string
		for _, word := range terms {
			if slices.Contains(word.in, c.scope) && contains(words, word.words) {
				got = append(got, word.text)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q has %q, want %q", c.scope, c.text, got, c.want)
		}
	}
	for _, cell := range []string{"Given back", "place (rooms)", "place (", "given; back"} {
		if _, err := parseTerms(cell); err == nil {
			t.Errorf("%q was read", cell)
		}
	}
}
