package embed

import (
	"github.com/gofiber/fiber/v2"

	"foyer/app/web"
	"foyer/app/web/assets"
)

// scriptAge is how long a browser keeps a script without asking: a mended script reaches every website within minutes.
const scriptAge = "public, max-age=300"

// scripts mounts what a studio's page runs: the script of the plain tags, and the one of the booking frame. Their addresses
// stand in pages that nobody edits again, so they hold no version but the contract's. E7, E101, E102, E104.
func (e *surface) scripts() {
	files := web.NewStatic(scriptTable{})
	for path, name := range map[string]string{"/embed/v1.js": "v1.js", "/embed.js": "embed.js"} {
		e.App().Get(path, func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
			c.Set("Cross-Origin-Resource-Policy", "cross-origin") // for pages that are isolated from other origins
			return files.Serve(c, name, scriptAge)
		})
	}
}

// scriptTable holds the scripts under the names that the product calls them.
type scriptTable struct{}

// Each makes scriptTable a web.AssetTable.
func (scriptTable) Each(yield func(name, contentType string, body, gzip, brotli []byte)) {
	for _, name := range []string{"v1.js", "embed.js"} {
		f := assets.Content(name)
		yield(name, f.Type, f.Body, f.Gzip, f.Brotli)
	}
}
