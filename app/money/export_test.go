package money

// ByLibrary formats an amount with a formatter that the library builds for it alone.
func ByLibrary(minor int64, cur Currency, locale string, short bool) string {
	s := styleOf(cur, locale)
	return s.library(minor, short && minor%pow10(s.decimals) == 0)
}

// Learned reports whether a currency is written without the library.
func Learned(cur Currency, locale string) bool { return styleOf(cur, locale).learned }
