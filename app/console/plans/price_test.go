package plans_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/console/consoletest"
	"foyer/app/crm"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/billing/tender"
	"foyer/policy"
)

// TestNewPrice: the page of a membership previews a new price for its members before it is set, names the earliest day,
// and lists it. The same form twice sets it once. It is withdrawn before its day.
func TestNewPrice(t *testing.T) {
	s := consoletest.Open(t)
	in := plan.CreateInput{
		Name: "Monthly", Kind: plan.Renewing, PriceAmount: 8000, Benefits: []plan.Benefit{{}},
		Validity: plan.Validity{Count: 1, Unit: rules.Month},
	}
	p, err := s.Plans.Create(t.Context(), s.Owner, in)
	if err == nil {
		p, err = s.Plans.Publish(t.Context(), s.Owner, p.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	one := "/plans/" + p.ID.String()
	owner := s.As(t, consoletest.Owner)
	owner.Get(one).Is(t, 200).Shows(t, "Price for members").Silent(t, "New price for members…")
	owner.Get(one+"/price?priceAmount=95").Is(t, 200).Shows(t, "No member has another price.")
	who, err := s.CRM.Create(t.Context(), s.Owner, crm.CreateInput{Name: "Ada"})
	if err == nil {
		_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
			Plans: []uuid.UUID{p.ID}, LocationID: s.Location.ID, CustomerID: who.ID, Tenders: owed.Pays(tender.Cash),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	today := civil.LocalDate(s.Clock.Now(), civil.ZoneOrUTC(s.Location.Zone))
	ask := owner.Get(owner.Get(one).Is(t, 200).Link(one+"/price")).Is(t, 200).Shows(t, "Enter a price to preview it.")
	opens(t, s, owner, ask)
	for query, text := range map[string]string{
		"priceAmount=abc":                                       "Enter an amount such as 22.50.",
		"priceAmount=":                                          "Enter a price. 0 is free.",
		"priceAmount=95&startsOn=soon":                          "Choose a day.",
		"priceAmount=95&startsOn=2020-01-01":                    "The law asks for more notice of a higher price.",
		"priceAmount=75&startsOn=2020-01-01":                    "Choose a day in the future.",
		"priceAmount=95&startsOn=2100-01-01":                    "Choose a day within two years.",
		"priceAmount=80":                                        "No member has another price.",
		"priceAmount=95&startsOn=" + today.AddDays(29).String(): "The earliest day is",
	} {
		owner.Get(one+"/price?"+query).Is(t, 200).Shows(t, text).Silent(t, "Set price and e-mail members")
	}
	ask = owner.Get(one+"/price?priceAmount=95").Is(t, 200).Shows(t,
		"1 member pays $80.00 a month now, and $95.00 a month for billing periods that begin on",
		"1 member pays more, and can cancel", "1 member has no e-mail address.", "New customers pay this price too")
	form := ask.Posts("/price")
	desk := s.As(t, policy.FrontDesk)
	desk.Get(one+"/price").Is(t, 403)
	desk.Send(form).Is(t, 403)
	owner.Send(form, "startsOn", "2020-01-01").Is(t, 400).Shows(t, "The law asks for more notice")
	owner.Send(form, "forSales", "1").Is(t, 200).Shows(t, "Set the new price for members of Monthly.", "$95.00 a month",
		"Scheduled", "Withdraw new price…").Silent(t, "New price for members…")
	owner.Send(form, "forSales", "1").Is(t, 200) // sent twice
	if got := only(t, s); got.PriceAmount != 9500 {
		t.Errorf("the price of the plan is %d", got.PriceAmount)
	}
	list, err := s.Plans.Prices(t.Context(), s.Owner, p.ID)
	if err != nil || len(list) != 1 || list[0].StartsOn != today.AddDays(30) {
		t.Fatalf("%+v: %v", list, err)
	}
	job := plan.PriceJob{Business: s.Studio.Business.ID, Price: list[0].ID}
	if err := s.Plans.Reprice(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	owner.Get("/customers/"+who.ID.String()+"/plans/"+apptest.Value[uuid.UUID](t, s.World,
		"select id from memberships").String()).Is(t, 200).Shows(t, "The price is $80.00 a month.", "New price",
		"$95.00 a month")
	withdraw := owner.Get(owner.Get(one).Is(t, 200).Link(one+"/price/withdraw")).Is(t, 200).
		Shows(t, "Withdraw the new price?", "Members keep the price that they have now.").Posts("/withdraw")
	desk.Send(withdraw).Is(t, 403)
	owner.Send(withdraw).Is(t, 200).Shows(t, "Withdrew the new price", "Withdrawn", "New price for members…")
	owner.Get(one+"/price?priceAmount=60&startsOn="+today.AddDays(1).String()).Is(t, 200).
		Shows(t, "$60.00 a month").Silent(t, "pays more")
}
