package web

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// documentParams completes the parameters that huma found: path parameters in the order of the path, then the query,
// then headers, each with a description.
func documentParams(d *declared, found []*huma.Param) []*huma.Param {
	segs := segments(d.Path)
	for _, seg := range segs {
		name, ok := paramName(seg)
		taken := slices.ContainsFunc(found, func(p *huma.Param) bool { return p.In == "path" && p.Name == name })
		if !ok || taken {
			continue
		}
		schema := &huma.Schema{Type: huma.TypeString}
		if isIDName(name) {
			schema.Format = "uuid"
		}
		found = append(found, &huma.Param{Name: name, In: "path", Required: true, Schema: schema})
	}
	if d.replays() {
		found = append(found, documentKey())
	}
	place := map[string]int{"path": 0, "query": 1, "header": 2}
	slices.SortStableFunc(found, func(a, b *huma.Param) int {
		if a.In == "path" && b.In == "path" {
			return slices.Index(segs, "{"+a.Name+"}") - slices.Index(segs, "{"+b.Name+"}")
		}
		return place[a.In] - place[b.In]
	})
	for _, p := range found {
		if p.Schema.Type != huma.TypeArray {
			p.Explode = nil // says something about arrays only
		}
		if p.Description == "" && p.In == "path" {
			p.Description = describeParam(segs, p.Name)
		}
	}
	return found
}

// documentKey shows the Idempotency-Key header.
func documentKey() *huma.Param {
	shortest, longest := 1, maxKey
	return &huma.Param{
		Name: keyHeader, In: "header",
		Description: "Makes a repeated request safe: within 24 hours the same key with the same request has one effect and the same answer.",
		Schema:      &huma.Schema{Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest, Pattern: `^[!-~]+$`},
	}
}

// describeParam says what a path parameter identifies, from its name and the segment before it.
func describeParam(segs []string, name string) string {
	words := func(s string) string {
		return strings.ToLower(strings.Join(strings.FieldsFunc(camelBreaks.ReplaceAllString(s, "$1 $2"), func(r rune) bool {
			return r == ' ' || r == '-'
		}), " "))
	}
	if name == "id" {
		return fmt.Sprintf("Identifier, from the list of %s.", words(segs[max(0, slices.Index(segs, "{id}")-1)]))
	}
	if short, ok := strings.CutSuffix(name, "Id"); ok {
		return fmt.Sprintf("Identifier of the %s.", words(short))
	}
	return fmt.Sprintf("The %s.", words(name))
}

var camelBreaks = regexp.MustCompile(`([a-z])([A-Z])`)
