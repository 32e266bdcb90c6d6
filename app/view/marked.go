package view

import "strings"

// Mark stands in the place of a sentence for a value that has markup of its own.
const Mark = "\x00"

// SplitMark is what a sentence says before its marked value and after it.
func SplitMark(sentence string) (before, after string) {
	before, after, _ = strings.Cut(sentence, Mark)
	return before, after
}
