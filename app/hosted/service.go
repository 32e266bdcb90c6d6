package hosted

import (
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/schedule"
	"foyer/app/view"
)

// service is the page of an appointment or a rental: what can be chosen, and the times that are free for it. refused is why
// the times that were asked for could not be read.
func (h *site) service(c *fiber.Ctx, o *offer, in schedule.TimesInput, refused error) (templ.Component, error) {
	day, fitting := o.dayWanted(in), o.wish.fit(o.page)
	if refused != nil || fitting != o.wish || !day.IsZero() {
		if o.wish = fitting; !day.IsZero() {
			o.from, in.From = day, day
		}
		var err error
		if o.times, err = h.Availability.Times(c.UserContext(), o.at.tenant, fitting.times(in)); err != nil {
			return nil, err
		}
	}
	from := ""
	if c.Query("from") != "" || !o.from.IsZero() {
		from = first(o.times).String()
	}
	v := o.service(from)
	switch {
	case o.times.Place.Paused:
		v.Note = takesNone(o.shell.Words, o.studio)
	case !o.times.Place.Payable(v.Sum.Minor, o.page.Rules):
		v.Note = o.noPayment()
	default:
		o.shell.CSRF = h.token(c)
		o.pick(&v)
		v.Form = formTo(o.path, o.wish.params()...)
		for _, a := range o.near {
			v.Near = append(v.Near, view.Time{Start: a.StartsAt, Action: view.ActionBook})
		}
	}
	return view.ServicePage(o.shell, v), nil
}

func (o *offer) service(from string) view.Service {
	lengths, minutes, party := o.page.Lengths(), o.wish.minutes(o.page), o.wish.party(o.page)
	each, _ := lengths.Price(minutes, 1)
	sum, _ := lengths.Price(minutes, party)
	v := view.Service{About: o.about(), Sum: o.priceOf(sum, party), Party: party}
	v.Minutes, v.Price, v.Trouble = minutes, new(o.priceOf(each, 1)), o.tr.in(o.shell.Words)
	if o.page.Kind == catalog.Appointment && len(o.page.Members) == 1 {
		v.Who = o.page.Members[0].Name
	}
	if len(o.page.Spaces) == 1 {
		v.Where = o.page.Spaces[0].Name
	}
	v.Times = timesOf(o.studio, o.wish, o.path, o.times, func(x schedule.PublicOccurrence) (view.Time, bool) {
		return view.Time{Start: x.StartsAt, Spots: spotsOf(o.page, x), Action: view.ActionBook}, true
	})
	chooser{o.shell.Words, o.path, o.page, o.wish, from, &v.Times}.rows()
	if o.wish.MemberID != nil {
		anyone := o.wish
		anyone.MemberID = nil
		v.Reset = &view.Link{Text: o.shell.T("See times with anyone"), Href: anyone.href(o.path, "", "")}
	}
	return v
}

// timesOf are the times of an offering to choose from. show shows one of them; ok is false for one that is not to be chosen.
func timesOf(s *studio, w wish, path string, t schedule.Times, show func(x schedule.PublicOccurrence) (v view.Time, ok bool)) view.Times {
	v := view.Times{
		Jump: &view.Jump{Action: path, From: view.Noon(first(t), s.clock), Min: view.Noon(t.Place.Today, s.clock)},
	}
	if t.Head.Kind != catalog.Class {
		v.Strip = days(s, w, path, t)
	}
	shown, rest := t.Screen()
	for _, d := range shown {
		day := view.TimesDay{Date: view.Noon(d.Date, s.clock)}
		for _, x := range d.Occurrences {
			if time, ok := show(x); ok {
				day.Times = append(day.Times, time)
			}
		}
		if len(day.Times) > 0 {
			v.Days = append(v.Days, day)
		}
	}
	switch {
	case len(rest) > 0:
		v.Later = w.href(path, "from", rest[0].Date.String())
	case t.Next != nil:
		v.Later = w.href(path, "after", t.Next.Format(time.RFC3339))
	}
	return v
}

// spotsOf is how many seats are left where people share a space; elsewhere a time is free or it is not.
func spotsOf(p catalog.Page, x schedule.PublicOccurrence) int {
	if p.PerHead() {
		return x.Spots
	}
	return 0
}

// first is the first day that a page of times shows.
func first(t schedule.Times) civil.Date {
	if len(t.Days) > 0 {
		return t.Days[0].Date
	}
	return t.Place.Today
}

// strip is the fourteen days on top: from today on, or from the day that is shown when that is further away. open are the
// days that have something; more says the rest of each.
func strip(s *studio, today, shown civil.Date, open map[civil.Date]bool, more func(d civil.Date, day *view.StripDay)) []view.StripDay {
	from := today
	if !shown.Before(today.AddDays(schedule.ScheduleDays)) {
		from = shown
	}
	var out []view.StripDay
	for d := range civil.Days(from, from.AddDays(schedule.ScheduleDays-1)) {
		day := view.StripDay{Date: view.Noon(d, s.clock), Open: open[d], Current: d == shown}
		more(d, &day)
		out = append(out, day)
	}
	return out
}

// days is the strip of an appointment or a rental. Of the days that were read it is known whether they have a free time.
func days(s *studio, w wish, path string, t schedule.Times) []view.StripDay {
	shown, last := first(t), t.Place.Today
	free := map[civil.Date]bool{}
	for _, d := range t.Days {
		free[d.Date], last = true, d.Date
	}
	return strip(s, t.Place.Today, shown, free, func(d civil.Date, day *view.StripDay) {
		day.Plain, day.Href = d.Before(shown) || d.After(last), w.href(path, "from", d.String())
	})
}

// dayWanted is the day of the time that somebody came with, when nothing else says where the times are to begin.
func (o *offer) dayWanted(in schedule.TimesInput) civil.Date {
	start := instant(o.wanted)
	if start.IsZero() || !in.From.IsZero() || !in.After.IsZero() {
		return civil.Date{}
	}
	return civil.LocalDate(start, o.studio.clock)
}

// pick offers the time that somebody came with, as it is free, or says that it is not.
func (o *offer) pick(v *view.Service) {
	start := instant(o.wanted)
	if start.IsZero() || o.tr != nil {
		return
	}
	for _, d := range v.Days {
		for _, x := range d.Times {
			if x.Start.Equal(start) {
				v.Chosen = &view.Chosen{
					Start: start, Minutes: v.Minutes, Spots: x.Spots, Price: &v.Sum, Action: view.ActionBook, Asks: v.Asks,
					Form: formTo(o.path, append(o.wish.params(), view.Param{Name: fieldStart, Value: start.Format(time.RFC3339)})...),
				}
				return
			}
		}
	}
	v.Note = o.shell.T("That time is not free any more. These are.")
	if len(v.Days) == 0 {
		v.Note = o.shell.T("That time is not free any more.")
	}
}
