package dates

import (
	"time"

	"foyer/app/agenda"
	"foyer/app/claim"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// given returns a field of the address, else the record's value.
func given(c *desk.Call, name, now string) string {
	if c.Inputs().Has(name) {
		return c.Value(name)
	}
	return now
}

// onlineText renders the number of seats sold online for its field: empty for all of them, whatever the capacity.
func onlineText(d agenda.Date) string {
	if d.OnlineCapacity == d.Capacity {
		return ""
	}
	return digits(d.OnlineCapacity)
}

// target returns the new time of a rescheduled date.
func target(a asking) time.Time {
	if len(a.Plan.Moved) > 0 {
		return a.Plan.Moved[0].To
	}
	return a.StartsAt
}

// outcomes returns all effects of a change of one date.
func outcomes(sh ui.Shell, a asking) (out []ui.Outcome) {
	p := a.Plan
	add := func(text string) { out = append(out, ui.Outcome{Text: text}) }
	for _, m := range p.Moved {
		add(sh.T("Rescheduled from {from} to {to}.", "from", sh.ShortWhen(m.From), "to", sh.ShortWhen(m.To)))
	}
	out = append(out, ui.Replacements(sh, p)...)
	if p.Changed > 0 {
		add(sh.T("The time is unchanged. Later changes to the series do not affect these changes."))
	}
	switch a.Path {
	case "cancel":
		add(sh.T("The date is cancelled. The instructor and the room become available."))
	case "restore":
		add(sh.T("The date on {when} is restored and can be booked. Cancelled bookings are not restored.", "when", sh.ShortWhen(a.StartsAt)))
	}
	for _, h := range p.Hit {
		if h.Outcome == "moved" {
			add(sh.N(h.Bookings, "{n} booking is rescheduled with it.", "{n} bookings are rescheduled with it."))
		} else {
			out = append(out, ui.Outcome{Bad: true, Text: sh.N(h.Bookings, "{n} booking is cancelled by the studio.", "{n} bookings are cancelled by the studio.")})
		}
	}
	for _, r := range p.Refunds {
		out = append(out, ui.Outcome{
			Text:   sh.N(r.Bookings, "Refund for {n} booking", "Refunds for {n} bookings"),
			Amount: sh.Money(view.Price{Minor: r.Amount, Currency: r.Currency}),
		})
	}
	if p.Courses > 0 {
		add(sh.N(p.Courses, "{n} course continues without this date, without a refund.", "{n} courses continue without this date, without a refund."))
	}
	if p.Waiting > 0 {
		out = append(out, ui.Outcome{Bad: true, Text: sh.N(p.Waiting, "{n} customer is removed from the waitlist.", "{n} customers are removed from the waitlist.")})
	}
	for _, k := range p.Conflicts {
		out = append(out, ui.Outcome{Bad: true, Text: clash(sh, k)})
	}
	if p.Notices > 0 {
		add(sh.N(p.Notices, "{n} customer is notified by e-mail.", "{n} customers are notified by e-mail."))
	} else {
		add(sh.T("Customers are not notified."))
	}
	return out
}

// clash renders a conflict of a date.
func clash(sh ui.Shell, k claim.ConflictDetail) string {
	when := sh.ShortWhen(k.WithFrom)
	if k.Reason == claim.ErrSpaceBusy.Reason {
		return sh.T("The room is unavailable: {what} ({when}).", "what", k.With, "when", when)
	}
	return sh.T("The instructor is unavailable: {what} ({when}).", "what", k.With, "when", when)
}

// cancels returns the label of the button that cancels a date, with the refund.
func cancels(sh ui.Shell, p schedule.Plan) string {
	if len(p.Refunds) == 1 && p.Refunds[0].Amount > 0 {
		return sh.T("Cancel and refund {amount}", "amount", sh.Money(view.Price{Minor: p.Refunds[0].Amount, Currency: p.Refunds[0].Currency}))
	}
	return sh.T("Cancel this date")
}

func (i standIn) outcomes(sh ui.Shell) []ui.Outcome {
	out := []ui.Outcome{{Text: sh.T("{name} teaches this date, even if the series changes.", "name", i.Name)}}
	if i.Conflicts > 0 {
		out = append(out, ui.Outcome{Bad: true, Text: sh.N(i.Conflicts, "They have {n} conflict at that time.", "They have {n} conflicts at that time.")})
	}
	if i.Notices > 0 {
		return append(out, ui.Outcome{Text: sh.N(i.Notices, "{n} notification is sent.", "{n} notifications are sent.")})
	}
	return append(out, ui.Outcome{Text: sh.T("No notifications are sent.")})
}

// entry returns the address of a decision about a waitlist entry.
func entry(c *desk.Call, s sheet, e waitlist.StudioEntry, what string) string {
	return home(c, s.Date, "waitlist", e.ID.String(), what)
}
