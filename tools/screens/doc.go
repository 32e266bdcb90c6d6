// Command screens looks at the console of a demo studio in Chromium: it starts "foyer dev" with a folder and a port of its own, and
// ends it again.
//
//	screens pictures   a picture of every screen, as docs/console.md shows them ("make pictures")
//	screens speed      the time from a press to the next paint, in a calendar with 300 events, on a machine a quarter as fast
//	                   ("make bench-console"); it prints figures beside their budget and fails nothing
//
//	main.go      the command line
//	demo.go      foyer dev as a process, and the API as its owner
//	window.go    the browser
//	pictures.go  which screens there are, and their pictures
//	speed.go     presses, and the paint after each
package main
