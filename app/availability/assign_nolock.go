//go:build nolock

package availability

// keepForMe locks nothing: the naive implementation. It is built only to prove that the race tests can fail.
const keepForMe = ``
