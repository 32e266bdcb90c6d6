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

// myAgreementPages mount the pages of accepted agreements, and of those that a studio requires for bookings there.
func (h *site) myAgreementPages() {
	h.Get("/my/agreements", h.Own(h.myAgreements))
	h.Get("/my/agreements/:business", h.Own(h.owed((*agree.Signing).List)))
	h.Post("/my/agreements/:business", op.RateStorefrontWrite, h.Own(h.owed((*agree.Signing).TakeBoxes)))
	h.Get("/my/agreements/:business/:copy", h.Own(h.owed((*agree.Signing).Page)))
	h.Post("/my/agreements/:business/:copy", op.RateStorefrontWrite, h.Own(h.owed((*agree.Signing).TakeOne)))
}

// agreementsList names the list in the addresses of its pages. It grants no access: the session determines the
// customer.
const agreementsList = "my agreements"

// myAgreements shows the agreements that the signed-in person has accepted, in all studios. ?before= pages through
// it, ?done= confirms a new one.
func (h *site) myAgreements(c *fiber.Ctx, p tenancy.Principal) error {
	var before *paging.Moment // an invalid one is ignored
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
		sh.Said = sh.T("You have signed all required agreements. Thank you.")
	}
	v := Agreements{Email: p.Email}
	for _, m := range page.Items {
		v.Agreed = append(v.Agreed, Agreement{
			Agreed: view.Agreed{Name: m.Name, At: m.CreatedAt, Href: agree.OpenIn(m.BusinessID, m.CopyID, m.Kind, m.Language)}, Zone: civil.ZoneOrUTC(m.Zone),
			Studio: view.Joined(", ", m.BusinessName, view.LocationSuffix(m.BusinessName, m.LocationName)), How: HowAgreed(sh.Words, m.Source, m.Shown),
			Attendee: m.For(),
		})
	}
	if page.Next != nil {
		v.More = kit.Query("/my/agreements", "before", h.Cursors.Encode(agreementsList, uuid.Nil, *page.Next))
	}
	return kit.Show(c, sh, AgreementsPage(sh, v))
}

// owed runs a page of the agreements that a studio requires for bookings there. If none is outstanding, the page
// reports that.
func (h *site) owed(run func(*agree.Signing, *fiber.Ctx) error) func(*fiber.Ctx, tenancy.Principal) error {
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
		return run(&agree.Signing{
			StudioPage: p, Base: owedAt(business), Title: p.Shell.T("Before your visit"), Lacking: p.Shell.T("Tick the box to agree."), Required: asks,
			Take: func(ctx context.Context, in agreement.AcceptInput) ([]agreement.Requirement, error) {
				return h.Agreement.Sign(ctx, sc, in)
			},
			Read:    func(ctx context.Context) ([]agreement.Requirement, error) { return h.Agreement.MyOutstanding(ctx, sc) },
			Refused: func(_ *fiber.Ctx, err error) error { return err },
		}, c)
	}
}

// owedAt is the address of the agreements that a business requires for a customer's bookings there.
func owedAt(business uuid.UUID) string { return "/my/agreements/" + business.String() }

// agreements adds to the page of a booking the agreements accepted with it, and those required before it begins.
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
