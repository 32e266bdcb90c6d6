package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// tally counts the words of a package's doc comments.
type tally struct {
	name           string
	words, clauses int
}

// rate returns the relative and question words in a thousand.
func (t tally) rate() float64 {
	if t.words == 0 {
		return 0
	}
	return 1000 * float64(t.clauses) / float64(t.words)
}

var (
	word    = regexp.MustCompile(`[A-Za-z']+`)
	counted = []string{"who", "whom", "whose", "which", "what"}
)

func (t *tally) add(text string) {
	for _, w := range word.FindAllString(text, -1) {
		t.words++
		if slices.Contains(counted, strings.ToLower(w)) {
			t.clauses++
		}
	}
}

// measure counts the packages below some folders, the highest rate first, and all of them together.
func measure(root string, folders []string) ([]tally, tally, error) {
	byName := map[string]*tally{}
	for _, folder := range folders {
		err := goFiles(filepath.Join(root, folder), func(path string, file *ast.File) {
			name, _ := filepath.Rel(root, filepath.Dir(path))
			if byName[name] == nil {
				byName[name] = &tally{name: filepath.ToSlash(name)}
			}
			for _, doc := range docsOf(file) {
				byName[name].add(doc)
			}
		})
		if err != nil {
			return nil, tally{}, err
		}
	}
	total := tally{name: "total"}
	var packages []tally
	for _, t := range slices.Collect(maps.Values(byName)) {
		packages = append(packages, *t)
		total.words += t.words
		total.clauses += t.clauses
	}
	slices.SortFunc(packages, func(a, b tally) int {
		return cmp.Or(cmp.Compare(b.rate(), a.rate()), strings.Compare(a.name, b.name))
	})
	return packages, total, nil
}

// goFiles parses the hand-written Go files below a folder, without tests.
func goFiles(folder string, each func(path string, file *ast.File)) error {
	set := token.NewFileSet()
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil && !ast.IsGenerated(file) {
			each(path, file)
		}
		return err
	})
}

// docsOf returns the exported doc comments of a file.
func docsOf(file *ast.File) []string {
	docs := []string{file.Doc.Text()}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Name.IsExported() && (decl.Recv == nil || exportedReceiver(decl.Recv)) {
				docs = append(docs, decl.Doc.Text())
			}
		case *ast.GenDecl:
			docs = append(docs, docsOfSpecs(decl)...)
		}
	}
	return docs
}

// docsOfSpecs returns those of types, constants and variables. The comment of a group counts when it has an exported one.
func docsOfSpecs(decl *ast.GenDecl) []string {
	var docs []string
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				docs = append(docs, spec.Doc.Text(), spec.Comment.Text())
				docs = append(docs, docsOfFields(spec.Type)...)
			}
		case *ast.ValueSpec:
			if slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
				docs = append(docs, spec.Doc.Text(), spec.Comment.Text())
			}
		}
	}
	if len(docs) > 0 {
		docs = append(docs, decl.Doc.Text())
	}
	return docs
}

// docsOfFields returns those of the exported fields of a struct and methods of an interface. An embedded field counts.
func docsOfFields(typ ast.Expr) []string {
	var list *ast.FieldList
	switch typ := typ.(type) {
	case *ast.StructType:
		list = typ.Fields
	case *ast.InterfaceType:
		list = typ.Methods
	default:
		return nil
	}
	var docs []string
	for _, field := range list.List {
		if len(field.Names) == 0 || slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
			docs = append(docs, field.Doc.Text(), field.Comment.Text())
			docs = append(docs, docsOfFields(field.Type)...)
		}
	}
	return docs
}

// exportedReceiver reports whether a method's type is exported.
func exportedReceiver(list *ast.FieldList) bool {
	typ := list.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return t.IsExported()
		default:
			return false
		}
	}
}
