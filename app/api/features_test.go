package api_test

import (
	"strings"
	"testing"

	"foyer/app/web/op"
)

// published is the feature required by each operator operation, as decided; "session" is for a person's own records,
// and "only" after a feature refuses API keys. A51, A53, A54, A218.
const published = `
createBusiness session
listBusinesses session
getBusiness location.view
updateBusiness business.manage
listFeatures location.view
pauseBusiness business.manage
resumeBusiness business.manage
closeBusiness business.manage
createApiKey business.manage only
listAssistants location.view
disconnectAssistant location.view
listApiKeys business.manage only
deleteApiKey business.manage only
listTeam location.view
addTeamMember team.manage
getTeamMember location.view
updateTeamMember team.manage
deactivateTeamMember team.manage
reactivateTeamMember team.manage
getMemberHours location.view
replaceMemberHours location.view
listTimeOff location.view
addTimeOff location.view
deleteTimeOff location.view
listLocations location.view
createLocation business.manage
getLocation location.view
updateLocation location.manage
archiveLocation business.manage
getTheme location.view
replaceTheme location.manage
getStylesheet location.view
replaceStylesheet location.manage
getHours location.view
replaceHours location.manage
listClosures location.view
addClosure location.manage
deleteClosure location.manage
getLocationPolicy location.view
replaceLocationPolicy catalog.manage
listSpaces location.view
createSpace location.manage
getSpace location.view
updateSpace location.manage
archiveSpace location.manage
getSpaceHours location.view
replaceSpaceHours location.manage
listBlocks booking.manage
addBlock booking.manage
deleteBlock booking.manage
listPolicies catalog.manage
createPolicy catalog.manage
listDiscounts catalog.manage
listProducts location.view
createProduct catalog.manage
getProduct location.view
updateProduct catalog.manage
archiveProduct catalog.manage
listProductVariants location.view
createProductVariant catalog.manage
getProductVariant location.view
updateProductVariant catalog.manage
listPlans location.view
createPlan catalog.manage
getPlan location.view
updatePlan catalog.manage
publishPlan catalog.manage
archivePlan catalog.manage
listBenefits location.view
setBenefits catalog.manage
listCustomerPlans crm.view
addCompPlan membership.manage
extendPlan membership.manage
cancelPlan membership.manage
freezePlan membership.manage
unfreezePlan membership.manage
quotePlanChange membership.manage
changePlan membership.manage
withdrawPlanChange membership.manage
endPlan membership.manage
listCredits crm.view
adjustCredits balance.adjust
listStock location.view
changeStock stock.manage
createDiscount catalog.manage
getDiscount catalog.manage
listAssets location.view
uploadAsset catalog.manage
createUploadLink catalog.manage
getAsset location.view
updateAsset catalog.manage
deleteAsset catalog.manage
archiveAsset catalog.manage
restoreAsset catalog.manage
getAssetOriginal catalog.manage
placeAsset catalog.manage
unplaceAsset catalog.manage
replaceOfferingAssets catalog.manage
replaceProductAssets catalog.manage
updateDiscount catalog.manage
archiveDiscount catalog.manage
restoreDiscount catalog.manage
listAgreements location.view
createAgreement catalog.manage
updateAgreement catalog.manage
archiveAgreement catalog.manage
restoreAgreement catalog.manage
listAgreementCopies location.view
replaceOfferingAgreements catalog.manage
listCustomerAgreements crm.view
markAgreementSigned crm.notes
getAgreementEvidence crm.view
listAgreementSigners crm.view
listOutstandingAgreements crm.view
getPolicy catalog.manage
updatePolicy catalog.manage
archivePolicy catalog.manage
listTaxRates location.view
createTaxRate business.manage
updateTaxRate business.manage
listRevenueCategories location.view
createRevenueCategory business.manage
updateRevenueCategory business.manage
getProcessor business.manage
startProcessorOnboarding business.manage
listPayouts payment.view
getPayout payment.view
getReconciliation payment.view
listDisputes payment.view
getDispute payment.view
getDisputeEvidence payment.view
saveDisputeEvidence payment.refund
submitDisputeEvidence payment.refund
getTaxReport report.finance
downloadTaxReport report.finance
getFeeReport report.finance
downloadFeeReport report.finance
getRevenueReport report.finance
downloadRevenueReport report.finance
getPayoutReport report.finance
downloadPayoutReport report.finance
getLiabilityReport report.finance
downloadLiabilityReport report.finance
getMembershipReport report.finance
downloadMembershipReport report.finance
listOfferings location.view
createOffering catalog.manage
getOffering location.view
updateOffering catalog.manage
publishOffering catalog.manage
unpublishOffering catalog.manage
archiveOffering catalog.manage
restoreOffering catalog.manage
replaceOfferingStaff catalog.manage
replaceOfferingSpaces catalog.manage
duplicateOffering catalog.manage
listSeries location.view
createSeries catalog.manage
endSeries catalog.manage
listOccurrences location.view
getRoster booking.view
getWaitlist booking.view
addToWaitlist booking.manage
removeFromWaitlist booking.manage
promoteFromWaitlist booking.manage
offerFromWaitlist booking.manage
skipOnWaitlist booking.manage
reorderWaitlist booking.manage
listBookings booking.view
getBooking booking.view
getBookingHistory booking.view
createBooking booking.manage
createRecurringBooking booking.manage
cancelBooking booking.manage
rescheduleBooking booking.manage
approveBooking booking.manage
declineBooking booking.manage
updateBooking booking.manage
checkInBooking booking.checkin
undoCheckIn booking.checkin
markNoShow booking.manage
undoNoShow booking.manage
bulkCheckIn booking.checkin
bulkCancel booking.manage
listHolds booking.manage
freeHold booking.manage
listOpenCarts booking.view
getOpenCart booking.view
listFees payment.take
listPayments payment.view
getPayment payment.view
refundPayment payment.refund
returnGoods payment.refund
voidPayment payment.take
createSale payment.take
listGiftCards payment.view
createGiftCard payment.take
getGiftCard payment.view
listGiftCardTransactions payment.view
findGiftCard payment.take
adjustGiftCard balance.adjust
sendGiftCard payment.take
getGiftCardTerms location.view
setGiftCardTerms location.manage
completeAccounting business.manage only
connectAccounting business.manage
getAccountingConnection business.manage
updateAccountingConnection business.manage
disconnectAccounting business.manage
getAccountingMap business.manage
confirmAccountingMap business.manage
createAccountingAccount business.manage
listAccountingPostings business.manage
retryAccountingPosting business.manage
syncAccounting business.manage
listDrawers payment.take
openDrawer payment.take
getDrawer payment.take
closeDrawer payment.take
payIn payment.take
payOut payment.take
createSettlement payment.take
waiveFee payment.take
listCustomers crm.view
getCustomer crm.view
createCustomer crm.manage
listCustomerPaymentMethods payment.take
deleteCustomerPaymentMethod payment.take
updateCustomer crm.manage
getCustomerBalance crm.view
listCreditTransactions crm.view
adjustCustomerBalance balance.adjust
collectCustomerBalance payment.take
chargeFee payment.take
listAudit audit.view
checkIntegrity business.manage
searchAvailability location.view
explainAvailability location.view
updateSeries catalog.manage
listSeriesEdits location.view
undoSeriesEdit catalog.manage
updateOccurrence catalog.manage
cancelOccurrence booking.manage
restoreOccurrence booking.manage
substituteOccurrence booking.manage
assignInstructor booking.manage
getWalkins location.view
updateWalkins booking.manage
checkInWalkin booking.manage
checkOutWalkin booking.manage
`

// TestFeaturesOfOperations compares the declarations with that list, in both directions.
func TestFeaturesOfOperations(t *testing.T) {
	h := open(t)
	want := map[string]string{}
	for line := range strings.Lines(published) {
		if id, asks, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			want[id] = asks
		}
	}
	for _, spec := range h.operations {
		root := strings.Split(spec.Path, "/")[1]
		if root == "storefront" || root == "me" || root == "auth" {
			continue
		}
		got := string(spec.Feature)
		switch spec.Access {
		case op.Session:
			got = "session"
		case op.OperatorSession:
			got += " only"
			if last := spec.Path[strings.Index(spec.Path, "}/")+2:]; !strings.HasPrefix(last, "api-keys") && last != "accounting/connect/complete" { // A53
				t.Errorf("%s refuses API keys: only the keys' own routes and completing the accounting connection may", spec.ID)
			}
		}
		if got != want[spec.ID] {
			t.Errorf("%s asks for %q, decided was %q", spec.ID, got, want[spec.ID])
		}
		delete(want, spec.ID)
	}
	if len(want) > 0 {
		t.Errorf("not declared: %v", want)
	}
}
