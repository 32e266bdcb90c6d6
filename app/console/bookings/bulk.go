package bookings

import (
	"context"
	"net/url"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/billing"
)

// ticked returns the selected rows; without any it adds a notice.
func ticked(c *desk.Call) ([]uuid.UUID, bool) {
	ids := c.UUIDs("booking")
	return ids, len(ids) > 0
}

func nothingTicked(c *desk.Call) desk.Done {
	return desk.Done{Said: c.UI.T("No bookings selected. Select bookings first."), Bad: true}
}

// chosen redirects to the page with the effects of cancelling the selected ones.
func (s *screens) chosen(c *desk.Call, _ context.Context) (desk.Done, error) {
	ids, ok := ticked(c)
	if !ok {
		return nothingTicked(c), nil
	}
	return desk.Done{To: these(c, "/bookings/cancel", ids)}, nil
}

// these returns the address of a page about several bookings.
func these(c *desk.Call, path string, ids []uuid.UUID) string {
	q := url.Values{}
	for _, id := range ids {
		q.Add("booking", id.String())
	}
	return c.To(path) + "?" + q.Encode()
}

// checkInMany checks the selected ones in, and names those that failed.
func (s *screens) checkInMany(c *desk.Call, ctx context.Context) (desk.Done, error) {
	ids, ok := ticked(c)
	if !ok {
		return nothingTicked(c), nil
	}
	got, err := s.Booking.BulkCheckIn(ctx, c.Scope, ids)
	if err != nil {
		return desk.Done{}, err
	}
	list, err := s.those(c, ids)
	if err != nil {
		return desk.Done{}, err
	}
	there := 0
	var refused []string
	for _, r := range got.Rows {
		if r.Refusal == nil {
			there++
		} else if len(refused) < refusedNamed {
			refused = append(refused, refusal(c, list[r.BookingID], r.Refusal))
		}
	}
	said := c.UI.N(there, "Checked in {n} booking.", "Checked in {n} bookings.")
	return desk.Done{To: these(c, "/bookings", ids), Said: view.Joined(" ", append([]string{said}, refused...)...), Bad: len(refused) > 0}, nil
}

// refusedNamed is the number of failures named in one sentence.
const refusedNamed = 5

func refusal(c *desk.Call, b booking.StudioBooking, f *fault.Error) string {
	return c.UI.T("{name}: {why}", "name", who(c.UI, b), "why", c.UI.Refusal(f))
}

// those returns bookings by their ids; the right to change one includes the right to see it.
func (s *screens) those(c *desk.Call, ids []uuid.UUID) (map[uuid.UUID]booking.StudioBooking, error) {
	out := map[uuid.UUID]booking.StudioBooking{}
	if len(ids) == 0 {
		return out, nil
	}
	page, err := s.Booking.List(c.Context(), c.Scope, booking.ListInput{IDs: ids, Page: paging.In[paging.Moment]{Limit: booking.BulkMax}})
	for _, b := range page.Items {
		out[b.ID] = b
	}
	return out, err
}

// fate is the result for one of many.
type fate struct {
	booking.StudioBooking
	Refused string
	Done    booking.Cancellation
}

// terms returns the options of a cancellation from the address.
func terms(c *desk.Call) booking.CancelInput {
	in := booking.CancelInput{By: booking.By(c.Value("by")), FeeMode: booking.FeeMode(c.Value("feeMode")), Scope: booking.Scope(c.Value("scope")),
		ToCredit: c.Value("destination") == string(billing.ToCredit), Reason: c.Value("reason")}
	if in.By != booking.ByStudio {
		in.By = booking.ByCustomer
	}
	return in
}

// supposed returns a cancellation to quote: its reason is entered later, and a refusal must not replace the page of
// its field.
func supposed(in booking.CancelInput) booking.CancelInput {
	in.Reason = later(in.FeeMode == booking.FeeWaive)
	return in
}

// later is a placeholder for a reason not entered yet.
func later(needed bool) string {
	if needed {
		return "…"
	}
	return ""
}

// askMany shows the effects of cancelling each of the selected ones.
func (s *screens) askMany(c *desk.Call) (ui.Screen, error) {
	c.Apart("reason")
	ids, _ := ticked(c)
	sc := ui.Screen{Title: c.UI.T("Cancel bookings"), Area: "bookings", Up: &view.Link{Text: c.UI.T("Bookings"), Href: c.To("/bookings")}}
	list, err := s.those(c, ids)
	if err != nil {
		return sc, err
	}
	got, err := desk.Quote(c, "bulkCancel", func(ctx context.Context) (booking.Rows[booking.Cancellation], error) {
		return s.Booking.BulkCancel(ctx, c.Scope, ids, supposed(terms(c)))
	})
	if err != nil {
		return sc, err
	}
	var fates []fate
	for _, r := range got.Rows {
		f := fate{StudioBooking: list[r.BookingID]}
		if r.Refusal != nil {
			f.Refused = c.UI.Refusal(r.Refusal)
		} else {
			f.Done = *r.Done
		}
		fates = append(fates, f)
	}
	sc.Lead = c.UI.N(len(fates), "{n} booking selected", "{n} bookings selected")
	sc.Body = manyBody(c, terms(c), fates)
	return sc, nil
}

func (s *screens) cancelMany(c *desk.Call, ctx context.Context) (desk.Done, error) {
	c.Apart("reason")
	ids, _ := ticked(c)
	got, err := desk.Redeem(c, ctx, "bulkCancel", func(ctx context.Context) (booking.Rows[booking.Cancellation], error) {
		return s.Booking.BulkCancel(ctx, c.Scope, ids, terms(c))
	})
	if err != nil {
		return desk.Done{}, err
	}
	list, err := s.those(c, ids)
	if err != nil {
		return desk.Done{}, err
	}
	ended := 0
	var refused []string
	for _, r := range got.Rows {
		if r.Refusal == nil {
			ended++
		} else if len(refused) < refusedNamed {
			refused = append(refused, refusal(c, list[r.BookingID], r.Refusal))
		}
	}
	said := c.UI.N(ended, "Cancelled {n} booking.", "Cancelled {n} bookings.")
	return desk.Done{To: these(c, "/bookings", ids), Said: view.Joined(" ", append([]string{said}, refused...)...), Bad: len(refused) > 0}, nil
}

// sums returns the refunds, account credit and fees of cancelling, by currency.
func sums(fates []fate) (back, credit, fees map[money.Currency]int64, n int) {
	back, credit, fees = map[money.Currency]int64{}, map[money.Currency]int64{}, map[money.Currency]int64{}
	for _, f := range fates {
		if f.Refused == "" {
			n++
			back[f.Done.Currency] += f.Done.RefundAmount
			credit[f.Done.Currency] += f.Done.CreditAmount
			fees[f.Done.Currency] += feeOf(f.Done)
		}
	}
	return back, credit, fees, n
}
