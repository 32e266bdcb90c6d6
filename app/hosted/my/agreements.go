package my

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/agree"
	"foyer/app/hosted/kit"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
)

// myAgreementPages mount what one has agreed to, and what a studio still asks for what is booked there.
func (h *site) myAgreementPages() {
	h.Get("/my/agreements", h.Own(h.myAgreements))
	h.Get("/my/agreements/:business", h.Own(h.owed((*agree.Asking).List)))
	h.Post("/my/agreements/:business", op.RateStorefrontWrite, h.Own(h.owed((*agree.Asking).TakeBoxes)))
	h.Get("/my/agreements/:business/:copy", h.Own(h.owed((*agree.Asking).Page)))
	h.Post("/my/agreements/:business/:copy", op.RateStorefrontWrite, h.Own(h.owed((*agree.Asking).TakeOne)))
}

// agreementsList names the list in the addresses of its pages, which open nothing: whose agreements are read is the session's word.
const agreementsList = "my agreements"

// myAgreements shows what whoever is signed in has agreed to, in all studios. ?before= pages through it, ?done= says that something has just
// been agreed to.
func (h *site) myAgreements(c *fiber.Ctx, p tenancy.Principal) error {
	var before *paging.Moment // what cannot be read is as good as not there
	var key paging.Moment
	if given, _ := h.Cursors.Decode(agreementsList, uuid.Nil, c.Query("before"), &key); given {
		before = &key
	}
	page, err := h.Agreement.Mine(c.UserContext(), p, paging.In[paging.Moment]{After: before, Limit: myPage})
	if err != nil {
		return err
	}
	sh := h.StudioShell(c)
	if c.Query("done") != "" {
		sh.Said = sh.T("You have agreed to everything. Thank you.")
	}
	v := Agreements{Email: p.Email}
	for _, m := range page.Items {
		v.Agreed = append(v.Agreed, Agreement{
			Agreed: view.Agreed{Name: m.Name, At: m.CreatedAt, Href: agree.OpenIn(m.BusinessID, m.CopyID, m.Kind, m.Language)}, Zone: civil.ZoneOrUTC(m.Zone),
			Studio: view.Joined(", ", m.BusinessName, view.Elsewhere(m.BusinessName, m.LocationName)), How: HowAgreed(sh.Words, m.Source, m.Shown),
			Whom: m.For(),
		})
	}
	if page.Next != nil {
		v.More = kit.Query("/my/agreements", "before", h.Cursors.Encode(agreementsList, uuid.Nil, *page.Next))
	}
	return kit.Show(c, sh, AgreementsPage(sh, v))
}

// owed runs a page of what a studio asks for what is booked there. Where it asks for nothing that is told.
func (h *site) owed(run func(*agree.Asking, *fiber.Ctx) error) func(*fiber.Ctx, tenancy.Principal) error {
	return func(c *fiber.Ctx, _ tenancy.Principal) error {
		business, err := uuid.Parse(c.Params("business"))
		if err != nil {
			return fault.Missing()
		}
		sc, err := h.ScopeOf(c, business)
		if err != nil {
			return err
		}
		asks, err := h.Agreement.MyOutstanding(c.UserContext(), sc)
		if err != nil {
			return err
		}
		open := agreement.Open(asks)
		if len(open) == 0 {
			return kit.See(c, kit.CarriedOnly(c), "/my/agreements?done=1")
		}
		p, err := h.PageIn(c, kit.Location{Tenant: business, Location: open[0].LocationID})
		if err != nil {
			return err
		}
		p.Shell.Mine = "/my"
		return run(&agree.Asking{
			StudioPage: p, Base: owedAt(business), Title: p.Shell.T("Before your visit"), Lacking: p.Shell.T("Tick what you agree to."), Asks: asks,
			Take: func(ctx context.Context, in agreement.AcceptInput) ([]agreement.Requirement, error) {
				return h.Agreement.Sign(ctx, sc, in)
			},
			Read:    func(ctx context.Context) ([]agreement.Requirement, error) { return h.Agreement.MyOutstanding(ctx, sc) },
			Refused: func(_ *fiber.Ctx, err error) error { return err },
		}, c)
	}
}

// owedAt is where a customer agrees to what a business asks for what they have booked there.
func owedAt(business uuid.UUID) string { return "/my/agreements/" + business.String() }

// agreements puts on the page of a booking what was agreed to with it, and what is asked before it begins.
func (b *myBooking) agreements(c *fiber.Ctx, v *Details) error {
	in := agreement.StatusInput{CustomerID: b.CustomerID, LocationID: b.LocationID}
	list, err := b.Agreement.OfBooking(c.UserContext(), b.BusinessID, in, b.ID)
	if err != nil {
		return err
	}
	for _, g := range list {
		if g.Record != nil {
			v.Agreed = append(v.Agreed, view.Agreed{Name: g.Name, At: g.Record.CreatedAt, Href: agree.OpenIn(b.BusinessID, g.Record.CopyID, g.Record.Kind, g.Record.Language)})
		}
		if g.Outstanding && (b.State == booking.Confirmed || b.State == booking.Requested || b.State == booking.CheckedIn) && b.Shell.Now.Before(b.EndsAt) {
			v.Agree = owedAt(b.BusinessID)
		}
	}
	return nil
}
