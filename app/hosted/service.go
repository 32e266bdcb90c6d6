package hosted

import (
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/schedule"
	"foyer/app/view"
)

// service renders the page of an appointment or a rental: what can be chosen, and the times that are free for it.
func (h *site) service(c *fiber.Ctx, s *studio, p catalog.Page, t schedule.Times, l listed) error {
	path := s.home() + "/" + p.Slug
	sh := h.shell(c, s, carried(c, view.FieldRef))
	sh.Self = h.o.BaseURL + path
	from := ""
	if c.Query("from") != "" || !l.from.IsZero() {
		from = first(t).String()
	}
	v := serviceOf(sh.Words, s, p, l.wish, from, t)
	v.Trouble = l.tr
	if t.Place.Paused {
		v.Note = s.Business.Name + " takes no bookings online at the moment."
	} else {
		sh.CSRF = h.token(c)
		l.pick(&v, path)
		v.Form = formTo(path, l.wish.params()...)
		for _, a := range l.near {
			v.Near = append(v.Near, view.Time{Start: a.StartsAt, Action: view.ActionBook})
		}
	}
	var err error
	if v.Bar, err = h.bar(c, sh, s); err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, shared)
	return show(troubled(c, l.tr), sh, view.ServicePage(sh, v))
}

func serviceOf(words view.Words, s *studio, p catalog.Page, w wish, from string, t schedule.Times) view.Service {
	path := s.home() + "/" + p.Slug
	lengths, minutes, party := p.Lengths(), w.minutes(p), w.party(p)
	each, _ := lengths.Price(minutes, 1)
	sum, _ := lengths.Price(minutes, party)
	money := func(minor int64) view.Price { return view.Price{Minor: minor, Currency: p.Currency} }
	v := view.Service{
		Name: p.Name, Text: p.Description, Minutes: minutes, Price: money(each), Sum: money(sum), Party: party,
		Each: p.Kind == catalog.Rental && p.SoldAs == catalog.PerPerson, Asks: p.Approval,
		Policy: p.Rules.Summary(p.Kind, p.Currency, words.Locale),
		Jump:   &view.Jump{Action: path, From: view.Noon(first(t), s.clock), Min: view.Noon(t.Place.Today, s.clock)},
		Strip:  days(s, w, path, t),
	}
	if p.Kind == catalog.Appointment && len(p.Members) == 1 {
		v.Who = p.Members[0].Name
	}
	if len(p.Spaces) == 1 {
		v.Where = p.Spaces[0].Name
	}
	chooser{words, path, p, w, from, &v}.rows()
	shown, rest := t.Screen()
	for _, d := range shown {
		day := view.TimesDay{Date: view.Noon(d.Date, s.clock)}
		for _, x := range d.Occurrences {
			day.Times = append(day.Times, view.Time{Start: x.StartsAt, Spots: spotsOf(p, x), Action: view.ActionBook})
		}
		v.Days = append(v.Days, day)
	}
	switch {
	case len(rest) > 0:
		v.Later = w.href(path, "from", rest[0].Date.String())
	case t.Next != nil:
		v.Later = w.href(path, "after", t.Next.Format(time.RFC3339))
	}
	if w.Member != uuid.Nil {
		anyone := w
		anyone.Member = uuid.Nil
		v.Reset = &view.Link{Text: "See times with anyone", Href: anyone.href(path)}
	}
	return v
}

// spotsOf is how many seats are left where people share a space; elsewhere a time is free or it is not.
func spotsOf(p catalog.Page, x schedule.PublicOccurrence) int {
	if p.Kind == catalog.Rental && p.SoldAs == catalog.PerPerson {
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

// days are the fourteen days on top: from today on, or from the day that is shown when that is further away. Of those that
// were read it is known whether they have a free time.
func days(s *studio, w wish, path string, t schedule.Times) []view.StripDay {
	shown, last := first(t), t.Place.Today
	free := map[civil.Date]bool{}
	for _, d := range t.Days {
		free[d.Date], last = true, d.Date
	}
	from := t.Place.Today
	if !shown.Before(from.AddDays(schedule.ScheduleDays)) {
		from = shown
	}
	var out []view.StripDay
	for d := range civil.Days(from, from.AddDays(schedule.ScheduleDays-1)) {
		out = append(out, view.StripDay{
			Date: view.Noon(d, s.clock), Open: free[d], Plain: d.Before(shown) || d.After(last), Current: d == shown,
			Href: w.href(path, "from", d.String()),
		})
	}
	return out
}

// dayWanted is the day of the time that somebody came with, when nothing else says where the times are to begin.
func (l listed) dayWanted(s *studio, in schedule.TimesInput) civil.Date {
	start := instant(l.wanted)
	if start.IsZero() || !in.From.IsZero() || !in.After.IsZero() {
		return civil.Date{}
	}
	return civil.LocalDate(start, s.clock)
}

// pick offers the time that somebody came with, as it is free, or says that it is not.
func (l listed) pick(v *view.Service, path string) {
	start := instant(l.wanted)
	if start.IsZero() || l.tr != nil {
		return
	}
	for _, d := range v.Days {
		for _, x := range d.Times {
			if x.Start.Equal(start) {
				v.Chosen = &view.Chosen{
					Start: start, Minutes: v.Minutes, Spots: x.Spots, Price: &v.Sum, Action: view.ActionBook, Asks: v.Asks,
					Form: formTo(path, append(l.wish.params(), view.Param{Name: fieldStart, Value: start.Format(time.RFC3339)})...),
				}
				return
			}
		}
	}
	v.Note = "That time is not free any more. These are."
	if len(v.Days) == 0 {
		v.Note = "That time is not free any more."
	}
}
