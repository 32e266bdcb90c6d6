// Package kit has the parts shared by the areas of the booking pages: the site with its domains, a page and its
// forms, the visitor, the language, the booking frame and the link back, sign-in, and the studio around a page.
package kit
