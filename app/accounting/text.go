package accounting

import (
	"strconv"
	"strings"
)

// percent returns a rate in parts per million as a percentage: 88750 is 8.875.
func percent(ppm int64) string {
	s := strconv.FormatInt(ppm/10_000, 10) + "." + strconv.FormatInt(10_000+ppm%10_000, 10)[1:]
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
