//go:build nolock

package availability

// keepForMe locks nothing: what everybody writes first. It is built only to prove that the race tests can fail.
const keepForMe = ``
