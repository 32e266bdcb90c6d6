package cssguard

import (
	"strings"
	"unicode/utf8"
)

// preprocess is the first step of CSS Syntax 3: every end of line is a line feed. NUL is refused before.
var preprocess = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n")

// mark is the byte order mark. At the start it marks the encoding and is no part of the sheet.
const mark = "\uFEFF"

// readText bounds the sheet and makes the text that the tokenizer reads.
func readText(sheet string) (string, *Finding) {
	if len(sheet) > MaxBytes {
		return "", &Finding{Line: lineOf(preprocess.Replace(sheet[:MaxBytes]), MaxBytes), Rule: TooLarge,
			Message: "The sheet is larger than 32 KB (32,768 bytes)."}
	}
	for i, r := range sheet {
		if r == 0 {
			return "", &Finding{Line: lineOf(preprocess.Replace(sheet[:i]), i), Rule: NotText, Message: "There is a NUL character here."}
		}
		if r == utf8.RuneError && !strings.HasPrefix(sheet[i:], "\uFFFD") {
			return "", &Finding{Line: lineOf(preprocess.Replace(sheet[:i]), i), Rule: NotText, Message: "This is not UTF-8 text."}
		}
	}
	return strings.TrimPrefix(preprocess.Replace(sheet), mark), nil
}

// lineOf is the line of a place in preprocessed text.
func lineOf(text string, at int) int {
	return 1 + strings.Count(text[:min(at, len(text))], "\n")
}
