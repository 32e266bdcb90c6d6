package api_test

import (
	"bytes"
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
)

// conformance is the table of the contract's lines with the tests that name them.
const conformance = "../../docs/conformance.md"

var (
	lineNumber = regexp.MustCompile(`\b(A[0-9]{1,3}|E[0-9]{1,3}[a-n]?)\b`)
	lineRange  = regexp.MustCompile(`\b(A|E)([0-9]{1,3}) to (A|E)([0-9]{1,3})\b`)
	inNames    = regexp.MustCompile(`\bTest|_`) // TestA26_A27_Example names two
	tableRow   = regexp.MustCompile(`^\| ((A|E)([0-9]+)([a-n]?)) \| (\w*) \| (.*?) \|\s*(.*?)\s*\|$`)
)

// The contract has lines A1 to A231 and E1 to E153. E92 is in parts, a to n.
const apiLines, embedLines = 231, 153

// States of a line.
const (
	proven = "proven" // a test would fail if it broke
	partly = "partly" // missing parts follow the word Missing
	absent = "absent" // not built
)

// TestConformance: every line of the contract is in the table, with a state that its tests bear out, and every line
// named by a test is in it. A test named in the table still exists; with -update the last column is rewritten.
func TestConformance(t *testing.T) {
	named := namedLines(t)
	raw, err := os.ReadFile(conformance)
	if err != nil {
		t.Fatal(err)
	}
	listed, counts := map[string]bool{}, map[string]int{}
	lines := strings.Split(string(raw), "\n")
	for i, line := range lines {
		row := tableRow.FindStringSubmatch(line)
		if row == nil {
			continue
		}
		id, state, words := row[1], row[5], row[6]
		if listed[id] {
			t.Errorf("%s is in the table twice", id)
		}
		if wrong := judged(state, words, named[id]); wrong != "" {
			t.Errorf("%s: %s", id, wrong)
		}
		listed[id] = true
		counts[state]++
		lines[i] = "| " + id + " | " + state + " | " + words + " | " + testsCell(named[id]) + " |"
		for _, test := range cellTests(row[7]) {
			if !*update && !slices.Contains(named[id], test) {
				t.Errorf("%s: %s does not name it any more: go test ./app/api -run TestConformance -update", id, test)
			}
		}
	}
	for id, tests := range named {
		if !listed[id] {
			t.Errorf("%s is named by %v and not in docs/conformance.md", id, tests)
		}
	}
	for _, id := range contractLines() {
		if !listed[id] {
			t.Errorf("%s is not in the table", id)
		}
	}
	if !slices.IsSorted(slices.Collect(rowsOf(lines))) {
		t.Error("the rows are out of order")
	}
	t.Logf("%d proven, %d partly, %d absent", counts[proven], counts[partly], counts[absent])
	if *update {
		if err := os.WriteFile(conformance, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// judged returns the faults of a row.
func judged(state, words string, tests []string) string {
	missing := strings.Contains(words, "Missing: ")
	switch {
	case words == "":
		return "it has no words"
	case state == proven && len(tests) == 0:
		return "no test names it"
	case state == proven && missing:
		return "it is proven, and something is missing"
	case state == partly && !missing:
		return "it does not say what is missing"
	case state == absent && len(tests) > 0:
		return fmt.Sprintf("it is absent, and %v names it", tests)
	case state != proven && state != partly && state != absent:
		return fmt.Sprintf("%q is no state", state)
	}
	return ""
}

func TestJudged(t *testing.T) {
	one := []string{"app/x TestY"}
	for _, c := range []struct {
		state, words string
		tests        []string
		right        bool
	}{
		{proven, "It holds.", one, true}, {proven, "It holds.", nil, false}, {proven, "It holds. Missing: half.", one, false}, {proven, "", one, false},
		{partly, "It holds. Missing: half.", one, true}, {partly, "It holds. Missing: the test.", nil, true}, {partly, "It holds.", one, false},
		{absent, "It will hold.", nil, true}, {absent, "It will hold.", one, false}, {"", "It holds.", one, false}, {"done", "It holds.", one, false},
	} {
		if wrong := judged(c.state, c.words, c.tests); (wrong == "") != c.right {
			t.Errorf("%+v: %q", c, wrong)
		}
	}
}

// contractLines returns all of them.
func contractLines() []string {
	var all []string
	for n := 1; n <= apiLines; n++ {
		all = append(all, "A"+strconv.Itoa(n))
	}
	for n := 1; n <= embedLines; n++ {
		if n != 92 {
			all = append(all, "E"+strconv.Itoa(n))
		}
	}
	for part := 'a'; part <= 'n'; part++ {
		all = append(all, "E92"+string(part))
	}
	return all
}

// testsCell lists tests as "folder TestOne, TestTwo; folder TestThree".
func testsCell(tests []string) string {
	byFolder := map[string][]string{}
	for _, test := range tests {
		folder, name, _ := strings.Cut(test, " ")
		byFolder[folder] = append(byFolder[folder], name)
	}
	var out []string
	for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
		out = append(out, "`"+folder+"` "+strings.Join(byFolder[folder], ", "))
	}
	return strings.Join(out, "; ")
}

// cellTests parses the output of testsCell.
func cellTests(cell string) []string {
	var out []string
	for part := range strings.SplitSeq(cell, "; ") {
		folder, names, ok := strings.Cut(strings.TrimPrefix(part, "`"), "` ")
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(names, ", ") {
			out = append(out, folder+" "+name)
		}
	}
	return out
}

// rowsOf yields the lines of the table's rows, written so that they sort.
func rowsOf(lines []string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, line := range lines {
			row := tableRow.FindStringSubmatch(line)
			if row == nil {
				continue
			}
			if !yield(fmt.Sprintf("%s%4s%s", row[2], row[3], row[4])) {
				return
			}
		}
	}
}

// namedLines finds the lines named by the test files of the repository, with the tests: "folder TestName", or the
// file's name outside of a test.
func namedLines(t *testing.T) map[string][]string {
	t.Helper()
	named := map[string][]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "ent" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") || d.Name() == "conformance_test.go" {
			return nil
		}
		return linesOf(root, path, named)
	})
	if err != nil {
		t.Fatal(err)
	}
	for id := range named {
		slices.Sort(named[id])
		named[id] = slices.Compact(named[id])
	}
	return named
}

func linesOf(root, path string, named map[string][]string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.ParseComments)
	if err != nil {
		return err
	}
	folder, err := filepath.Rel(root, filepath.Dir(path))
	if err != nil {
		return err
	}
	name := func(id string, at int) {
		named[id] = append(named[id], filepath.ToSlash(folder)+" "+enclosing(set, file, at, filepath.Base(path)))
	}
	words := inNames.ReplaceAllFunc(source, func(joined []byte) []byte { return bytes.Repeat([]byte(" "), len(joined)) })
	for _, at := range lineNumber.FindAllIndex(words, -1) {
		name(string(words[at[0]:at[1]]), at[0])
	}
	for _, at := range lineRange.FindAllSubmatchIndex(words, -1) {
		part := func(n int) string { return string(words[at[2*n]:at[2*n+1]]) }
		first, last := number(part(2)), number(part(4))
		if part(1) != part(3) || first >= last {
			return fmt.Errorf("%s: %q is no range of lines", path, part(0))
		}
		for n := first + 1; n < last; n++ {
			name(part(1)+strconv.Itoa(n), at[0])
		}
	}
	return nil
}

func number(digits string) int { n, _ := strconv.Atoi(digits); return n }

// enclosing is the test around an offset, its comment included.
func enclosing(set *token.FileSet, file *ast.File, offset int, otherwise string) string {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name == "TestMain" || !strings.HasPrefix(f.Name.Name, "Test") && !strings.HasPrefix(f.Name.Name, "Fuzz") {
			continue
		}
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		if set.Position(start).Offset <= offset && offset < set.Position(f.End()).Offset {
			return f.Name.Name
		}
	}
	return otherwise
}
