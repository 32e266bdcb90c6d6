package api

import (
	"net/url"

	"github.com/gofiber/fiber/v2"

	"foyer/app/accounting"
	"foyer/app/web"
)

// accountingCallback receives the redirect of the accounting provider, in the browser of the person who agreed or
// refused there. It stores the provider's code with the attempt and leads to the settings screen, which completes it:
// nothing is connected here, since the redirect proves nothing about who follows it. A109.
func accountingCallback(s *web.Server, a *accounting.Service) {
	s.App().Get("/accounting/callback", func(c *fiber.Ctx) error {
		to, err := a.Returned(c.UserContext(), accounting.Return{
			State: c.Query("state"), Code: c.Query("code"), Company: c.Query("realmId"),
		})
		if err != nil {
			return err
		}
		query := url.Values{"accounting": {"finish"}, "attempt": {to.Attempt.String()}}
		c.Set(fiber.HeaderCacheControl, "no-store")
		return c.Redirect("/manage/"+to.Slug+"/settings/accounting?"+query.Encode(), fiber.StatusSeeOther)
	})
}
