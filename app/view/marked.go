package view

import "strings"

// Mark is a placeholder in a sentence for a value with markup of its own.
const Mark = "\x00"

// SplitMark splits a sentence at Mark.
func SplitMark(sentence string) (before, after string) {
	before, after, _ = strings.Cut(sentence, Mark)
	return before, after
}
