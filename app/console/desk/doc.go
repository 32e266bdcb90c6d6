// Package desk is what every screen of the console stands on: who is let in and what they may do, where forms go and come
// back to, what is said after they were sent, and the promise of what a button will do.
//
// A screen is registered under the operation of the REST surface that does the same (Page, Form): the feature that it asks for
// is that operation's, so there is one table of who may do what, and its verb asks once more at the row itself. A screen
// holds no rule.
//
//	GET  page ───────────────▶ ui.Screen, in the shell or in the side sheet
//	POST form ─ Do ─ done ───▶ 303 to where it came from, with what was done, and a way to undo it
//	              └─ refused ▶ the page again: what was typed stays, each field says what is wrong (Shell.Trouble, Shell.Posted)
//	GET  ask  ─ Rehearse ────▶ what would happen, exactly ─ POST ─ Redeem ─▶ that, or the page again with what has changed
//
// What was typed survives: a session that ended meanwhile leads through a new sign-in back to the filled form, a record that
// somebody else changed meanwhile shows both values. Every form can be sent twice and is done once.
package desk
