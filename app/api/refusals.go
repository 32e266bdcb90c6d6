package api

import (
	"slices"

	"foyer/app/agreement"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/claim"
	"foyer/app/crm"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/penalty"
	"foyer/app/sales"
	"foyer/app/schedule"
	"foyer/app/till"
	"foyer/app/waitlist"
	"foyer/app/walkin"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/media"
	"foyer/policy"
)

// sentinels are refusals of the domains.
type sentinels = []*fault.Error

// What several verbs refuse alike.
var (
	// seat: a date of a class or a course cannot be booked.
	seat = sentinels{
		booking.ErrFull, booking.ErrStarted, booking.ErrNotBookable, booking.ErrCancelled, booking.ErrDuplicate, booking.ErrTooLate,
		booking.ErrTooEarly, booking.ErrCourse,
	}
	// atTime: a time of an appointment or a rental cannot be booked.
	atTime = append(sentinels{
		availability.ErrClosed, availability.ErrPaused, availability.ErrTooEarly, availability.ErrTooLate, availability.ErrFull,
		availability.ErrPartySize,
	}, busy...)
	busy    = sentinels{claim.ErrStaffBusy, claim.ErrSpaceBusy}
	itsCart = sentinels{checkout.ErrOrdered, checkout.ErrOther, booking.ErrPaymentStarted}
	waiting = sentinels{waitlist.ErrHasSeat, waitlist.ErrNotWaiting, waitlist.ErrClosed}
	moved   = slices.Concat(seat, atTime, sentinels{booking.ErrState, booking.ErrNotAllowed, booking.ErrPriceDifference})
	edited  = append(sentinels{
		schedule.ErrDatesBooked, schedule.ErrDatesTooFull, schedule.ErrBegun, schedule.ErrDateCancelled, catalog.ErrArchived,
		catalog.ErrLocationArchived,
	}, busy...)
	processor = sentinels{billing.ErrProcessorDown, billing.ErrProcessorRefused, billing.ErrAccountDisconnected}
)

// Refusals name, by operation, what its verb refuses with a reason; web.Options.Refusals wants them. A test of this package
// that sees another reason fails: the document does not list it.
var Refusals = map[string]sentinels{
	"createBusiness":           {identity.ErrInvite, business.ErrSlugTaken},
	"updateBusiness":           {business.ErrSlugTaken, business.ErrTooManySlugs, business.ErrCurrencyFrozen},
	"pauseBusiness":            {business.ErrClosed},
	"resumeBusiness":           {business.ErrClosedForGood, policy.ErrOwnerOnly},
	"closeBusiness":            {business.ErrFutureBookings, policy.ErrOwnerOnly},
	"startProcessorOnboarding": append(sentinels{billing.ErrNotConfigured, billing.ErrConnected, billing.ErrPaymentsOpen, billing.ErrCountryRefused, billing.ErrAddressRefused}, processor...),
	"getProcessor":             processor,
	"addTeamMember":            {business.ErrMemberExists, policy.ErrOwnerOnly},
	"updateTeamMember":         {business.ErrLastOwner, policy.ErrOwnerOnly},
	"deactivateTeamMember":     {business.ErrLastOwner, policy.ErrOwnerOnly},
	"reactivateTeamMember":     {policy.ErrOwnerOnly},
	"createLocation":           {business.ErrSlugTaken},
	"updateLocation":           {business.ErrSlugTaken, business.ErrTooManySlugs, business.ErrCurrencyFrozen, business.ErrZoneInUse},
	"archiveLocation": {catalog.ErrFutureBookings, business.ErrMoveToArchived, business.ErrPlacesDiffer, business.ErrSpacesMissing,
		claim.ErrSpaceBusy},
	"createSpace":       {business.ErrSpaceName, business.ErrSpaceArchived},
	"updateSpace":       {business.ErrSpaceName, business.ErrSpaceArchived},
	"archiveSpace":      {business.ErrSpaceInUse, business.ErrSpaceHasParts},
	"replaceSpaceHours": {business.ErrSpaceArchived},
	"addBlock":          {business.ErrSpaceArchived},
	"addClosure":        {availability.ErrClosureOverlaps},
	"updateTaxRate":     {business.ErrRateArchived},

	"uploadAsset":      append(media.Refusals(), media.ErrStoreDown),
	"getAssetOriginal": {media.ErrStoreDown},
	"placeAsset":       {media.ErrArchived, media.ErrCrowded},

	"createCustomer": {crm.ErrExists},
	"updateCustomer": {crm.ErrExists, crm.ErrSignsIn},

	"createDiscount":  {discount.ErrCodeTaken},
	"updateDiscount":  {discount.ErrCodeTaken, discount.ErrArchived},
	"restoreDiscount": {discount.ErrCodeTaken},

	"createPolicy":          {catalog.ErrPolicyName},
	"updatePolicy":          {catalog.ErrPolicyName, catalog.ErrPolicyArchived},
	"archivePolicy":         {catalog.ErrPolicyInUse},
	"replaceLocationPolicy": {catalog.ErrPolicyArchived, catalog.ErrLocationArchived, fault.ErrStale},
	"createOffering":        {catalog.ErrSlugTaken, catalog.ErrLocationArchived},
	"duplicateOffering":     {catalog.ErrSlugTaken, catalog.ErrLocationArchived},
	"updateOffering": {catalog.ErrIncomplete, catalog.ErrNoWayToPay, billing.ErrCurrencyDiffers, catalog.ErrBelowCardMinimum,
		catalog.ErrSlugTaken, catalog.ErrArchived, catalog.ErrFutureBookings},
	"publishOffering":       {catalog.ErrIncomplete, catalog.ErrNoWayToPay, billing.ErrCurrencyDiffers, catalog.ErrBelowCardMinimum, catalog.ErrArchived, catalog.ErrLocationArchived},
	"unpublishOffering":     {catalog.ErrArchived},
	"archiveOffering":       {catalog.ErrFutureBookings},
	"restoreOffering":       {catalog.ErrLocationArchived},
	"replaceOfferingStaff":  {catalog.ErrIncomplete, catalog.ErrArchived, fault.ErrStale},
	"replaceOfferingSpaces": {catalog.ErrIncomplete, catalog.ErrArchived, fault.ErrStale},

	"createSeries":         append(sentinels{schedule.ErrNotAClass, catalog.ErrArchived, catalog.ErrLocationArchived}, busy...),
	"updateSeries":         edited,
	"endSeries":            {schedule.ErrDatesBooked, fault.ErrStale},
	"undoSeriesEdit":       append(sentinels{schedule.ErrEditedSince, schedule.ErrNotUndoable, schedule.ErrUndoOver, schedule.ErrUndone}, busy...),
	"updateOccurrence":     edited,
	"cancelOccurrence":     {schedule.ErrBegun, schedule.ErrDateCancelled},
	"restoreOccurrence":    append(sentinels{schedule.ErrBegun, schedule.ErrNotCancelled, schedule.ErrNotInSeries, catalog.ErrArchived}, busy...),
	"assignInstructor":     append(sentinels{schedule.ErrBegun, schedule.ErrDateCancelled, catalog.ErrArchived, fault.ErrStale}, busy...),
	"substituteOccurrence": append(sentinels{schedule.ErrBegun, schedule.ErrDateCancelled, catalog.ErrArchived}, busy...),

	"createBooking":          slices.Concat(seat, atTime, sentinels{business.ErrClosed}),
	"createRecurringBooking": append(sentinels{booking.ErrClashes, business.ErrClosed}, seat...),
	"updateBooking":          {booking.ErrState, booking.ErrDuplicate, booking.ErrFull, booking.ErrPriceDifference, booking.ErrCourse},
	"approveBooking":         append(sentinels{booking.ErrState, booking.ErrFull, booking.ErrNotBookable, booking.ErrCancelled, booking.ErrStarted}, busy...),
	"declineBooking":         {booking.ErrState},
	"cancelBooking":          {booking.ErrState, booking.ErrNotAllowed, booking.ErrStarted, booking.ErrCourse},
	"rescheduleBooking":      append(slices.Clone(moved), booking.ErrCourseDiffers, booking.ErrClashes),
	"checkInBooking":         {booking.ErrState, booking.ErrTooEarly, booking.ErrTooLate},
	"undoCheckIn":            {booking.ErrState, booking.ErrTooLate},
	"markNoShow":             {booking.ErrState, booking.ErrTooEarly},
	"undoNoShow":             {booking.ErrState, booking.ErrTooLate, penalty.ErrOver},
	"waivePenalty":           {penalty.ErrOver},
	"refundPayment":          {sales.ErrCap, sales.ErrNothingLeft, billing.ErrRefundTooLarge, billing.ErrRefundDisputed, billing.ErrRefundStep},
	"keepDisputeAnswer":      {billing.ErrDisputeDecided, billing.ErrDisputeAnswered, billing.ErrDisputeLate},
	"handInDisputeAnswer":    {billing.ErrAnswerMissing, billing.ErrDisputeDecided, billing.ErrDisputeAnswered, billing.ErrDisputeLate},
	"voidPayment":            {sales.ErrByCard, sales.ErrSharedFee, billing.ErrNotVoidable},
	"createSale":             {checkout.ErrNothingToPay, penalty.ErrOver, checkout.ErrMoreThanDue, checkout.ErrFeesInFull, checkout.ErrOneCustomer, credit.ErrShort},
	"adjustCustomerBalance":  {credit.ErrShort},
	"collectCustomerBalance": {checkout.ErrNothingToPay, checkout.ErrPaymentPending, penalty.ErrOver, billing.ErrCardGone, billing.ErrCardConsent, billing.ErrCardUnavailable, billing.ErrAmountRefused,
		billing.ErrBelowCardMinimum, checkout.ErrAtOneCurrency},
	"openDrawer":          {till.ErrOpen},
	"closeDrawer":         {till.ErrClosed, till.ErrMoved},
	"payIn":               {till.ErrClosed},
	"payOut":              {till.ErrClosed, till.ErrNotEnough},
	"createSettlement":    {till.ErrNotOutstanding},
	"freeHold":            {booking.ErrPaymentStarted, checkout.ErrPaymentPending},
	"cancelMyBooking":     {booking.ErrState, booking.ErrNotAllowed, booking.ErrStarted, booking.ErrCourse},
	"rescheduleMyBooking": moved,

	"checkInWalkin":  {walkin.ErrOff, walkin.ErrPaused, walkin.ErrDoorClosed, walkin.ErrLastEntry, booking.ErrFull, booking.ErrNotBookable},
	"checkOutWalkin": {booking.ErrState},

	"joinWaitlist":         {waitlist.ErrSeatsFree, waitlist.ErrOff, waitlist.ErrClosed, booking.ErrCancelled, booking.ErrStarted, booking.ErrNotBookable, booking.ErrDuplicate},
	"addToWaitlist":        {waitlist.ErrSeatsFree, waitlist.ErrOff, waitlist.ErrClosed, booking.ErrCancelled, booking.ErrStarted, booking.ErrNotBookable, booking.ErrDuplicate},
	"promoteFromWaitlist":  slices.Concat(waiting, seat),
	"offerFromWaitlist":    slices.Concat(waiting, seat),
	"skipOnWaitlist":       waiting,
	"moveOnWaitlist":       waiting,
	"removeFromWaitlist":   waiting,
	"leaveWaitlist":        waiting,
	"leaveMyWaitlist":      waiting,
	"leaveWaitlistOffer":   waiting,
	"acceptWaitlistOffer":  slices.Concat(sentinels{waitlist.ErrNoOffer, waitlist.ErrOfferOver, waitlist.ErrOfferTo, waitlist.ErrHasSeat, waitlist.ErrClosed, booking.ErrHoldOver}, seat),
	"declineWaitlistOffer": {waitlist.ErrNoOffer, waitlist.ErrOfferOver, waitlist.ErrHasSeat},

	"addCartItem":    slices.Concat(itsCart, seat, atTime, sentinels{checkout.ErrCartFull}),
	"updateCartItem": append(sentinels{booking.ErrDuplicate}, itsCart...),
	"removeCartItem": itsCart,
	"applyCartCode": append(sentinels{discount.ErrUnknown, discount.ErrNotYet, discount.ErrOver, discount.ErrUsedUp, discount.ErrUsed, discount.ErrNotFirst,
		discount.ErrNotThis, discount.ErrTooLittle, discount.ErrNothingMore}, itsCart...),
	"removeCartCode":       itsCart,
	"useCartCredit":        append(sentinels{checkout.ErrNotHeld, checkout.ErrPaymentPending}, itsCart...),
	"createAgreement":      {agreement.ErrTooComplex},
	"updateAgreement":      {agreement.ErrTooComplex},
	"signMyAgreements":     {agreement.ErrStale},
	"acceptCartAgreements": append(sentinels{agreement.ErrStale}, itsCart...),
	"holdCart": slices.Concat(itsCart, seat, atTime, sentinels{
		checkout.ErrEmpty, checkout.ErrPriceChanged, checkout.ErrPaymentPending, booking.ErrTooManyHolds, booking.ErrHoldOver,
	}),
	"releaseHold": append(sentinels{checkout.ErrPaymentPending, booking.ErrHoldOver}, itsCart...),
	"startPayment": slices.Concat(itsCart, processor, sentinels{
		checkout.ErrEmpty, checkout.ErrNotHeld, agreement.ErrAsked, checkout.ErrNothingToPay, checkout.ErrPriceChanged, checkout.ErrPaymentPending,
		booking.ErrHoldOver, billing.ErrNotConfigured, billing.ErrCardUnavailable, billing.ErrPaymentGone, billing.ErrAmountRefused,
		billing.ErrBelowCardMinimum, billing.ErrCardGone, billing.ErrAddressRefused, credit.ErrShort,
	}),
	"confirmCart": slices.Concat(itsCart, processor, seat, sentinels{
		checkout.ErrEmpty, checkout.ErrNotHeld, agreement.ErrAsked, checkout.ErrPaymentRequired, checkout.ErrPaymentPending, checkout.ErrRefunded,
		checkout.ErrNothingToPay, checkout.ErrNotAtStudio, checkout.ErrPriceChanged, booking.ErrHoldOver, billing.ErrPaymentGone, credit.ErrShort,
	}),
	"getStorefrontWalkins": {walkin.ErrUnknownListing},
}
