package assembly

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"foyer/app/declare"
	"foyer/app/fault"
)

// TestDeclarations: the declarations are complete, and a missing one is named with its file.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	if found := mistakes(Declared()); len(found) > 0 {
		t.Errorf("declarations:\n%s", strings.Join(found, "\n"))
	}
	if n := len(Declared()); n < 20 {
		t.Errorf("only %d domains declare anything", n)
	}
	one := declare.Domain{Package: "app/one", Tables: []declare.Table{{Name: "ones", Life: declare.Trade}}}
	for name, c := range map[string]struct {
		of   declare.Domain
		want string
	}{
		"no life":         {declare.Domain{Package: "app/two", Tables: []declare.Table{{Name: "twos"}}}, "app/two/declare.go: say in Life how long rows of twos stay"},
		"a life for what": {declare.Domain{Package: "app/two", Tables: []declare.Table{{Name: "twos", Life: declare.Swept(declare.Day, "")}}}, "how long rows of twos stay"},
		"another's":       {declare.Domain{Package: "app/two", Tables: []declare.Table{{Name: "ones", Life: declare.Trade}}}, "table ones is declared by another package"},
		"twice":           {one, "Package is missing, or another domain's"},
		"a check":         {declare.Domain{Package: "app/two", Checks: []declare.Check{{Name: "twos", SQL: "select"}}}, `check "twos" needs`},
		"no refusal":      {declare.Domain{Package: "app/two", Refuses: map[string][]*fault.Error{"two": {}}}, "Refuses of two names nothing"},
	} {
		if found := mistakes([]declare.Domain{one, c.of}); !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, c.want) }) {
			t.Errorf("%s: %q, want %q", name, found, c.want)
		}
	}
}

// mistakes lists missing and duplicate declarations, with the file to change.
func mistakes(domains []declare.Domain) []string {
	var out []string
	tables, fields, packages, checks := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	say := func(d declare.Domain, format string, args ...any) {
		out = append(out, d.Package+"/declare.go: "+fmt.Sprintf(format, args...))
	}
	for _, d := range domains {
		if d.Package == "" || packages[d.Package] {
			say(d, "Package is missing, or another domain's")
		}
		packages[d.Package] = true
		for _, t := range d.Tables {
			if tables[t.Name] {
				say(d, "table %s is declared by another package, too", t.Name)
			}
			if !t.Life.Declared() {
				say(d, "say in Life how long rows of %s stay: declare.Trade, or declare.Swept", t.Name)
			}
			tables[t.Name] = true
		}
		for field := range d.Fields {
			if fields[field] {
				say(d, "another domain has words for field %s: move them to app/console/settings", field)
			}
			fields[field] = true
		}
		for _, c := range d.Checks {
			if c.SQL == "" || c.Title == "" || c.About == "" || checks[c.Name] {
				say(d, "check %q needs a name of its own, SQL, Title and About", c.Name)
			}
			checks[c.Name] = true
		}
		for operation, list := range d.Refuses {
			if len(list) == 0 || slices.Contains(list, nil) {
				say(d, "Refuses of %s names nothing", operation)
			}
		}
	}
	return out
}
