// Package embed is the surface that studios put on websites of their own: the fragments of plain HTML that a script, or
// their server, prints into a page, the stylesheets and scripts that go with them, and the page that explains all of it.
// It translates what the domains answer into components of package view; it decides nothing itself.
//
//	/embed/v1/{location}/schedule                     fourteen days of classes
//	/embed/v1/{location}/schedule.jsonld              the same, as schema.org events
//	/embed/v1/{location}/classes, appointments, rentals   what is published, by kind
//	/embed/v1/{location}/listings?group=              what is published under one heading, or all of it
//	/embed/v1/{location}/times/{listing}?from=&after= when one of them can be booked, page by page
//	/embed/v1/{location}/walkins?listing=&book=&target=   what the door says now
//	/embed/v1/{location}/custom.css                   the location's own stylesheet
//	/embed/v1/themes/clean.css, card.css, /embed/v1/{location}/theme.css   the themes
//	/embed/v1.js, /embed.js                           the script of the tags, and of the booking frame
//	/embed/guide/{location}                           what a studio pastes where, with the real thing beside it
//	/embed/conformance                                every state of every fragment, in each theme, made up
//
// What always holds:
//
//   - Markup is frozen for the life of v1: hooks, elements, nesting, the order of spans (E136). testdata holds every state
//     of every fragment; what is there may not change, and testdata/contract.txt may only grow.
//   - A fragment is the same for everybody and has one address: no cookie, no visitor, no way back in it. That is why it
//     can be cached by anybody, and why the script adds "ref" to the links itself (E112, E113).
//   - A fragment holds no class, id, style or script; its links are absolute and begin with the base address of the
//     settings, never with the Host of a request (E24 to E31).
//   - Bytes come from web.PageCache. They end with every write of the studio and with every minute; nothing here keeps
//     anything else.
//   - Whatever goes wrong is told with a status and a short text, never with the API's envelope (E103).
//
// A location is named by its slug, of today or of the past: pages that were written years ago go on working.
package embed
