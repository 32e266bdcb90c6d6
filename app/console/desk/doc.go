// Package desk is the basis of every screen of the console: authentication and authorization, forms and their
// redirects, notices after a form, and quotes of a form's effects.
//
// A screen is registered under the corresponding operation of the REST surface (Page, Form) and needs that
// operation's feature. So there is one table of permissions, and the verb checks again at the row itself. A screen
// holds no rule.
//
//	GET  page ───────────────▶ ui.Screen, in the shell or in the side sheet
//	POST form ─ Do ─ done ───▶ 303 to the page of the form, with a notice, and a form to undo it
//	              └─ refused ▶ the page again: typed values, an error at each field (Shell.Trouble, Shell.Posted)
//	GET  ask  ─ Quote ───────▶ the exact effects ─ POST ─ Redeem ─▶ these, or the page again with the changed effects
//
// Input is never lost. After a session has ended, a new sign-in leads back to the filled form. A record changed by
// another member meanwhile shows both values. Every form can be sent twice and runs once.
package desk
