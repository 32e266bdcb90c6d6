package api

import (
	"foyer/billing"
	"github.com/gofiber/fiber/v2"

	"foyer/app/web"
)

// webhooks takes in what the payment processor tells about the studios' accounts and about the platform's own. They are plain handlers and no operations:
// the event's signature is over the bytes as sent, and nobody but the processor calls it. 200 means that the event is
// kept; anything else makes the processor send it again.
func webhooks(s *web.Server, b *billing.Service) {
	for path, at := range map[string]billing.Endpoint{
		"/webhooks/stripe": billing.EndpointPlatform, "/webhooks/stripe/connect": billing.EndpointConnect,
	} {
		s.App().Post(path, func(c *fiber.Ctx) error {
			if err := b.ReceiveWebhook(c.UserContext(), at, c.Body(), c.Get("Stripe-Signature")); err != nil {
				return err
			}
			return c.SendStatus(fiber.StatusOK)
		})
	}
}
