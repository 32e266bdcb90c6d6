package catalog

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foyer/app/fault"
	"foyer/app/names"
)

func TestHeadingForms(t *testing.T) {
	for _, same := range []string{
		"Class classes", "rental RENTALS", "Party parties", "yoga Yoga", "Übung übungs", "glass Glasses", "Studies study", "Box boxes",
	} {
		words := strings.Fields(same)
		for _, asked := range words {
			for _, kept := range words {
				if !slices.Contains(headingForms(asked), strings.ToLower(kept)) {
					t.Errorf("%q does not find what is listed under %q: %q", asked, kept, headingForms(asked))
				}
			}
		}
	}
	for _, other := range []string{"class rental", "yoga pilates", "s es"} {
		a, b, _ := strings.Cut(other, " ")
		if slices.Contains(headingForms(a), b) || slices.Contains(headingForms(b), a) {
			t.Errorf("%q and %q are one heading", a, b)
		}
	}
	if forms := headingForms("  "); forms != nil {
		t.Errorf("no word has forms: %q", forms)
	}
}

// E20: one heading, in singular and plural, in any letter case of any script, with any characters around it.
func TestSameHeading(t *testing.T) {
	for _, same := range [][]string{
		{"Workshop", "workshops", "WORKSHOPS", " workshop ", "\tWorkshops\n"},
		{"class", "Classes", "CLASSES"}, {"party", "Parties", "PARTY"}, {"Straße", "STRASSE", "strasse"},
		{"Übung", "U\u0308BUNG"}, {"ΟΔΟΣ", "οδος", "οδοσ"}, {"Yoga class", "YOGA CLASSES"}, {"ꭰ", "Ꭰ"},
	} {
		for _, a := range same {
			for _, b := range same {
				if !SameHeading(a, b) {
					t.Errorf("%q and %q are two headings", a, b)
				}
			}
		}
	}
	for _, apart := range [][2]string{{"", ""}, {" ", ""}, {"class", ""}, {"", "class"}, {"class", "rental"}, {"a", "b"}, {"work", "workshop"}} {
		if SameHeading(apart[0], apart[1]) {
			t.Errorf("%q and %q are one heading", apart[0], apart[1])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.SampledFrom([]string{"class", "parties", "Straße", "é"}).Draw(t, "b")
		if SameHeading(a, b) != SameHeading(b, a) || names.Key(a) != "" && !SameHeading(a, a) {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

func TestValidSlug(t *testing.T) {
	for slug, want := range map[string]bool{
		"yoga": true, "a": true, "7": true, "yoga-2": true, strings.Repeat("a", SlugMax): true,
		"": false, "-": false, "-a": false, "a-": false, "a--b": false, "Yoga": false, "yöga": false, "a b": false, "a_b": false,
		"a\x00": false, strings.Repeat("a", SlugMax+1): false,
	} {
		if ValidSlug(slug) != want {
			t.Errorf("%q: %v, want %v", slug, !want, want)
		}
	}
}

// A free slug is unused, valid when its base is, and the base itself whenever that is free.
func TestFreeSlug(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taken := rapid.SliceOf(rapid.SampledFrom([]string{"yoga", "yoga-2", "yoga-3", "yoga-4", "yoga-flow"})).Draw(t, "taken")
		got := freeSlug("yoga", taken)
		if slices.Contains(taken, got) || !ValidSlug(got) {
			t.Fatalf("%q of %q", got, taken)
		}
		if !slices.Contains(taken, "yoga") && got != "yoga" {
			t.Fatalf("%q although yoga is free", got)
		}
	})
}

func TestPattern(t *testing.T) {
	for q, want := range map[string]string{"": "", "  ": "", "yo": "%yo%", "50%": `%50\%%`, `a_b\`: `%a\_b\\%`} {
		if got := pattern(q); got != want {
			t.Errorf("%q: %q, want %q", q, got, want)
		}
	}
}

// Offerings and policies need a name that is seen.
func TestNamesThatNobodySees(t *testing.T) {
	for _, name := range []string{"\u200b", "\u202e", "\u2028", "\u3164", "\u2800", "\u115f"} {
		o, p := Offering{Name: name, Heading: name, Capacity: 1, OnlineCapacity: 1}, Policy{Name: name}
		o.tidy()
		if o.Name != "" || o.Heading != "" {
			t.Errorf("an offering is named %+q under %+q", o.Name, o.Heading)
		}
		var of, by fault.Checks
		if o.check(&of); !slices.ContainsFunc(fault.From(of.Err()).Fields, func(wrong fault.Field) bool { return wrong.Field == "name" }) {
			t.Errorf("an offering without a name: %v", of.Err())
		}
		if p.check(&by); p.Name != "" || by.Err() == nil {
			t.Errorf("a policy is named %+q", p.Name)
		}
	}
}
