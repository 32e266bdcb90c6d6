package view

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/a-h/templ"
)

// tagged is one of the seven tags around its content, as templ has no dynamic element names. name is one of ours,
// never a studio's.
func tagged(name string, attributes []Param, content templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var open strings.Builder
		open.WriteString("<" + name)
		for _, a := range attributes {
			open.WriteString(" " + a.Name + `="` + templ.EscapeString(a.Value) + `"`)
		}
		open.WriteString(">")
		if _, err := io.WriteString(w, open.String()); err != nil {
			return err
		}
		if err := content.Render(ctx, w); err != nil {
			return err
		}
		_, err := io.WriteString(w, "</"+name+">")
		return err
	})
}

// attributes are those of a tag, without a theme.
func (v Guide) attributes(t GuideTag) []Param {
	return append([]Param{{"location", v.Slug}}, t.Attributes...)
}

// short is the name without its prefix.
func (t GuideTag) short() string { return strings.TrimPrefix(t.Name, "svc-") }

// shownInLooks reports whether a stylesheet of the guide is written for the tag.
func (t GuideTag) shownInLooks() bool {
	return !t.Example && slices.ContainsFunc(GuideBrandings, func(l GuideBranding) bool { return l.Tag == t.short() })
}
