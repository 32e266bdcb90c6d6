package api_test

import (
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
	tableRow   = regexp.MustCompile(`^\| ((A|E)([0-9]+)([a-n]?)) \| (.*?) \|\s*(.*?)\s*\|$`)
)

// embedLines is how many lines the part about embeds has: all of them are in the table. Line 92 is in parts, a to n.
const embedLines = 153

// TestConformance: every line of the table is named by a test, and every line that a test names is in the table. A test
// that the table mentions still exists; with -update the table is written anew.
func TestConformance(t *testing.T) {
	named := namedLines(t)
	raw, err := os.ReadFile(conformance)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	lines := strings.Split(string(raw), "\n")
	for i, line := range lines {
		row := tableRow.FindStringSubmatch(line)
		if row == nil {
			continue
		}
		id := row[1]
		switch {
		case listed[id]:
			t.Errorf("%s is in the table twice", id)
		case len(named[id]) == 0:
			t.Errorf("%s: no test names it", id)
		}
		listed[id] = true
		lines[i] = "| " + id + " | " + row[5] + " | " + testsCell(named[id]) + " |"
		for _, test := range cellTests(row[6]) {
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
	for n := 1; n <= embedLines; n++ {
		if id := "E" + strconv.Itoa(n); !listed[id] && n != 92 {
			t.Errorf("%s is not in the table", id)
		}
	}
	for part := 'a'; part <= 'n'; part++ {
		if id := "E92" + string(part); !listed[id] {
			t.Errorf("%s is not in the table", id)
		}
	}
	if !slices.IsSorted(slices.Collect(rowsOf(lines))) {
		t.Error("the rows are out of order")
	}
	if *update {
		if err := os.WriteFile(conformance, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
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

// cellTests reads what testsCell wrote.
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

// namedLines finds the lines that the test files of the repository name, and by which tests: "folder TestName", or the
// file's name for what stands outside of a test.
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
	for _, at := range lineNumber.FindAllIndex(source, -1) {
		id := string(source[at[0]:at[1]])
		named[id] = append(named[id], filepath.ToSlash(folder)+" "+enclosing(set, file, at[0], filepath.Base(path)))
	}
	return nil
}

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
