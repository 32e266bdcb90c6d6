package processor_test

import (
	"testing"

	"foyer/billing/processor"
)

func TestFinalStatuses(t *testing.T) {
	for status, want := range map[processor.Status]bool{
		processor.StatusAwaitingMethod: false, processor.StatusAwaitingCustomer: false, processor.StatusProcessing: false,
		processor.StatusAuthorized: false, processor.StatusSucceeded: true, processor.StatusCanceled: true,
	} {
		if status.Final() != want {
			t.Errorf("%s is final: %v", status, status.Final())
		}
	}
}

func TestOnlyActiveAccountsTakeCards(t *testing.T) {
	for state, want := range map[processor.State]bool{
		processor.StateNotConnected: false, processor.StateOnboarding: false, processor.StatePending: false, processor.StateRestricted: false,
		processor.StateDisconnected: false, processor.StateActive: true, processor.StatePaused: true, "": false,
	} {
		if state.TakesCards() != want {
			t.Errorf("%q takes cards: %v", state, state.TakesCards())
		}
	}
}
