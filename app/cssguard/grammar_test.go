package cssguard_test

import (
	"strings"

	"pgregory.net/rapid"
)

// hit stands for where hostile addresses lead, in the sheets that sheets draws.
const hit = "HIT"

// sheets draws sheets of which about half are accepted: rules as people write them with hostile pieces among them, and
// sometimes a slip of the keyboard.
func sheets() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 4).Draw(t, "rules") {
			b.WriteString(group(t, topRule, 2))
		}
		return slip(t, b.String())
	})
}

func pick(t *rapid.T, name string, usual, hostile []string) string {
	if rapid.IntRange(0, 24).Draw(t, "hostile "+name) == 0 {
		return rapid.SampledFrom(hostile).Draw(t, name)
	}
	return rapid.SampledFrom(usual).Draw(t, name)
}

// group wraps a rule into at-rules now and then.
func group(t *rapid.T, rule func(*rapid.T, int) string, depth int) string {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "group") > 0 {
		return rule(t, depth)
	}
	head := pick(t, "group", []string{"@media screen", "@media (width > 1px)", "@supports (display:grid)", "@container (width > 1px)", "@supports selector(:has(+ p))"},
		[]string{"@layer a", "@scope (svc-times)", "@starting-style", "@media screen;", "@supports (background:url(HIT))", "@media not screen", "@container style(--a:1)"})
	return head + "{" + group(t, rule, depth-1) + group(t, rule, depth-1) + "}"
}

var (
	heads = []string{"svc-times", "svc-schedule", "SVC-Classes", "svc-\\6c istings", "svc-walkins[location=a]", "svc-times:hover", "svc-rentals:not(.a)",
		"svc-times:has(p)", "svc-times:is(main *)", "svc-times/**/"}
	badHeads = []string{"p", "*", ":root", "main svc-times", ":is(svc-times)", "svc-timesx", "", "html:has(svc-times)", "svc-times:has(~ input)",
		"svc-times:is(input ~ *)", "svc-times|p", "*|svc-times", "[data-pf]", "<!-- p", "&", "svc-times;p", "svc-times,p"}
	tails    = []string{"", " p", " > p", " p + p", " p ~ a", " [data-pf=item]", ":hover p", "::before", " p:is(p + p)", " p:has(+ p)", " :nth-child(2n + 1)"}
	badTails = []string{" + p", "~p", "/**/+ p", ":hover ~ p", " > + p", " &", ",", ",p", " p:is(main:has(+ p) p)", " p:is(input ~ * p)", " -->", " || p", "{}p"}
)

func topRule(t *rapid.T, depth int) string {
	selector := pick(t, "head", heads, badHeads) + pick(t, "tail", tails, badTails)
	if rapid.IntRange(0, 3).Draw(t, "list") == 0 {
		selector += "," + pick(t, "head", heads, badHeads) + pick(t, "tail", tails, badTails)
	}
	return selector + "{" + body(t, depth) + "}" + pick(t, "end", []string{"", " ", "\n", "/*;*/"}, []string{";", "}", "p{outline:5px solid red}", "-->"})
}

func nestedRule(t *rapid.T, depth int) string {
	selector := pick(t, "nested", []string{"p", "& p", "> p", "&:hover", "p:hover", "a:hover + p", "p + p", ".a, #b", "color:hover", "&.a &"[:3], "--x:"},
		[]string{"+ p", "~ p", "& + p", "&~p", "&:hover + p", "p &", ":is(&)", "&&", "&, + p", "{} + p", ""})
	return selector + "{" + body(t, depth-1) + "}"
}

// body is the content of a rule.
func body(t *rapid.T, depth int) string {
	var b strings.Builder
	for range rapid.IntRange(1, 3).Draw(t, "statements") {
		if depth > 0 && rapid.IntRange(0, 3).Draw(t, "nested") == 0 {
			b.WriteString(group(t, nestedRule, depth-1))
			continue
		}
		b.WriteString(pick(t, "property", []string{"outline", "background", "background-image", "--a", "color", "content", "list-style", "foo", "*zoom", "mask-image", "cursor"},
			[]string{"behavior", "-moz-binding", "@import", "&", "src", "", "b\\65havior", "+ p"}))
		b.WriteString(pick(t, "colon", []string{":", ": ", "/**/:"}, []string{"", "::", "{", ";"}))
		b.WriteString(value(t))
		b.WriteString(pick(t, "semicolon", []string{";", ";\n", " ; ", "!important;"}, []string{"", "}", ";;", ")", "{};", "{} + p{outline:5px solid red}"}))
	}
	return b.String()
}

var addresses = []string{
	"url(HIT)", "url('HIT')", "url( \"HIT\" )", "URL(HIT)", "u\\72l(HIT)", "image-set('HIT' 1x)", "-webkit-image-set(url(HIT) 1x)", "image-set(var(--b) 1x)",
	"src('HIT')", "src(var(--b))", "url(RELHIT)", "url('//HOSTHIT')", "image-set(\"RELHIT\" 1x)", "url(ht\\74p:RESTHIT)", "url('ht\\\ntp:RESTHIT')",
	"cross-fade(url(HIT),red,50%)", "\u00a0url(HIT)", "1\u2190url(HIT)", "image('HIT')", "url(HIT", "expression(1)", "image-set(type('HIT') 1x)",
}

func value(t *rapid.T) string {
	v := pick(t, "value", []string{"5px solid red", "red", "url(https://127.0.0.1:9/a.png)", "url( 'HTTPS://127.0.0.1:9/a' )", "image-set('https://127.0.0.1:9/b' 1x)",
		"var(--a)", "'HIT'", "\"url(HIT)\"", "/*url(HIT)*/none", "linear-gradient(red,blue)", "{a:b}", "[x(y)]", "hover{a:b}", "none,none", "'}'", "\\}", "attr(data-a)"}, addresses)
	if rapid.IntRange(0, 3).Draw(t, "two values") == 0 {
		v += pick(t, "between", []string{" ", ",", ", "}, []string{"", "/", "{", "(", ";"}) + rapid.SampledFrom([]string{"none", "var(--a)", "red"}).Draw(t, "second")
	}
	return v
}

// slip takes out, doubles or puts in a character or two, in one sheet of three.
func slip(t *rapid.T, sheet string) string {
	for range rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2}).Draw(t, "slips") {
		at := rapid.IntRange(0, len(sheet)).Draw(t, "at")
		switch put := rapid.SampledFrom(slips).Draw(t, "put"); {
		case put != "":
			sheet = sheet[:at] + put + sheet[at:]
		case at < len(sheet):
			sheet = sheet[:at] + sheet[at+1:]
		}
	}
	return sheet
}

var slips = strings.Split("|{|}|(|)|[|]|;|:|,|'|\"|\\|/*|*/|/**/| |\n|\r\n|\f|@|&|+|~|>|!|#|.|-|--|<!--|-->|u|url(|0|é|\u00a0|p{}|+ p{}|;p{outline:5px solid red}", "|")
