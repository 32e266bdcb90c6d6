// Package catalog keeps what a studio sells by the date: its offerings.
//
// An offering is one thing that can be booked at one location: a class (fixed dates, shared seats), an appointment
// (times computed from people's hours) or a rental (times computed from a room's hours). The dates of a class and the
// hours are package schedule's; who gives an offering, where it can be, and the settings that decide its times are here.
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
// Words: the heading is what an offering is listed under on the studio's page, its own word or else the business's word
// for its kind. The slug is its name in addresses, unique inside its location. Listing is what the public sees of a
// published offering.
//
// What always holds:
//
//   - A draft or archived offering does not exist for the public.
//   - A published offering has a price (0 is free), at least one seat that is sold online, and when it was published a
//     class has dates, an appointment somebody with hours, a rental a space that opens. Publish says everything that is
//     missing in one answer.
//   - A setting that makes no sense for a kind has its default there. Where there are lengths to choose from, the first
//     one is the offering's length and price.
//   - Rules of booking and cancelling hold always: the offering's policy, else its location's, else StandardRules. A
//     policy that something points at is not archived. Bookings keep a copy of the rules they were made under.
//   - An archived offering has no booking ahead of it, and does not change until it is restored.
//   - The online capacity never exceeds the capacity. Both are what new series start with: dates that exist keep theirs.
//   - Prices are minor units of the location's currency. Nothing here converts or adds tax: package checkout does.
//
// Whether there are dates and whether somebody is booked are other packages' questions. They are asked through Options,
// inside the verb's transaction.
package catalog
