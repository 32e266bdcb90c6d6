package api

import (
	"foyer/billing"
	"foyer/billing/processor"
	"github.com/gofiber/fiber/v2"

	"foyer/app/web"
)

// webhooks receives the payment processor's events of the studios' accounts and of the platform's own. They are plain
// handlers, not operations: the event's signature covers the bytes as sent, and only the processor calls them. Status
// 200 means that the event is stored; on any other status the processor sends it again.
func webhooks(s *web.Server, b *billing.Service) {
	for path, at := range map[string]processor.Endpoint{
		"/webhooks/stripe": processor.EndpointPlatform, "/webhooks/stripe/connect": processor.EndpointConnect,
	} {
		s.App().Post(path, func(c *fiber.Ctx) error {
			if err := b.ReceiveWebhook(c.UserContext(), at, c.Body(), c.Get("Stripe-Signature")); err != nil {
				return err
			}
			return c.SendStatus(fiber.StatusOK)
		})
	}
}
