package business

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
	"foyer/policy"
)

// Declare declares this package's part of the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/business",
		Tables: []declare.Table{
			{Name: "api_keys", Life: declare.Trade, Readers: []string{"app/accounting"}, Record: "API key"},
			{Name: "businesses", Life: declare.Trade, Record: "Business", Readers: []string{"app/plan",
				"app/accounting", "app/agenda", "app/agreement", "app/availability", "app/booking", "app/catalog",
				"app/checkout", "app/integrity", "app/notice", "app/order", "app/owed", "app/product", "app/sales", "app/schedule",
				"app/waitlist", "app/walkin", "billing", "media",
			}},
			{
				Name: "location_hours", Life: declare.Trade, Record: "Opening hours",
				Readers: []string{"app/agenda", "app/availability", "app/walkin"},
			},
			{Name: "locations", Life: declare.Trade, Record: "Location", Readers: []string{"app/plan",
				"app/accounting", "app/agenda", "app/agreement", "app/availability", "app/booking", "app/catalog",
				"app/checkout", "app/discount", "app/fees", "app/integrity", "app/notice", "app/order", "app/owed",
				"app/product", "app/report", "app/sales", "app/schedule", "app/till", "app/waitlist", "app/walkin", "billing",
				"billing/balance", "billing/credit", "billing/giftcard", "billing/ledger", "media",
			}},
			{
				Name: "member_roles", Life: declare.Trade, Record: "Staff role",
				Readers: []string{"app/accounting", "app/notice", "billing"},
			},
			{Name: "members", Life: declare.Trade, Record: "Staff member", Readers: []string{
				"app/accounting",
				"app/agenda", "app/availability", "app/booking", "app/catalog", "app/claim",
				"app/crm", "app/notice", "app/schedule", "app/waitlist", "billing", "media",
			}},
			{
				Name: "revenue_categories", Life: declare.Trade, Record: "Revenue category",
				Readers: []string{"app/accounting", "app/catalog", "app/product", "app/report"},
			},
			{Name: "saved_views", Life: declare.Trade},
			{Name: "slugs", Life: declare.Trade},
			{Name: "spaces", Life: declare.Trade, Record: "Room", Readers: []string{
				"app/availability", "app/catalog", "app/claim",
				"app/integrity", "app/schedule", "app/walkin", "media",
			}},
			{Name: "stylesheets", Life: declare.Trade, Record: "Stylesheet"},
			{
				Name: "tax_rates", Life: declare.Trade, Record: "Tax",
				Readers: []string{"app/plan",
					"app/accounting", "app/catalog", "app/checkout", "app/order", "app/owed", "app/product", "app/report",
				},
			},
		},
		Refuses: map[string][]*fault.Error{
			"createBusiness":         {ErrSlugTaken},
			"updateBusiness":         {ErrSlugTaken, ErrTooManySlugs, ErrCurrencyFrozen},
			"pauseBusiness":          {ErrClosed},
			"resumeBusiness":         {ErrClosedForGood, policy.ErrOwnerOnly},
			"closeBusiness":          {ErrFutureBookings, policy.ErrOwnerOnly},
			"addTeamMember":          {ErrMemberExists, policy.ErrOwnerOnly},
			"updateTeamMember":       {ErrLastOwner, policy.ErrOwnerOnly},
			"deactivateTeamMember":   {ErrLastOwner, policy.ErrOwnerOnly},
			"reactivateTeamMember":   {policy.ErrOwnerOnly},
			"createLocation":         {ErrSlugTaken},
			"updateLocation":         {ErrSlugTaken, ErrTooManySlugs, ErrCurrencyFrozen, ErrZoneInUse},
			"archiveLocation":        {ErrTargetArchived, ErrLocationsDiffer, ErrSpacesMissing},
			"createSpace":            {ErrSpaceName, ErrSpaceArchived},
			"updateSpace":            {ErrSpaceName, ErrSpaceArchived},
			"archiveSpace":           {ErrSpaceInUse, ErrSpaceHasParts},
			"replaceSpaceHours":      {ErrSpaceArchived},
			"addBlock":               {ErrSpaceArchived},
			"updateTaxRate":          {ErrRateArchived},
			"createRevenueCategory":  {ErrCategoryName},
			"updateRevenueCategory":  {ErrCategoryName},
			"createBooking":          {ErrClosed},
			"createRecurringBooking": {ErrClosed},
		},
		Fields: map[string]words.Console{"revenueCategoryId": "Revenue category"},
		Messages: []words.Text{
			"This business is closed.",
			"This address is already in use. Choose another one.",
			"Enter an e-mail address, like name@example.com.",
		},
	}
}
