package cssguard

// tags are the elements that a rule may start with. E92a.
var tags = map[string]bool{
	"svc-schedule": true, "svc-classes": true, "svc-appointments": true, "svc-rentals": true, "svc-listings": true,
	"svc-times": true, "svc-walkins": true,
}

// selectors checks the list of a top-level rule, tokens i up to end, and returns the element that the rule styles.
func (c *checker) selectors(i, end int) level {
	at := inside
	for _, p := range c.parts(i, end) {
		first := c.skipSpace(p.from)
		if !c.startsWithTag(first) {
			return at
		}
		c.ampersands(first, p.to)
		at = min(at, c.selector(first, p.to, theTag))
	}
	return at
}

// startsWithTag refuses any other beginning. A namespace (svc-times|p) is no tag.
func (c *checker) startsWithTag(i int) bool {
	if tags[c.wordAt(i)] && !c.isAt(i+1, '|') {
		return true
	}
	c.refuseToken(i, Tag, "Every selector must start with one of the tags, like svc-schedule.")
	return false
}

// nestedSelectors checks the list of a nested rule, with selectors relative to around, and returns the element that
// it styles.
func (c *checker) nestedSelectors(i, end int, around level) level {
	at := inside
	for _, p := range c.parts(i, end) {
		first, start := c.skipSpace(p.from), inside
		if first < p.to && c.tokens[first].is('&') {
			first, start = first+1, around
			if next := c.skipSpace(first); next < p.to && c.isSibling(next) {
				c.sibling(next)
			}
		} else if first < p.to && c.isSibling(first) {
			c.sibling(first)
		}
		c.ampersands(first, p.to)
		at = min(at, c.selector(first, p.to, start))
	}
	return at
}

// selector reads one selector that starts at an element of that level, and is the level of the element that it
// styles. A combinator leads inside; + and ~ must not be the first. E92c.
func (c *checker) selector(i, end int, at level) level {
	for step := false; i < end; i++ {
		t := c.tokens[i]
		switch {
		case t.kind == space || t.is('>'):
			step = true
			continue
		case c.isSibling(i):
			if at == theTag {
				c.sibling(i)
			}
			step = true
			continue
		}
		if step {
			at, step = inside, false
		}
		if t.kind == function {
			c.argument(i, at)
		}
		if t.opens() {
			i = t.mate
		}
	}
	return at
}

func (c *checker) isSibling(i int) bool { return c.isAt(i, '+') || c.isAt(i, '~') }

func (c *checker) sibling(i int) {
	c.refuseToken(i, Sibling, "%c straight after a tag, or at the start of a nested selector, leads out of the tag.", c.tokens[i].ch)
}

// ampersands refuses every & from i up to end, however deep in brackets. E92e.
func (c *checker) ampersands(i, end int) {
	for ; i < end; i++ {
		if c.tokens[i].is('&') {
			c.refuseToken(i, Ampersand, "& may stand only at the start of a nested selector.")
			return
		}
	}
}

// span is tokens from one up to another.
type span struct{ from, to int }

// parts cuts a list at its commas. There is at least one part, which may be empty.
func (c *checker) parts(i, end int) []span {
	var list []span
	for {
		comma := c.upTo(i, end, ",")
		list = append(list, span{i, comma})
		if comma == end {
			return list
		}
		i = comma + 1
	}
}
