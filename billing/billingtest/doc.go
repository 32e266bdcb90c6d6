// Package billingtest is the suite that every implementation of billing.Processor has to pass, and the simulator made ready
// for tests. The suite speaks to the port only; what a person or time does is a hook of the Target, so it can be pointed at
// the simulator and at the real processor's test mode alike.
package billingtest
