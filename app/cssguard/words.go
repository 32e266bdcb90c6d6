package cssguard

import "strings"

// checkWords reads the tokens one after another, also inside custom properties, @supports and blocks that no browser
// would use. It finds addresses, the old ways to run script, at-rules and !important.
func (c *checker) checkWords() {
	for i, t := range c.tokens {
		switch t.kind {
		case address:
			c.checkAddress(i)
		case function, number, hash:
			c.checkFunction(i)
		case ident:
			c.checkOldScript(i)
		case atWord:
			c.checkAtWord(i)
		case delim:
			if next := c.skipSpace(i + 1); t.ch == '!' && c.wordAt(next) == "important" {
				c.warn(t.at)
			}
		}
		if c.refused != nil && t.at > c.at {
			return
		}
	}
}

func (c *checker) warn(at int) {
	if len(c.warnings) < maxWarnings {
		c.warnings = append(c.warnings, *c.find(at, Important, "With !important the site's own rules cannot change this."))
	}
}

// skipSpace is the first token from i on that is no space.
func (c *checker) skipSpace(i int) int {
	for i < len(c.tokens) && c.tokens[i].kind == space {
		i++
	}
	return i
}

// before returns the last token before i that is not a space; at the start a semicolon, which ends a declaration.
func (c *checker) before(i int) token {
	for i--; i >= 0; i-- {
		if c.tokens[i].kind != space {
			return c.tokens[i]
		}
	}
	return token{kind: delim, ch: ';'}
}

// wordAt is the identifier at a place in lower case, and "" when something else is there.
func (c *checker) wordAt(i int) string {
	if i < len(c.tokens) && c.tokens[i].kind == ident {
		return c.tokens[i].word()
	}
	return ""
}

func (c *checker) isAt(i int, ch byte) bool { return i < len(c.tokens) && c.tokens[i].is(ch) }

// groups are the at-rules that a sheet may use.
var groups = map[string]bool{"media": true, "supports": true, "container": true}

// checkAtWord lets only groups pass, and those only where a rule can begin.
func (c *checker) checkAtWord(i int) {
	name := c.tokens[i].word()
	if !groups[name] {
		c.refuseToken(i, AtRule, "@%s is not allowed: a sheet may use @media, @supports and @container.", short(name))
		return
	}
	if t := c.before(i); !t.is(';') && !t.is('{') && !t.is('}') {
		c.refuseToken(i, AtRule, "@%s must stand at the start of a rule.", name)
	}
}

// checkOldScript finds constructs that ran script in old browsers, by their names.
func (c *checker) checkOldScript(i int) {
	next := c.skipSpace(i + 1)
	switch word := c.tokens[i].word(); word {
	case "behavior", "-ms-behavior":
		class := i > 0 && c.tokens[i-1].is('.')
		if c.isAt(next, ':') && !class {
			c.refuseToken(i, OldScript, "%s: is not allowed.", word)
		}
	case "expression":
		if c.isAt(next, '(') {
			c.refuseToken(i, OldScript, "expression() is not allowed.")
		}
	case "-moz-binding":
		c.refuseToken(i, OldScript, "-moz-binding is not allowed.")
	}
}

// checkFunction checks the functions that take addresses as strings.
func (c *checker) checkFunction(i int) {
	t := c.tokens[i]
	if doubtful(t.value) && (t.kind == function || c.isAt(i+1, '(')) {
		c.refuseToken(i, Address, "Browsers read this name in different ways; use letters, digits and hyphens before a bracket.")
		return
	}
	if t.kind != function {
		return
	}
	switch t.word() {
	case "expression":
		c.refuseToken(i, OldScript, "expression() is not allowed.")
	case "url", "src":
		first := c.skipSpace(i + 1)
		if c.tokens[first].kind != quoted {
			c.refuseToken(i, Address, "%s() must hold its https:// address itself, in quotes.", t.word())
			return
		}
		c.checkArguments(i)
	case "image-set", "-webkit-image-set", "image", "-moz-image-rect":
		c.checkArguments(i)
	}
}

// plain are the functions that may be in an image-set() and hold no address of their own; others are checked by
// themselves. Any other function could insert a string that is not in the sheet, as var() does.
func plain(name string) bool {
	switch name {
	case "url", "src", "image-set", "-webkit-image-set", "image", "cross-fade", "-webkit-cross-fade", "element", "paint",
		"type", "calc", "min", "max", "clamp", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color",
		"color-mix", "light-dark", "rect", "crossorigin", "cross-origin", "integrity", "referrerpolicy", "referrer-policy":
		return true
	}
	return strings.HasSuffix(name, "-gradient")
}

// checkArguments checks the direct content of a function with addresses as arguments: every string is one.
func (c *checker) checkArguments(i int) {
	name := c.tokens[i].word()
	for n := i + 1; n < c.tokens[i].mate; n++ {
		t := c.tokens[n]
		switch {
		case t.kind == quoted:
			c.checkAddress(n)
		case t.kind == function && !plain(t.word()):
			c.refuseToken(n, Address, "%s() cannot stand in %s(): the address must be there itself.", short(t.word()), name)
		}
		if t.kind == function { // it is checked by itself
			n = t.mate
		}
	}
}

const scheme = "https://"

func (c *checker) checkAddress(i int) {
	value := c.tokens[i].value
	if len(value) > len(scheme) && lower(value[:len(scheme)]) == scheme {
		return
	}
	if value == "" {
		c.refuseToken(i, Address, "An address is empty; it must begin with https://.")
		return
	}
	c.refuseToken(i, Address, "An address must begin with https://, and this one is %q.", short(value))
}
