package bookings

import (
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/tenancy"
)

// did renders a transition of a booking, in the history.
func did(sh ui.Shell, t booking.Transition) string {
	switch t {
	case booking.TransitionHold:
		return sh.C("history", "Spot held")
	case booking.TransitionConfirm:
		return sh.C("history", "Booked online")
	case booking.TransitionRequest:
		return sh.C("history", "Requested")
	case booking.TransitionExpire:
		return sh.C("history", "Payment time expired")
	case booking.TransitionRelease:
		return sh.C("history", "Hold released")
	case booking.TransitionRetake:
		return sh.C("history", "Paid late, spot still available")
	case booking.TransitionBook:
		return sh.C("history", "Booked by the studio")
	case booking.TransitionPromote:
		return sh.C("history", "Promoted from the waitlist")
	case booking.TransitionApprove:
		return sh.C("history", "Approved")
	case booking.TransitionDecline:
		return sh.C("history", "Declined")
	case booking.TransitionReschedule:
		return sh.C("history", "Rescheduled")
	case booking.TransitionRetime:
		return sh.C("history", "Class date rescheduled")
	case booking.TransitionRelocate:
		return sh.C("history", "Location of the class date changed")
	case booking.TransitionCancel:
		return sh.C("history", "Cancelled in time")
	case booking.TransitionCancelLate:
		return sh.C("history", "Cancelled late")
	case booking.TransitionStudioCancel:
		return sh.C("history", "Cancelled by the studio")
	case booking.TransitionCheckIn:
		return sh.C("history", "Checked in")
	case booking.TransitionUndoCheckIn:
		return sh.C("history", "Check-in undone")
	case booking.TransitionNoShow:
		return sh.C("history", "Marked as a no-show")
	case booking.TransitionUndoNoShow:
		return sh.C("history", "No-show undone")
	}
	return sh.C("history", "Completed")
}

// by renders its actor and surface.
func by(sh ui.Shell, ch booking.Change) string {
	switch {
	case ch.ActorName != "":
		return ch.ActorName
	case ch.ActorKind == tenancy.ActorSystem:
		return sh.T("System")
	case ch.ActorKind == tenancy.ActorKey:
		return sh.T("API key")
	}
	return sh.T("Customer")
}

// events returns the history of a booking, latest first.
func events(c *desk.Call, b booking.StudioBooking, list []booking.Change) []ui.Event {
	sh := c.UI
	w := wordsAt(c, b.Zone)
	out := make([]ui.Event, 0, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		ch := list[i]
		e := ui.Event{At: ch.At, Text: did(sh, ch.Transition), Who: by(sh, ch), More: ch.Words}
		if ch.FromStart != nil {
			e.Text = sh.T("{what}, was {when}", "what", e.Text, "when", w.ShortWhen(*ch.FromStart))
		}
		out = append(out, e)
	}
	return out
}

// why renders the reason why a date is unavailable, by its code.
func why(sh ui.Shell, reason string) string {
	switch reason {
	case booking.ErrFull.Reason, string(availability.CodeFull):
		return sh.T("It is full.")
	case booking.ErrDuplicate.Reason:
		return sh.T("The customer is already booked at that time.")
	case booking.ErrStarted.Reason:
		return sh.T("It has already started.")
	case booking.ErrCancelled.Reason:
		return sh.T("It is cancelled.")
	case booking.ErrTooLate.Reason:
		return sh.T("Booking has closed.")
	case booking.ErrTooEarly.Reason:
		return sh.T("Booking has not opened yet.")
	case string(availability.CodeStaffBusy):
		return sh.T("The staff member is unavailable.")
	case string(availability.CodeSpaceBusy):
		return sh.T("The room is unavailable.")
	case string(availability.CodeClosed):
		return sh.T("The location is closed.")
	case string(availability.CodePaused):
		return sh.T("The studio is not accepting bookings.")
	case string(availability.CodeWaitlist):
		return sh.T("The free spots are offered to the waitlist.")
	}
	return sh.T("It cannot be booked.")
}

// aside renders an overridden rule.
func aside(sh ui.Shell, over string) string {
	switch over {
	case booking.OverCapacity:
		return sh.T("Full: one spot is added")
	case booking.OverStarted:
		return sh.T("Already started")
	case booking.OverNotice:
		return sh.T("Later than the policy allows")
	case booking.OverWindow:
		return sh.T("Earlier than the policy allows")
	case booking.OverCourse:
		return sh.T("One date of a course, booked alone")
	}
	return sh.T("Opening hours, lead time and length overridden")
}
