package cssguard

var closers = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// pair joins every opening bracket to its closing one. It returns false, with the refusal recorded, if one has no
// other half or if they nest too deep. Browsers mend both silently, each in the same way, but the author of an open
// bracket meant something else.
func (c *checker) pair() bool {
	var open []int
	waiting := map[byte]int{} // closing brackets that the open ones wait for
	for i, t := range c.tokens {
		switch {
		case t.opens():
			if len(open) == maxDepth {
				c.refuse(t.at, TooDeep, "Brackets stand in each other more than %d deep.", maxDepth)
				return false
			}
			open = append(open, i)
			waiting[closers[t.ch]]++
		case t.is(')') || t.is(']') || t.is('}'):
			if waiting[t.ch] == 0 {
				c.refuse(t.at, Unmatched, "This %c closes nothing.", t.ch)
				return false
			}
			opener := open[len(open)-1]
			if closers[c.tokens[opener].ch] != t.ch {
				return c.unclosed(opener)
			}
			open = open[:len(open)-1]
			waiting[t.ch]--
			c.tokens[i].mate, c.tokens[opener].mate = opener, i
		}
	}
	if len(open) > 0 {
		return c.unclosed(open[len(open)-1])
	}
	return true
}

func (c *checker) unclosed(opener int) bool {
	t := c.tokens[opener]
	c.refuse(t.at, Unmatched, "This %c is never closed.", t.ch)
	return false
}
