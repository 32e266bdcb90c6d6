// Package embed serves the embeds that studios put on websites of their own: the fragments of plain HTML that a
// script, or their server, inserts into a page, with their stylesheets and scripts, and the guide to them. It
// translates results of the domains into components of package view; it makes no decisions itself.
//
//	/embed/v1/{location}/schedule                     fourteen days of classes
//	/embed/v1/{location}/schedule.jsonld              the same, as schema.org events
//	/embed/v1/{location}/classes, appointments, rentals   the published listings, by kind
//	/embed/v1/{location}/listings?group=              the published listings under one heading, or all
//	/embed/v1/{location}/times/{listing}?from=&after= the times of a listing, page by page
//	/embed/v1/{location}/walkins?listing=&book=&target=   the walk-in status now
//	/embed/v1/{location}/custom.css                   the location's own stylesheet
//	/embed/v1/themes/clean.css, card.css, /embed/v1/{location}/theme.css   the themes
//	/embed/v1.js, /embed.js                           the script of the tags, and of the booking frame
//	/embed/guide/{location}                           the snippets for a studio's website, with live previews
//	/embed/conformance                                every state of every fragment, in each theme, with invented data
//
// Invariants:
//
//   - Markup is frozen for the life of v1: hooks, elements, nesting, the order of spans (E136). testdata holds every
//     state of every fragment; its files may not change, and testdata/contract.txt may only grow.
//   - A fragment is the same for every visitor and has one address: no cookie, no visitor, no link back in it. So any
//     cache may store it, and the script adds "ref" to the links itself (E112, E113).
//   - A fragment holds no class, id, style or script; its links are absolute and begin with the base address of the
//     settings, never with the Host of a request (E24 to E31).
//   - Bytes come from web.PageCache, which the booking pages share (package hosted). They expire with every write of
//     the studio and with every minute; there is no other cache here.
//   - Every error is a status and a short text, never the API's envelope (E103).
//
// A location is named by its slug, current or former: pages that were written years ago continue to work.
package embed
