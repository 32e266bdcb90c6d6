package catalog

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare declares the package's tables, jobs and errors.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/catalog",
		Tables: []declare.Table{
			{
				Name: "offering_members", Life: declare.Trade, Record: "Offering staff",
				Readers: []string{"app/availability"},
			},
			{
				Name: "offering_spaces", Life: declare.Trade, Record: "Offering room",
				Readers: []string{"app/availability", "app/walkin"},
			},
			{Name: "offerings", Life: declare.Trade, Record: "Offering", Readers: []string{"app/plan",
				"app/accounting", "app/agenda", "app/agreement", "app/availability", "app/booking", "app/checkout",
				"app/claim", "app/discount", "app/fees", "app/integrity", "app/notice", "app/order", "app/owed", "app/sales",
				"app/schedule", "app/waitlist", "app/walkin", "media",
			}},
			{Name: "policies", Life: declare.Trade, Record: "Policy", Readers: []string{
				"app/agenda", "app/availability", "app/booking", "app/checkout", "app/schedule", "app/waitlist",
				"app/walkin",
			}},
		},
		Refuses: map[string][]*fault.Error{
			"archiveLocation":       {ErrFutureBookings},
			"createPolicy":          {ErrPolicyName},
			"updatePolicy":          {ErrPolicyName, ErrPolicyArchived},
			"archivePolicy":         {ErrPolicyInUse},
			"replaceLocationPolicy": {ErrPolicyArchived, ErrLocationArchived, fault.ErrStale},
			"createOffering":        {ErrSlugTaken, ErrLocationArchived},
			"duplicateOffering":     {ErrSlugTaken, ErrLocationArchived},
			"updateOffering": {
				ErrIncomplete, ErrNoWayToPay, ErrBelowCardMinimum, ErrSlugTaken, ErrArchived, ErrFutureBookings,
			},
			"publishOffering":       {ErrIncomplete, ErrNoWayToPay, ErrBelowCardMinimum, ErrArchived, ErrLocationArchived},
			"unpublishOffering":     {ErrArchived},
			"archiveOffering":       {ErrFutureBookings},
			"restoreOffering":       {ErrLocationArchived},
			"replaceOfferingStaff":  {ErrIncomplete, ErrArchived, fault.ErrStale},
			"replaceOfferingSpaces": {ErrIncomplete, ErrArchived, fault.ErrStale},
			"createSeries":          {ErrArchived, ErrLocationArchived},
			"updateSeries":          {ErrArchived, ErrLocationArchived},
			"updateOccurrence":      {ErrArchived, ErrLocationArchived},
			"restoreOccurrence":     {ErrArchived},
			"assignInstructor":      {ErrArchived},
			"substituteOccurrence":  {ErrArchived},
		},
	}
}
