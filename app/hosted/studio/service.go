package studio

import (
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/hosted/kit"
	"foyer/app/schedule"
	"foyer/app/view"
)

// service is the page of an appointment or a rental: its choices, and the free times for them. refused is the reason
// that the requested times are invalid.
func (h *site) service(c *fiber.Ctx, o *offer, in schedule.TimesInput, refused error) (templ.Component, error) {
	day, fitting := o.dayWanted(in), o.wish.Fit(o.page)
	if refused != nil || fitting != o.wish || !day.IsZero() {
		if o.wish = fitting; !day.IsZero() {
			o.from, in.From = day, day
		}
		var err error
		if o.times, err = h.Availability.Times(c.UserContext(), o.at.Tenant, fitting.Times(in)); err != nil {
			return nil, err
		}
	}
	from := ""
	if c.Query("from") != "" || !o.from.IsZero() {
		from = kit.First(o.times).String()
	}
	v := o.service(from)
	switch {
	case o.times.Location.Paused:
		v.Note = takesNone(o.shell.Words, o.studio)
	case !o.times.Location.Payable(v.Sum.Minor, o.page.Rules):
		v.Note = o.noPayment()
	default:
		o.shell.CSRF = h.TokenOf(c)
		o.pick(&v)
		v.Form = kit.FormTo(o.path, o.wish.Params()...)
		for _, a := range o.near {
			v.Near = append(v.Near, view.Time{Start: a.StartsAt, Action: view.ActionBook})
		}
	}
	return view.ServicePage(o.shell, v), nil
}

func (o *offer) service(from string) view.Service {
	lengths, minutes, party := o.page.Lengths(), o.wish.Lasts(o.page), o.wish.People(o.page)
	each, _ := lengths.Price(minutes, 1)
	sum, _ := lengths.Price(minutes, party)
	v := view.Service{About: o.about(), Sum: o.priceOf(sum, party), Party: party}
	v.Minutes, v.Price, v.Trouble = minutes, new(o.priceOf(each, 1)), o.Tr.In(o.shell.Words)
	if o.page.Kind == catalog.Appointment && len(o.page.Members) == 1 {
		v.Who = o.page.Members[0].Name
	}
	if len(o.page.Spaces) == 1 {
		v.Where = o.page.Spaces[0].Name
	}
	v.Times = kit.TimesOf(o.studio, o.wish, o.path, o.times, func(x schedule.PublicOccurrence) (view.Time, bool) {
		return view.Time{Start: x.StartsAt, Spots: kit.SpotsOf(o.page, x), Action: view.ActionBook}, true
	})
	kit.Chooser{Words: o.shell.Words, Path: o.path, Page: o.page, Wish: o.wish, From: from, View: &v.Times}.Rows()
	if o.wish.MemberID != nil {
		anyone := o.wish
		anyone.MemberID = nil
		v.Reset = &view.Link{Text: o.shell.T("See times with anyone"), Href: anyone.Href(o.path, "", "")}
	}
	return v
}

// dayWanted is the day of the selected time, if no other parameter sets the first day.
func (o *offer) dayWanted(in schedule.TimesInput) civil.Date {
	start := kit.Instant(o.Wanted)
	if start.IsZero() || !in.From.IsZero() || !in.After.IsZero() {
		return civil.Date{}
	}
	return civil.LocalDate(start, o.studio.Clock)
}

// pick offers the selected time, if it is free, or reports that it is not.
func (o *offer) pick(v *view.Service) {
	start := kit.Instant(o.Wanted)
	if start.IsZero() || o.Tr != nil {
		return
	}
	for _, d := range v.Days {
		for _, x := range d.Times {
			if x.Start.Equal(start) {
				v.Chosen = &view.Chosen{
					Start: start, Minutes: v.Minutes, Spots: x.Spots, Price: &v.Sum, Action: view.ActionBook, NeedsApproval: v.NeedsApproval,
					Form: kit.FormTo(o.path, append(o.wish.Params(), view.Param{Name: kit.FieldStart, Value: start.Format(time.RFC3339)})...),
				}
				return
			}
		}
	}
	v.Note = o.shell.T("That time is no longer available. These times are.")
	if len(v.Days) == 0 {
		v.Note = o.shell.T("That time is no longer available.")
	}
}
