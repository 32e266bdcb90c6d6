package sales

import (
	"context"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/sales"
	"foyer/app/view"
)

// askVoid shows the effects of voiding a payment.
func (s *screens) askVoid(c *desk.Call) (ui.Screen, error) {
	d, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	sh := c.UI
	return ui.Screen{
		Title: sh.T("Void payment"), Lead: view.Joined(" · ", who(sh, d.Payment), means(sh, d.Payment)), Area: "sales",
		Up: &view.Link{Text: sh.Cash(d.Amount, d.Currency), Href: c.To(path(d.Payment, ""))}, Body: voidBody(c, d), Sheet: true,
	}, nil
}

func (s *screens) void(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("payment")
	if err != nil {
		return desk.Done{}, err
	}
	p, err := s.Sales.Void(ctx, c.Scope, sales.VoidInput{PaymentID: id, Note: c.Value("note")})
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: c.To(path(p, "")), Said: c.UI.T("Payment voided. {amount} is due again.", "amount", c.UI.Cash(p.Amount, p.Currency))}, nil
}
