package studio

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/kit"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/media"
)

// listing is the page of one class. The address accepts the parameters of an embed's links and form (E58): time
// chooses a date, by the occurrence's id or by its instant; from is the first day and after the instant after which a
// page of times begins. Invalid values are ignored.
func (h *site) listing(c *fiber.Ctx) error {
	if at, ok := h.SlugLocation(c); ok {
		if err := h.listingAt(c, at, c.Params("slug")); !errors.Is(err, kit.ErrFormer) {
			return err
		}
	}
	at, moved, err := h.LocationOf(c)
	if err != nil {
		return err
	}
	if moved != "" {
		return kit.MovedPermanently(c, moved)
	}
	return h.listingAt(c, at, "")
}

// listingAt is the page of a listing of a location. slug is kit.Public's.
func (h *site) listingAt(c *fiber.Ctx, at kit.Location, slug string) error {
	l := Listed{Wanted: c.Query("time"), wish: kit.WishOf(c.Query)}
	p := kit.Public{
		At: at, Slug: slug, Name: []string{"listing", c.Params("listing"), c.Query("from"), c.Query("after")},
		Make: func(ctx context.Context) (kit.Made, error) {
			o, page, err := h.makeListing(ctx, c, at, l)
			if err != nil {
				return kit.Made{}, err
			}
			return kit.Made{Studio: o.studio, Shell: o.shell, Content: page, ForOne: !o.plain()}, nil
		},
	}
	if l.Wanted != "" || l.wish != (kit.Wish{}) {
		return h.ShowAnew(c, p)
	}
	return h.ShowPublic(c, p)
}

// Listed has the parameters of a listing's page.
type Listed struct {
	Wanted string   // the chosen time: by its instant, of a class also by the id of its date; may be empty
	wish   kit.Wish // of an appointment or a rental
	from   civil.Date
	people int                        // number of people for a date
	names  string                     // and their names, as entered
	Tr     kit.Trouble                // why booking a time failed
	near   []availability.Alternative // alternatives to it
}

// offer is the data of a listing's page.
type offer struct {
	Listed
	at     kit.Location
	path   string
	studio *kit.Studio
	page   catalog.Page
	times  schedule.Times
	photos []media.Photo
	plans  []plan.Plan // on sale at the location
	shell  view.Shell
	cart   checkout.Cart // this browser's cart at the location; zero without
}

// ShowListing shows the page of the listing in the path, with the parameters in l.
func ShowListing(k *kit.Site, c *fiber.Ctx, at kit.Location, l Listed) error {
	return (&site{k}).showListing(c, at, l)
}

// showListing shows the page of a listing for this visitor, after a form with an error.
func (h *site) showListing(c *fiber.Ctx, at kit.Location, l Listed) error {
	o, page, err := h.makeListing(c.UserContext(), c, at, l)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, kit.Shared)
	return kit.Show(kit.Troubled(c, l.Tr.In(o.shell.Words)), o.shell, page)
}

// makeListing reads and renders the page of a listing: a class with one time chosen, or none; anything else with its
// free times.
func (h *site) makeListing(
	ctx context.Context, c *fiber.Ctx, at kit.Location, l Listed,
) (*offer, templ.Component, error) {
	o, in, refused, err := h.readListing(ctx, c, at, l)
	if err != nil {
		return nil, nil, err
	}
	o.path = o.studio.Home() + "/" + o.page.Slug
	o.shell = h.PublicShell(c, o.studio, o.path)
	if !o.plain() {
		if o.cart, o.shell.Bar, err = h.CartBar(c, o.studio, o.shell.Words); err != nil {
			return nil, nil, err
		}
	}
	var page templ.Component
	switch {
	case o.times.Course != nil:
		page, err = h.course(c, o)
	case o.page.Kind == catalog.Class:
		page, err = h.class(c, o, in)
	default:
		page, err = h.service(c, o, in, refused)
	}
	return o, page, err
}

// readListing reads the data of a listing's page. refused is the reason that the requested times of an appointment or
// a rental are invalid.
func (h *site) readListing(
	ctx context.Context, c *fiber.Ctx, at kit.Location, l Listed,
) (o *offer, in schedule.TimesInput, refused, err error) {
	slug := c.Params("listing")
	in = schedule.TimesInput{LocationID: at.Location, Slug: slug}.Beginning(c.Query("from"), c.Query("after"))
	if !l.from.IsZero() {
		in.From, in.After = l.from, time.Time{}
	}
	o = &offer{Listed: l, at: at}
	err = kit.Together(
		func() error {
			o.times, refused = h.Availability.Times(ctx, at.Tenant, l.wish.Times(in))
			return nil
		},
		func() (err error) { o.studio, err = h.StudioAt(ctx, at); return err },
		func() (err error) {
			o.page, err = catalog.PageOf(ctx, h.DB.View(at.Tenant), at.Location, slug)
			return err
		},
		func() (err error) {
			o.photos, err = media.PhotosOfListing(ctx, h.DB.View(at.Tenant), at.Location, slug)
			return err
		},
		func() (err error) { o.plans, err = h.Plans.OnSaleAt(ctx, at.Tenant, at.Location); return err },
	)
	if err == nil && o.page.Kind == catalog.Class {
		err = refused
	}
	return o, in, refused, err
}

// plain reports whether the page has nothing of its visitor: the times of a class, none of them chosen. All other
// pages have a form.
func (o *offer) plain() bool {
	return o.page.Kind == catalog.Class && o.times.Course == nil && o.Wanted == "" && o.Tr == nil
}

// about describes the offering, with its photos.
func (o *offer) about() view.About {
	about := view.AboutOf(o.shell.Words, o.page)
	about.Photos = view.PhotosOf(o.photos)
	if o.planPays() {
		about.Plans = kit.PlansPath(o.studio.Home())
	}
	return about
}

// planPays reports whether a plan on sale pays for the offering. None pays for a course.
func (o *offer) planPays() bool {
	seat := rules.Seat{Offering: o.page.ID, Location: o.at.Location, Kind: string(o.page.Kind), On: o.times.Location.Today}
	return !o.page.Free() && o.times.Course == nil &&
		slices.ContainsFunc(o.plans, func(p plan.Plan) bool { return p.WouldPay(seat) })
}

// class is the page of a class.
func (h *site) class(c *fiber.Ctx, o *offer, in schedule.TimesInput) (templ.Component, error) {
	date, found, err := h.date(c, o)
	if err != nil {
		return nil, err
	}
	v := view.Listing{About: o.about()}
	v.Times = kit.TimesOf(o.studio, kit.Wish{}, o.path, o.times, func(x schedule.PublicOccurrence) (view.Time, bool) {
		return view.Time{Start: x.StartsAt, Spots: x.Spots, Action: view.ActionOf(x), Href: kit.Query(o.path, "time", x.ID.String())}, true
	})
	v.Jump.From = view.Noon(o.times.Location.Today, o.studio.Clock)
	if in.From.After(o.times.Location.Today) {
		v.Jump.From = view.Noon(in.From, o.studio.Clock)
	}
	var shown []schedule.PublicOccurrence
	for _, d := range o.times.Days {
		shown = append(shown, d.Occurrences...)
	}
	v.Who = same(shown, func(x schedule.PublicOccurrence) string { return x.Instructor })
	v.Where = same(shown, func(x schedule.PublicOccurrence) string { return x.Space })
	if found {
		v.Chosen, o.shell.CSRF = h.chosen(o, date), h.TokenOf(c)
		return view.ListingPage(o.shell, v), nil
	}
	v.Trouble = o.Tr.In(o.shell.Words)
	v.First = in.From.IsZero() && in.After.IsZero()
	return view.ListingPage(o.shell, v), nil
}

// chosen is the time selected by the customer. One that cannot be booked shows the reason, with other times below.
func (h *site) chosen(o *offer, date schedule.Detail) *view.Chosen {
	x := date.ListedAt(o.times.Location, o.page.Rules, h.Clock.Now())
	v := &view.Chosen{
		Start: x.StartsAt, Minutes: x.Minutes(), Spots: x.Spots, Price: new(o.priceOf(o.page.PriceAmount, 1)),
		Action: view.ActionOf(x), Trouble: o.Tr.In(o.shell.Words),
	}
	switch v.Action {
	case view.ActionBook:
		v.Form = kit.FormTo(o.path, view.Param{Name: kit.FieldDate, Value: x.ID.String()})
		if v.People = o.people(x.Spots, checkout.AddItemInput{OccurrenceID: x.ID}); v.People.Most < 1 {
			v.Form, v.People, v.Note = view.Form{}, nil, inCart(o.shell.Words)
		}
	case view.ActionWaitlist:
		v.Href = o.path + "/waitlist/" + x.ID.String()
	case view.ActionFull:
		v.Note = o.shell.T("Choose another time below.")
	case view.ActionDetails:
		if x.Obstacle == schedule.ObstaclePayment {
			v.Note = o.noPayment()
			break
		}
		v.Note = o.shell.Refusal(fault.From(booking.Refused(x.Obstacle, x.ID, x.OfferingID)))
	}
	return v
}

// priceOf is a price of the offering as lists show it.
func (o *offer) priceOf(minor int64, people int) view.Price {
	return view.Shown(minor, people, o.page.Pricing, o.page.Currency)
}

// noPayment is the message that payment is not possible yet, with the studio's contact.
func (o *offer) noPayment() string {
	w, studio := o.shell.Words, o.studio.Business.Name
	switch l := o.studio.Location; {
	case l.Website != "":
		return w.T("{studio} does not take online payments yet, so this cannot be booked here. To book, contact the studio: {website}", "studio", studio, "website", l.Website)
	case l.Street != "":
		return w.T("{studio} does not take online payments yet, so this cannot be booked here. To book, contact the studio at {address}.", "studio", studio, "address", o.studio.Address())
	}
	return w.T("{studio} does not take online payments yet, so this cannot be booked here. To book, contact the studio.", "studio", studio)
}

// peopleMost is the highest number of people in one booking, if the policy has no limit.
const peopleMost = 10

// inCart is the reason that no more can be added.
func inCart(w view.Words) string { return w.T("All remaining spots are already in your cart.") }

// people is the field for the number of people. The cart may have some of them already. spots are those not held.
func (o *offer) people(spots int, in checkout.AddItemInput) *view.PeoplePrompt {
	p := &view.PeoplePrompt{N: max(o.Listed.people, 1), Names: o.names}
	for _, l := range o.cart.Lines {
		if cart.IsFor(l, in) {
			if p.Have++; l.BookingID == nil {
				spots--
			}
		}
	}
	p.Most = min(spots, cmp.Or(o.page.Rules.PartyMax, peopleMost)-p.Have, checkout.ItemsMax-len(o.cart.Lines))
	p.N = min(p.N, p.Most)
	return p
}

// date finds the date of this class in an address: an id, or the instant at which it starts.
func (h *site) date(c *fiber.Ctx, o *offer) (date schedule.Detail, found bool, err error) {
	id, err := uuid.Parse(o.Wanted)
	if err != nil {
		if id, err = h.startingAt(c, o, kit.Instant(o.Wanted)); err != nil || id == uuid.Nil {
			return date, false, err
		}
	}
	date, err = schedule.OccurrenceOf(c.UserContext(), h.DB.View(o.at.Tenant), id)
	if fault.IsKind(err, fault.NotFound) {
		return date, false, nil
	}
	return date, err == nil && date.OfferingID == o.page.ID, err
}

// startingAt is the date of this class that starts at an instant; Nil when none does.
func (h *site) startingAt(c *fiber.Ctx, o *offer, start time.Time) (uuid.UUID, error) {
	if start.IsZero() {
		return uuid.Nil, nil
	}
	near, err := h.Availability.Times(c.UserContext(), o.at.Tenant,
		schedule.TimesInput{OfferingID: o.page.ID, After: start.Add(-time.Microsecond)})
	if err != nil || len(near.Days) == 0 || !near.Days[0].Occurrences[0].StartsAt.Equal(start) {
		return uuid.Nil, err
	}
	return near.Days[0].Occurrences[0].ID, nil
}
