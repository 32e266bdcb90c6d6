package customers_test

import (
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
	"foyer/policy"
)

// inDays returns the day after a number of days at the location.
func inDays(s *consoletest.Studio, days int) civil.Date {
	return civil.LocalDate(s.Clock.Now(), civil.ZoneOrUTC(s.Location.Zone)).AddDays(days)
}

// paidByPlan books a class for a customer after a number of days, and pays with a plan.
func paidByPlan(t *testing.T, s *consoletest.Studio, customer uuid.UUID, days int) uuid.UUID {
	t.Helper()
	on := s.AddOccurrence(t, s.AddOffering(t), s.Clock.Now().AddDate(0, 0, days))
	email := apptest.Value[string](t, s.World, "select email from customers where id = $1", customer)
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
	return made.Booking.ID
}

// TestFreezePlan: the page of a freeze has its effects before it is set; the plan has its days, and the next payment
// moves. A freeze over a booking and one that its plan ends before are refused in words.
func TestFreezePlan(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	m := joined(t, s, ids["Ada"], func(in *plan.CreateInput) {
		in.Freeze = rules.Freeze{Allowed: true, MinDays: 7, MaxDays: 30, NoticeDays: 3}
	})
	one := "/customers/" + ids["Ada"].String() + "/plans/" + m.ID.String()
	page := owner.Get(one).Is(t, 200).Shows(t, "Freeze…", "Customers can freeze it for 7 to 30 days.",
		"A freeze needs 3 days of notice.").Silent(t, "End freeze…", "Frozen")
	owner.Get(page.Link(one+"/freeze")).Is(t, 200).
		Shows(t, "Freeze Monthly", "First day", "Last day", "Choose the days to preview the freeze.").
		Silent(t, "Freeze plan", "There is a problem")
	first, last := inDays(s, 5), inDays(s, 14)
	days := "?startsOn=" + first.String() + "&lastDay=" + last.String()
	for at, text := range map[string]string{
		"?startsOn=&lastDay=":                                 "Choose a day.",
		"?startsOn=" + first.String() + "&lastDay=soon":       "Choose a day.",
		"?startsOn=" + last.String() + "&lastDay=2020-01-01":  "Enter a later date.",
		"?startsOn=2020-01-01&lastDay=":                       "A freeze begins today or later.",
		"?startsOn=" + inDays(s, 90).String() + "&lastDay=":   "The freeze begins after the next billing period.",
		"?startsOn=" + first.String() + "&lastDay=2099-01-01": "Freeze it for at most a year.",
	} {
		owner.Get(one+"/freeze"+at).Is(t, 200).Shows(t, text).Silent(t, "Freeze plan")
	}
	ask := owner.Get(one+"/freeze"+days).Is(t, 200).
		Shows(t, "Frozen from", "The next payment is postponed to", "$80.00", "Freeze plan", "Not shown to the customer.")
	form := ask.Posts("/freeze")
	elsewhere := away(t, s)
	for _, c := range []*consoletest.Client{s.As(t, policy.Marketer), elsewhere} {
		c.Get(one).Is(t, 200).Silent(t, "Freeze…", "End freeze…", "Change plan…")
		c.Get(one+"/freeze").Is(t, 403)
		c.Send(form).Is(t, 403)
	}

	id := paidByPlan(t, s, ids["Ada"], 7)
	owner.Send(form).Is(t, 409).Shows(t, "This plan pays for bookings in that time. Cancel them first.")
	again := owner.Get(one+"/freeze"+days).Is(t, 200).
		Shows(t, "It pays for 1 booking in that time. Cancel that booking first.").Silent(t, "Freeze plan")
	owner.Get(again.Link("/bookings?customer="+ids["Ada"].String()+"&from="+first.String()+"&to="+last.String())).
		Is(t, 200)
	if _, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{
		BookingID: id, By: booking.ByCustomer,
	}); err != nil {
		t.Fatal(err)
	}
	form = owner.Get(one+"/freeze"+days).Is(t, 200).Posts("/freeze")
	owner.Send(form, "renewsOn", "2020-01-01").Is(t, 409).Shows(t, "Another user changed this", "Freeze plan")
	owner.Send(form, "version", "0").Is(t, 409)
	owner.Send(form, "note", "Knee").Is(t, 200).
		Shows(t, "Froze Monthly.", "Frozen from", "Knee", "End freeze…", "Active").Silent(t, "Freeze…")
	owner.Send(form, "note", "Knee").Is(t, 200) // sent twice
	got := latest(t, s, ids["Ada"])
	if len(got.Freezes) != 1 || got.Next.StartsOn != m.Next.StartsOn.AddDays(10) {
		t.Fatalf("%+v, next %+v", got.Freezes, got.Next)
	}
	owner.Get(one+"/freeze"+days).Is(t, 200).Shows(t, "The plan is already frozen in that time.")

	goes(t, s, 8)
	owner.Get("/customers/"+ids["Ada"].String()).Is(t, 200).Shows(t, "Frozen from", "Frozen")
	ask = owner.Get(owner.Get(one).Is(t, 200).Shows(t, "Frozen").Link(one+"/unfreeze")).Is(t, 200).
		Shows(t, "End the freeze of Monthly?", "The freeze ends now", "The next payment is on", "$80.00", "Keep it")
	form = ask.Posts("/unfreeze")
	elsewhere.Send(form).Is(t, 403)
	owner.Send(form, "version", "0").Is(t, 409)
	owner.Send(form).Is(t, 200).Shows(t, "Ended the freeze of Monthly.", "Active", "Freeze…").Silent(t, "End freeze…")
	if got = latest(t, s, ids["Ada"]); got.Next.StartsOn != m.Next.StartsOn.AddDays(3) {
		t.Errorf("next is %+v", got.Next)
	}
	owner.Get(one+"/unfreeze").Is(t, 409).Shows(t, "This plan is not frozen.")
	s.CheckBooks(t)
}

// TestFreezeWithoutEnd: a membership in a freeze without an end is not due, and its next period is not taken at the
// desk. One that is due is not frozen.
func TestFreezeWithoutEnd(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	m := joined(t, s, ids["Ada"])
	at := "/customers/" + ids["Ada"].String()
	one := at + "/plans/" + m.ID.String()
	ask := owner.Get(one+"/freeze?startsOn="+inDays(s, 2).String()+"&lastDay=").Is(t, 200).Shows(t,
		"without an end date", "Its dates are postponed by the days of the freeze, once you end it.")
	owner.Send(ask.Posts("/freeze")).Is(t, 200).Shows(t, "Froze Monthly.", "after the freeze").Silent(t, "Take payment")
	owner.Get(one+"/unfreeze").Is(t, 200).Shows(t, "The freeze is removed before it begins.")
	goes(t, s, 50)
	owner = s.As(t, consoletest.Owner) // the session is over
	owner.Get(at).Is(t, 200).Shows(t, "Frozen from").Silent(t, "Payment due", "Past due")
	owner.Get(one).Is(t, 200).Shows(t, "Frozen", "after the freeze").
		Silent(t, "Payment due", "Past due", "Take payment", "Change plan…", "Cancel membership…")
	owner.Get(one+"/change").Is(t, 200)
	ask = owner.Get(one+"/unfreeze").Is(t, 200).Shows(t, "The freeze ends now")
	owner.Send(ask.Posts("/unfreeze")).Is(t, 200).Shows(t, "Next payment", "Take payment").Silent(t, "Payment due")
	if got := latest(t, s, ids["Ada"]); got.Next.StartsOn != m.Next.StartsOn.AddDays(48) {
		t.Errorf("next is %+v", got.Next)
	}

	ben := joined(t, s, ids["Ben"])
	goes(t, s, 33)
	owner = s.As(t, consoletest.Owner)
	one = "/customers/" + ids["Ben"].String() + "/plans/" + ben.ID.String()
	owner.Get(one).Is(t, 200).Shows(t, "Payment due since").Silent(t, "Freeze…", "Change plan…")
	owner.Get(one+"/freeze").Is(t, 409).Shows(t, "Pay the billing period that is due first.")
	owner.Get(one+"/change").Is(t, 200)
}

// TestFreezePass: the last day of a pass moves with a freeze.
func TestFreezePass(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	m := soldPack(t, s, ids["Cy"])
	one := "/customers/" + ids["Cy"].String() + "/plans/" + m.ID.String()
	ask := owner.Get(one+"/freeze?startsOn="+inDays(s, 0).String()+"&lastDay="+inDays(s, 9).String()).Is(t, 200).
		Shows(t, "Its last day is postponed to").Silent(t, "The next payment")
	owner.Send(ask.Posts("/freeze")).Is(t, 200).Shows(t, "Froze 10-class pack.", "Frozen")
	if got := latest(t, s, ids["Cy"]); *got.EndsOn != m.EndsOn.AddDays(10) {
		t.Errorf("it ends on %s, not ten days after %s", got.EndsOn, m.EndsOn)
	}
	s.Clock.Advance(48 * time.Hour)
	ask = owner.Get(one+"/unfreeze").Is(t, 200).Shows(t, "Its last day is")
	owner.Send(ask.Posts("/unfreeze")).Is(t, 200)
	if got := latest(t, s, ids["Cy"]); *got.EndsOn != m.EndsOn.AddDays(2) {
		t.Errorf("it ends on %s, not two days after %s", got.EndsOn, m.EndsOn)
	}
}
