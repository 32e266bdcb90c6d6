// Package media stores the photos of a business: their descriptions, their placements, and their files.
//
// Terms: an asset is a photo. Its original is the uploaded file; only its business ever reads that. Its sizes are the
// files shown: the photo upright, in some widths, each as JPEG and as WebP, without the camera's metadata. A
// placement shows a photo with a subject: the business, a location, a space, a member of the team or an offering. The
// first photo of a subject is its cover. A leftover is a record of possible files of a deleted photo.
//
//	            upload                sizes are made
//	(no photo) ────────▶ processing ────────────────▶ ready
//	                         │  cannot be read
//	                         └────────────────▶ failed
//
// Invariants:
//
//   - The same bytes are one photo of a business, however often and by how many at once they are uploaded (A202,
//     A203).
//   - A photo is archived or not, independent of its state: archiving only hides it from selection.
//   - Files come before the row that needs them, and go after it. The key of a file has the id of its photo, never
//     used again: a photo that is deleted and uploaded again has other files, so deleting the old ones never affects
//     the new ones. After a crash at any point a leftover names the files until they are gone.
//   - No file is read or written inside a transaction, and nothing that sells seats waits for the store.
package media
