package main

import "testing"

// TestPercent: a share is stored exactly, or refused.
func TestPercent(t *testing.T) {
	for text, want := range map[string]string{"2": "2 %", "1.5": "1.5 %", "0": "0 %", "30": "30 %", "0.0001": "0.0001 %", "2.9": "2.9 %", "0.29": "0.29 %"} {
		var p percent
		if err := p.UnmarshalText([]byte(text)); err != nil || p.String() != want {
			t.Errorf("%s is %s (%v)", text, p, err)
		}
	}
	for _, text := range []string{"", "-1", "30.0001", "0.00001", "2 %", "1,5", "NaN", "Inf", "1e9"} {
		if err := new(percent).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
