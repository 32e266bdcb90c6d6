// Package kit is what the areas of the booking pages share: the site with its domains, a page and its forms, who looks at it, the language,
// the booking frame and the way back, the doors where people sign in, and the studio around a page.
package kit
