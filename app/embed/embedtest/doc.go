// Package embedtest holds the browser tests of what studios paste into websites of their own: the script of the plain tags
// and the one of the booking frame, on pages of another origin, in Chromium.
//
// Most of them run against a stand-in for the service (origin_test.go), which serves the real scripts and answers fragments
// and sheets as a test says: late, never, wrong, with other headers. It counts what it is asked. The same main cases run
// against the product itself in product_test.go.
//
// The service is at 127.0.0.1 and the website at localhost, so they are different sites to a browser. Beats of 30 seconds are
// not waited for: beat.js, which runs before the page, keeps them until a test lets one go by.
package embedtest
