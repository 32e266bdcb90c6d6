package browser

import (
	"fmt"
	"testing"
)

// TestSampled: the width between is used on about one page in four, the same ones in every run, for any ids in their
// addresses.
func TestSampled(t *testing.T) {
	n := 0
	for i := range 400 {
		page := fmt.Sprintf("/manage/harbour-yoga/screen-%d/", i)
		first := sampled("http://127.0.0.1:3000" + page + "0190f3a1-7b1c-7d2e-8a55-0123456789ab")
		if sampled("http://127.0.0.1:4000"+page+"0190f3a1-0000-7d2e-8a55-ba9876543210") != first {
			t.Errorf("%s is looked at in some runs", page)
		}
		if first {
			n++
		}
	}
	if n < 60 || n > 140 {
		t.Errorf("%d of 400", n)
	}
}
