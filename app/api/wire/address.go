package wire

import "net/url"

// IsWebAddress tells whether a text is an address that a browser goes to.
func IsWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}
