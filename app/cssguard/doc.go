// Package cssguard decides whether a location's own stylesheet may be served to the websites that wear it.
//
// A sheet is linked into pages of other people, so what it may touch is narrow: the seven tags of the embeds and what is
// inside them. Check reads the sheet as a browser does (CSS Syntax 3: escapes decoded, url() read its own way, a nested
// rule told from a declaration) and answers with the first thing that is refused and its line, or with warnings.
//
//	sheet ─▶ readText ─▶ tokenize ─▶ pair ─┬▶ checkWords: addresses, at-rules, old script ─┬▶ what comes first
//	         size, NUL   strings,    depth  └▶ checkRules: tags, nesting, selectors ────────┘  in the sheet
//	                     comments
//
// What always holds of a sheet that is accepted:
//
//   - Every rule styles one of the tags or something inside one, in browsers that know nesting and in those that do not.
//   - It names no address but https:// ones, and none is taken from a variable where an address stands as text.
//   - What it can learn about the page around a tag is what a rule on an ancestor could show: no sibling of the tag, and
//     no other part of the page, is looked at through :has(), :is() or the like. Media and container queries, also
//     style() ones, are open: a stylesheet is trusted code of the studio's own sites.
//   - Checking took time in proportion to its length, whatever was in it.
//
// Where browsers of different years read a text in different ways, both readings must be harmless or the sheet is
// refused. What no browser would make sense of (an unknown property, a selector with a slip in it) is not this package's
// business: browsers leave it out.
//
// The package knows no domain and imports only the standard library.
package cssguard
