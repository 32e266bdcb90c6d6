package billing

import (
	"time"

	"foyer/app/money"
)

// State is how far a studio's account is. It follows from the account as it is at the processor and is computed again
// whenever that is read.
//
//	not_connected ─▶ onboarding ─▶ pending ─▶ active ⇄ active_payouts_paused
//	                                  ⇅          ⇅
//	                                restricted ◀─┘          any ─▶ disconnected
type State string

// The states. Cards can be taken in the two active ones only.
const (
	StateNotConnected State = "not_connected"         // there is no account
	StateOnboarding   State = "onboarding"            // the studio has not sent its details
	StatePending      State = "pending"               // the processor is checking them
	StateRestricted   State = "restricted"            // the processor wants something: Account.Due
	StateActive       State = "active"                // takes cards
	StatePaused       State = "active_payouts_paused" // takes cards, but no money reaches the bank
	StateDisconnected State = "disconnected"          // the studio has taken our access away
)

// All lists them.
func (State) All() []State {
	return []State{
		StateNotConnected, StateOnboarding, StatePending, StateRestricted, StateActive, StatePaused, StateDisconnected,
	}
}

// TakesCards reports whether the card tender can be offered.
func (s State) TakesCards() bool { return s == StateActive || s == StatePaused }

// Account is a studio's account at the processor.
type Account struct {
	ID              string // acct_…; empty when not connected
	Env             Env
	State           State
	Country         string
	DefaultCurrency money.Currency // must be the location's for cards to be taken there: otherwise amounts are converted
	Due             []string       // what the processor asks for now, in its own field names
	DueBy           time.Time      // the deadline for Due; zero for none
	Business        string         // our id, as given when it was created
}

// facts are the parts of a processor account that its state follows from.
type facts struct {
	submitted      bool
	charges        bool
	payouts        bool
	cards          bool   // the card capability is active
	due            bool   // something is due now or overdue
	disabledReason string // why charges are off
}

// awaitingProcessor is the disabled reason that asks nothing of the studio.
const awaitingProcessor = "requirements.pending_verification"

func (f facts) state() State {
	switch {
	case !f.submitted:
		return StateOnboarding
	case f.charges && f.cards && f.payouts:
		return StateActive
	case f.charges && f.cards:
		return StatePaused
	case f.due || (f.disabledReason != "" && f.disabledReason != awaitingProcessor):
		return StateRestricted
	}
	return StatePending
}
