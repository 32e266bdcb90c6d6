// Package wire is what the parts of the REST surface share: the services they call, the statuses their operations answer,
// how days, ids and pages are written, and the shapes that more than one of them shows.
package wire
