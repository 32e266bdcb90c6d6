package cssguard

// level is the relation of a selector's element to the tag of its rule.
type level uint8

const (
	theTag    level = iota // the tag itself: its siblings and parents are the site's
	inside                 // inside the tag: its siblings are too
	somewhere              // maybe inside, maybe the tag, maybe around it
)

// checkRules reads the sheet as rules, by CSS Syntax 3, section 5.4, with the additions for nesting.
func (c *checker) checkRules() { c.ruleList(0, len(c.tokens)) }

// ruleList reads tokens from i on, up to end, where rules stand in no other rule. A semicolon there ends a rule for
// newer browsers, inside @media, and belongs to its selector for all others: it is refused.
func (c *checker) ruleList(i, end int) {
	for i = c.skipSpace(i); i < end; i = c.skipSpace(i) {
		if c.tokens[i].kind == atWord {
			i = c.group(i, end, c.ruleList)
			continue
		}
		if c.tokens[i].is(';') {
			c.refuseToken(i, NoBlock, "This ; ends nothing: no ; stands between rules.")
			return
		}
		brace := c.upTo(i, end, "{;")
		if brace == end || c.tokens[brace].is(';') {
			if c.startsWithTag(i) {
				c.refuseToken(i, NoBlock, "A rule needs { and } after its selector.")
			}
			return
		}
		at := c.selectors(i, brace)
		c.block(brace+1, c.tokens[brace].mate, at)
		i = c.tokens[brace].mate + 1
	}
}

// group reads @media, @supports or @container, and returns the start of the next rule. in reads its block.
func (c *checker) group(i, end int, in func(from, to int)) int {
	brace := c.upTo(i, end, "{;")
	if brace < end && c.tokens[brace].is('{') {
		in(brace+1, c.tokens[brace].mate)
		return c.tokens[brace].mate + 1
	}
	return min(brace+1, end)
}

// block reads the inside of a rule: declarations, nested rules and groups. at is the element that the rule styles.
func (c *checker) block(i, end int, at level) {
	for i = c.skipSpace(i); i < end; i = c.skipSpace(i) {
		if c.tokens[i].kind == atWord {
			i = c.group(i, end, func(from, to int) { c.block(from, to, at) })
			continue
		}
		i = c.statement(i, end, at)
	}
}

// statement reads a declaration or a nested rule, and returns the start of the next one. Text that looks like a
// declaration and has a block in its value is a rule, as in p:hover{}. So is a custom property here, --x:{}: for a
// browser its value continues to the semicolon and is never a rule, and for a browser that disagrees the content has
// been checked. Browsers without nesting skip everything up to the semicolon.
func (c *checker) statement(i, end int, at level) int {
	stop := c.upTo(i, end, "{;")
	if stop == end || c.tokens[stop].is(';') {
		return min(stop+1, end)
	}
	c.block(stop+1, c.tokens[stop].mate, c.nestedSelectors(i, stop, at))
	return c.tokens[stop].mate + 1
}

// upTo is the first of some characters between i and end, past whole blocks; end when there is none.
func (c *checker) upTo(i, end int, chars string) int {
	for ; i < end; i++ {
		t := c.tokens[i]
		for n := range len(chars) {
			if t.is(chars[n]) {
				return i
			}
		}
		if t.opens() {
			i = t.mate
		}
	}
	return end
}
