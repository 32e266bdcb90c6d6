package ledger

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
)

// Source is what an entry comes from. Together with its event it is the entry's key.
type Source struct {
	Kind SourceKind
	ID   string
}

// SourceKind is a kind of source.
type SourceKind string

// The kinds of source.
const (
	SourcePayment       SourceKind = "payment"    // ID: ours
	SourceRefund        SourceKind = "refund"     // ID: ours
	SourceBalance       SourceKind = "balance"    // ID: of the processor's balance transaction
	SourceManualPayment SourceKind = "taking"     // ID: ours
	SourceDrawer        SourceKind = "drawer"     // ID: ours, of the drawer or of what was put into it or taken out
	SourceSettlement    SourceKind = "settlement" // ID: ours
	SourceCredit        SourceKind = "credit"     // ID: ours, of the move
)

// Event is what happened to the source of an entry.
type Event string

// The events.
const (
	EventSale     Event = "sale"    // of a payment: it succeeded; of a taking: the money was taken
	EventRefund   Event = "back"    // of a refund: the money left; of a taking: it was handed back
	EventVoid     Event = "void"    // of a taking: another one was a mistake
	EventTransfer Event = "moved"   // of a drawer: cash went between it and the studio's own account
	EventCounted  Event = "counted" // of a drawer: there was more in it than there should be, or less
	EventBanked   Event = "banked"  // of a drawer that was counted: what did not stay in it; of a settlement: it arrived
	EventGranted  Event = "granted" // of a credit: by hand; or taken away, when it is less than nothing
	EventFailed   Event = "failed"  // of a refund: the money came back, because the customer's bank did not take it
	EventFees     Event = "fees"    // of a balance transaction: what was taken from it

	// Of a balance transaction that no sale and no refund of ours explains.
	EventOutside  Event = "outside"  // a charge that the product did not make, or its refund
	EventDispute  Event = "dispute"  // a bank took money back, or gave it again
	EventPayout   Event = "payout"   // to the bank account, or from it
	EventPlatform Event = "platform" // the platform's share by itself
	EventOther    Event = "other"    // anything else
)

// Context is where and when something happened.
type Context struct {
	LocationID uuid.UUID
	Currency   money.Currency
	At         time.Time
}

// Posting is what an entry does to an account: a debit is positive, a credit negative.
type Posting struct {
	Account Account
	Amount  int64
	// Base is what a tax was reckoned on, with the sign of Amount; 0 for any other account.
	Base int64
}

// Entry is one thing that happened to the money of a business.
type Entry struct {
	Context
	Source
	Event    Event
	Postings []Posting
}

// check tells why an entry cannot be posted. That is a mistake in the program, found before the database finds it.
func (e Entry) check() error {
	var sum int64
	for _, p := range e.Postings {
		if p.Amount == 0 {
			return fmt.Errorf("ledger: %s %s: nothing is posted to %s", e.Kind, e.Event, p.Account)
		}
		sum += p.Amount
	}
	if sum != 0 || len(e.Postings) < 2 {
		return fmt.Errorf("ledger: %s %s: %d postings add up to %d", e.Kind, e.Event, len(e.Postings), sum)
	}
	return nil
}

// add posts an amount to an account: to the posting that is there already, if there is one. One that comes to nothing goes.
func (e *Entry) add(a Account, amount int64) { e.post(Posting{Account: a, Amount: amount}) }

func (e *Entry) post(p Posting) {
	for i := range e.Postings {
		was := &e.Postings[i]
		if was.Account != p.Account {
			continue
		}
		if was.Amount, was.Base = was.Amount+p.Amount, was.Base+p.Base; was.Amount == 0 {
			e.Postings = append(e.Postings[:i], e.Postings[i+1:]...)
		}
		return
	}
	if p.Amount != 0 {
		e.Postings = append(e.Postings, p)
	}
}

// Empty tells that nothing happened: there is nothing to post.
func (e Entry) Empty() bool { return len(e.Postings) == 0 }
