package hosted

import (
	"testing"

	"foyer/app/identity"
)

// TestZonesExist: each zone an owner can choose is one that the program knows.
func TestZonesExist(t *testing.T) {
	list := zoneOptions()
	if len(list) < 400 || list[0].Value != "UTC" {
		t.Fatalf("%d zones, the first is %q", len(list), list[0].Value)
	}
	seen := map[string]bool{}
	for _, o := range list {
		if seen[o.Value] {
			t.Errorf("%s is there twice", o.Value)
		}
		seen[o.Value] = true
		if !identity.KnownZone(o.Value) {
			t.Errorf("%s is not known", o.Value)
		}
	}
	if !seen["Europe/Lisbon"] || !seen["America/Argentina/Buenos_Aires"] || len(currencyOptions()) < 100 {
		t.Error("the lists are short")
	}
}
