package cssguard

import "fmt"

// MaxBytes is the longest sheet, in bytes of UTF-8. E92j.
const MaxBytes = 32 * 1024

// maxDepth is the maximum nesting depth of brackets of all kinds. Real sheets stay under ten. E92n.
const maxDepth = 64

// maxWarnings bounds the warnings of one sheet.
const maxWarnings = 100

// The rules of a sheet, as Finding.Rule names them. The list is closed.
const (
	TooLarge  = "too_large"  // E92j: over MaxBytes; the line is the first that is too much
	NotText   = "not_text"   // a NUL, or bytes that are no UTF-8
	Unmatched = "unmatched"  // E92i: an unclosed bracket, string, comment or url(), or a closing one without an opening
	TooDeep   = "too_deep"   // E92n: brackets in brackets past the limit
	NoBlock   = "no_block"   // text between rules that is no rule: no { follows
	Tag       = "tag"        // E92a: a rule, or a part of its list, does not start with one of the tags
	Sibling   = "sibling"    // E92c, E92d: + or ~ straight after the tag, or at the start of a nested selector
	Ampersand = "ampersand"  // E92e: & other than at the start of a nested selector
	Outside   = "outside"    // :has(), :is() or the like reaches beyond the tag; a tag's :has() starts with + or ~
	AtRule    = "at_rule"    // E92f: an at-rule other than @media, @supports and @container
	Address   = "address"    // E92g: an address that is not https://
	OldScript = "old_script" // E92h: expression(), behavior: or -moz-binding
	Important = "important"  // E92k, a warning: !important outweighs the site's own rules
)

// Finding is one thing about a sheet.
type Finding struct {
	Line    int    // from 1 on; CR LF, CR, LF and form feed end a line
	Rule    string // one of the constants above
	Message string // a sentence for a web developer, without the line
}

// Check checks a sheet. refused is the first violation in it, nil if it may be saved; then warnings are the uses of
// !important in order, the first hundred of them. An empty sheet is accepted.
func Check(sheet string) (warnings []Finding, refused *Finding) {
	text, refused := readText(sheet)
	if refused != nil {
		return nil, refused
	}
	c := &checker{text: text}
	if !c.tokenize() || !c.pair() {
		return nil, c.refused
	}
	c.checkWords()
	c.checkRules()
	if c.refused != nil {
		return nil, c.refused
	}
	return c.warnings, nil
}

// checker is one check on its way.
type checker struct {
	text     string // as readText leaves it
	tokens   []token
	warnings []Finding
	refused  *Finding
	at       int // where refused stands in the text
}

// refuse records a finding at a position of the text. The first one in the text wins.
func (c *checker) refuse(at int, rule, message string, args ...any) {
	if c.refused == nil || at < c.at {
		c.at, c.refused = at, c.find(at, rule, message, args...)
	}
}

// refuseToken is refuse at a token; one past the end stands for the end of the sheet.
func (c *checker) refuseToken(i int, rule, message string, args ...any) {
	at := len(c.text)
	if i < len(c.tokens) {
		at = c.tokens[i].at
	}
	c.refuse(at, rule, message, args...)
}

func (c *checker) find(at int, rule, message string, args ...any) *Finding {
	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}
	return &Finding{Line: lineOf(c.text, at), Rule: rule, Message: message}
}

// short cuts a word of the sheet for a message.
func short(word string) string {
	const most = 40
	if r := []rune(word); len(r) > most {
		return string(r[:most]) + "…"
	}
	return word
}
