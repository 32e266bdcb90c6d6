// Package agenda reads the day of a studio: the dates of a time span with their bookings, and items that need
// attention. It writes nothing; it reads the rows of other packages in one trip.
//
// The caller sees rows by booking.view: the dates of all locations, of certain locations, or the ones that they
// teach.
package agenda
