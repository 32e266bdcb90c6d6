package cssguard

import "strings"

// Cut cuts a sheet, as readText leaves it, into the texts of its tokens, comments before a token with it; nil when it
// cannot be cut.
func Cut(sheet string) []string {
	text, refused := readText(sheet)
	c := &checker{text: text}
	if refused != nil || !c.tokenize() {
		return nil
	}
	if strings.HasPrefix(sheet, mark) {
		text = mark + text
		for i := range c.tokens {
			c.tokens[i].at += len(mark)
		}
	}
	var pieces []string
	from := 0
	for _, t := range c.tokens[min(1, len(c.tokens)):] {
		pieces = append(pieces, text[from:t.at])
		from = t.at
	}
	return append(pieces, text[from:])
}
