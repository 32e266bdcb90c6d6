package accounting

import (
	"fmt"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/billing/ledger"
)

// span is a range of days.
type span struct{ From, To civil.Date }

// monthBack is how far back the days of the first page reach.
const monthBack = 31

// spanOf reads the range from the address: by default the last month.
func spanOf(c *desk.Call) (span, error) {
	today := civil.LocalDate(c.Desk.Clock.Now(), c.Zone())
	in := span{today.AddDays(-monthBack), today}
	for name, into := range map[string]*civil.Date{"from": &in.From, "to": &in.To} {
		if d, err := civil.ParseDate(c.Value(name)); err == nil {
			*into = d
		}
	}
	if in.To.Before(in.From) {
		return in, fault.Invalid("to", c.UI.T("The last day is before the first one."))
	}
	return in, nil
}

// showDays lists the closed days and deposits, posted or not.
func (s *screens) showDays(c *desk.Call) (ui.Screen, error) {
	st, err := s.read(c)
	if err != nil {
		return ui.Screen{}, err
	}
	in, err := spanOf(c)
	t := desk.TurnOnward[accounting.BatchKey](c, "accounting-days", in.From.String(), in.To.String())
	var page paging.Page[accounting.ListedBatch, accounting.BatchKey]
	if err == nil {
		page, err = s.Accounting.Batches(c.Context(), c.Scope, accounting.BatchFilter{
			From: in.From, To: in.To, Page: t.In(rowsAPage),
		})
	}
	if err != nil && c.Refused(err, []string{"from", "to"}) {
		err = nil
	}
	leaf := desk.LeafOf(c, t, page, func(b accounting.ListedBatch) accounting.BatchKey {
		return accounting.BatchKey{Date: b.LocalDate, ID: b.ID}
	})
	screen := s.screen(c, st, daysAt, c.UI.T("Days"), daysBody(c, st, in, leaf))
	screen.Lead, screen.Wide = c.UI.T("Closed days and deposits, with or without a connection"), true
	return screen, err
}

// table sends the lines of a range as CSV.
func (s *screens) table(c *desk.Call) error {
	in, err := spanOf(c)
	if err != nil {
		return err
	}
	rows, err := s.Accounting.CSV(c.Context(), c.Scope, in.From, in.To)
	if err != nil {
		return err
	}
	file := op.Download(fmt.Sprintf("accounting-%s-%s.csv", in.From, in.To), rows)
	c.Ctx.Set("Content-Type", "text/csv; charset=utf-8")
	c.Ctx.Set("Content-Disposition", file.Disposition)
	return c.Ctx.Send(file.Body)
}

// batch reads the batch of the address.
func (s *screens) batch(c *desk.Call) (accounting.OpenBatch, error) {
	id, err := c.ID("batch")
	if err != nil {
		return accounting.OpenBatch{}, err
	}
	return s.Accounting.BatchOf(c.Context(), c.Scope, id)
}

// titled names a batch.
func titled(sh ui.Shell, b accounting.ListedBatch) string {
	if b.Kind == accounting.DepositKind {
		return sh.T("Deposit of {day}", "day", day(sh, b.LocalDate))
	}
	return sh.T("Journal entry of {day}", "day", day(sh, b.LocalDate))
}

// showBatch shows the lines of a document.
func (s *screens) showBatch(c *desk.Call) (ui.Screen, error) {
	b, err := s.batch(c)
	if err != nil {
		return ui.Screen{}, err
	}
	st, err := s.read(c)
	return ui.Screen{
		Title: titled(c.UI, b.ListedBatch), Lead: b.LocationName, Area: area,
		Up: &view.Link{Text: c.UI.T("Days"), Href: c.To(daysAt)}, Body: batchBody(c, st, b),
	}, err
}

// opened is a page of the entries behind a line.
type opened struct {
	accounting.Line
	Batch accounting.ListedBatch
	desk.Leaf[accounting.BatchEntry]
	Sold map[uuid.UUID]order.Bought // by order
}

// showEntries shows the entries behind a line of a document, down to payments and bookings.
func (s *screens) showEntries(c *desk.Call) (ui.Screen, error) {
	b, err := s.batch(c)
	if err != nil {
		return ui.Screen{}, err
	}
	line, err := strconv.Atoi(c.Params("line"))
	if err != nil || line < 0 || line >= len(b.Lines) {
		return ui.Screen{}, fault.Missing()
	}
	t := desk.TurnOnward[paging.Moment](c, "accounting-entries", b.ID, line)
	page, err := s.Accounting.Entries(c.Context(), c.Scope, b.ID, line, t.In(rowsAPage))
	if err != nil {
		return ui.Screen{}, err
	}
	v := opened{Line: b.Lines[line], Batch: b.ListedBatch}
	v.Leaf = desk.LeafOf(c, t, page, func(e accounting.BatchEntry) paging.Moment {
		return paging.Moment{At: e.OccurredAt, ID: e.EntryID}
	})
	var orders []uuid.UUID
	for _, e := range v.Items {
		if e.OrderID != uuid.Nil {
			orders = append(orders, e.OrderID)
		}
	}
	if c.May("listBookings") {
		v.Sold, err = s.Orders.Bought(c.Context(), c.Scope, orders)
	}
	title := v.Label
	if v.Refund {
		title = c.UI.T("{row}: refunds", "row", v.Label)
	}
	return ui.Screen{
		Title: title, Lead: b.LocationName, Area: area,
		Up: &view.Link{Text: titled(c.UI, v.Batch), Href: c.To(batchAt(b.ID))}, Body: entriesBody(c, v),
	}, err
}

// entryWord renders an entry of the books.
func entryWord(sh ui.Shell, e accounting.BatchEntry) string {
	switch e.Event {
	case ledger.EventSale:
		return sh.C("entry", "Sale")
	case ledger.EventRefund:
		return sh.C("entry", "Refund")
	case ledger.EventVoid:
		return sh.C("entry", "Voided payment")
	case ledger.EventFailed:
		return sh.C("entry", "Failed refund")
	case ledger.EventFees:
		return sh.C("entry", "Fees of a payment")
	case ledger.EventTransfer:
		return sh.C("entry", "Cash paid in or out")
	case ledger.EventCounted:
		return sh.C("entry", "Cash over or short")
	case ledger.EventBanked:
		if e.SourceKind == ledger.SourceDrawer {
			return sh.C("entry", "Cash deposited at the bank")
		}
		return sh.C("entry", "Settlement")
	case ledger.EventGranted:
		if e.SourceKind == ledger.SourceGiftCard {
			return sh.C("entry", "Gift card")
		}
		return sh.C("entry", "Account credit")
	case ledger.EventExpired:
		return sh.C("entry", "Expired gift card")
	case ledger.EventOutside:
		return sh.C("entry", "Charge made outside Foyer")
	case ledger.EventDispute:
		return sh.C("entry", "Dispute")
	case ledger.EventPayout:
		return sh.C("entry", "Payout")
	case ledger.EventPlatform:
		return sh.C("entry", "Platform fee")
	}
	return sh.C("entry", "Other processor transaction")
}

// entryAt returns the address of an entry's payment, or else of its booking; empty: it has neither.
func (v opened) entryAt(c *desk.Call, e accounting.BatchEntry) string {
	if e.PaymentID != uuid.Nil {
		return c.To(desk.MoneySales + "/" + e.PaymentID.String())
	}
	return v.bookingAt(c, e)
}

func (v opened) bookingAt(c *desk.Call, e accounting.BatchEntry) string {
	if b, ok := v.Sold[e.OrderID]; ok {
		return c.To("/bookings/" + b.BookingID.String())
	}
	return ""
}
