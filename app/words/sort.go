package words

import (
	"cmp"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// SortBy sorts a list in the alphabetical order of a language: Österreich sorts with O in German.
func SortBy[T any](l *Lang, list []T, name func(T) string) {
	order := collate.New(language.Make(l.Base()))
	slices.SortStableFunc(list, func(a, b T) int {
		return cmp.Or(order.CompareString(name(a), name(b)), cmp.Compare(name(a), name(b)))
	})
}
