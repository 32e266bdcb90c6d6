package view

import "strings"

// mark stands in the place of a sentence for a value that has markup of its own.
const mark = "\x00"

// aroundMark is what a sentence says before its marked value and after it.
func aroundMark(sentence string) (before, after string) {
	before, after, _ = strings.Cut(sentence, mark)
	return before, after
}
