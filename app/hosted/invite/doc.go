// Package invite has the pages of an invited owner, up to their first location.
package invite
