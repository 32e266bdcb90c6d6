package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foyer/app/assembly"
)

// use is what one package does with one table.
type use struct{ writes, reads bool }

var (
	sqlWrite  = regexp.MustCompile(`(?i)\b(?:insert\s+into|update|delete\s+from)\s+([a-z_]+)\b`)
	sqlRead   = regexp.MustCompile(`(?i)(?:\b(?:from|join|using)|,)\s+([a-z_]+)\b`)
	sqlBegins = regexp.MustCompile(`(?i)^\s*(?:select|insert into|update|delete from|with)\s+[a-z_]+\b`)
	sqlOpen   = regexp.MustCompile(`(?i)\b(?:insert into|update|delete from)\s+$`)
	sqlCreate = regexp.MustCompile(`(?i)create\s+(?:unlogged\s+)?table\s+"?([a-z_]+)"?`)
	sqlRename = regexp.MustCompile(`(?i)alter table "([a-z_]+)" rename to "([a-z_]+)"`)
	sqlDrop   = regexp.MustCompile(`(?i)drop table "?([a-z_]+)"?`)
	entTable  = regexp.MustCompile(`(?m)^\s*Table = "([a-z_]+)"`)
	entWrite  = regexp.MustCompile(`^(Create|CreateBulk|Update|UpdateOne|UpdateOneID|Delete|DeleteOne|DeleteOneID)$`)
	entRead   = regexp.MustCompile(`^(Query|Get)$`)
)

// tablesOf reads the names of all tables from the migrations.
func tablesOf(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../migrate/sql/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no migrations: %v", err)
	}
	out := map[string]bool{}
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range sqlCreate.FindAllStringSubmatch(string(body), -1) {
			out[m[1]] = true
		}
		for _, m := range sqlRename.FindAllStringSubmatch(string(body), -1) {
			delete(out, m[1])
			out[m[2]] = true
		}
		for _, m := range sqlDrop.FindAllStringSubmatch(string(body), -1) {
			delete(out, m[1])
		}
	}
	return out
}

// entitiesOf maps the names of ent's entities, in lower case, to their tables.
func entitiesOf(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../ent/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		dir := filepath.Base(filepath.Dir(f))
		if filepath.Base(f) != dir+".go" {
			continue
		}
		body, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if m := entTable.FindSubmatch(body); m != nil {
			out[dir] = string(m[1])
		}
	}
	return out
}

// usesOf reads what the SQL and the ent calls of a file do with which table.
//
// In the packages of surfaces, views and features, which speak English to people, only text that begins as a statement does is SQL.
func usesOf(t *testing.T, path string, prose bool, tables map[string]bool, entities map[string]string, note func(table string, u use)) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.BasicLit:
			if x.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(x.Value)
			if err != nil {
				return true
			}
			if prose && !sqlBegins.MatchString(text) {
				return true
			}
			if sqlOpen.MatchString(text) && !strings.HasSuffix(path, "app/catalog/links_store.go") {
				t.Errorf("%s: the table of %q is not in the text, so that nobody sees whose it is", path, text)
			}
			for _, m := range sqlWrite.FindAllStringSubmatch(text, -1) {
				if tables[m[1]] {
					note(m[1], use{writes: true})
				}
			}
			for _, m := range sqlRead.FindAllStringSubmatch(text, -1) {
				if tables[m[1]] && strings.ContainsAny(text, "$=.(") {
					note(m[1], use{reads: true})
				}
			}
		case *ast.SelectorExpr: // tx.Ent().Location.Update()
			if !strings.HasSuffix(path, "_store.go") {
				return true
			}
			inner, is := x.X.(*ast.SelectorExpr)
			if !is {
				return true
			}
			name, known := entities[strings.ToLower(inner.Sel.Name)]
			switch {
			case !known:
			case entWrite.MatchString(x.Sel.Name):
				note(name, use{writes: true})
			case entRead.MatchString(x.Sel.Name):
				note(name, use{reads: true})
			}
		}
		return true
	})
}

// TestTablesHaveOneOwner reads the SQL and the ent calls of every file of the product and holds them against what the packages
// declare: whose a table is, who reads it besides, and who writes it beside its owner. Each of these is a design decision. In a
// declare.go rows are named for a test, and nothing is read.
func TestTablesHaveOneOwner(t *testing.T) {
	tables, entities, owners := tablesOf(t), entitiesOf(t), assembly.Tables()
	done := map[string]map[string]use{} // by table and package
	for _, s := range sources(t) {
		if isTest(s) || s.pkg == "app/bench" || s.pkg == "migrate" || s.pkg == "schema" || filepath.Base(s.path) == "declare.go" {
			continue
		}
		usesOf(t, filepath.Join("..", s.path), s.pkg == "policy" || level(s.pkg) <= level("app/view"), tables, entities, func(table string, u use) {
			if done[table] == nil {
				done[table] = map[string]use{}
			}
			was := done[table][s.pkg]
			done[table][s.pkg] = use{was.writes || u.writes, was.reads || u.reads}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		o, known := owners[name]
		if !known {
			t.Errorf("table %s has no owner: declare it in Tables of the declare.go of the package that writes it", name)
			continue
		}
		for pkg, u := range done[name] {
			_, beside := o.OtherWriters[pkg]
			switch {
			case pkg == o.Owner || beside:
			case u.writes:
				t.Errorf("%s writes %s, which is %s's: call a verb of it", pkg, name, o.Owner)
			case !slices.Contains(o.Readers, pkg):
				t.Errorf("%s reads %s, and is not among its Readers in %s/declare.go", pkg, name, o.Owner)
			}
		}
		for _, pkg := range o.Readers {
			if u := done[name][pkg]; !u.reads && !u.writes {
				t.Errorf("%s is a declared reader of %s and does not read it", pkg, name)
			}
		}
		for pkg, why := range o.OtherWriters {
			if !done[name][pkg].writes || why == "" {
				t.Errorf("%s is declared to write %s beside its owner, and does not, or without a reason", pkg, name)
			}
		}
	}
	for name := range owners {
		if !tables[name] {
			t.Errorf("%s is no table", name)
		}
	}
}

// TestManyArgumentsHaveNames: nobody counts to $9. A statement with that many arguments takes them by name (pg.Named).
func TestManyArgumentsHaveNames(t *testing.T) {
	ninth := regexp.MustCompile(`\$(9|[1-9][0-9]+)\b`)
	sql := regexp.MustCompile(`(?i)\b(select|insert|update|delete|where|values|set)\b`)
	for _, s := range sources(t) {
		if isTest(s) || strings.HasPrefix(s.pkg, "app/apptest") || s.pkg == "app/bench" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", s.path), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if x, is := n.(*ast.BasicLit); is && x.Kind == token.STRING && ninth.MatchString(x.Value) && sql.MatchString(x.Value) {
				t.Errorf("%s: %.60s", s.path, x.Value)
			}
			return true
		})
	}
}
