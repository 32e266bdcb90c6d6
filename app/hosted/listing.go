package hosted

import (
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/view"
)

// nextTimes is how many times a listing offers on top.
const nextTimes = 3

// place is a location of a business.
type place struct{ tenant, location uuid.UUID }

// placeOf finds the location an address is about: the location's own, or that of a business which has one only.
func (h *site) placeOf(c *fiber.Ctx) (at place, moved string, err error) {
	f, moved, err := h.find(c)
	if err != nil || moved != "" || f.Location != uuid.Nil {
		return place{f.Business, f.Location}, moved, err
	}
	open, err := h.locations(c, f.Business)
	if err == nil && len(open) != 1 {
		err = fault.Missing()
	}
	if err != nil {
		return place{}, "", err
	}
	return place{f.Business, open[0].ID}, "", nil
}

// listing is the page of one class. The address accepts what an embed's links and form send (E58): time chooses a date,
// by the occurrence's id or by its instant; from is the first day and after the instant behind which a page of times
// begins. What cannot be read is as good as not there.
func (h *site) listing(c *fiber.Ctx) error {
	at, moved, err := h.placeOf(c)
	if err != nil {
		return err
	}
	if moved != "" {
		return elsewhere(c, moved)
	}
	return h.showListing(c, at, listed{wanted: c.Query("time"), wish: asked(c)})
}

// listed is what somebody wants to see of a listing.
type listed struct {
	wanted string // the chosen time: by its instant, of a class also by the id of its date; may be empty
	wish   wish   // of an appointment or a rental
	from   civil.Date
	tr     *view.Trouble              // why booking a time did not work
	near   []availability.Alternative // other times in its place
}

// showListing renders the page of a listing: a class with one time chosen, or none; anything else with its free times.
func (h *site) showListing(c *fiber.Ctx, at place, l listed) error {
	in := schedule.TimesInput{LocationID: at.location, Slug: c.Params("listing")}.Beginning(c.Query("from"), c.Query("after"))
	if !l.from.IsZero() {
		in.From, in.After = l.from, time.Time{}
	}
	var (
		s       *studio
		p       catalog.Page
		t       schedule.Times
		refused error // by times that cannot be asked for
	)
	err := together(
		func() error {
			t, refused = h.Availability.Times(c.UserContext(), at.tenant, l.wish.times(in))
			return nil
		},
		func() (err error) { s, err = h.studioOf(c, at); return err },
		func() (err error) {
			p, err = catalog.PageOf(c.UserContext(), h.o.DB.View(at.tenant), at.location, c.Params("listing"))
			return err
		},
	)
	if err != nil {
		return err
	}
	if p.Kind == catalog.Class {
		if refused != nil {
			return refused
		}
		if t.Course != nil {
			return h.course(c, at, s, p, t, l.tr)
		}
		return h.class(c, at, s, p, t, in, l)
	}
	day := l.dayWanted(s, in)
	if w := l.wish.fit(p); refused != nil || w != l.wish || !day.IsZero() {
		if l.wish = w; !day.IsZero() {
			l.from, in.From = day, day
		}
		if t, err = h.Availability.Times(c.UserContext(), at.tenant, w.times(in)); err != nil {
			return err
		}
	}
	return h.service(c, s, p, t, l)
}

// class renders the page of a class.
func (h *site) class(c *fiber.Ctx, at place, s *studio, p catalog.Page, t schedule.Times, in schedule.TimesInput, l listed) error {
	path := s.home() + "/" + t.Head.OfferingSlug
	sh := h.shell(c, s, carried(c, view.FieldRef))
	sh.Self = h.o.BaseURL + path
	v := listingOf(path, s, t, in)
	v.Policy = p.Rules.Summary(p.Kind, p.Currency, sh.Locale)
	date, found, err := h.date(c, at, t, l.wanted)
	switch {
	case err != nil:
		return err
	case found:
		v.Chosen = h.chosen(t, p, path, date, l.tr)
		sh.CSRF = h.token(c)
	default:
		v.Trouble = l.tr
		if in.From.IsZero() && in.After.IsZero() {
			v.Next = upcoming(v.Days)
		}
	}
	if v.Bar, err = h.bar(c, sh, s); err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, shared)
	return show(troubled(c, l.tr), sh, view.ListingPage(sh, v))
}

// instant reads an instant as an address has it; the zero time when it is none.
func instant(text string) time.Time {
	t, err := schedule.ParseInstant(text)
	if err != nil {
		return time.Time{}
	}
	return t
}

func listingOf(path string, s *studio, t schedule.Times, in schedule.TimesInput) view.Listing {
	v := view.Listing{
		Name: t.Head.OfferingName, Text: t.Head.Description, Price: view.PriceAt(t.Head.PriceAmount, t.Place), Minutes: t.Head.DurationMinutes,
		Jump: &view.Jump{Action: path, From: view.Noon(t.Place.Today, s.clock), Min: view.Noon(t.Place.Today, s.clock)},
	}
	if in.From.After(t.Place.Today) {
		v.Jump.From = view.Noon(in.From, s.clock)
	}
	for _, d := range t.Days {
		day := view.TimesDay{Date: view.Noon(d.Date, s.clock)}
		for _, x := range d.Occurrences {
			day.Times = append(day.Times, timeOf(path, x))
		}
		v.Days = append(v.Days, day)
	}
	v.Who, v.Where = always(t.Days)
	if t.Next != nil {
		v.Later = query(path, "after", t.Next.Format(time.RFC3339))
	}
	return v
}

func timeOf(path string, x schedule.PublicOccurrence) view.Time {
	return view.Time{Start: x.StartsAt, Spots: x.Spots, Action: view.ActionOf(x), Href: query(path, "time", x.ID.String())}
}

// always is the instructor and where, when it is the same on every date shown.
func always(days []schedule.Day) (who, where string) {
	first := true
	for _, d := range days {
		for _, x := range d.Occurrences {
			if first {
				who, where, first = x.Instructor, x.Space, false
			}
			if x.Instructor != who {
				who = ""
			}
			if x.Space != where {
				where = ""
			}
		}
	}
	return who, where
}

// upcoming is the first few times that can be booked.
func upcoming(days []view.TimesDay) []view.Time {
	var out []view.Time
	for _, d := range days {
		for _, t := range d.Times {
			if t.Action == view.ActionBook && len(out) < nextTimes {
				out = append(out, t)
			}
		}
	}
	return out
}

// chosen is the time that the customer came with. One that cannot be booked says why, and the other times stand below.
func (h *site) chosen(t schedule.Times, p catalog.Page, path string, date schedule.Detail, tr *view.Trouble) *view.Chosen {
	x := date.Listed(p.Rules, h.o.Clock.Now())
	v := &view.Chosen{
		Start: x.StartsAt, Minutes: x.Minutes(), Spots: x.Spots, Price: view.PriceAt(t.Head.PriceAmount, t.Place),
		Action: view.ActionOf(x), Trouble: tr,
	}
	switch v.Action {
	case view.ActionBook:
		v.Form = formTo(path, view.Param{Name: "occurrence", Value: x.ID.String()})
	case view.ActionWaitlist:
		v.Href = path + "/waitlist/" + x.ID.String()
	case view.ActionFull:
		v.Note = "Choose another time below."
	default:
		v.Note = fault.From(booking.Refused(x.Obstacle, x.ID, x.OfferingID)).Message
	}
	return v
}

// date finds the one of this class that an address means: an id, or the instant at which it starts.
func (h *site) date(c *fiber.Ctx, at place, t schedule.Times, wanted string) (date schedule.Detail, found bool, err error) {
	id, err := uuid.Parse(wanted)
	if err != nil {
		if id, err = h.startingAt(c, at, t, instant(wanted)); err != nil || id == uuid.Nil {
			return date, false, err
		}
	}
	date, err = schedule.OccurrenceOf(c.UserContext(), h.o.DB.View(at.tenant), id)
	if fault.IsKind(err, fault.NotFound) {
		return date, false, nil
	}
	return date, err == nil && date.OfferingID == t.Head.OfferingID, err
}

// startingAt is the date of this class that starts at an instant; Nil when none does.
func (h *site) startingAt(c *fiber.Ctx, at place, t schedule.Times, start time.Time) (uuid.UUID, error) {
	if start.IsZero() {
		return uuid.Nil, nil
	}
	near, err := h.Availability.Times(c.UserContext(), at.tenant,
		schedule.TimesInput{OfferingID: t.Head.OfferingID, After: start.Add(-time.Microsecond)})
	if err != nil || len(near.Days) == 0 || !near.Days[0].Occurrences[0].StartsAt.Equal(start) {
		return uuid.Nil, err
	}
	return near.Days[0].Occurrences[0].ID, nil
}
