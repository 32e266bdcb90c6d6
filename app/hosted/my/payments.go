package my

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/hosted/kit"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// paymentsList names the list in the addresses of its pages. It grants no access: the session determines the
// customer.
const paymentsList = "my payments"

// myPayments shows the payments of the signed-in person in all studios, and their credit. ?before= pages through it.
func (h *site) myPayments(c *fiber.Ctx, p tenancy.Principal) error {
	var before *paging.Moment // an invalid one is ignored
	var key paging.Moment
	if given, _ := h.Cursors.Decode(paymentsList, uuid.Nil, c.Query("before"), &key); given {
		before = &key
	}
	var page paging.Page[sales.Mine, paging.Moment]
	var credits []sales.MyCredit
	err := kit.Together(
		func() (err error) {
			page, err = h.Sales.Mine(c.UserContext(), p, paging.In[paging.Moment]{After: before, Limit: myPage})
			return err
		},
		func() (err error) {
			credits, err = h.Sales.MyCredits(c.UserContext(), p)
			return err
		},
	)
	if err != nil {
		return err
	}
	sh := h.StudioShell(c)
	v := Payments{Email: p.Email}
	for _, k := range credits {
		v.Credits = append(v.Credits, Credit{Studio: k.BusinessName, Amount: view.Price{Minor: k.Amount, Currency: k.Currency}})
	}
	for _, m := range page.Items {
		w := sh.Words
		w.Zone = civil.ZoneOrUTC(m.Zone)
		v.Payments = append(v.Payments, PaymentOf(w, m))
	}
	if page.Next != nil {
		v.More = kit.Query("/my/payments", "before", h.Cursors.Encode(paymentsList, uuid.Nil, *page.Next))
	}
	return kit.Show(c, sh, PaymentsPage(sh, v))
}
