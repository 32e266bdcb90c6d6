package billing_test

import (
	"testing"

	"foyer/billing/billingtest"
)

// The adapter on the simulator.
func TestProcessorSuite(t *testing.T) {
	billingtest.Run(t, func(t *testing.T) billingtest.Target { return billingtest.NewSim(t).Target(t) })
}
