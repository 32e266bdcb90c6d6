// Package wire is shared by the parts of the REST surface: the services they call, the statuses of their operations,
// the formats of days, ids and pages, and the common shapes.
package wire
