// Package billingtest provides the simulator behind the real adapter, made ready for tests.
package billingtest
