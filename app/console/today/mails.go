package today

import (
	"cmp"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/waitlist"
	"foyer/app/words"
	"foyer/policy"
)

// about is what a failed mail would have said, by the job that was to send it and what it told.
var about = map[string]words.Text{
	"checkout.confirmation":             "{name} was not told that the booking is confirmed",
	"checkout.late_refund":              "{name} was not told that a late payment goes back",
	"checkout.fee":                      "{name} was not told about a fee",
	"business.team_invite":              "{name} did not get the invite to your team",
	"booking.team_notice":               "{name} was not told who gives a date",
	"billing.dispute_notice":            "{name} was not told about a dispute",
	"billing.account_notice":            "{name} was not told about the payment account",
	"booking.reminder":                  "{name} was not reminded",
	"booking.waitlist_letter":           "{name} was not told about the waitlist",
	"booking.notice":                    "{name} was not told about a booking",
	string(booking.ToldBooked):          "{name} was not told that you booked for them",
	string(booking.ToldApproved):        "{name} was not told that you said yes",
	string(booking.ToldDeclined):        "{name} was not told that you said no",
	string(booking.ToldMoved):           "{name} was not told about the new time",
	string(booking.ToldRelocated):       "{name} was not told about the new place",
	string(booking.ToldParty):           "{name} was not told how many seats they have",
	string(booking.ToldCancelled):       "{name} was not told that the booking is cancelled",
	string(booking.ToldStudioCancelled): "{name} was not told that the date is cancelled",
	string(booking.ToldSubstituted):     "{name} was not told who gives the date",
	string(booking.ToldRoom):            "{name} was not told about the new room",
	string(booking.ToldRestored):        "{name} was not told that the date takes place after all",
	string(waitlist.LetterOffered):      "{name} was not told about a place on offer",
	string(waitlist.LetterPromoted):     "{name} was not told that they have a place",
}

// mailWords says who did not get what, and where to do something about it.
func mailWords(c *desk.Call, m agenda.FailedMail) (what, href string) {
	text, known := about[m.What]
	if !known {
		text = cmp.Or(about[m.Kind], words.Text("{name} did not get a mail"))
	}
	switch {
	case m.BookingID != nil:
		href = c.To("/bookings/" + m.BookingID.String())
	case m.OccurrenceID != nil:
		href = c.To("/dates/" + m.OccurrenceID.String())
	case m.CustomerID != nil:
		href = c.To("/customers/" + m.CustomerID.String())
	case m.MemberID != nil:
		href = c.To("/settings")
	}
	return c.UI.T(text, "name", cmp.Or(m.Name, m.Email, c.UI.T("Somebody"))), href
}

// why says why it did not arrive.
func why(sh ui.Shell, m agenda.FailedMail) string {
	if m.Late {
		return sh.T("The mail could not be sent in time")
	}
	return sh.T("The mail server refused it")
}

// mayDismiss tells whether the caller may take it off the list.
func mayDismiss(c *desk.Call, m agenda.FailedMail) bool {
	place := uuid.Nil // about no place: for whoever may everywhere
	if m.LocationID != nil {
		place = *m.LocationID
	}
	return c.Scope.Grants.At(policy.BookingManage, place)
}
