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

// given is what a field of the address has, else what the record says.
func given(c *desk.Call, name, now string) string {
	if c.Asked().Has(name) {
		return c.Value(name)
	}
	return now
}

// onlineText is how many seats are sold online, as a field shows it: empty for all of them, however many they become.
func onlineText(d agenda.Date) string {
	if d.OnlineCapacity == d.Capacity {
		return ""
	}
	return digits(d.OnlineCapacity)
}

// target is when a date that moves is to be.
func target(a asking) time.Time {
	if len(a.Plan.Moved) > 0 {
		return a.Plan.Moved[0].To
	}
	return a.StartsAt
}

// outcomes are all that a change of one date does, in words.
func outcomes(sh ui.Shell, a asking) (out []ui.Outcome) {
	p := a.Plan
	add := func(text string) { out = append(out, ui.Outcome{Text: text}) }
	for _, m := range p.Moved {
		add(sh.T("It moves from {from} to {to}.", "from", sh.ShortWhen(m.From), "to", sh.ShortWhen(m.To)))
	}
	out = append(out, ui.Replacements(sh, p)...)
	if p.Changed > 0 {
		add(sh.T("Its time stays, and what you changed is its own from now on."))
	}
	switch a.Path {
	case "cancel":
		add(sh.T("It does not take place. Who gives it and the room are free."))
	case "restore":
		add(sh.T("It takes place on {when} and can be booked. Who was booked is not booked again.", "when", sh.ShortWhen(a.StartsAt)))
	}
	for _, h := range p.Hit {
		if h.Outcome == "moved" {
			add(sh.N(h.Bookings, "{n} booking moves with it.", "{n} bookings move with it."))
		} else {
			out = append(out, ui.Outcome{Bad: true, Text: sh.N(h.Bookings, "{n} booking is cancelled by the studio.", "{n} bookings are cancelled by the studio.")})
		}
	}
	for _, r := range p.Refunds {
		out = append(out, ui.Outcome{
			Text:   sh.N(r.Bookings, "Given back for {n} booking", "Given back for {n} bookings"),
			Amount: sh.Money(view.Price{Minor: r.Amount, Currency: r.Currency}),
		})
	}
	if p.Courses > 0 {
		add(sh.N(p.Courses, "{n} course goes on without this date, and nothing is given back for it.", "{n} courses go on without this date, and nothing is given back for them."))
	}
	if p.Waiting > 0 {
		out = append(out, ui.Outcome{Bad: true, Text: sh.N(p.Waiting, "{n} person leaves the waitlist.", "{n} people leave the waitlist.")})
	}
	for _, k := range p.Conflicts {
		out = append(out, ui.Outcome{Bad: true, Text: clash(sh, k)})
	}
	if p.Notices > 0 {
		add(sh.N(p.Notices, "{n} customer gets a mail.", "{n} customers get a mail."))
	} else {
		add(sh.T("No customer gets a mail."))
	}
	return out
}

// clash is what is in the way of a date.
func clash(sh ui.Shell, k claim.ConflictDetail) string {
	when := sh.ShortWhen(k.WithFrom)
	if k.Reason == claim.ErrSpaceBusy.Reason {
		return sh.T("The room has {what} then ({when}).", "what", k.With, "when", when)
	}
	return sh.T("Who gives it has {what} then ({when}).", "what", k.With, "when", when)
}

// cancels is the button that cancels a date: it names what is given back.
func cancels(sh ui.Shell, p schedule.Plan) string {
	if len(p.Refunds) == 1 && p.Refunds[0].Amount > 0 {
		return sh.T("Cancel and give back {amount}", "amount", sh.Money(view.Price{Minor: p.Refunds[0].Amount, Currency: p.Refunds[0].Currency}))
	}
	return sh.T("Cancel this date")
}

func (i standIn) outcomes(sh ui.Shell) []ui.Outcome {
	out := []ui.Outcome{{Text: sh.T("{name} gives this date, whatever becomes of the series.", "name", i.Name)}}
	if i.Conflicts > 0 {
		out = append(out, ui.Outcome{Bad: true, Text: sh.N(i.Conflicts, "They have {n} other thing then.", "They have {n} other things then.")})
	}
	if i.Notices > 0 {
		return append(out, ui.Outcome{Text: sh.N(i.Notices, "{n} message is sent.", "{n} messages are sent.")})
	}
	return append(out, ui.Outcome{Text: sh.T("Nobody is told.")})
}

// entry is the address of a decision about somebody who waits.
func entry(c *desk.Call, s sheet, e waitlist.StudioEntry, what string) string {
	return home(c, s.Date, "waitlist", e.ID.String(), what)
}
