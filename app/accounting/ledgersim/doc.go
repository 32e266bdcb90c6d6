// Package ledgersim replaces Ledger Online in development and tests: the same wire format, so that the same client
// talks to it, with companies that keep their documents. It keeps no real books. A production start refuses it.
//
// A Server is an http.Handler and an http.RoundTripper; a client that uses it as its transport needs no port.
// Everything is below [Prefix]:
//
//	/connect/oauth2                 page of a person: choose a company, Approve or Deny
//	/oauth2/v1/tokens/bearer        code or refresh token to tokens
//	/oauth2/v1/tokens/revoke
//	/v3/company/{realm}/…           companyinfo, preferences, query, account, journalentry, deposit
//	/app/journal?txnId=…            a document as a person sees it; also /app/deposit
//	/                               all companies and their documents
//	/control/{verb}                 faults, and acts of the studio on the provider's own website
//
// Three companies exist from the start, Demo USD ([RealmUSD]), Demo EUR ([RealmEUR]) and Demo GBP ([RealmGBP]), with
// the charts of accounts of a company that was just opened. AddCompany makes more.
//
// Invariants: debits equal credits; a line has a positive amount, and an account that exists, is active and has the
// company's currency; a line on accounts receivable or payable is refused, because it names no customer or vendor; a
// document's date is after the closing of the books; a request with a known id returns the first answer, whatever it
// contains; an access token opens one company for an hour; a refresh token works once, unless Options.Grace; an
// unknown member of a body, and a query outside of the grammar in query.go, are errors. Ids and tokens follow from
// the seed, and time only from the injected clock.
//
// Fail makes the next requests fail in the ways of the original, also after they were carried out. Where the
// original's behavior is unknown, the simulator has the worse one: it stores no number of a deposit, accepts a second
// journal entry with the number of the first (see RefuseDuplicates), and quotes access tokens in its messages.
//
// # Guard
//
// [Is] reports whether a setting is one of the simulator: an address below Prefix or on [Host], or its client id.
// "foyer serve" refuses to start with one.
//
// Not simulated: features that the product does not use, such as invoices, taxes, attachments and exchange rates.
package ledgersim
