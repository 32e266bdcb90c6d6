package settings

import (
	"strings"
	"sync"
	"unicode"

	"foyer/app/assembly"
	"foyer/app/console/ui"
	"foyer/app/tenancy"
	"foyer/app/words"
)

// recordWords are the names of the kinds of audited records, in the singular, as the domains declare them for their
// tables. A test compares them with the tables, and the names of fields with their columns.
var recordWords = sync.OnceValue(func() map[string]words.Text {
	out := map[string]words.Text{}
	for name, t := range assembly.Tables() {
		if t.Record != "" {
			out[name] = words.Text(t.Record)
		}
	}
	return out
})

func recordName(sh ui.Shell, record string) string {
	if w, ok := recordWords()[record]; ok {
		return sh.T(w)
	}
	return strings.ReplaceAll(record, "_", " ")
}

// surfaceWords are the names of the surfaces of a change.
var surfaceWords = map[tenancy.Surface]words.Text{
	tenancy.SurfaceConsole:   "in the console",
	tenancy.SurfaceHosted:    "on the booking pages",
	tenancy.SurfaceAPI:       "via the API",
	tenancy.SurfaceAssistant: "via an assistant",
	tenancy.SurfaceJob:       "automatically",
	tenancy.SurfaceCLI:       "on the server",
}

func surfaceName(sh ui.Shell, s tenancy.Surface) string {
	if w, ok := surfaceWords[s]; ok {
		return sh.T(w)
	}
	return string(s)
}

// fieldWords are the names of fields of records. Those of one domain only may be in its declare.go instead (Fields).
var fieldWords = map[string]words.Text{
	"dismissedAt": "Dismissed", "disputeId": "Dispute", "dueBy": "Information required by", "submittedAt": "Submitted", "refused": "Rejection reason",
	"takenAt": "Accepted by the processor", "words": "Statement",
	"job":    "Job",
	"late":   "Too late",
	"what":   "Message type",
	"accent": "Accent", "amount": "Amount", "appointmentWord": "Name for appointments", "approval": "Requires approval", "archivedAt": "Archived",
	"actorId": "User", "actorKind": "User", "actorName": "User", "closedBy": "Counted by", "countedAmount": "Counted", "drawerId": "Cash drawer", "expectedAmount": "Expected",
	"floatAmount": "Opening float", "foundAmount": "Expected at opening", "leftAmount": "Left in drawer", "method": "Method", "ofId": "Original payment", "openedBy": "Opened by",
	"code": "Code", "combines": "Together with other discounts", "creditAmount": "Paid with account credit", "customerUsesMax": "Uses per customer", "discountAmount": "Discount", "firstDay": "First day",
	"firstTime": "First booking only", "lastDay": "Last day", "leastAmount": "Minimum price", "locationIds": "Locations", "offeringIds": "Offerings", "usesMax": "Total uses",
	"attendee": "Attendee", "bookable": "Can be booked", "bookingId": "Booking", "bufferAfterMinutes": "Buffer after (minutes)", "bufferBeforeMinutes": "Buffer before (minutes)",
	"cancelReason": "Cancellation reason", "cancelledAt": "Cancelled", "capacity": "Spots", "cartId": "Cart", "checkedInAt": "Checked in", "checkedOutAt": "Checked out",
	"city": "City", "classWord": "Name for classes", "closedAt": "Closed", "closes": "Closes", "compact": "Fewer gaps", "confirmedAt": "Booked", "consentAt": "Signed",
	"corners": "Corners", "country": "Country", "createdBy": "Created by", "css": "Stylesheet", "currency": "Currency", "customerId": "Customer", "dailyCap": "Daily appointment limit",
	"deactivatedAt": "Deactivated", "defaultCurrency": "Currency", "description": "Description", "dropIfPromoted": "Leaves the waitlist if booked at that time", "due": "Information required", "dueAmount": "Due at the studio",
	"durationMinutes": "Length in minutes", "durations": "Lengths and prices", "email": "E-mail address", "endedAt": "Ended", "endsAt": "End", "endsOn": "Last day",
	"enrolment": "Enrolment", "env": "Environment", "every": "Interval", "exceptDates": "Skipped dates", "expiresAt": "Expires", "externalId": "Account",
	"extraDates": "Extra dates", "features": "Permissions", "feeAmount": "Fee", "feeLaterAmount": "Fee refunded later", "feeMode": "Fee paid by", "feePpm": "Fee", "freq": "Repeats", "graceUntil": "Free cancellation until",
	"gridMinutes": "Minutes between starts", "background": "Background", "groupId": "Group", "heading": "Heading", "holdId": "Hold", "hours": "Hours", "kind": "Kind",
	"language": "Language", "lastStartMinute": "Last start", "localDate": "Day", "locationId": "Location", "maxCount": "Limit", "memberId": "Staff member",
	"monthlyBy": "Monthly by", "name": "Name", "needsMember": "Requires a staff member", "note": "Note", "occurrenceId": "Date", "offerUntil": "Offer expires", "offered": "Spots offered",
	"offeredAt": "Offered", "offeringId": "Offering", "online": "Booked online", "onlineCapacity": "Spots online", "opens": "Opens", "orderId": "Order",
	"otherLanguages": "Other languages", "otherSites": "Other websites", "overrides": "Changes from its series", "parentId": "Part of", "party": "People", "paymentChoice": "Payment",
	"paymentId": "Payment", "personId": "Login", "phone": "Phone", "policy": "Policy", "policyId": "Policy", "position": "Position on the page", "postalCode": "Postal code",
	"ppm": "Rate", "prefix": "Prefix", "priceAmount": "Price", "priceDisplay": "Prices in lists", "publishedAt": "Published", "rank": "Waitlist position", "reason": "Reason", "region": "State or region",
	"refundCapAmount": "Front desk refund limit", "reminders": "Reminders", "rentalWord": "Name for rentals", "reschedules": "Times rescheduled", "balanceRequestedAt": "Balance due requested", "reviewAt": "In review until", "reviewUntil": "Waivable until",
	"revokedAt": "Revoked", "role": "Role", "ruleDate": "Date in its series", "rules": "Rules", "seriesId": "Series", "serviceFeeAmount": "Service fee", "fulfilledAt": "Paid",
	"slug": "Address", "soldAs": "Sold as", "spaceId": "Room", "splitFrom": "Split from", "splitPpm": "Customer share of the fee", "startsAt": "Start", "startsAtMinute": "Time of day",
	"startsOn": "First day", "state": "Status", "status": "Status", "street": "Street", "subtotalAmount": "Subtotal", "taken": "Spots booked", "takenOnline": "Spots booked online",
	"taxAmount": "Tax", "taxMode": "Prices and tax", "taxRateId": "Tax", "totalAmount": "Total", "type": "Typeface", "walkins": "Accepts walk-ins", "walkinsOff": "No walk-ins",
	"wallet": "Wallet", "walkinsPausedUntil": "No walk-ins until", "website": "Website", "weekday": "Day of the week", "weekdays": "Days of the week", "weeklyCap": "Weekly appointment limit", "zone": "Time zone",
	"account": "Account", "balance": "Balance", "brand": "Card brand", "consentText": "Consent text",
	"consentVersion": "Consent version", "consentedAt": "Consented", "destination": "Refund to",
	"expMonth": "Expiry month", "expYear": "Expiry year", "last4": "Last 4 digits", "refundId": "Refund",
	"removedAt": "Removed", "removedBy": "Removed by", "tenderId": "Manual payment",
	"alt": "Photo description", "assetId": "Photo", "bytes": "File size", "chargeFailed": "Charge failure reason", "format": "Format", "height": "Height", "sizes": "Widths", "tags": "Tags", "title": "Title", "width": "Width",
	"copyId": "Copy", "copyNumber": "Copy", "documentId": "Agreement", "everyListing": "Required for every offering", "frequency": "Frequency", "round": "Version", "show": "Display", "shown": "Shown as", "source": "Source",
}

// fieldWord returns the name of a field; empty without one.
func fieldWord(field string) words.Text {
	for _, d := range assembly.Declared() {
		if w, ok := d.Fields[field]; ok {
			return words.Text(w)
		}
	}
	return fieldWords[field]
}

func fieldName(sh ui.Shell, field string) string {
	if w := fieldWord(field); w != "" {
		return sh.T(w)
	}
	return spaced(field)
}

// spaced returns "startsAt" as "starts at", for a field without a name.
func spaced(field string) string {
	var b strings.Builder
	for _, r := range field {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
