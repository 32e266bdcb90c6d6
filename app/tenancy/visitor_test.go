package tenancy_test

import (
	"testing"

	"foyer/app/tenancy"
)

func TestNetwork(t *testing.T) {
	for visitor, want := range map[string]string{
		"203.0.113.7": "203.0.113.0/24", "203.0.113.255": "203.0.113.0/24", "::ffff:203.0.113.7": "203.0.113.0/24",
		"2001:db8:1:2::1": "2001:db8:1:2::/64", "2001:db8:1:2:ffff:ffff:ffff:ffff": "2001:db8:1:2::/64", "2001:db8:1:3::1": "2001:db8:1:3::/64",
		"::1": "::/64", "": "", "demo": "demo",
	} {
		got, wide := tenancy.Network(visitor)
		if got != want || wide != (len(want) > 3 && want[len(want)-3:] == "/64") {
			t.Errorf("%s: %s, %t", visitor, got, wide)
		}
	}
}
