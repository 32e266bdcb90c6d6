package my

import (
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// planPages mounts the plans of a person.
func (h *site) planPages() {
	h.Get("/my/plans", h.Own(h.myPlans))
	h.Get("/my/plans/:plan", h.Own(h.myPlan))
	h.membershipPages()
}

// myPlans shows the plans of the signed-in person in all studios.
func (h *site) myPlans(c *fiber.Ctx, p tenancy.Principal) error {
	list, err := h.Plans.Mine(c.UserContext(), p)
	if err != nil {
		return err
	}
	pay, err := h.paying(c, list)
	if err != nil {
		return err
	}
	sh := h.StudioShell(c)
	v := Plans{Email: p.Email}
	for _, m := range list {
		one := h.planOf(sh.Words, m, pay)
		one.Href = planPath(m.ID)
		if m.State == plan.Active {
			v.Active = append(v.Active, one)
		} else {
			v.Ended = append(v.Ended, one)
		}
	}
	return kit.Show(c, sh, PlansPage(sh, v))
}

func planPath(id uuid.UUID) string { return "/my/plans/" + id.String() }

// planOf shows a plan of the person.
func (h *site) planOf(w view.Words, m plan.Membership, pay paying) Plan {
	w.Zone = civil.ZoneOrUTC(m.Zone)
	v := Plan{
		Name: m.Name, Studio: view.Joined(", ", m.BusinessName, view.LocationSuffix(m.BusinessName, m.LocationName)),
		Until: view.MembershipEnd(w, m), Book: "/" + m.LocationSlug,
	}
	for _, g := range m.Grants {
		if m.State == plan.Active {
			v.Left = append(v.Left, view.RemainingCredits(w, g.Benefit, g.Balance))
		}
	}
	h.renewal(w, &v, m, pay)
	return v
}

// plansList names the list in the addresses of its pages. It grants no access: the session determines the customer.
const plansList = "my credits"

// myPlan shows one plan, and the history of its credits. ?before= pages through it.
func (h *site) myPlan(c *fiber.Ctx, p tenancy.Principal) error {
	id, err := uuid.Parse(c.Params("plan"))
	if err != nil {
		return fault.Missing()
	}
	var before *paging.Moment // an invalid one is ignored
	var key paging.Moment
	if given, _ := h.Cursors.Decode(plansList, id, c.Query("before"), &key); given {
		before = &key
	}
	var list []plan.Membership
	var page paging.Page[plan.Transaction, paging.Moment]
	err = kit.Together(
		func() (err error) { list, err = h.Plans.Mine(c.UserContext(), p); return err },
		func() (err error) {
			in := paging.In[paging.Moment]{After: before, Limit: myPage}
			page, err = h.Plans.MyTransactions(c.UserContext(), p, id, in)
			return err
		},
	)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(m plan.Membership) bool { return m.ID != id })
	pay, err := h.paying(c, list)
	if err != nil {
		return err
	}
	sh := h.StudioShell(c)
	v := History{}
	for _, m := range list {
		v.Plan = h.planOf(sh.Words, m, pay)
		sh.Said = saidOf(sh.Words, m, c.Query("done"))
		if m.OrderID != nil {
			v.Receipt = "/receipt/" + h.Orders.ReceiptToken(*m.OrderID)
		}
		for _, t := range page.Items {
			v.Changes = append(v.Changes, changeOf(sh.Words, m, t))
		}
	}
	if page.Next != nil {
		v.More = kit.Query(planPath(id), "before", h.Cursors.Encode(plansList, id, *page.Next))
	}
	return kit.Show(c, sh, PlanPage(sh, v))
}

// changeOf shows a change of the credits of a plan.
func changeOf(w view.Words, m plan.Membership, t plan.Transaction) CreditChange {
	w.Zone = civil.ZoneOrUTC(t.LocationTZ)
	v := CreditChange{At: t.CreatedAt, Zone: w.Zone, Label: changeWords(w, m, t)}
	if t.StartsAt != nil {
		v.Item = view.Joined(", ", t.Item, w.ShortWhen(*t.StartsAt), w.Attendee(t.BookedFor))
	} else if t.Kind == plan.Granted && t.PeriodFrom != nil {
		v.Item = w.T("From {from} to {to}", "from", w.Day(view.Noon(*t.PeriodFrom, w.Zone)),
			"to", w.Day(view.Noon(t.PeriodEnd.AddDays(-1), w.Zone)))
	}
	if !t.Unlimited {
		b := plan.Benefit{Credits: &t.Balance, GuestsOnly: t.GuestsOnly}
		v.Credits, v.Balance = signed(w, t.Credits), view.RemainingCredits(w, b, t.Balance)
	}
	return v
}

// signed returns "+10 credits" or "−1 credit"; empty for none.
func signed(w view.Words, n int) string {
	switch {
	case n > 0:
		return "+" + w.Credits(n)
	case n < 0:
		return "−" + w.Credits(-n)
	}
	return ""
}

// changeWords names a change.
func changeWords(w view.Words, m plan.Membership, t plan.Transaction) string {
	switch t.Kind {
	case plan.Granted:
		if m.OrderID == nil {
			return w.C("credits", "Given by the studio")
		}
		if m.Kind == plan.Renewing {
			return w.C("credits", "Billing period")
		}
		return w.C("credits", "Purchase")
	case plan.Used:
		return w.C("credits", "Booking")
	case plan.Returned:
		return w.C("credits", "Returned")
	case plan.Expired:
		return w.C("credits", "Expired")
	case plan.Refunded:
		return w.C("credits", "Refunded")
	case plan.Restored:
		return w.C("credits", "Restored")
	case plan.CarriedOn:
		return w.C("credits", "Carried over")
	case plan.Replaced:
		return w.C("credits", "Change of plan")
	case plan.Ended:
		if m.Kind == plan.Renewing {
			return w.C("credits", "Ended")
		}
		return w.C("credits", "Ended by the studio")
	}
	return w.C("credits", "Changed by the studio")
}
