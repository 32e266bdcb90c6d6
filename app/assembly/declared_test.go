package assembly

import (
	"slices"
	"strings"
	"testing"

	"foyer/app/declare"
	"foyer/app/fault"
)

// TestDeclarations: what is declared is whole, and what is forgotten is named with the file that is to say it.
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
