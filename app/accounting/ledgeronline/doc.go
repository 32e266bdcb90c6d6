// Package ledgeronline is the client of Ledger Online, an accounting program for studios. Its wire format is that of
// QuickBooks Online, version 3.
//
// A [Client] makes one HTTP request for each step of a call and retries nothing: its caller has a database to
// remember attempts. A request is given up after twenty seconds. Requests of one company are sent one after the other
// and at most five within a second ([Pace]); after a refusal for speed the company rests for a minute. Redirects are
// not followed.
//
// # Failures
//
// Every failure is an [*Error] with a [Class]: the decision that the caller has to make. The provider's codes differ
// between its documents, its messages are translated, a fault can come with status 200 and with members in lower case,
// and gateways answer in HTML; a class is therefore found in the code, the text, the type of the fault and the status,
// in this order.
//
// Error.Unknown is true if the request may have been carried out: nothing was answered, the answer was cut off or
// cannot be read, or the server failed. A document is then sent again only after FindDoc has not found it.
//
// # One document for one batch
//
// A request that creates something has a request id of the caller, of at most 50 characters. The provider replays its
// first answer to a request with the same id, for an unknown time, and there are reports of two documents for one id.
// A document therefore has a number of the caller, too, and FindDoc finds it by that number. A deposit has no number
// at the provider: it is found by its date and the number in its note.
//
// # Amounts and secrets
//
// Amounts are int64 in minor units of their currency (2200 USD is $22.00). They are written as decimals with all digits
// of the currency, from integers and never through a float, and the same document is always the same bytes.
//
// Tokens are [sealed.Secret]. The provider quotes access tokens in its messages; they are removed from errors and log
// lines.
package ledgeronline
