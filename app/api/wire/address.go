package wire

import "net/url"

// IsWebAddress reports whether text is an http or https address.
func IsWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}
