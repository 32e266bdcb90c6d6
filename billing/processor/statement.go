package processor

import (
	"strings"

	"foyer/app/tenancy"
)

// statementMost is the length of the words on a card statement.
const statementMost = 22

// StatementName returns a studio's name as card statements can show it, of at most 22 characters: Latin letters
// without accents, digits, and signs other than < > \ ' " *. Names in other scripts are transliterated. It is empty
// for a name that leaves no letter. A215.
func StatementName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`<>\'"*`, r) {
			return -1
		}
		return r
	}, tenancy.Latin(strings.Join(strings.Fields(name), " ")))
	name = tenancy.Clip(strings.Join(strings.Fields(name), " "), statementMost, ' ')
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }) {
		return ""
	}
	return name
}
