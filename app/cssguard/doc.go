// Package cssguard decides whether a location's own stylesheet may be served to the websites that embed it.
//
// A sheet is linked into pages of other sites, so its reach is narrow: the seven tags of the embeds and their
// content. Check reads the sheet as a browser does (CSS Syntax 3: escapes decoded, url() read its own way, a nested
// rule distinguished from a declaration) and returns the first refusal and its line, or warnings.
//
//	sheet ─▶ readText ─▶ tokenize ─▶ pair ─┬▶ checkWords: addresses, at-rules, old script ─┬▶ the first one
//	         size, NUL   strings,    depth  └▶ checkRules: tags, nesting, selectors ────────┘  in the sheet
//	                     comments
//
// Invariants of an accepted sheet:
//
//   - Every rule styles one of the tags or an element inside one, in browsers with and without nesting.
//   - All its addresses are https:// ones, and none comes from a variable where an address is written as text.
//   - It learns no more about the page around a tag than a rule on an ancestor could: :has(), :is() and the like
//     reach no sibling of the tag and no other part of the page. Media and container queries, also style() ones, are
//     allowed: a stylesheet is trusted code of the studio's own sites.
//   - The time of the check was in proportion to its length, for any content.
//
// If browsers of different years read a text in different ways, both readings must be harmless or the sheet is
// refused. Errors that browsers ignore (an unknown property, an invalid selector) are not checked.
//
// The package depends on no domain and imports only the standard library.
package cssguard
