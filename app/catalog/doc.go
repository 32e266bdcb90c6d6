// Package catalog manages the offerings of a studio.
//
// An offering is one thing that can be booked at one location: a class (fixed dates, shared seats), an appointment
// (times computed from people's hours) or a rental (times computed from a room's hours). The dates of a class and the
// hours are package schedule's. The instructors and spaces of an offering, and the settings that decide its times,
// are here.
//
//	         Publish                 Archive
//	draft ------------> published ------------> archived
//	  ^  <------------      |                     |
//	  |     Unpublish       |                     |
//	  |      Archive        |                     |
//	  |--------------------------------------->   |
//	  +-------------------------------------------+
//	                      Restore
//
// Terms: the heading is the group of an offering on the studio's page, its own word or else the business's word for
// its kind. The slug is its name in addresses, unique inside its location. Listing is the public view of a published
// offering.
//
// Invariants:
//
//   - A draft or archived offering does not exist for the public.
//   - A published offering has a price (0 is free), at least one seat that is sold online, and when it was published
//     a class had dates, an appointment a member with hours, a rental a space with opening hours. Publish returns
//     all missing parts in one answer.
//   - A setting without meaning for a kind has its default there. Where there are lengths to choose from, the first
//     one is the offering's length and price.
//   - There are always rules for booking and cancelling: the offering's policy, else its location's, else
//     StandardRules. A policy in use is not archived. Bookings keep a copy of the rules they were made under.
//   - An archived offering has no upcoming booking, and does not change until it is restored.
//   - The online capacity never exceeds the capacity. Both are defaults for new series: existing dates keep theirs.
//   - Prices are minor units of the location's currency. Nothing here converts or adds tax: package checkout does.
//
// Dates and bookings belong to other packages. They are read through Options, inside the verb's transaction.
package catalog
