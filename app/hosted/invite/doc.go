// Package invite is the way of an invited owner to their first location.
package invite
