package waiting

import (
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/hosted/studio"
	"foyer/app/names"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/app/waitlist"
	"foyer/app/web/op"
	"foyer/app/words"
)

// joining is the waitlist of a date, from an address below the page of its class.
type joining struct {
	kit.StudioPage
	at    kit.Location
	date  schedule.Detail
	rules catalog.Rules
	page  catalog.Page
}

// waitPages mounts the pages for joining a waitlist, below the page of a class.
func (h *site) waitPages() {
	const path = "/:slug/:listing/waitlist/:occurrence"
	d := &kit.SignInFlow{Site: h.Site, Base: func(c *fiber.Ctx) string { return joinPath(c) + "/sign-in" }}
	d.First = func(c *fiber.Ctx, v kit.SignIn) error {
		return h.joining(func(c *fiber.Ctx, q *joining) error { return q.show(c, Join{SignIn: &v, Trouble: v.Trouble}) })(c)
	}
	d.Shell = func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error {
		return h.joining(func(_ *fiber.Ctx, q *joining) error { return page(q.Shell, nil) })(c)
	}
	d.Next = func(c *fiber.Ctx) error { return kit.See(c, kit.CarriedOnly(c), joinPath(c)) }
	app := h.App()
	app.Get(path, kit.StudioOnly(h.joining(func(c *fiber.Ctx, q *joining) error {
		if q.Scope.Person() == uuid.Nil {
			return d.Show(c, "", nil)
		}
		return q.show(c, Join{})
	})))
	app.Post(path, kit.StudioOnly(h.Form(op.RateStorefrontWrite, h.joining(h.join))))
	app.Get(path+"/sign-in", kit.StudioOnly(func(c *fiber.Ctx) error { return kit.See(c, kit.CarriedOnly(c), joinPath(c)) }))
	d.Hang(path+"/sign-in", kit.StudioOnly)
}

// joinPath is the address of the page of this request's waitlist.
func joinPath(c *fiber.Ctx) string {
	return "/" + c.Params("slug") + "/" + c.Params("listing") + "/waitlist/" + c.Params("occurrence")
}

// joining runs a page of a waitlist. A date with a free seat, or without an open waitlist, redirects to its class.
func (h *site) joining(run func(c *fiber.Ctx, q *joining) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		at, moved, err := h.LocationOf(c)
		if err == nil && moved != "" {
			return kit.MovedPermanently(c, moved)
		}
		if err != nil {
			return err
		}
		q := &joining{at: at}
		if err := q.read(c, h.Site); err != nil {
			return err
		}
		if !q.date.Listed(q.rules, h.Clock.Now()).Waitlist {
			return kit.See(c, kit.CarriedOnly(c), q.chosen())
		}
		return run(c, q)
	}
}

// read reads the date and the rules of its list.
func (q *joining) read(c *fiber.Ctx, h *kit.Site) (err error) {
	id, err := uuid.Parse(c.Params("occurrence"))
	if err != nil {
		return fault.Missing()
	}
	sc, err := h.ScopeOf(c, q.at.Tenant)
	if err != nil {
		return err
	}
	var (
		s *kit.Studio
		p catalog.Page
	)
	err = kit.Together(
		func() (err error) {
			q.date, err = schedule.OccurrenceOf(c.UserContext(), h.DB.View(q.at.Tenant), id)
			return err
		},
		func() (err error) { s, err = h.StudioOf(c, q.at); return err },
		func() (err error) { p, err = h.PageOf(c, q.at); return err },
	)
	if err == nil && (q.date.OfferingID != p.ID || q.date.Course() || !q.date.Public(h.Clock.Now())) {
		err = fault.Missing()
	}
	if err != nil {
		return err
	}
	q.StudioPage, q.rules, q.page = h.Surround(c, sc, s), p.Rules, p
	return nil
}

// chosen is the address of the class with this date chosen.
func (q *joining) chosen() string {
	return kit.Query("/"+q.date.LocationSlug+"/"+q.date.OfferingSlug, "time", q.date.ID.String())
}

func (q *joining) show(c *fiber.Ctx, v Join) error {
	v.Line = view.Line{
		Name: q.date.OfferingName, Start: q.date.StartsAt, Minutes: view.Minutes(q.date.StartsAt, q.date.EndsAt),
		Where: q.Shell.WhereWith(q.date.Space, q.date.Instructor),
	}
	v.How = waitRules(q.Shell.Words, q.rules, q.date.StartsAt)
	if q.date.PriceAmount != nil {
		v.Price = new(view.Shown(*q.date.PriceAmount, 1, q.page.Pricing, q.date.Currency))
	}
	if v.SignIn != nil {
		v.SignIn.Why = q.Shell.T("We send you a code. No password.")
	} else {
		v.Form = kit.FormTo(joinPath(c))
	}
	v.NeedsName = q.Scope.Person() != uuid.Nil && q.Scope.Actor.Name == ""
	v.Back = view.Link{Text: q.Shell.T("Other times"), Href: "/" + q.date.LocationSlug + "/" + q.date.OfferingSlug}
	return kit.Show(kit.Troubled(c, v.Trouble), q.Shell, JoinPage(q.Shell, v))
}

// join adds the signed-in person to the list and redirects to their entry. An existing entry keeps its place.
func (h *site) join(c *fiber.Ctx, q *joining) error {
	if q.Scope.Person() == uuid.Nil {
		return kit.See(c, q.Shell, joinPath(c))
	}
	v := Join{Attendee: names.Clean(c.FormValue("attendee")), Drop: c.FormValue("drop") == "1", Named: names.Clean(c.FormValue("name"))}
	if q.Scope.Actor.Name == "" {
		err := h.Introduce(c, v.Named, nil)
		if tr, ok := kit.TroubleOf(q.Shell.Words, err, "name"); ok {
			v.Trouble = tr
			return q.show(c, v)
		}
		if err == nil {
			q.Scope, err = h.ScopeOf(c, q.at.Tenant)
		}
		if err != nil {
			return err
		}
	}
	in := waitlist.JoinInput{OfferingID: q.date.OfferingID, OccurrenceID: q.date.ID, Attendee: v.Attendee, DropIfPromoted: v.Drop}
	w, err := h.Waitlist.Join(c.UserContext(), q.Scope, in)
	switch tr, ok := kit.TroubleOf(q.Shell.Words, err, "attendee"); {
	case err == nil:
		return kit.See(c, q.Shell, kit.WaitlistPath+h.Waitlist.Token(w.ID))
	case errors.Is(err, booking.ErrDuplicate):
		v.Trouble = kit.FieldTrouble("attendee", q.Shell.T("You are already booked for this. To add another person, enter their name."))
		return q.show(c, v)
	case errors.Is(err, waitlist.ErrSeatsFree):
		return kit.See(c, q.Shell, q.chosen())
	case ok && len(tr.Fields) > 0:
		v.Trouble = tr
		return q.show(c, v)
	case ok:
		return studio.ShowListing(h.Site, c, q.at, studio.Listed{Wanted: q.date.ID.String(), Tr: func(w view.Words) *view.Trouble {
			return &view.Trouble{Title: w.T("You are not on the waitlist"), Text: tr.Text}
		}})
	}
	return err
}

// waitRules explains how a free seat is offered, and until when.
func waitRules(w view.Words, r catalog.Rules, start time.Time) []string {
	out := []string{w.T(waitingWords[r.Waitlist.Mode])}
	switch grace := r.Waitlist.GraceMinutes; {
	case r.Waitlist.Mode == catalog.WaitlistOffer:
		out[0] = w.T("When a spot opens up and you are next in line, we hold it for you for {span} and e-mail you. If you do not accept it in time, it goes to the next person in line.",
			"span", lasts(w, r.Waitlist.OfferMinutes))
	case r.Waitlist.Mode == catalog.WaitlistAuto && grace > 0:
		out = append(out, w.T("You then pay for it at the studio."),
			w.T("If that happens after the free-cancellation deadline, you have {span} to cancel free of charge.", "span", lasts(w, grace)))
	case r.Waitlist.Mode == catalog.WaitlistAuto:
		out = append(out, w.T("You then pay for it at the studio."))
	}
	return append(out, w.T(offersUntil, "when", w.ShortWhen(r.OffersUntil(start))),
		w.T("You can leave at any time, from any e-mail about it."))
}

// lasts is a length of time in words.
func lasts(w view.Words, minutes int) string {
	const hour, day = 60, 24 * 60
	switch {
	case minutes >= 2*day && minutes%day == 0:
		return w.N(minutes/day, "{n} day", "{n} days")
	case minutes >= 2*hour && minutes%hour == 0:
		return w.N(minutes/hour, "{n} hour", "{n} hours")
	}
	return w.N(minutes, "{n} minute", "{n} minutes")
}

// waitingWords are the sentences about the next step.
var waitingWords = map[catalog.WaitlistMode]words.Text{
	catalog.WaitlistAuto:  "When a spot opens up and you are next in line, we book it for you and e-mail you.",
	catalog.WaitlistOffer: "When a spot opens up and you are next in line, we hold it for you for a while and e-mail you.",
	catalog.WaitlistRace:  "When a spot opens up, we e-mail everyone on the waitlist. The first to accept it gets it.",
}

// offersUntil is the sentence about the end of a waitlist: no more offers are made.
const offersUntil words.Text = "Spots that open up are offered until {when}."
