// Package operator is the part of the REST surface for those who run a business, a file for each resource. Package api says
// how operations are declared.
package operator
