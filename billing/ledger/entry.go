package ledger

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
)

// Source is the origin of an entry. Together with its event it is the entry's key.
type Source struct {
	Kind SourceKind
	ID   string
}

// SourceKind is a kind of source.
type SourceKind string

// The kinds of source.
const (
	SourcePayment       SourceKind = "payment"        // ID: ours
	SourceRefund        SourceKind = "refund"         // ID: ours
	SourceBalance       SourceKind = "balance"        // ID: of the processor's balance transaction
	SourceManualPayment SourceKind = "manual_payment" // ID: ours
	SourceDrawer        SourceKind = "drawer"         // ID: ours, of the drawer or of the pay in or pay out
	SourceSettlement    SourceKind = "settlement"     // ID: ours
	SourceCredit        SourceKind = "credit"         // ID: ours, of the credit transaction
	SourceGiftCard      SourceKind = "gift_card"      // ID: ours, of a transaction or of a refund of a purchase
	SourceRedemption    SourceKind = "redemption"     // ID: ours; of a refund of a purchase, that and its grant
)

// Event is the event of an entry's source.
type Event string

// The events.
const (
	EventSale     Event = "sale"     // of a payment: it succeeded; of a manual payment: it was recorded
	EventRefund   Event = "refund"   // of a refund: the money left; of a manual payment: it was refunded
	EventVoid     Event = "void"     // of a manual payment: another one was a mistake
	EventTransfer Event = "transfer" // of a drawer: cash was paid in or out, from or to the studio's own account
	EventCounted  Event = "counted"  // of a drawer: it was over or short
	EventBanked   Event = "banked"   // of a counted drawer: the cash removed; of a settlement: it arrived
	EventGranted  Event = "granted"  // of a credit or gift card: granted by hand; removed, if negative
	EventExpired  Event = "expired"  // of a gift card: what was left of it
	EventEarned   Event = "earned"   // of a redemption: a part of the price of a plan is income
	EventFailed   Event = "failed"   // of a refund: the customer's bank did not accept it
	EventFees     Event = "fees"     // of a balance transaction: its fees

	// Of a balance transaction without a sale or refund of ours.
	EventOutside  Event = "outside"  // a charge that the product did not make, or its refund
	EventDispute  Event = "dispute"  // a bank reversed a payment, or reinstated it
	EventPayout   Event = "payout"   // to the bank account, or from it
	EventPlatform Event = "platform" // the platform's share by itself
	EventOther    Event = "other"    // anything else
)

// Context is the place and time of an event.
type Context struct {
	LocationID uuid.UUID
	Currency   money.Currency
	At         time.Time
}

// Posting changes the balance of an account: a debit is positive, a credit negative.
type Posting struct {
	Account Account
	Amount  int64
	// Base is the taxable amount of a tax, with the sign of Amount; 0 for any other account.
	Base int64
}

// Entry is one event of the books of a business.
type Entry struct {
	Context
	Source
	Event    Event
	Postings []Posting
}

// check returns the reason that an entry cannot be posted. That is a mistake in the program, found before the
// database finds it.
func (e Entry) check() error {
	var sum int64
	for _, p := range e.Postings {
		if p.Amount == 0 {
			return fmt.Errorf("ledger: %s %s: posting of zero to %s", e.Kind, e.Event, p.Account)
		}
		sum += p.Amount
	}
	if sum != 0 || len(e.Postings) < 2 {
		return fmt.Errorf("ledger: %s %s: %d postings add up to %d", e.Kind, e.Event, len(e.Postings), sum)
	}
	return nil
}

// add posts an amount to an account: to its existing posting, if there is one. A posting of zero is removed.
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

// Empty reports whether there is nothing to post.
func (e Entry) Empty() bool { return len(e.Postings) == 0 }
