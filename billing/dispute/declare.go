package dispute

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "billing/dispute",
		Tables: []declare.Table{
			{Name: "dispute_answers", Life: declare.Trade, Record: "Dispute evidence"},
			{Name: "disputes", Life: declare.Trade, Readers: []string{"app/report", "billing"}},
		},
		Refuses: map[string][]*fault.Error{
			"saveDisputeEvidence":   {ErrDecided, ErrEvidenceSubmitted, ErrLate},
			"submitDisputeEvidence": {ErrEvidenceMissing, ErrDecided, ErrEvidenceSubmitted, ErrLate},
		},
	}
}
