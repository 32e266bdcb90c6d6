package embed

import (
	"github.com/gofiber/fiber/v2"

	"foyer/app/web"
	"foyer/app/web/assets"
)

// scriptAge is the cache lifetime of a script: a fix reaches every website within minutes.
const scriptAge = "public, max-age=300"

// scripts mounts the scripts of a studio's page: that of the plain tags, and that of the booking frame. Their
// addresses are in pages that are never edited again, so they hold no version but the contract's. E7, E101, E102,
// E104.
func (e *surface) scripts() {
	files := web.NewStatic(map[string]assets.File{"/embed/v1.js": assets.Content("v1.js"), "/embed.js": assets.Content("embed.js")})
	for _, path := range []string{"/embed/v1.js", "/embed.js"} {
		e.App().Get(path, func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
			c.Set("Cross-Origin-Resource-Policy", "cross-origin") // for pages that are isolated from other origins
			return files.Serve(c, path, scriptAge)
		})
	}
}
