package policy

import (
	"strings"
	"testing"
)

// A wrong line stops the program at start, with an error that names it.
func TestCompileRefusesWrongLines(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"unknown feature":  {"p, viewer, report.view, location, full", "p, viewer, reports.view, location, full", `unknown feature "reports.view"`},
		"unknown role":     {"p, viewer, report.view", "p, guest, report.view", `unknown role "guest"`},
		"unknown reach":    {"viewer, report.view, location", "viewer, report.view, world", `unknown reach "world"`},
		"no reach":         {"viewer, report.view, location", "viewer, report.view, none", `unknown reach "none"`},
		"unknown form":     {"viewer, report.view, location, full", "viewer, report.view, location, half", `unknown form "half"`},
		"no limited form":  {"viewer, report.view, location, full", "viewer, report.view, location, limited", "no limited form"},
		"no own rows":      {"viewer, location.view, location", "viewer, location.view, own", "no own rows"},
		"twice":            {"p, viewer, report.view, location, full", "p, viewer, booking.view, own, full", "granted twice"},
		"group line":       {"p, viewer, report.view", "g, viewer, report.view", `unknown kind of line "g"`},
		"missing column":   {"viewer, report.view, location, full", "viewer, report.view, location", "wrong number of fields"},
		"owner lacks one":  {"p, owner, data.export, all, full\n", "", "the owner does not hold data.export"},
		"owner is limited": {"p, owner, payment.view, all, full", "p, owner, payment.view, all, limited", "an owner holds everything"},
	} {
		text := strings.Replace(rolesText, c.from, c.to, 1)
		if text == rolesText {
			t.Fatalf("%s: nothing changed", name)
		}
		if _, err := compile(modelText, text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, model := range map[string]string{
		"empty":         "",
		"wrong matcher": strings.Replace(modelText, "p.role", "p.rank", 1),
	} {
		if _, err := compile(model, rolesText); err == nil {
			t.Errorf("model %s: accepted", name)
		}
	}
}

// The matcher decides, not the order of the lines: with every line turned round the table is the same.
func TestCompileDoesNotDependOnOrder(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(rolesText), "\n")
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	turned, err := compile(modelText, strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	for role, bundle := range builtIn() {
		if len(turned[role]) != len(bundle) {
			t.Errorf("%s: %d and %d features", role, len(turned[role]), len(bundle))
		}
		for f, permit := range bundle {
			if turned[role][f] != permit {
				t.Errorf("%s %s: %v and %v", role, f, turned[role][f], permit)
			}
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := compile(modelText, rolesText); err != nil {
			b.Fatal(err)
		}
	}
}
