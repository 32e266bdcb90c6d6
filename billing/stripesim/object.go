package stripesim

// The objects of the API, with the fields that the product reads. Pointers are null where Stripe sends null. A field
// named Sim is ours: it is kept in the snapshot and never sent.

type account struct {
	ID               string            `json:"id"`
	Object           string            `json:"object"`
	Country          string            `json:"country"`
	DefaultCurrency  string            `json:"default_currency"`
	ChargesEnabled   bool              `json:"charges_enabled"`
	PayoutsEnabled   bool              `json:"payouts_enabled"`
	DetailsSubmitted bool              `json:"details_submitted"`
	Capabilities     map[string]string `json:"capabilities"`
	Metadata         map[string]string `json:"metadata"`
	Requirements     requirements      `json:"requirements"`
	Sim              accountSim        `json:"_sim"`
}

type accountSim struct {
	Revoked bool `json:"revoked,omitempty"` // the studio disconnected the platform
}

type requirements struct {
	CurrentDeadline *int64   `json:"current_deadline"`
	CurrentlyDue    []string `json:"currently_due"`
	PastDue         []string `json:"past_due"`
	DisabledReason  *string  `json:"disabled_reason"`
}

type paymentIntent struct {
	ID                        string            `json:"id"`
	Object                    string            `json:"object"`
	Amount                    int64             `json:"amount"`
	AmountCapturable          int64             `json:"amount_capturable"`
	AmountReceived            int64             `json:"amount_received"`
	ApplicationFeeAmount      *int64            `json:"application_fee_amount"`
	CaptureMethod             string            `json:"capture_method"`
	ClientSecret              string            `json:"client_secret"`
	Currency                  string            `json:"currency"`
	Customer                  *string           `json:"customer"`
	LastPaymentError          *payError         `json:"last_payment_error"`
	LatestCharge              *string           `json:"latest_charge"`
	Livemode                  bool              `json:"livemode"`
	Metadata                  map[string]string `json:"metadata"`
	NextAction                *nextAction       `json:"next_action"`
	PaymentMethod             *string           `json:"payment_method"`
	SetupFutureUsage          *string           `json:"setup_future_usage"`
	StatementDescriptorSuffix *string           `json:"statement_descriptor_suffix"`
	Status                    string            `json:"status"`
	Sim                       intentSim         `json:"_sim"`
}

type intentSim struct {
	ReturnURL  string `json:"return_url,omitempty"`  // the address after the bank's check
	OffSession bool   `json:"off_session,omitempty"` // the last attempt was off session
}

type nextAction struct {
	Type          string        `json:"type"`
	RedirectToURL redirectToURL `json:"redirect_to_url"`
}

type redirectToURL struct {
	ReturnURL string `json:"return_url"`
	URL       string `json:"url"`
}

// payError is the reason of the last decline, as stored on the payment and sent in an error answer.
type payError struct {
	Type        string `json:"type"`
	Code        string `json:"code,omitempty"`
	DeclineCode string `json:"decline_code,omitempty"`
	Message     string `json:"message"`
	Param       string `json:"param,omitempty"`
}

type charge struct {
	ID                        string            `json:"id"`
	Object                    string            `json:"object"`
	Amount                    int64             `json:"amount"`
	AmountRefunded            int64             `json:"amount_refunded"`
	ApplicationFee            *string           `json:"application_fee"` // known with its balance transaction
	ApplicationFeeAmount      *int64            `json:"application_fee_amount"`
	BalanceTransaction        *string           `json:"balance_transaction"`
	Captured                  bool              `json:"captured"`
	Currency                  string            `json:"currency"`
	Disputed                  bool              `json:"disputed"`
	Metadata                  map[string]string `json:"metadata"` // of its payment, when it was made
	PaymentIntent             string            `json:"payment_intent"`
	PaymentMethod             *string           `json:"payment_method"`
	PaymentMethodDetails      methodDetails     `json:"payment_method_details"`
	Refunded                  bool              `json:"refunded"`
	StatementDescriptorSuffix *string           `json:"statement_descriptor_suffix"`
	Status                    string            `json:"status"`
	Sim                       chargeSim         `json:"_sim"`
}

type methodDetails struct {
	Type string      `json:"type"`
	Card cardDetails `json:"card"`
}

type cardDetails struct {
	Brand       string `json:"brand"`
	Last4       string `json:"last4"`
	ExpMonth    int64  `json:"exp_month"`
	ExpYear     int64  `json:"exp_year"`
	Fingerprint string `json:"fingerprint"` // of the number: the same for a card that is typed again

	Wallet *wallet `json:"wallet"`
}

// wallet is the wallet of a card payment.
type wallet struct {
	Type string `json:"type"`
}

// customer is a customer with saved cards.
type customer struct {
	ID       string            `json:"id"`
	Object   string            `json:"object"`
	Created  int64             `json:"created"`
	Livemode bool              `json:"livemode"`
	Metadata map[string]string `json:"metadata"`
}

// paymentMethod is a card that was typed. Customer is set if it is saved; null: for one payment only.
type paymentMethod struct {
	ID       string      `json:"id"`
	Object   string      `json:"object"`
	Card     cardDetails `json:"card"`
	Created  int64       `json:"created"`
	Customer *string     `json:"customer"`
	Livemode bool        `json:"livemode"`
	Type     string      `json:"type"`
	Sim      methodSim   `json:"_sim"`
}

type methodSim struct {
	Number   string `json:"number"`             // one of the published test numbers
	Detached bool   `json:"detached,omitempty"` // it was saved once, and can no longer be used
}

type chargeSim struct {
	Number      string       `json:"number"`                // of its card
	FeeRefunded int64        `json:"fee_back,omitempty"`    // refunded application fee
	FeeRefunds  []*feeRefund `json:"fee_refunds,omitempty"` // with a refund of the charge or by itself
	Outside     bool         `json:"outside,omitempty"`     // the studio made it without the product
}

type refund struct {
	ID                 string            `json:"id"`
	Object             string            `json:"object"`
	Amount             int64             `json:"amount"`
	BalanceTransaction *string           `json:"balance_transaction"`
	Charge             string            `json:"charge"`
	Created            int64             `json:"created"`
	Currency           string            `json:"currency"`
	FailureReason      *string           `json:"failure_reason,omitempty"`
	Metadata           map[string]string `json:"metadata"`
	PaymentIntent      string            `json:"payment_intent"`
	Status             string            `json:"status"`
}

type balanceTransaction struct {
	ID                string      `json:"id"`
	Object            string      `json:"object"`
	Amount            int64       `json:"amount"`
	AvailableOn       int64       `json:"available_on"`
	Created           int64       `json:"created"`
	Currency          string      `json:"currency"`
	Fee               int64       `json:"fee"`
	FeeDetails        []feeDetail `json:"fee_details"`
	Net               int64       `json:"net"`
	ReportingCategory string      `json:"reporting_category"`
	Source            *string     `json:"source"`
	Type              string      `json:"type"`
	Sim               balanceSim  `json:"_sim"`
}

type balanceSim struct {
	Payout string `json:"payout,omitempty"` // the payout that includes it
}

type feeDetail struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Type     string `json:"type"`
}

type payout struct {
	ID                        string  `json:"id"`
	Object                    string  `json:"object"`
	Amount                    int64   `json:"amount"`
	ArrivalDate               int64   `json:"arrival_date"`
	Automatic                 bool    `json:"automatic"`
	BalanceTransaction        *string `json:"balance_transaction"`
	Created                   int64   `json:"created"`
	Currency                  string  `json:"currency"`
	FailureBalanceTransaction *string `json:"failure_balance_transaction"`
	FailureCode               *string `json:"failure_code"`
	FailureMessage            *string `json:"failure_message"`
	Livemode                  bool    `json:"livemode"`
	ReconciliationStatus      string  `json:"reconciliation_status"`
	Status                    string  `json:"status"`
}

type dispute struct {
	ID                  string                `json:"id"`
	Object              string                `json:"object"`
	Amount              int64                 `json:"amount"`
	BalanceTransactions []*balanceTransaction `json:"balance_transactions"`
	Charge              string                `json:"charge"`
	Created             int64                 `json:"created"`
	Currency            string                `json:"currency"`
	Evidence            map[string]string     `json:"evidence"`
	EvidenceDetails     evidenceDetails       `json:"evidence_details"`
	IsChargeRefundable  bool                  `json:"is_charge_refundable"`
	Livemode            bool                  `json:"livemode"`
	PaymentIntent       string                `json:"payment_intent"`
	Reason              string                `json:"reason"`
	Status              string                `json:"status"`
}

type evidenceDetails struct {
	DueBy           *int64 `json:"due_by"`
	HasEvidence     bool   `json:"has_evidence"`
	SubmissionCount int    `json:"submission_count"`
}

// listPage is a part of a list.
type listPage struct {
	Object  string `json:"object"`
	URL     string `json:"url"`
	HasMore bool   `json:"has_more"`
	Data    []any  `json:"data"`
}

type event struct {
	ID         string         `json:"id"`
	Object     string         `json:"object"`
	APIVersion string         `json:"api_version"`
	Account    string         `json:"account"`
	Created    int64          `json:"created"`
	Data       map[string]any `json:"data"`
	Livemode   bool           `json:"livemode"`
	Type       string         `json:"type"`
}
