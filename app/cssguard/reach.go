package cssguard

import "strings"

// argument checks a function of a compound selector whose element is at that level: the selectors in :is(), :not(),
// :where(), :has() and :nth-child(… of …) must not reach elements beside the tag. Such rules never style the page
// around, but they can request a picture from a server that depends on it. Ancestors of the tag can be selected by
// name, as in svc-times:is(.dark *).
func (c *checker) argument(i int, at level) {
	from, to := i+1, c.tokens[i].mate
	switch name := c.tokens[i].word(); {
	case name == "has":
		c.hasArgument(i, at)
		return
	case strings.HasPrefix(name, "nth-"):
		for from < to && c.wordAt(from) != "of" {
			if c.tokens[from].opens() {
				from = c.tokens[from].mate
			}
			from++
		}
		from = min(from+1, to)
	}
	for _, p := range c.parts(from, to) {
		c.backwards(c.compounds(p), at)
	}
}

// backwards gives every compound its level, from the last, which is the element itself, to the first.
func (c *checker) backwards(list []compound, at level) {
	for n := len(list) - 1; n >= 0; n-- {
		c.arguments(list[n].span, at)
		switch list[n].after {
		case '+', '~':
			if at != inside {
				c.refuseToken(list[n].sign, Outside, "%c looks at what stands beside the tag.", list[n].after)
			}
		case ' ':
			at = somewhere
		}
	}
}

// hasArgument: everything that :has() is about is inside its element, unless it starts with + or ~: then it is beside
// it, which is inside the tag only when the element is.
func (c *checker) hasArgument(i int, at level) {
	if at == somewhere {
		c.refuseToken(i, Outside, "This :has() looks at the page around the tag.")
	}
	for _, p := range c.parts(i+1, c.tokens[i].mate) {
		for n, one := range c.compounds(p) {
			if n == 0 && at == theTag && (one.after == '+' || one.after == '~') {
				c.refuseToken(one.sign, Outside, "The selector in the :has() of a tag must not start with %c.", one.after)
			}
			c.arguments(one.span, inside)
		}
	}
}

// arguments checks the functions of one compound.
func (c *checker) arguments(s span, at level) {
	for i := s.from; i < s.to; i++ {
		if c.tokens[i].kind == function {
			c.argument(i, at)
		}
		if c.tokens[i].opens() {
			i = c.tokens[i].mate
		}
	}
}

// compound is a piece of a selector without combinators.
type compound struct {
	span
	after byte // the combinator before it: '+', '~', ' ' for any other, 0 at the start
	sign  int  // where '+' or '~' stands
}

// compounds cuts a selector at its combinators. A combinator at the end has an empty compound after it.
func (c *checker) compounds(p span) []compound {
	var list []compound
	next := compound{}
	for i := c.skipSpace(p.from); i < p.to; {
		start := i
		for i < p.to && c.tokens[i].kind != space && !c.tokens[i].is('>') && !c.isSibling(i) {
			if c.tokens[i].opens() {
				i = c.tokens[i].mate
			}
			i++
		}
		if i > start || next.after != 0 {
			next.span = span{start, i}
			list = append(list, next)
		}
		next = compound{}
		for ; i < p.to && (c.tokens[i].kind == space || c.tokens[i].is('>') || c.isSibling(i)); i++ {
			switch {
			case c.isSibling(i):
				next.after, next.sign = c.tokens[i].ch, i
			case next.after == 0:
				next.after = ' '
			}
		}
	}
	if next.after == '+' || next.after == '~' {
		next.span = span{p.to, p.to}
		list = append(list, next)
	}
	return list
}
