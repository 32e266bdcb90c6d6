package settings

import (
	"context"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

// closing mounts the page that ends the service, with its effects first.
func (s *screens) closing() {
	s.Page("closeBusiness", "/settings/business/close", s.showClosing)
	s.Form("closeBusiness", "/settings/business/close", desk.Form{Do: s.closeHouse, Show: s.showClosing, Inputs: []string{"reason"}})
}

func (s *screens) closeVerb(c *desk.Call) func(context.Context) (business.Closing, error) {
	in := business.CloseInput{CancelBookings: c.Ticked("cancelBookings"), Reason: c.Value("reason")}
	return func(ctx context.Context) (business.Closing, error) { return s.Business.Close(ctx, c.Scope, in) }
}

func (s *screens) showClosing(c *desk.Call) (ui.Screen, error) {
	var ended *business.Ended
	closing, err := desk.Quote(c, "closeBusiness", s.closeVerb(c))
	switch {
	case err == nil:
		ended = &closing.Ended
	case !c.Told(err):
		return ui.Screen{}, err
	}
	return ui.Screen{
		Title: c.UI.T("Close {name}", "name", c.Workspace.Business.Name), Area: area, Up: up(c, c.UI.T("Business"), "/settings/business"),
		Lead: c.UI.T("The booking pages close, and customers can no longer book. The team keeps its access to the records. An owner can reopen the business for 30 days."),
		Body: closeBody(c, ended),
	}, nil
}

func (s *screens) closeHouse(c *desk.Call, ctx context.Context) (desk.Done, error) {
	_, err := desk.Redeem(c, ctx, "closeBusiness", s.closeVerb(c))
	return desk.Done{To: c.To("/settings/business"), Said: c.UI.T("The business is closed."),
		Undo: &ui.Undo{Action: c.To("/settings/business/resume"), Text: c.UI.T("Reopen")}}, err
}

// closeOutcomes returns the effects.
func closeOutcomes(sh ui.Shell, e business.Ended) []ui.Outcome {
	out := []ui.Outcome{{Text: sh.T("The studio's booking pages, embeds and web addresses no longer show anything"), Bad: true}}
	if e.Bookings > 0 {
		out = append(out, ui.Outcome{Text: sh.N(e.Bookings, "{n} upcoming booking is cancelled, and its customer is notified", "{n} upcoming bookings are cancelled, and their customers are notified"), Bad: true})
	} else {
		out = append(out, ui.Outcome{Text: sh.T("No upcoming bookings")})
	}
	if e.Waiting > 0 {
		out = append(out, ui.Outcome{Text: sh.N(e.Waiting, "{n} waitlist entry ends, and its customer is notified", "{n} waitlist entries end, and their customers are notified")})
	}
	for _, b := range e.Refunds {
		out = append(out, ui.Outcome{Text: sh.T("Refunded to cards"), Amount: sh.Money(view.Price{Minor: b.Amount, Currency: b.Currency})})
	}
	return out
}

func closeButton(sh ui.Shell, e business.Ended) string {
	if e.Bookings == 0 {
		return sh.T("Close the business")
	}
	return sh.N(e.Bookings, "Close and cancel {n} booking", "Close and cancel {n} bookings")
}
