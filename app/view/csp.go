package view

import (
	"strings"
	"sync/atomic"
)

// Content-Security-Policy values. Pages have no inline script and no style attribute, so the base forbids both.
// Framed pages have addresses with embed=1: a studio's website may frame those, and no other page may be framed. The
// live payment page may also connect to the processor, because its script must come from its own host.
const (
	cspForms = "form-action 'self'; "
	// A form that charges a saved card is answered with a redirect to the bank's page, through the processor's.
	cspStripeForms = "form-action 'self' https://hooks.stripe.com; "
	cspStripe      = "script-src 'self' https://js.stripe.com; connect-src 'self' https://api.stripe.com; " +
		"frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; "
	cspAlone  = "frame-ancestors 'none'"
	cspFramed = "frame-ancestors *"
)

// imagesFrom is the argument of ImagesFrom.
var imagesFrom atomic.Pointer[string]

// ImagesFrom allows the pages of this process to show photos from another origin, "https://host[:port]"; empty allows
// none. Call it at start, if photos are served from a bucket.
func ImagesFrom(origin string) { imagesFrom.Store(&origin) }

// cspBase is the part common to all pages. The blurred preview of a photo is inline in the page.
func cspBase() string {
	images := "img-src 'self' data:"
	if from := imagesFrom.Load(); from != nil && *from != "" {
		images += " " + *from
	}
	return "default-src 'self'; " + images + "; base-uri 'none'; object-src 'none'; "
}

// Policy returns the Content-Security-Policy of a page. embed is true if the address has embed=1, live if the page
// shows the processor's card form.
func Policy(embed, live bool) string {
	policy := cspBase()
	if live {
		policy += cspStripeForms + cspStripe
	} else {
		policy += cspForms
	}
	if embed {
		return policy + cspFramed
	}
	return policy + cspAlone
}

// PolicyToward returns the policy of a page with a form whose answer leads to an address of another site, by the scheme
// of that address: browsers hold every redirect after a form to form-action, also those that the other site adds.
func PolicyToward(scheme string) string {
	return strings.Replace(Policy(false, false), "form-action 'self'", "form-action 'self' "+scheme+":", 1)
}

// PolicyOfFile returns the policy of a page that shows one of our files inline, such as a PDF in the browser's
// viewer.
func PolicyOfFile(embed bool) string {
	return strings.Replace(Policy(embed, false), "object-src 'none'", "object-src 'self'", 1)
}

// PolicyOfPDF returns the policy of a PDF that our pages show inline. The browser's viewer is a page around the file,
// with its own style.
func PolicyOfPDF(embed bool) string {
	policy := "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; "
	if embed {
		return policy + cspFramed
	}
	return policy + "frame-ancestors 'self'"
}

// PolicyInside returns the policy of a page that only our own pages may frame. A pasted snippet has a style
// attribute.
func PolicyInside() string {
	return cspBase() + cspForms + "style-src 'self' 'unsafe-inline'; frame-ancestors 'self'"
}
