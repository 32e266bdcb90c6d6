package web

import (
	"net/http"

	"foyer/app/tenancy"
)

// Access says which credential an operation takes. The zero value is none of them, and Op refuses it.
type Access uint8

// The kinds of access. Each status that a kind can answer must be in Spec.Errors.
const (
	accessUndeclared Access = iota

	// Public needs no credential. A person's session is honoured; an invalid or unsuitable one is ignored (A58).
	Public
	// Session takes a person's session. No or an invalid credential is 401, an API key 403 (A49, A50).
	Session
	// StorefrontSession takes a person's session; an API key is 401 there, as 403 is not listed (A59).
	StorefrontSession
	// Operator takes a session or an API key that holds Spec.Feature in the business of Spec.Target (A53).
	Operator
	// OperatorSession is Operator with API keys refused by 403 (A51, A52).
	OperatorSession
	// Member takes a session or a key with any role in the business of Spec.Target. Spec.Feature is shown, not asked.
	Member
)

// gated tells whether the access asks for a role in a business.
func (a Access) gated() bool { return a == Operator || a == OperatorSession || a == Member }

// Rate is the class of a rate limit.
type Rate uint8

// The classes. Operator routes have none (A82).
const (
	RateNone            Rate = iota
	RateStorefront           // counted with everything else under /storefront: 480 a minute and visitor (A79)
	RateStorefrontWrite      // counted there, and in 60 writes a minute and visitor (A81, A226)
	RateChallenge            // requests for sign-in codes: 100 in 15 minutes and visitor (A217)
)

// The kinds of record that a path can name, as Gate.Locate is told them. Cart, receipt and waitlist offer are secrets,
// the others UUIDs.
const (
	KindBusiness      = "business"
	KindLocation      = "location"
	KindOffering      = "offering"
	KindCart          = "cart"
	KindReceipt       = "receipt"
	KindWaitlistOffer = "waitlist_offer"
)

// Target says how the path names the business an operation is about. The zero value: not at all.
type Target struct{ kind, param string }

// InBusiness is a target whose path parameter is the business itself.
func InBusiness(param string) Target { return Target{KindBusiness, param} }

// InLocation is a target that belongs to the business and to the location that the path parameter names.
func InLocation(param string) Target { return Target{KindLocation, param} }

// InOffering is a target found by an offering's id.
func InOffering(param string) Target { return Target{KindOffering, param} }

// InCart is a target found by a cart's token.
func InCart(param string) Target { return Target{KindCart, param} }

// InReceipt is a target found by a receipt's token.
func InReceipt(param string) Target { return Target{KindReceipt, param} }

// InWaitlistOffer is a target found by the token of a place that is on offer.
func InWaitlistOffer(param string) Target { return Target{KindWaitlistOffer, param} }

// byID tells whether the path parameter is a UUID, and not a secret.
func (t Target) byID() bool {
	return t.kind != KindCart && t.kind != KindReceipt && t.kind != KindWaitlistOffer
}

// Upload lets an operation take multipart/form-data beside its JSON body: the same fields, and one file under any name.
// The handler finds the file with FileOf.
type Upload struct {
	MaxBytes int64  // of the whole request
	Required bool   // a request without a file is 400, and JSON is not taken at all
	Doc      string // what the file is: types and size, for the document
}

// Spec declares one operation. Method, Path, ID, Tag, Summary, Description and Access are always needed.
type Spec struct {
	ID          string // operationId and MCP tool name, lowerCamelCase
	Method      string
	Path        string // "/businesses/{businessId}/bookings"
	Tag         string // one of Options.Tags
	Summary     string
	Description string

	Access  Access
	Feature tenancy.Feature // x-feature; asked for Operator and OperatorSession
	Target  Target

	Success int   // 200 when zero; 204 for NoContent
	Errors  []int // exactly what the contract lists, without 429 and 500

	Rate      Rate
	Versioned bool    // the body carries the record's version; a stale one is 409
	Quoted    bool    // takes dryRun and quoteId: the body embeds Quote (without one, the input QueryQuote), the output is a Quoted, 409 is listed
	NoReplay  bool    // a write that does not take Idempotency-Key
	Several   string  // why one request is more than one transaction (pg.Claim); "" for almost all
	Frozen    bool    // shown in the contract: never 409 for an Idempotency-Key (A231)
	Compact   bool    // in MCP's core projection
	MaxBody   int64   // bytes of JSON; 1 MiB when zero
	Upload    *Upload // takes a file
	Media     string  // content type of a Raw answer
}

// writes tells whether the operation changes something.
func (s *Spec) writes() bool { return s.Method != http.MethodGet && s.Method != http.MethodHead }

// replays tells whether the operation takes Idempotency-Key.
func (s *Spec) replays() bool { return s.writes() && !s.NoReplay }
