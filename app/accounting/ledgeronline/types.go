package ledgeronline

import (
	"time"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/sealed"
)

// Conn is the company of a call and the token that opens it.
type Conn struct {
	Realm       string // the company's id at the provider
	AccessToken sealed.Secret
}

// Tokens are the result of Exchange and Refresh. Refresh replaces the refresh token of the call: the one that was
// sent is worthless afterwards. Store the new one before the access token is used.
//
// A time is zero if the provider did not state it. An access token is valid for an hour. A refresh token ends after
// 100 days without a refresh and five years after the connection; RefreshExpires is the earlier of the two.
type Tokens struct {
	Access         sealed.Secret
	Refresh        sealed.Secret
	AccessExpires  time.Time
	RefreshExpires time.Time
}

// Company describes a company at the provider.
type Company struct {
	Name               string
	Country            string // two letters, upper case; may be empty
	HomeCurrency       money.Currency
	BooksClosedThrough civil.Date // documents of this date and earlier are refused; zero when the books are open
}

// Account is an account of the company's chart.
type Account struct {
	ID          string
	Name        string         // fully qualified: "Income:Classes" for a subaccount
	Type        string         // "Income", "Bank", "Other Current Liability"
	SubType     string         // "ServiceFeeIncome"; may be empty
	Number      string         // the studio's own account number; may be empty
	Currency    money.Currency // empty if the company has one currency and the provider does not state it
	Active      bool
	Description string
}

// Limits of a new account.
const (
	MaxAccountName        = 100 // characters, without : and "
	MaxAccountDescription = 100 // characters
)

// NewAccount describes an account to create, in the home currency of the company.
type NewAccount struct {
	Name        string // up to MaxAccountName characters, without : and "
	Type        string
	SubType     string
	Description string // up to MaxAccountDescription characters
}

// Limits of a document.
const (
	MaxDocNumber = 21   // characters
	MaxNote      = 4000 // characters, of a note and of a line's description
	MaxRequestID = 50   // characters
)

// Journal describes a journal entry to post. It has at least two lines, and its debits equal its credits. Lines on
// accounts receivable or payable are refused by the provider, because they need a customer or a vendor.
type Journal struct {
	Date      civil.Date
	DocNumber string // up to MaxDocNumber characters; FindDoc finds the document by it
	Note      string
	Currency  money.Currency
	Lines     []JournalLine // sent debits first, otherwise in this order
}

// JournalLine is a debit or a credit.
type JournalLine struct {
	Debit       bool
	AccountID   string
	Amount      int64 // positive, in minor units
	Description string
}

// Deposit describes money that arrives on a bank account, for example a payout less its fees. The sum of its lines is
// positive.
type Deposit struct {
	Date          civil.Date
	DocNumber     string // up to MaxDocNumber characters; sent in the note, too, because the provider does not store it
	Note          string
	Currency      money.Currency
	BankAccountID string // receives the sum of the lines
	Lines         []DepositLine
}

// DepositLine is a part of a deposit.
type DepositLine struct {
	AccountID   string // the account that the money comes from, or the account of a fee
	Amount      int64  // in minor units, not 0; negative for a fee
	Description string
}

// Kind is the kind of a document.
type Kind string

// The kinds of documents.
const (
	KindJournal Kind = "journal_entry"
	KindDeposit Kind = "deposit"
)

// Doc is a document at the provider.
type Doc struct {
	ID        string
	DocNumber string // empty for a deposit, unless the provider stores it
	Note      string
	URL       string // the document on the provider's website
}
