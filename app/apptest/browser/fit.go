package browser

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Phones are the widths of small phones: the smallest of WCAG 1.4.10, and the most common one.
var Phones = []int{320, 390}

// between is another common width of phones. A page that fits both of Phones almost always fits it, so one page in
// four is checked with it; all of them in a long run.
const between = 360

// sampled reports whether a page is one of those four, by its address without ids, so that it is the same one in
// every run.
func sampled(address string) bool {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(ids.ReplaceAllString(address, "")))
	return sum.Sum32()%4 == 0 || os.Getenv("FOYER_LONG") != ""
}

// ids are the parts of an address that differ in every run: the port of a test's server, and ids of rows.
var ids = regexp.MustCompile(`//[^/]*|[0-9a-f]{8}-[0-9a-f-]{27}`)

// Lengthy are names as long as people enter them, in one word without a break: an offering, a location, a person, and
// a pasted address.
var Lengthy = []string{
	"Schwangerschaftsrückbildungsgymnastik",
	"Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
	"Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh",
	"https://example.com/timetable/autumn?utm_source=newsletter&utm_campaign=everything_that_is_new",
}

// lengthen replaces the names on the page by one of Lengthy, and restores them when there are none.
const lengthen = `((names, long) => {
	(window.shortened || []).forEach(([node, text]) => node.data = text);
	window.shortened = [];
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (names.length && texts.nextNode()) {
		const node = texts.currentNode, before = node.data;
		names.forEach((name, i) => node.data.includes(name) && (node.data = node.data.replaceAll(name, long[i % long.length])));
		if (node.data !== before) shortened.push([node, before]);
	}
	return shortened.length;
})`

// sticksOut lists elements that end beyond an edge of the window, text that overflows its box, and short words, times
// and amounts that are broken to make room for a long one. Content that scrolls or is cut inside a box of its own is
// left out, and so is content for screen readers only.
const sticksOut = `(() => {
	const found = [], edge = document.documentElement.clientWidth;
	const cut = (e) => {
		if (!e.checkVisibility()) return true; // in details that are closed, say
		for (; e && e !== document.body; e = e.parentElement) {
			const style = getComputedStyle(e);
			if (style.overflowX !== "visible" || style.clipPath !== "none" || style.visibility === "hidden") return true;
		}
		return false;
	};
	const say = (e, what) => found.push(what + ": " + e.outerHTML.replace(/\s+/g, " ").slice(0, 160));
	const page = document.documentElement.scrollWidth - edge;
	if (page > 0) found.push("the page is " + page + " px too wide");
	for (const e of document.body.querySelectorAll("*")) {
		const r = e.getBoundingClientRect();
		if (r.width && r.height && (r.right > edge + 1 || r.left < -1) && !cut(e)) say(e, "ends at " + Math.round(r.left) + " and " + Math.round(r.right));
	}
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
	while (texts.nextNode()) {
		const node = texts.currentNode;
		let box = node.parentElement;
		while (box !== document.body && getComputedStyle(box).display === "inline") box = box.parentElement;
		const b = box.getBoundingClientRect();
		if (!node.data.trim() || !b.width || !b.height) continue;
		range.selectNodeContents(node);
		const over = [...range.getClientRects()].find((r) => r.width && (r.right > b.right + 2 || r.left < b.left - 2));
		if (over && !cut(box)) say(box, "text ends at " + Math.round(over.right) + ", its box at " + Math.round(b.right));
		for (const word of node.data.matchAll(/\S+/gu)) {
			if (word[0].length > 14 || /[-–\/?&·\u3000-\uffff]/u.test(word[0])) continue;
			range.setStart(node, word.index);
			range.setEnd(node, word.index + word[0].length);
			const r = range.getClientRects();
			if (r.length > 1 && r[0].bottom <= r[r.length - 1].top + 1 && r[0].width && !cut(box)) say(box, "breaks the word " + word[0]);
		}
	}
	return found.slice(0, 8);
})()`

// Fits fails the test when the page scrolls sideways at a width, when an element overflows the window or its box, or
// when a short word is broken. The names on the page are also replaced by the longest that people enter.
func (p *Page) Fits(t testing.TB, widths []int, names ...string) {
	t.Helper()
	p.lengthen(names)
	if len(widths) > 1 && sampled(p.URL()) {
		widths = slices.Insert(slices.Clone(widths), 1, between)
	}
	for _, width := range widths {
		p.Resize(width, 844)
		for _, what := range Eval[[]string](p, sticksOut) {
			t.Errorf("%s at %d px: %s", p.URL(), width, what)
		}
	}
	p.lengthen(nil)
}

// lengthen replaces each of the names by a long one, or restores them when there are none.
func (p *Page) lengthen(names []string) {
	p.t.Helper()
	list := func(of []string) string {
		b, err := json.Marshal(of)
		p.check("write names", err)
		return strings.ReplaceAll(string(b), "null", "[]")
	}
	Eval[int](p, fmt.Sprintf("%s(%s, %s)", lengthen, list(names), list(Lengthy)))
}
