// Package browser drives the system's Chromium in tests: one fresh, headless browser a test, closed at its end.
//
//	p := browser.New(t, browser.Options{Width: 390, Height: 844})
//	p.Goto(server.URL + "/harbour")
//	p.Click("main .row .btn")       // waits for the element, then for the page it leads to
//	p.Fill("#email", "ana@example.com")
//	if p.Text("h1") != "Enter your code" { … }
//	p.Axe(t)
//
// Every method waits for its element and fails the test with the selector after a timeout of two minutes. Selectors
// are CSS. A missing browser is a failure, never a skip. axe-core (testdata, MPL 2.0) is used by tests only.
package browser
