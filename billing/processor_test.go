package billing_test

import (
	"testing"

	"foyer/billing"
	"foyer/billing/billingtest"
	"foyer/billing/stripesim"
)

func TestFinalStatuses(t *testing.T) {
	for status, want := range map[billing.Status]bool{
		billing.StatusAwaitingMethod: false, billing.StatusAwaitingCustomer: false, billing.StatusProcessing: false,
		billing.StatusAuthorized: false, billing.StatusSucceeded: true, billing.StatusCanceled: true,
	} {
		if status.Final() != want {
			t.Errorf("%s is final: %v", status, status.Final())
		}
	}
}

func TestOnlyActiveAccountsTakeCards(t *testing.T) {
	for state, want := range map[billing.State]bool{
		billing.StateNotConnected: false, billing.StateOnboarding: false, billing.StatePending: false, billing.StateRestricted: false,
		billing.StateDisconnected: false, billing.StateActive: true, billing.StatePaused: true, "": false,
	} {
		if state.TakesCards() != want {
			t.Errorf("%q takes cards: %v", state, state.TakesCards())
		}
	}
}

func TestTheSimulatorIsItsOwnWorld(t *testing.T) {
	p := billingtest.NewSim(t).Processor
	if p.Env() != billing.EnvSimulated || p.PublishableKey() != stripesim.DefaultPublishableKey {
		t.Errorf("%s %s", p.Env(), p.PublishableKey())
	}
}
