package catalog

import (
	"math"
	"strconv"
	"strings"

	"foyer/app/fault"
)

// hours returns a length in hours, with at most two decimals, as minutes: "24", "1.5", "0,25". An empty field is 0.
func (f *reader) hours(name string) int {
	text := strings.ReplaceAll(f.Value(name), ",", ".")
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	minutes := math.Round(n * 60)
	f.checks.That(err == nil && minutes >= 0 && minutes < math.MaxInt32, name, f.UI.T("Enter hours such as 24 or 1.5."))
	if err != nil || !(minutes >= 0 && minutes < math.MaxInt32) {
		return 0
	}
	return int(minutes)
}

// inHours formats minutes for the field.
func inHours(minutes int) string {
	return strconv.FormatFloat(math.Round(float64(minutes)/60*10000)/10000, 'f', -1, 64)
}

func faultOf(err error) *fault.Error {
	if f := fault.From(err); f != nil && len(f.Fields) > 0 {
		return f
	}
	return nil
}
