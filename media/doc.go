// Package media keeps the photos of a business: what they are, where they are shown, and the files behind them.
//
// Words: an asset is a photo. Its original is the file that was uploaded; nobody but its business ever reads that. Its sizes are what is
// shown: the photo upright, in some widths, each as JPEG and as WebP, with nothing that a camera wrote into it. A placement shows a photo
// with a subject: the business, a location, a space, a member of the team or an offering. The first photo of a subject is its cover. A
// leftover says that there may be files of a photo that is no more.
//
//	            upload                sizes are made
//	(no photo) ────────▶ processing ────────────────▶ ready
//	                         │  cannot be read
//	                         └────────────────▶ failed
//
// What always holds:
//
//   - The same bytes are one photo of a business, however often and by how many at once they are uploaded (A202, A203).
//   - A photo is archived or not, which has nothing to do with its state: archiving hides it from who picks photos, and nothing else.
//   - Files come before the row that needs them, and go after it. The key of a file has the id of its photo, which is never used again: a
//     photo that is deleted and uploaded again has other files, and what takes the old ones away never meets the new ones. Whatever is
//     killed when, a leftover stays that names the files, until they are gone.
//   - No file is read or written inside a transaction, and nothing that sells seats waits for the store.
package media
