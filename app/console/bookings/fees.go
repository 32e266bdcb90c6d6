package bookings

import (
	"context"
	"slices"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/paging"
	"foyer/app/view"
)

// fees lists the fees due: those in review, or all.
func (s *screens) fees(c *desk.Call) (ui.Screen, error) {
	in := fees.ListInput{LocationID: c.LocationID(), InReview: c.Value("all") == ""}
	if !in.InReview {
		in.State = fees.Due
	}
	t := desk.TurnOf[paging.Moment](c, "fees", in.LocationID, in.InReview)
	if t.Back { // the list is read from the latest on
		t.Key = nil
	}
	in.Page = t.In(rowsAPage)
	page, err := s.Fees.List(c.Context(), c.Scope, in)
	if err != nil {
		return ui.Screen{}, err
	}
	can, err := s.chargeable(c, page.Items)
	t.Back = false
	leaf := desk.LeafOf(c, t, page, func(p fees.Fee) paging.Moment { return paging.Moment{At: p.CreatedAt, ID: p.ID} })
	if leaf.Previous != "" {
		leaf.Previous = c.With("after", "", "before", "")
	}
	sh := c.UI
	return ui.Screen{
		Title: sh.T("Fees"), Lead: sh.T("Late-cancellation and no-show fees"), Area: "bookings",
		Up: &view.Link{Text: sh.T("Bookings"), Href: c.To("/bookings")}, Body: feesBody(c, leaf, in.InReview, can), Wide: true,
		Tabs: []ui.Tab{
			{Text: sh.T("In review"), Href: c.To("/bookings/fees"), Now: in.InReview},
			{Text: sh.T("All due"), Href: c.To("/bookings/fees", "all", "1"), Now: !in.InReview},
		},
	}, err
}

// dueFee returns the fee of the address's booking that can be waived.
func (s *screens) dueFee(c *desk.Call) (fees.Fee, error) {
	id, err := c.ID("booking")
	if err != nil {
		return fees.Fee{}, err
	}
	list, err := s.feesOf(c, id)
	if err != nil {
		return fees.Fee{}, err
	}
	i := slices.IndexFunc(list, func(p fees.Fee) bool { return p.State == fees.Due })
	if i < 0 && c.Posts() && len(list) > 0 { // a repeated press, or done by a colleague: the verb decides
		i = 0 // the newest
	}
	if i < 0 {
		return fees.Fee{}, fault.Missing()
	}
	return list[i], nil
}

func (s *screens) askWaive(c *desk.Call) (ui.Screen, error) {
	p, err := s.dueFee(c)
	name := ui.Who(c.UI, "", p.CustomerName, "")
	return ui.Screen{
		Title: c.UI.T("Waive fee"), Lead: view.Joined(" · ", name, p.OfferingName, wordsAt(c, p.Zone).ShortWhen(p.StartsAt)), Area: "bookings",
		Up: &view.Link{Text: name, Href: c.To("/bookings/" + p.BookingID.String())}, Body: waiveBody(c, p), Sheet: true,
	}, err
}

func (s *screens) waive(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.dueFee(c)
	if err != nil {
		return desk.Done{}, err
	}
	p, err = s.Fees.Waive(ctx, c.Scope, fees.WaiveInput{FeeID: p.ID, Version: c.Version(), Reason: c.Value("reason")})
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{
		To:   c.To("/bookings/" + p.BookingID.String()),
		Said: c.UI.T("Waived the {amount} fee.", "amount", c.UI.Cash(p.Amount, p.Currency)),
	}, nil
}
