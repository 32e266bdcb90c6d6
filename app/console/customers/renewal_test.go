package customers_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/console/consoletest"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/billing/tender"
	"foyer/policy"
)

// joined sells a membership of eight credits a month to a customer, for cash.
func joined(
	t *testing.T, s *consoletest.Studio, customer uuid.UUID, changes ...func(*plan.CreateInput),
) plan.Membership {
	t.Helper()
	in := plan.CreateInput{
		Name: "Monthly", Kind: plan.Renewing, PriceAmount: 8000, Benefits: []plan.Benefit{{Credits: new(8)}},
		Validity: plan.Validity{Count: 1, Unit: rules.Month},
	}
	for _, change := range changes {
		change(&in)
	}
	_, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		Plans: []uuid.UUID{published(t, s, in).ID}, LocationID: s.Location.ID, CustomerID: customer,
		Tenders: owed.Pays(tender.Cash),
	})
	if err != nil {
		t.Fatal(err)
	}
	return latest(t, s, customer)
}

// latest returns the latest active plan of a customer.
func latest(t *testing.T, s *consoletest.Studio, customer uuid.UUID) plan.Membership {
	t.Helper()
	list, err := s.Plans.OfCustomer(t.Context(), s.Owner, customer)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d plans: %v", len(list), err)
	}
	return list[0]
}

// goes lets days go by, with the sweeps of memberships of each.
func goes(t *testing.T, s *consoletest.Studio, days int) {
	t.Helper()
	for range days {
		s.Clock.Advance(24 * time.Hour)
		if err := s.Owed.RenewDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.Plans.ExpirePeriodsDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// away returns a client of the front desk of another location, who sees the customers of this one.
func away(t *testing.T, s *consoletest.Studio) *consoletest.Client {
	t.Helper()
	return s.Member(t, "river@team.example.com", apptest.At(policy.FrontDesk, s.AddLocation(t, "Riverside").ID),
		apptest.At(policy.Marketer, s.Location.ID))
}

// TestCancelMembership: before a membership is cancelled the page has its last day and the payments until then; what
// has changed since is shown again, and a membership is cancelled once.
func TestCancelMembership(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	at := "/customers/" + ids["Ada"].String()
	m := joined(t, s, ids["Ada"], func(in *plan.CreateInput) {
		in.IntroAmount, in.IntroPeriods, in.MinPeriods, in.NoticeDays = 4000, 2, 3, 7
	})
	one := at + "/plans/" + m.ID.String()
	page := owner.Get(at).Is(t, 200).Shows(t, "Monthly", "8 credits left", "Renews on", "Active")
	page = owner.Get(page.Link(one)).Is(t, 200).Shows(t, "Next payment", "$40.00", "Pays by link or at the desk",
		"The price is $40.00 a month for 2 months, then $80.00 a month.", "A cancellation needs 7 days of notice.",
		"Cancel membership…", "Take payment").Silent(t, "End plan…", "Change last day", "Payment due", "Past due")
	s.SQL(t, "update memberships set consented_at = now(), consent_text = 'yes'")
	owner.Get(one).Is(t, 200).Shows(t, "Charged to the saved card").Silent(t, "Pays by link")
	owner.Send(page.Posts(one+"/credits"), "credits", "1", "note", "late class").Is(t, 200)

	ask := owner.Get(page.Link(one+"/cancel")).Is(t, 200).Shows(t, "Cancel Monthly?",
		"The last day of the membership is", "2 more payments are due until then.", "$120.00", "Keep it")
	form := ask.Posts("/cancel")
	for _, c := range []*consoletest.Client{s.As(t, policy.Marketer), away(t, s)} {
		c.Get(one).Is(t, 200).Shows(t, "Next payment").Silent(t, "Cancel membership", "Take payment")
		c.Get(one+"/cancel").Is(t, 403)
		c.Send(form).Is(t, 403)
	}

	owner.Send(form, "endsOn", "2020-01-01").Is(t, 409).Shows(t, "Another user changed this", "2 more payments")
	owner.Send(form, "endsOn", "").Is(t, 409)
	owner.Send(form, "version", "0").Is(t, 409)
	again := owner.Send(form, "version", "99").Is(t, 409).Shows(t, "Another user changed this", "$120.00")
	owner.Send(again.Posts("/cancel")).Is(t, 200).
		Shows(t, "Cancelled Monthly. Its last day is", "Cancelled on", "Last day", "Next payment", "Take payment").
		Silent(t, "Cancel membership…", "Past due")
	owner.Send(again.Posts("/cancel")).Is(t, 200) // sent twice
	owner.Get(at).Shows(t, "Cancelled, valid until")
	owner.Get(one+"/cancel").Is(t, 409).Shows(t, "This membership already has an end.")
	owner.Send(form).Is(t, 409).Shows(t, "This membership already has an end.")
	if got := latest(t, s, ids["Ada"]); got.CanceledAt == nil || got.EndsOn == nil ||
		*got.EndsOn != civil.DateOf(m.StartsOn.Utc().AddDate(0, 3, 0)) {
		t.Errorf("%+v", got)
	}
	owner.Get(at+"/plans/"+uuid.NewString()+"/cancel").Is(t, 404)
	s.Clock.Advance(time.Second)
	pack := soldPack(t, s, ids["Ada"])
	owner.Get(at+"/plans/"+pack.ID.String()+"/cancel").Is(t, 409).Shows(t, "This plan does not renew.")
}

// TestCancelUnpaidMembership: a membership whose present period is not paid ends at once, and one that pays for later
// bookings is not cancelled before these are.
func TestCancelUnpaidMembership(t *testing.T) {
	s, ids, _ := owing(t)
	m := joined(t, s, ids["Ben"])
	goes(t, s, 32)
	owner := s.As(t, consoletest.Owner)
	at := "/customers/" + ids["Ben"].String()
	one := at + "/plans/" + m.ID.String()
	owner.Get(at).Is(t, 200).Shows(t, "Payment due since")
	page := owner.Get(one).Is(t, 200).Shows(t, "Payment due since", "Next payment", "$80.00")
	ask := owner.Get(page.Link(one+"/cancel")).Is(t, 200).Shows(t,
		"The membership ends today, because its billing period is not paid.", "No more payments are due.")
	owner.Send(ask.Posts("/cancel")).Is(t, 200).Shows(t, "Cancelled Monthly. It has ended.", "Ended").
		Silent(t, "Take payment", "Next payment", "Cancel membership…")
	owner.Get(one+"/cancel").Is(t, 409).Shows(t, "This plan has ended.")

	m = joined(t, s, ids["Ada"])
	one = "/customers/" + ids["Ada"].String() + "/plans/" + m.ID.String()
	form := owner.Get(one+"/cancel").Is(t, 200).Shows(t, "No more payments are due.").Posts("/cancel")
	on := s.AddOccurrence(t, s.AddOffering(t), s.Clock.Now().AddDate(0, 0, 45))
	email := apptest.Value[string](t, s.World, "select email from customers where id = $1", ids["Ada"])
	made, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		OccurrenceID: on.ID, Customer: booking.CustomerRef{Email: email},
	})
	if err == nil {
		_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
			BookingIDs: []uuid.UUID{made.Booking.ID}, Tenders: owed.Pays(owed.PlanCredit),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	owner.Send(form).Is(t, 409).Shows(t, "This membership pays for bookings after its end. Cancel them first.")
	owner.Get(one+"/cancel").Is(t, 200).Shows(t, "The last day of the membership would be",
		"It pays for 1 booking after that day. Cancel that booking first.", "Bookings").Silent(t, "Keep it")
}

// TestTakePeriodPayment: the front desk takes the payment of a billing period in cash, at the location of the
// membership alone; the following period is next then.
func TestTakePeriodPayment(t *testing.T) {
	s, ids, _ := owing(t)
	m := joined(t, s, ids["Ada"])
	goes(t, s, 36)
	elsewhere := away(t, s)
	c := s.Member(t, "harbour@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	at := "/customers/" + ids["Ada"].String()
	one := at + "/plans/" + m.ID.String()
	s.As(t, consoletest.Owner).Get(at).Is(t, 200).Shows(t, "Past due since", "Past due")
	elsewhere.Get(one).Is(t, 200).Shows(t, "Past due since").Silent(t, "Take payment")
	page := c.Get(one).Is(t, 200).Shows(t, "Past due since", "$80.00", "Take payment")
	due := latest(t, s, ids["Ada"]).Next
	pay := c.Get(page.Link("/till/sell")).Is(t, 200).
		Shows(t, "Take payment", "Ada", "Monthly", "Charge $80.00").Silent(t, "Remove customer")
	again := pay.URL.RequestURI()
	if q := pay.URL.Query(); q.Get("customer") != ids["Ada"].String() || q.Get("period") != due.ID.String() {
		t.Fatalf("%v", q)
	}
	c.Get(again+"&method=account_credit").Is(t, 200).Shows(t, "Monthly").Silent(t, "Charge $80.00")
	c.Get(again+"&receivedAmount=100").Is(t, 200).Shows(t, "Change due", "$20.00")
	elsewhere.Get("/till/sell?at=riverside&customer="+ids["Ada"].String()+"&period="+due.ID.String()).Is(t, 200).
		Shows(t, "Pay for one customer at one location at a time.").Silent(t, "Charge $80.00")
	form := c.Get(again + "&receivedAmount=100").Posts("/till/sell")
	done := c.Send(form).Is(t, 200).Shows(t, "Recorded a payment of $80.00.", "Change due: $20.00.", "Renews on")
	if u, _ := url.Parse(done.URL.String()); u.Path != "/manage/"+s.Studio.Business.Slug+at {
		t.Errorf("it goes on at %s", u)
	}
	c.Send(form).Is(t, 200) // sent twice
	c.Get(again).Is(t, 200).Shows(t, "This billing period is not due.", "Billing period").Silent(t, "Charge $80.00")
	got := latest(t, s, ids["Ada"])
	if got.Next == nil || got.Next.Number != due.Number+1 || got.Next.StartsOn != due.EndsOn || got.Next.Due {
		t.Fatalf("next is %+v, after %+v", got.Next, due)
	}
	if n := apptest.Value[int](t, s.World, "select count(*)::int from order_tenders where kind = 'cash'"); n != 2 {
		t.Errorf("%d payments in cash", n)
	}

	page = c.Get(one).Is(t, 200).Shows(t, "Next payment", "Take payment").Silent(t, "Past due") // in advance
	c.Send(c.Get(page.Link("/till/sell")).Is(t, 200).Posts("/till/sell")).Is(t, 200)
	if next := latest(t, s, ids["Ada"]).Next; next == nil || next.Number != got.Next.Number+1 {
		t.Errorf("next is %+v", next)
	}
	s.CheckBooks(t)
}

// TestChargePeriod: the desk charges a billing period to the saved card of its customer; a declined card leaves the
// period to be paid otherwise.
func TestChargePeriod(t *testing.T) {
	s := consoletest.Open(t)
	s.SaveCard(t, "ada@example.com", "Ada Lovelace")
	s.SaveCard(t, "ben@example.com", "Ben", "4000000000000341")
	front := s.As(t, policy.FrontDesk)
	for name, declined := range map[string]bool{"Ada Lovelace": false, "Ben": true} {
		id := apptest.Value[uuid.UUID](t, s.World, "select id from customers where name = $1", name)
		m := joined(t, s, id)
		at := "/customers/" + id.String() + "/plans/" + m.ID.String()
		pay := front.Get(front.Get(at).Is(t, 200).Link("/till/sell")).Is(t, 200).Shows(t, "Visa ending")
		pay = front.Get(pay.URL.RequestURI()+"&method=saved_card").Is(t, 200).
			Shows(t, "Charged to Visa ending", "Charge $80.00")
		if declined {
			front.Send(pay.Posts("/till/sell")).Is(t, 409).
				Shows(t, "The card could not be charged:", "Choose another payment method.", "Monthly")
			front.Get(at).Is(t, 200).Shows(t, "The card could not be charged:", "Payment due since", "Take payment")
			continue
		}
		done := front.Send(pay.Posts("/till/sell")).Is(t, 200).Shows(t, "Recorded a payment of $80.00.")
		if done.URL.Path != "/manage/"+s.Studio.Business.Slug+"/customers/"+id.String() {
			t.Errorf("it goes on at %s", done.URL)
		}
		if next := latest(t, s, id).Next; next == nil || next.Number != m.Next.Number+1 {
			t.Errorf("next is %+v", next)
		}
	}
	s.CheckBooks(t)
}
