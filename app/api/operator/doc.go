// Package operator is the REST surface for the team of a business, a file for each resource. See package api for the
// declaration of operations.
package operator
