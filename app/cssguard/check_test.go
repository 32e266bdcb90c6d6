package cssguard_test

import (
	"strings"
	"testing"

	"foyer/app/cssguard"
)

func TestRefused(t *testing.T) {
	for name, samples := range refused {
		t.Run(name, func(t *testing.T) {
			for _, s := range samples {
				warnings, got := cssguard.Check(s.sheet)
				if got == nil || got.Line != s.line || got.Rule != s.rule || got.Message == "" || warnings != nil {
					t.Errorf("%q: %+v, not %s in line %d", s.sheet, got, s.rule, s.line)
				}
			}
		})
	}
}

func TestAccepted(t *testing.T) {
	for name, sheets := range accepted {
		t.Run(name, func(t *testing.T) {
			for _, sheet := range sheets {
				if warnings, got := cssguard.Check(sheet); got != nil || warnings != nil {
					t.Errorf("%q: %+v, warnings %v", sheet, got, warnings)
				}
			}
		})
	}
}

// TestSize is E92j: bytes count, not characters.
func TestSize(t *testing.T) {
	const rule, end = "svc-times p::before{content:'", "'}"
	fill := func(n int) string { // n bytes, with a line feed after the first rule
		rest := n - len("svc-times{}\n") - len(rule) - len(end)
		return "svc-times{}\n" + rule + strings.Repeat("é", rest/2) + strings.Repeat("x", rest%2) + end
	}
	for _, n := range []int{cssguard.MaxBytes - 1, cssguard.MaxBytes} {
		if sheet := fill(n); len(sheet) != n {
			t.Fatalf("%d bytes", len(sheet))
		} else if _, got := cssguard.Check(sheet); got != nil {
			t.Errorf("%d bytes: %+v", n, got)
		}
	}
	if _, got := cssguard.Check(fill(cssguard.MaxBytes + 1)); got == nil || got.Rule != cssguard.TooLarge || got.Line != 2 {
		t.Errorf("32,769 bytes: %+v", got)
	}
	if _, got := cssguard.Check(strings.Repeat("\n", 40_000)); got == nil || got.Rule != cssguard.TooLarge || got.Line != 32_769 {
		t.Errorf("40,000 empty lines: %+v", got)
	}
}

// TestImportant is E92k: accepted, with a warning that has its line.
func TestImportant(t *testing.T) {
	const sheet = "svc-times{color:red!important;\nmargin:0 ! important;\r\npadding:0 !/**/IMPORTANT;\rborder:0 !im\\70ortant}\f" +
		"svc-times p::before{content:'!important'}/* !important */\nsvc-times{--x:1 !important;@media print{p{color:red! \n important}}}"
	warnings, refused := cssguard.Check(sheet)
	var lines []int
	for _, w := range warnings {
		if lines = append(lines, w.Line); w.Rule != cssguard.Important || w.Message == "" {
			t.Errorf("%+v", w)
		}
	}
	if want := []int{1, 2, 3, 4, 6, 6}; refused != nil || !equal(lines, want) {
		t.Errorf("warnings in lines %v, not %v (%+v)", lines, want, refused)
	}
	if warnings, refused := cssguard.Check("svc-times{color:red!important}p{}"); warnings != nil || refused == nil {
		t.Errorf("%v %+v", warnings, refused)
	}
	if warnings, refused := cssguard.Check("svc-times{" + strings.Repeat("color:red!important;", 500) + "}"); len(warnings) != 100 || refused != nil {
		t.Errorf("%d warnings (%+v)", len(warnings), refused)
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestFirstFindingCounts: of several findings the first one in the sheet is returned.
func TestFirstFindingCounts(t *testing.T) {
	for sheet, want := range map[string]cssguard.Finding{
		"svc-times{background:url(http://x)}\np{}":                         {Line: 1, Rule: cssguard.Address},
		"p{}\nsvc-times{background:url(http://x)}":                         {Line: 1, Rule: cssguard.Tag},
		"svc-times{\n+ p{}\nbehavior:none}\n@import 'x';":                  {Line: 2, Rule: cssguard.Sibling},
		"svc-times{\n&:has(+ p){}\nq &{}}":                                 {Line: 2, Rule: cssguard.Outside},
		"svc-times{background:image-set(\nurl(http://x) 1x,\n'//y' 2x)}":   {Line: 2, Rule: cssguard.Address},
		"@media print{svc-times{p{color:red}\n}svc-times ~ p{}}\nsvc-x{}":  {Line: 2, Rule: cssguard.Sibling},
		"svc-times{}\nsvc-times{behavior:none;width:expression(1)}\n\np{}": {Line: 2, Rule: cssguard.OldScript},
	} {
		if _, got := cssguard.Check(sheet); got == nil || got.Line != want.Line || got.Rule != want.Rule {
			t.Errorf("%q: %+v", sheet, got)
		}
	}
}
