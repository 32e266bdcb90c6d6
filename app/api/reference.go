package api

import (
	"bytes"
	_ "embed"
	"html/template"

	"github.com/gofiber/fiber/v2"

	"foyer/app/web"
	"foyer/app/web/assets"
	"foyer/app/web/op"
)

// ReferencePath is the path of the API reference.
const ReferencePath = "/docs/api"

//go:embed reference.html
var referenceHTML string

var referencePage = template.Must(template.New("reference").Funcs(template.FuncMap{"asset": assets.Path}).Parse(referenceHTML))

// referencePolicy lets the page run our own script and connect to this server, nothing else. It allows inline styles
// because redoc creates its own at run time.
const referencePolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; " +
	"object-src 'none'; form-action 'self'; frame-ancestors 'none'"

// group is a tag with its operations, as the page lists them until the script has rendered the document.
type group struct {
	op.Tag
	Operations []op.Spec
}

// Reference serves the reference of a server's operations.
func Reference(s *web.Server) {
	s.App().Get(ReferencePath, func(c *fiber.Ctx) error {
		var b bytes.Buffer
		if err := referencePage.Execute(&b, grouped(s.Operations.Operations())); err != nil {
			return err
		}
		c.Set(fiber.HeaderContentSecurityPolicy, referencePolicy)
		c.Set(fiber.HeaderCacheControl, "no-cache")
		c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
		return c.Send(b.Bytes())
	})
}

func grouped(operations []op.Spec) []group {
	out := make([]group, len(Tags))
	for i, tag := range Tags {
		out[i].Tag = tag
		for _, spec := range operations {
			if spec.Tag == tag.Name {
				out[i].Operations = append(out[i].Operations, spec)
			}
		}
	}
	return out
}
