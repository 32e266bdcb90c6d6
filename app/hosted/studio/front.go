package studio

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/compress"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/plan"
	"foyer/app/product"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/app/walkin"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/billing/giftcard"
	"foyer/media"
)

// studioPages mounts the pages of a studio.
func (h *site) studioPages() {
	h.Get("/", h.root)
	public := compress.New(compress.Config{Level: compress.LevelBestSpeed})
	s := h.App()
	s.Get("/:slug", kit.StudioOnly(public), kit.StudioOnly(h.front))
	s.Get("/:slug/look.css", kit.StudioOnly(h.look))
	s.Get("/:slug/:listing", kit.StudioOnly(public), kit.StudioOnly(h.listing))
	s.Post("/:slug/:listing", kit.StudioOnly(h.Form(op.RateStorefrontWrite, h.add)))
}

// root is the page at the root of the site.
func (h *site) root(c *fiber.Ctx) error {
	if h.Root != "" {
		return c.Redirect(h.Root, fiber.StatusSeeOther)
	}
	sh := h.PlatformShell(c)
	return kit.Show(c, sh, kit.ProblemPage(sh, kit.Problem{
		Title: sh.T("Booking pages"),
		Text:  sh.T("Each studio has its own booking page: follow the link on its website. Your bookings are under My bookings."),
		Links: []view.Link{{Text: sh.T("My bookings"), Href: "/my"}},
	}))
}

// front is the page of a root address: a location's schedule, or a business's locations; or a location's walk-ins bar.
func (h *site) front(c *fiber.Ctx) error {
	if c.Query(view.FieldEmbed) == embedLive {
		return h.live(c)
	}
	if at, ok := h.SlugLocation(c); ok {
		err := h.schedule(c, at, c.Params("slug"))
		if !fault.IsKind(err, fault.NotFound) && !errors.Is(err, kit.ErrFormer) {
			return err
		}
	}
	f, moved, err := h.Find(c)
	if err != nil {
		return err
	}
	if moved != "" {
		return kit.MovedPermanently(c, moved)
	}
	err = h.frontOf(c, f)
	if fault.IsKind(err, fault.NotFound) {
		return h.away(c, f)
	}
	return err
}

// frontOf is the front page of a business or a location; not found when nothing of it is public.
func (h *site) frontOf(c *fiber.Ctx, f business.Found) error {
	if f.Location != uuid.Nil {
		return h.schedule(c, kit.Location{Tenant: f.Business, Location: f.Location}, "")
	}
	open, err := h.Locations(c, f.Business)
	switch {
	case err != nil:
		return err
	case len(open) == 0:
		return fault.Missing()
	case len(open) == 1:
		return h.schedule(c, kit.Location{Tenant: f.Business, Location: open[0].ID}, "")
	}
	return h.places(c, f.Business, open)
}

// away is the page of a former address: it explains whether the studio has closed, or this location.
func (h *site) away(c *fiber.Ctx, f business.Found) error {
	v := h.DB.View(f.Business)
	b, err := business.BusinessOf(c.UserContext(), v)
	if err != nil {
		return err
	}
	sh := h.PlatformShell(c)
	p := kit.Problem{Text: sh.T("You can no longer book here. Your bookings are under My bookings.")}
	switch {
	case b.Status == business.Closed:
		p.Title = sh.T("{studio} has closed", "studio", b.Name)
	case f.Location == uuid.Nil:
		return fault.Missing() // it has not opened yet
	default:
		l, err := business.LocationOf(c.UserContext(), v, f.Location)
		if err != nil {
			return err
		}
		p.Title = sh.T("{studio} has closed", "studio", l.Name)
		open, err := h.Locations(c, f.Business)
		if err != nil {
			return err
		}
		if len(open) > 0 {
			p.Links = []view.Link{{Text: sh.T("More from {studio}", "studio", b.Name), Href: "/" + b.Slug}}
		}
	}
	p.Links = append(p.Links, view.Link{Text: sh.T("My bookings"), Href: "/my"})
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Status(fiber.StatusNotFound)
	return kit.Show(c, sh, kit.ProblemPage(sh, p))
}

func (h *site) places(c *fiber.Ctx, tenant uuid.UUID, open []business.Location) error {
	s, err := h.StudioOf(c, kit.Location{Tenant: tenant, Location: open[0].ID})
	if err == nil && s.Business.Status == business.Closed {
		err = fault.Missing()
	}
	if err != nil {
		return err
	}
	sh := h.ShellOf(c, s, c.Query(view.FieldRef))
	sh.Studio = view.Studio{Name: s.Business.Name, Home: "/" + s.Business.Slug}
	ids := make([]uuid.UUID, len(open))
	for i, l := range open {
		ids[i] = l.ID
	}
	pics, err := media.Covers(c.UserContext(), h.DB.View(tenant), ids)
	if err != nil {
		return err
	}
	var list []view.Location
	for _, l := range open {
		list = append(list, view.Location{Name: l.Name, Address: view.AddressLine(l.Address), Href: "/" + l.Slug, Photo: photoIn(pics, l.ID)})
	}
	c.Set(fiber.HeaderCacheControl, kit.Shared)
	return kit.Show(c, sh, LocationsPage(sh, list))
}

// schedule is a location's timetable: fourteen days from today on, or from ?day= on; and its appointments and
// rentals. With a filter it is made for each visitor: there are too many of them to cache. slug is kit.Public's.
func (h *site) schedule(c *fiber.Ctx, at kit.Location, slug string) error {
	from, _ := civil.ParseDate(c.Query("day")) // anything else means today
	p := kit.Public{At: at, Slug: slug, Name: []string{"schedule", from.String()}}
	p.Make = func(ctx context.Context) (kit.Made, error) { return h.makeSchedule(ctx, c, at, from) }
	if filtered(c) {
		return h.ShowAnew(c, p)
	}
	return h.ShowPublic(c, p)
}

// makeSchedule reads and renders the schedule.
func (h *site) makeSchedule(ctx context.Context, c *fiber.Ctx, at kit.Location, from civil.Date) (kit.Made, error) {
	r, err := h.readFront(ctx, at, from)
	if err != nil {
		return kit.Made{}, err
	}
	s, t := r.studio, r.times
	sh := h.PublicShell(c, s, s.Home())
	v := timetable(sh.Words, s, t, filterOf(c, sh.Words, t), !from.IsZero())
	v.Groups = groupsOf(sh.Words, s.Home(), r.computed, r.next, r.covers)
	v.Walkin = view.WalkinStatusOf(sh.Words, r.walkins)
	if r.products || r.giftCards || r.plans {
		v.Shop = kit.ShopPath(s.Home())
	}
	if r.plans {
		v.Plans = kit.PlansPath(s.Home())
	}
	if v.Photo = photoIn(r.covers, at.Location); v.Photo == nil {
		v.Photo = photoIn(r.covers, at.Tenant)
	}
	if len(v.Groups) > 0 && !t.Location.Paused {
		v.Policy = sh.T("Choose what you would like to book.")
	}
	return kit.Made{Studio: s, Shell: sh, Content: view.SchedulePage(sh, v)}, nil
}

// frontRead is the data of a location's front page.
type frontRead struct {
	studio              *kit.Studio
	times               schedule.Timetable
	computed            []catalog.Listing         // appointments and rentals
	next                map[uuid.UUID]time.Time   // the next free time of each
	covers              map[uuid.UUID]media.Photo // by subject
	walkins             walkin.Walkins
	products, giftCards bool // it sells them
	plans               bool // likewise, online
}

// readFront reads it in one trip, and the next free times, if there are appointments or rentals, in another.
func (h *site) readFront(ctx context.Context, at kit.Location, from civil.Date) (r frontRead, err error) {
	var (
		studio business.StudioRead
		live   walkin.LiveRead
		covers []media.Photo
	)
	r.times, err = h.Schedule.Schedule(ctx, at.Tenant, at.Location, from, schedule.ScheduleDays,
		studio.In(at.Tenant, at.Location), live.In(h.DB.View(at.Tenant), at.Location),
		product.SoldAtIn(at.Tenant, at.Location, &r.products),
		giftcard.SoldAtIn(at.Tenant, at.Location, &r.giftCards), plan.SoldAtIn(at.Tenant, at.Location, &r.plans),
		catalog.ComputedIn(at.Tenant, at.Location, &r.computed),
		media.CoversIn(at.Tenant, at.Location, &covers))
	if err != nil {
		return r, err
	}
	r.covers = media.BySubject(covers)
	if r.studio, err = kit.StudioIn(&studio); err != nil {
		return r, err
	}
	if r.walkins, err = live.Walkins(); err != nil || len(r.computed) == 0 {
		return r, err
	}
	ids := make([]uuid.UUID, len(r.computed))
	for i, l := range r.computed {
		ids[i] = l.ID
	}
	r.next, err = h.Availability.NextFree(ctx, at.Tenant, ids)
	return r, err
}

// timetable shows a schedule: of its classes those that match the filter. moved means that it begins at a requested
// day.
func timetable(w view.Words, s *kit.Studio, t schedule.Timetable, f filter, moved bool) view.Schedule {
	v := view.Schedule{Policy: w.T("Choose a class to book it."), Title: titleOf(w, s, t)}
	if t.Location.Paused {
		v.Policy = takesNone(w, s)
	}
	busy := map[civil.Date]bool{}
	prices := map[*schedule.Offered]*view.Price{} // all dates of a class have the same
	for _, d := range t.Days {
		day := view.Day{Date: view.Noon(d.Date, s.Clock)}
		for _, x := range d.Occurrences {
			if !f.takes(x) {
				continue
			}
			busy[d.Date] = true
			if prices[x.Offered] == nil {
				prices[x.Offered] = view.PriceAt(x, t.Location)
			}
			row := view.RowOf(x, prices[x.Offered])
			row.Href = rowHref(s, x, row.Action)
			day.Rows = append(day.Rows, row)
		}
		if len(day.Rows) > 0 {
			v.Days = append(v.Days, day)
		}
	}
	v.Strip = kit.Strip(s, t.Location.Today, t.From, busy, func(d civil.Date, day *view.StripDay) {
		if !busy[d] {
			day.Href = f.href(s.Home(), d.String())
		}
	})
	day := ""
	if moved {
		day = t.From.String()
	}
	v.Filter = f.view(s.Home(), day)
	if t.Next != nil {
		v.Later = f.href(s.Home(), t.Next.String())
		v.Empty = w.T("No classes in these two weeks. The next classes are on {day}.", "day", w.Date(view.Noon(*t.Next, s.Clock)))
	}
	if len(t.Days) > 0 && len(v.Days) == 0 {
		v.Empty = w.T("No classes on these days match the filters. Change the filters, or show all.")
	}
	return v
}

// titleOf is the title of the days on the page.
func titleOf(w view.Words, s *kit.Studio, t schedule.Timetable) string {
	if n := t.From.DaysUntil(t.To) + 1; t.From == t.Location.Today {
		return w.N(n, "Schedule: next {n} day", "Schedule: next {n} days")
	}
	return w.T("Schedule from {first} to {last}", "first", w.Day(view.Noon(t.From, s.Clock)), "last", w.Day(view.Noon(t.To, s.Clock)))
}

// takesNone is the message that a studio has paused its bookings.
func takesNone(w view.Words, s *kit.Studio) string {
	return w.T("{studio} is not taking online bookings at the moment.", "studio", s.Business.Name)
}

// rowHref is the link of a row of the timetable: its class, or the waitlist of a full date.
func rowHref(s *kit.Studio, x schedule.PublicOccurrence, action view.Action) string {
	path := s.Home() + "/" + x.Slug
	switch {
	case action == view.ActionWaitlist:
		return path + "/waitlist/" + x.ID.String()
	case x.Course:
		return path
	}
	return path + "?time=" + x.ID.String() // an id needs no escapes
}

// look is the stylesheet of a location's branding. Its address carries the version (view.Branding.Href), so that it
// can be cached forever; any other address is revalidated after a minute.
func (h *site) look(c *fiber.Ctx) error {
	f, _, err := h.Find(c)
	if err == nil && f.Location == uuid.Nil {
		err = fault.Missing()
	}
	if err != nil {
		return err
	}
	l, err := business.LocationOf(c.UserContext(), h.DB.View(f.Business), f.Location)
	if err != nil {
		return err
	}
	look := view.Branding(l.Branding)
	sheet, err := web.NewCached("text/css; charset=utf-8", []byte(look.CSS()))
	if err != nil {
		return err
	}
	if c.Query("v") == look.Version() {
		return sheet.Send(c, "public, max-age=31536000, immutable")
	}
	return sheet.Send(c, "public, max-age=60")
}

// photoIn is the photo of a subject among covers; nil when it has none.
func photoIn(covers map[uuid.UUID]media.Photo, subject uuid.UUID) *view.Photo {
	cover, has := covers[subject]
	if !has {
		return nil
	}
	p := view.PhotoOf(cover)
	return &p
}

// groupsOf shows them under their headings, in the order of the first of each.
func groupsOf(w view.Words, home string, list []catalog.Listing, next map[uuid.UUID]time.Time, pics map[uuid.UUID]media.Photo) []view.Group {
	var out []view.Group
	at := map[string]int{}
	for _, l := range list {
		key := strings.ToLower(l.Word)
		i, known := at[key]
		if !known {
			i = len(out)
			at[key], out = i, append(out, view.Group{Heading: w.Heading(l.Word)})
		}
		row := view.GroupRow{Name: l.Name, Lengths: w.LengthsOf(l), Price: w.PriceOf(l), Href: home + "/" + l.Slug, Photo: photoIn(pics, l.ID)}
		if start, has := next[l.ID]; has {
			row.Next = &start
		}
		out[i].Rows = append(out[i].Rows, row)
	}
	return out
}
