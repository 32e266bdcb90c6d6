// Package upload has the address of a prepared upload (op.Upload): a page with a field for the file, for a person, and
// the target that takes the file from that page or from a program.
package upload
