package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/tenancy"
)

// The limits of an offering. The database has those of the numbers, too.
const (
	NameMax        = 120 // characters
	HeadingMax     = 60
	DescriptionMax = 5000
	SlugMax        = 80
	MinutesMin     = 5
	MinutesMax     = 24 * 60
	PriceMax       = 99_999_999 // minor units: the maximum of one card payment
	CapacityMax    = 10_000
	PositionMax    = 1_000_000
)

// tidy brings names into the form that is kept and trims the description.
func (o *Offering) tidy() {
	o.Name = names.Clean(o.Name)
	o.Description = strings.TrimSpace(o.Description)
	o.Heading = names.Clean(o.Heading)
	if o.Durations == nil {
		o.Durations = []Duration{} // as it is read
	}
}

// check records all problems of an offering, in any state.
func (o Offering) check(c *fault.Checks) {
	c.That(o.Name != "", "name", "Enter a name.")
	checkText(c, "name", o.Name, NameMax, "")
	checkText(c, "heading", o.Heading, HeadingMax, "")
	checkText(c, "description", o.Description, DescriptionMax, "\n\r\t")
	c.That(ValidSlug(o.Slug), "slug",
		fmt.Sprintf("Use up to %d lower-case letters a to z, digits and single hyphens, with a letter or digit at both ends.", SlugMax))
	if len(o.Durations) == 0 { // else they are the first one's, and reported there
		checkRange(c, "durationMinutes", o.DurationMinutes, MinutesMin, MinutesMax, "minutes")
		if o.PriceAmount != nil {
			checkPrice(c, "price", *o.PriceAmount)
		}
	}
	checkRange(c, "capacity", o.Capacity, 1, CapacityMax, "seats")
	c.That(o.OnlineCapacity >= 0 && o.OnlineCapacity <= o.Capacity, "onlineCapacity",
		"The seats that are sold online must be between 0 and the capacity.")
	checkRange(c, "position", o.Position, 0, PositionMax, "")
	o.Settings.check(c, o.Kind)
}

func checkRange(c *fault.Checks, field string, n, low, high int, unit string) {
	c.That(n >= low && n <= high, field, strings.TrimSpace(fmt.Sprintf("Must be between %d and %d %s", low, high, unit))+".")
}

// checkText refuses text that is too long, and control characters other than the allowed ones: Postgres takes no NUL.
func checkText(c *fault.Checks, field, s string, limit int, allowed string) {
	c.That(utf8.RuneCountInString(s) <= limit, field, "Use at most "+strconv.Itoa(limit)+" characters.")
	bad := func(r rune) bool {
		return r == utf8.RuneError || unicode.IsControl(r) && !strings.ContainsRune(allowed, r)
	}
	c.That(!strings.ContainsFunc(s, bad), field, "This contains a character that cannot be printed. Remove it.")
}

// ValidSlug reports whether s can be the slug of an offering: only a to z, digits and hyphens, none at an end, no two
// in a row.
func ValidSlug(s string) bool { return len(s) <= SlugMax && tenancy.SlugShaped(s) }

// freeSlug returns base, or base with the lowest number from 2 that is free.
func freeSlug(base string, taken []string) string {
	slug := base
	for n := 2; slices.Contains(taken, slug); n++ {
		slug = base + "-" + strconv.Itoa(n)
	}
	return slug
}

// SameHeading reports whether two words name one heading, for an embed of one group (E20): in singular or plural, in
// any letter case of any script, with any characters around them. An empty word is no heading.
func SameHeading(a, b string) bool {
	return slices.Contains(headingForms(names.Key(a)), names.Key(b))
}

// headingForms returns the spellings that name the same heading as word: as it is, its English plural and its singular,
// all in lower case. "Classes", "class" and "CLASS" are one heading.
func headingForms(word string) []string {
	w := strings.ToLower(strings.TrimSpace(word))
	if w == "" {
		return nil
	}
	forms := []string{w, w + "s", w + "es"}
	if stem, ok := strings.CutSuffix(w, "y"); ok {
		forms = append(forms, stem+"ies")
	}
	if stem, ok := strings.CutSuffix(w, "ies"); ok {
		forms = append(forms, stem+"y")
	}
	for _, ending := range []string{"es", "s"} {
		if stem, ok := strings.CutSuffix(w, ending); ok && stem != "" {
			forms = append(forms, stem)
		}
	}
	return forms
}
