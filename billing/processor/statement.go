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
		switch {
		case r < ' ' || r > '~' || strings.ContainsRune(`<>\'"*`, r):
			return -1
		}
		return r
	}, tenancy.Latin(strings.Join(strings.Fields(name), " ")))
	name = strings.Join(strings.Fields(name), " ")
	if len(name) > statementMost {
		name = cutWords(name, statementMost)
	}
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }) {
		return ""
	}
	return name
}

// cutWords cuts a text behind its last word that fits, unless that leaves less than half of the room.
func cutWords(text string, room int) string {
	if at := strings.LastIndexByte(text[:room+1], ' '); at > room/2 {
		return strings.TrimRight(text[:at], " ")
	}
	return strings.TrimRight(text[:room], " ")
}
