package assembly

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foyer/app/jobs"
)

// TestEveryJobIsRun: a kind of job that a package declares is run by a service, so that none waits in the outbox for
// ever; and one with invalid terms is named.
func TestEveryJobIsRun(t *testing.T) {
	t.Parallel()
	var x Services
	fill(&x)
	r := jobs.NewRegistry()
	x.Register(r)
	if unheld := r.Unheld(); len(unheld) > 0 {
		t.Errorf("the Terms of %s have no queue that is worked, or are a mail without an end", strings.Join(unheld, ", "))
	}
	found := 0
	for kind, file := range kindsOfJobs(t) {
		if found++; !slices.Contains(r.Kinds(), kind) {
			t.Errorf("%s declares the job %s, and nobody runs it: say jobs.Handle in Register of its service", file, kind)
		}
	}
	if found < 20 {
		t.Errorf("only %d kinds of jobs were found", found)
	}
}

// TestEverySweepIsRun: an exported method of a service that takes a context and returns an error alone is one of its
// sweeps, which Register names.
func TestEverySweepIsRun(t *testing.T) {
	t.Parallel()
	var x Services
	fill(&x)
	r := jobs.NewRegistry()
	x.Register(r)
	run, found := r.Swept(), 0
	for name, service := range x.each() {
		if name == "DB" { // no domain: Services sweeps it
			continue
		}
		of := reflect.TypeOf(service)
		for i := range of.NumMethod() {
			m := of.Method(i)
			if m.Type != reflect.FuncOf([]reflect.Type{of, reflect.TypeFor[context.Context]()}, []reflect.Type{reflect.TypeFor[error]()}, false) {
				continue
			}
			found++
			if f := fmt.Sprintf("%s.(*%s).%s", of.Elem().PkgPath(), of.Elem().Name(), m.Name); !slices.Contains(run, f) {
				t.Errorf("%s of %s looks like a sweep, and nobody runs it: say jobs.Sweep in its Register", m.Name, name)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d sweeps were found", found)
	}
}

// kindsOfJobs are the kinds of jobs declared in files of domains, each with its file: the result of a method Kind
// beside a method Terms.
func kindsOfJobs(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, root := range []string{"app", "billing", "media"} {
		err := filepath.WalkDir(filepath.Join("../..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			kinds, terms := map[string]string{}, map[string]bool{}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && len(f.Recv.List) == 1 {
					on, _ := f.Recv.List[0].Type.(*ast.Ident)
					switch {
					case on == nil:
					case f.Name.Name == "Kind":
						kinds[on.Name] = returned(f)
					case f.Name.Name == "Terms":
						terms[on.Name] = true
					}
				}
			}
			for of, kind := range kinds {
				if terms[of] {
					out[kind] = path
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// returned is the string that a function of one statement returns.
func returned(f *ast.FuncDecl) string {
	if f.Body == nil || len(f.Body.List) != 1 {
		return ""
	}
	back, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(back.Results) != 1 {
		return ""
	}
	text, ok := back.Results[0].(*ast.BasicLit)
	if !ok {
		return ""
	}
	said, _ := strconv.Unquote(text.Value)
	return said
}
