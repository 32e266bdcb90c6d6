package accounting

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTerms(t *testing.T) {
	for name, want := range map[string]string{
		"Classes":                        "class",
		"Income from Group Classes":      "class",
		"Réformer Pässe":                 "reformer passe",
		"Service fees":                   "booking fee",
		"Service/Fee Income":             "service fee",
		"Service-Fee":                    "booking fee",
		"VAT & GST":                      "sales tax",
		"NY Sales Tax 8.875%":            "ny sales tax",
		"Income Tax Payable":             "income tax payable",
		"Undeposited Funds":              "clearing fund",
		"Credit card processing fees":    "credit processor fee",
		"Owner's draw":                   "owner s draw",
		"4010 Sales":                     "",
		"":                               "",
		" :-: ":                          "",
		"瑜伽课":                            "瑜伽课",
		"Business passes of the company": "business pass company",
	} {
		if got := strings.Join(termsOf(wordsOf(name)), " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestPercentsOf(t *testing.T) {
	for name, want := range map[string][]int64{
		"VAT 20%": {200000}, "VAT 20 %": {200000}, "IVA 21\u00a0%": {210000}, "USt 7,5%": {75000},
		"NY 8.875": {88750}, "8.8750% NY": {88750}, "Zero 0%": {0}, "100%": {1000000}, "20%%": {200000},
		"20 and 5%": {50000}, "5% and 20%": {50000, 200000},
		"VAT 20": nil, "1,234": nil, "0.12345%": nil, "٢٠%": nil, "9999%": nil, "": nil, "8.": nil, "8.%": nil,
	} {
		if got := percentsOf(name); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestTrigrams(t *testing.T) {
	set := func(s string) trigrams { return trigramsOf(strings.Fields(s)) }
	if n := len(set("cat").sorted); n != 4 { // "  c", " ca", "cat", "at "
		t.Errorf("cat has %d trigrams", n)
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"membership", "membershp", true}, {"class income", "class incomes", true}, {"class income", "income class", true},
		{"cat", "dog", false}, {"", "", false}, {"a", "", false}, {"card", "cards", false}, {"class", "glass", false},
	} {
		if got := similar(set(c.a), set(c.b)); got != c.want {
			t.Errorf("%q and %q: %t", c.a, c.b, got)
		}
	}
}

// similar compares most pairs by their bits. It has the results of a comparison of all trigrams.
func TestSimilarIsExact(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune("abcdé")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		a := trigramsOf(rapid.SliceOfN(word, 0, 3).Draw(t, "a"))
		b := trigramsOf(rapid.SliceOfN(word, 0, 3).Draw(t, "b"))
		both := 0
		for _, x := range a.sorted {
			if slices.Contains(b.sorted, x) {
				both++
			}
		}
		all := len(a.sorted) + len(b.sorted) - both
		if want := both > 0 && 10*both >= 6*all; similar(a, b) != want || similar(b, a) != want {
			t.Errorf("%v and %v have %d of %d in common", a, b, both, all)
		}
	})
}

// owners and unrelated have terms as termsOf makes them, and every term can be reached.
func TestTermTables(t *testing.T) {
	check := func(table, term string) {
		if got := ownTermsOf(wordsOf(term)); !slices.Contains(got, term) {
			t.Errorf("%s: %q is not a term: %q", table, term, got)
		}
	}
	for term, of := range owners {
		check("owners", term)
		for _, c := range of {
			if !c.Valid() {
				t.Errorf("owners: %q: %q", term, c)
			}
		}
	}
	for term := range unrelated {
		check("unrelated", term)
	}
	for word, term := range synonyms {
		if singular(word) != word || synonyms[term] != "" || silent[word] {
			t.Errorf("synonyms: %q", word)
		}
	}
}
