package view

import (
	"strings"
	"sync/atomic"
)

// Content-Security-Policy values. Pages have no inline script and no style attribute, so the base forbids both. Pages that
// are framed are at addresses with embed=1 only: a studio's website may frame those, and nothing else may be framed.
// The live payment page alone also reaches the processor, whose script must come from its own host.
const (
	cspForms = "form-action 'self'; "
	// A form that charges a saved card is answered with the way to the bank's page, which goes through the processor's.
	cspStripeForms = "form-action 'self' https://hooks.stripe.com; "
	cspStripe      = "script-src 'self' https://js.stripe.com; connect-src 'self' https://api.stripe.com; " +
		"frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; "
	cspAlone  = "frame-ancestors 'none'"
	cspFramed = "frame-ancestors *"
)

// imagesFrom is what ImagesFrom was told.
var imagesFrom atomic.Pointer[string]

// ImagesFrom lets the pages of this process show photos from another origin too, "https://host[:port]"; empty: from none. It is for the
// start, when photos are read from a bucket of their own.
func ImagesFrom(origin string) { imagesFrom.Store(&origin) }

// cspBase is what all pages have. The few pixels that stand for a photo until it is there are in the page.
func cspBase() string {
	images := "img-src 'self' data:"
	if from := imagesFrom.Load(); from != nil && *from != "" {
		images += " " + *from
	}
	return "default-src 'self'; " + images + "; base-uri 'none'; object-src 'none'; "
}

// Policy is the Content-Security-Policy of a page: embed says that the address carries embed=1, live that it shows the
// processor's card form.
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

// PolicyOfFile is that of a page that shows a file of ours in itself, as a browser's own viewer shows PDFs.
func PolicyOfFile(embed bool) string {
	return strings.Replace(Policy(embed, false), "object-src 'none'", "object-src 'self'", 1)
}

// PolicyOfPDF is that of a PDF which pages of ours show in themselves. The browser's viewer is a page around the file, with its own style.
func PolicyOfPDF(embed bool) string {
	policy := "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; "
	if embed {
		return policy + cspFramed
	}
	return policy + "frame-ancestors 'self'"
}

// PolicyInside is that of a page which another page of ours shows in a frame, and nobody else's may. A snippet as it is pasted has a style
// attribute.
func PolicyInside() string {
	return cspBase() + cspForms + "style-src 'self' 'unsafe-inline'; frame-ancestors 'self'"
}
