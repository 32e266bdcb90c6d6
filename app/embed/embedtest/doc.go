// Package embedtest has the browser tests of the embeds on a studio's own website: the script of the plain tags and
// the one of the booking frame, on pages of another origin, in Chromium.
//
// Most of them run against a stand-in for the service (origin_test.go) that serves the real scripts and answers
// fragments and sheets as a test requires: late, never, wrong, with other headers. It counts its requests. The same
// main cases run against the product itself in product_test.go.
//
// The service is at 127.0.0.1 and the website at localhost, so they are different sites to a browser. The tests do
// not wait for intervals of 30 seconds: beat.js, loaded before the page, holds them until a test lets one go by.
package embedtest
