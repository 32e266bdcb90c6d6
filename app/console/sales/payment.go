package sales

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/order"
	"foyer/app/sales"
	"foyer/app/view"
	"foyer/billing"
)

// find reads the payment of the address.
func (s *screens) find(c *desk.Call) (sales.Detail, error) {
	id, err := c.ID("payment")
	if err != nil {
		return sales.Detail{}, err
	}
	return s.Sales.Get(c.Context(), c.Scope, id)
}

func (s *screens) payment(c *desk.Call) (ui.Screen, error) {
	d, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	sh := c.UI
	return ui.Screen{
		Title: sh.Cash(d.Amount, d.Currency), Lead: view.Joined(" · ", who(sh, d.Payment), means(sh, d.Payment), at(c, d.Payment)), Area: "sales",
		Up: &view.Link{Text: sh.T("Sales"), Href: c.To("/sales")}, Acts: paymentActs(c, d), Body: paymentBody(c, d), Sheet: true,
	}, nil
}

// mayRefund reports whether the caller can refund a part of the payment.
func mayRefund(c *desk.Call, p sales.Payment) bool {
	return p.Refundable > 0 && c.MayAt("refundPayment", p.LocationID)
}

// goods reports whether a line is one of goods.
func goods(l sales.Line) bool { return l.ID != nil && l.Subject != uuid.Nil }

// returnable returns the lines of goods of which something can be returned.
func returnable(d sales.Detail) (out []sales.Line) {
	for _, l := range d.Lines {
		if goods(l) && l.Kind != order.GiftCard && l.Returned < l.Quantity {
			out = append(out, l)
		}
	}
	return out
}

// mayReturn reports whether the caller can return goods of the payment.
func mayReturn(c *desk.Call, d sales.Detail) bool {
	return d.State.Succeeded() && len(returnable(d)) > 0 && c.MayAt("returnGoods", d.LocationID)
}

// mayVoid reports whether the caller can void it; the verb checks that it is of today.
func mayVoid(c *desk.Call, d sales.Detail) bool {
	p := d.Payment
	return !slices.ContainsFunc(d.Lines, goods) && p.Method != sales.ByCard && p.State == sales.Paid &&
		c.MayAt("voidPayment", p.LocationID)
}

// facts describes the customer, location and method.
func facts(c *desk.Call, d sales.Detail) []ui.Fact {
	sh := c.UI
	customer := ui.Fact{Name: sh.T("Customer"), Text: who(sh, d.Payment), Href: c.Customer(d.CustomerID, d.LocationID)}
	list := []ui.Fact{
		customer,
		{Name: sh.T("Payment method"), Text: means(sh, d.Payment)},
		{Name: sh.T("Location"), Text: d.LocationName},
		{Name: sh.T("Recorded by"), Text: d.RecordedBy},
		{Name: sh.T("Note"), Text: d.Note},
	}
	if d.Receipt != "" {
		list = append(list, ui.Fact{Name: sh.T("Receipt"), Text: sh.T("View receipt"), Href: "/receipt/" + d.Receipt})
	}
	return list
}

// reckoning lists the amounts from gross to net.
func reckoning(sh ui.Shell, d sales.Detail) []ui.Fact {
	if !d.State.Succeeded() {
		return []ui.Fact{{Name: sh.T("Amount"), Text: sh.Cash(d.Amount, d.Currency)}}
	}
	list := []ui.Fact{{Name: sh.T("Paid"), Text: sh.Cash(d.Amount, d.Currency)}}
	if d.Method == sales.ByCard {
		fee := ui.Fact{Name: sh.T("Platform fee, {rate}", "rate", sh.Lang().Percent(d.FeePPM)), Text: less(sh, d.FeeAmount, d.Currency)}
		processor := ui.Fact{Name: sh.T("Processor fee"), Text: sh.T("Available a few seconds after the payment")}
		if d.ProcessorFee != nil {
			processor.Text = less(sh, *d.ProcessorFee, d.Currency)
		}
		list = append(list, fee, processor)
	}
	list = append(list,
		ui.Fact{Name: sh.T("Refunded"), Text: less(sh, d.Refunded, d.Currency)},
		ui.Fact{Name: sh.T("Platform fee refunded"), Text: sh.Some(d.FeeRefunded, d.Currency)},
	)
	if d.Net != nil {
		list = append(list, ui.Fact{Name: sh.T("Net"), Text: sh.Cash(*d.Net, d.Currency)})
	}
	return list
}

// label returns the name of a line.
func label(sh ui.Shell, id *uuid.UUID, text string) string {
	if id == nil {
		return sh.T("Service fee")
	}
	return text
}

// more returns the second row of a line: its date and attendee.
func more(c *desk.Call, d sales.Detail, l sales.Line) string {
	sh := c.UI
	when := ""
	if l.StartsAt != nil {
		when = wordsAt(c, d.Zone).ShortWhen(*l.StartsAt)
	}
	people := ""
	if l.Party > 1 {
		people = sh.People(l.Party)
	}
	if goods(l) {
		number := func(n int) string { return sh.Lang().Number(n) }
		quantity, returned := sh.T("Quantity: {n}", "n", number(l.Quantity)), ""
		if l.Returned > 0 {
			returned = sh.T("Returned: {n}", "n", number(l.Returned))
		}
		return view.Joined(" · ", quantity, returned)
	}
	return view.Joined(" · ", when, l.Attendee, people)
}

// failed returns the failed refunds, while an amount is refundable.
func failed(d sales.Detail) (out []sales.Refund) {
	for _, r := range d.Refunds {
		if r.State == billing.RequestFailed && d.Refundable > 0 {
			out = append(out, r)
		}
	}
	return out
}
