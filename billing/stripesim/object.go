package stripesim

// The objects of the API, with the fields that the product or a person in front of them reads. Pointers are null where
// Stripe says null. A field named Sim is ours: it is kept in the snapshot and never sent.

type account struct {
	ID               string            `json:"id"`
	Object           string            `json:"object"`
	Type             string            `json:"type"`
	Country          string            `json:"country"`
	Created          int64             `json:"created"`
	DefaultCurrency  string            `json:"default_currency"`
	Email            *string           `json:"email"`
	ChargesEnabled   bool              `json:"charges_enabled"`
	PayoutsEnabled   bool              `json:"payouts_enabled"`
	DetailsSubmitted bool              `json:"details_submitted"`
	Capabilities     map[string]string `json:"capabilities"`
	Controller       map[string]any    `json:"controller"`
	Metadata         map[string]string `json:"metadata"`
	Requirements     requirements      `json:"requirements"`
	Sim              accountSim        `json:"_sim"`
}

type accountSim struct {
	Revoked bool `json:"revoked,omitempty"` // the studio took the platform's access away
}

type requirements struct {
	CurrentDeadline *int64   `json:"current_deadline"`
	CurrentlyDue    []string `json:"currently_due"`
	PastDue         []string `json:"past_due"`
	DisabledReason  *string  `json:"disabled_reason"`
}

type paymentMethod struct {
	ID       string            `json:"id"`
	Object   string            `json:"object"`
	Type     string            `json:"type"`
	Created  int64             `json:"created"`
	Metadata map[string]string `json:"metadata"`
	Card     cardDetails       `json:"card"`
	Sim      methodSim         `json:"_sim"`
}

type methodSim struct {
	Number string `json:"number"` // one of the published test numbers
}

type cardDetails struct {
	Brand    string `json:"brand"`
	Country  string `json:"country"`
	ExpMonth int64  `json:"exp_month"`
	ExpYear  int64  `json:"exp_year"`
	Funding  string `json:"funding"`
	Last4    string `json:"last4"`
}

type paymentIntent struct {
	ID                   string            `json:"id"`
	Object               string            `json:"object"`
	Amount               int64             `json:"amount"`
	AmountReceived       int64             `json:"amount_received"`
	ApplicationFeeAmount *int64            `json:"application_fee_amount"`
	CanceledAt           *int64            `json:"canceled_at"`
	CancellationReason   *string           `json:"cancellation_reason"`
	CaptureMethod        string            `json:"capture_method"`
	ClientSecret         string            `json:"client_secret"`
	Created              int64             `json:"created"`
	Currency             string            `json:"currency"`
	Description          *string           `json:"description"`
	LastPaymentError     *payError         `json:"last_payment_error"`
	LatestCharge         *string           `json:"latest_charge"`
	Livemode             bool              `json:"livemode"`
	Metadata             map[string]string `json:"metadata"`
	NextAction           *nextAction       `json:"next_action"`
	PaymentMethod        *string           `json:"payment_method"`
	PaymentMethodTypes   []string          `json:"payment_method_types"`
	StatementSuffix      *string           `json:"statement_descriptor_suffix"`
	Status               string            `json:"status"`
	Sim                  intentSim         `json:"_sim"`
}

type intentSim struct {
	ReturnURL string `json:"return_url,omitempty"` // where the bank's check leads back to
}

type nextAction struct {
	Type          string         `json:"type"`
	RedirectToURL *redirectToURL `json:"redirect_to_url,omitempty"`
}

type redirectToURL struct {
	ReturnURL string `json:"return_url"`
	URL       string `json:"url"`
}

// payError is why the last try failed, as it is kept on the payment, and what an error answer says.
type payError struct {
	Type          string         `json:"type"`
	Code          string         `json:"code,omitempty"`
	DeclineCode   string         `json:"decline_code,omitempty"`
	Message       string         `json:"message"`
	Param         string         `json:"param,omitempty"`
	Charge        string         `json:"charge,omitempty"`
	PaymentMethod *paymentMethod `json:"payment_method,omitempty"`
}

type charge struct {
	ID                   string            `json:"id"`
	Object               string            `json:"object"`
	Amount               int64             `json:"amount"`
	AmountCaptured       int64             `json:"amount_captured"`
	AmountRefunded       int64             `json:"amount_refunded"`
	ApplicationFee       *string           `json:"application_fee"`
	ApplicationFeeAmount *int64            `json:"application_fee_amount"`
	BalanceTransaction   *string           `json:"balance_transaction"`
	Created              int64             `json:"created"`
	Currency             string            `json:"currency"`
	Description          *string           `json:"description"`
	Metadata             map[string]string `json:"metadata"`
	Paid                 bool              `json:"paid"`
	PaymentIntent        *string           `json:"payment_intent"`
	PaymentMethod        string            `json:"payment_method"`
	PaymentMethodDetails methodDetails     `json:"payment_method_details"`
	Refunded             bool              `json:"refunded"`
	Status               string            `json:"status"`
	Sim                  methodSim         `json:"_sim"`
}

type methodDetails struct {
	Type string      `json:"type"`
	Card cardDetails `json:"card"`
}

type refund struct {
	ID                 string            `json:"id"`
	Object             string            `json:"object"`
	Amount             int64             `json:"amount"`
	BalanceTransaction *string           `json:"balance_transaction"`
	Charge             string            `json:"charge"`
	Created            int64             `json:"created"`
	Currency           string            `json:"currency"`
	FailureBalance     *string           `json:"failure_balance_transaction,omitempty"`
	FailureReason      *string           `json:"failure_reason,omitempty"`
	Metadata           map[string]string `json:"metadata"`
	PaymentIntent      *string           `json:"payment_intent"`
	Reason             *string           `json:"reason"`
	Status             string            `json:"status"`
	Sim                refundSim         `json:"_sim"`
}

type refundSim struct {
	FeeBack int64 `json:"fee_back,omitempty"` // what it returned of the application fee
}

type balanceTransaction struct {
	ID                string      `json:"id"`
	Object            string      `json:"object"`
	Amount            int64       `json:"amount"`
	Created           int64       `json:"created"`
	Currency          string      `json:"currency"`
	Description       *string     `json:"description"`
	Fee               int64       `json:"fee"`
	FeeDetails        []feeDetail `json:"fee_details"`
	Net               int64       `json:"net"`
	ReportingCategory string      `json:"reporting_category"`
	Source            string      `json:"source"`
	Status            string      `json:"status"`
	Type              string      `json:"type"`
}

type feeDetail struct {
	Amount      int64   `json:"amount"`
	Application *string `json:"application"`
	Currency    string  `json:"currency"`
	Description string  `json:"description"`
	Type        string  `json:"type"`
}

type applicationFee struct {
	ID             string `json:"id"`
	Object         string `json:"object"`
	Account        string `json:"account"`
	Amount         int64  `json:"amount"`
	AmountRefunded int64  `json:"amount_refunded"`
	Application    string `json:"application"`
	Charge         string `json:"charge"`
	Created        int64  `json:"created"`
	Currency       string `json:"currency"`
	Refunded       bool   `json:"refunded"`
}

type event struct {
	ID         string       `json:"id"`
	Object     string       `json:"object"`
	APIVersion string       `json:"api_version"`
	Account    string       `json:"account,omitempty"`
	Created    int64        `json:"created"`
	Data       eventData    `json:"data"`
	Livemode   bool         `json:"livemode"`
	Request    eventRequest `json:"request"`
	Type       string       `json:"type"`
}

type eventData struct {
	Object any `json:"object"`
}

type eventRequest struct {
	ID             *string `json:"id"`
	IdempotencyKey *string `json:"idempotency_key"`
}
