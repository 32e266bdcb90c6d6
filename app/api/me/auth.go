package me

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/identity"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Challenge is a sign-in code that has been sent.
type Challenge struct {
	ChallengeID uuid.UUID `json:"challengeId" doc:"The challenge. Send it with the code."`
}

// SignIn is a new session.
type SignIn struct {
	Token     string    `json:"token" doc:"The session token, for the Authorization: Bearer header. It is returned only once."`
	ExpiresAt time.Time `json:"expiresAt" doc:"When an unused session ends. Every use extends it to 30 days later, up to 90 days after the sign-in."`
}

// Session is one sign-in of the caller.
type Session struct {
	ID        uuid.UUID `json:"id"`
	Agent     string    `json:"agent" doc:"User agent of the client." example:"Mozilla/5.0 (Macintosh)"`
	CreatedAt time.Time `json:"createdAt"`
	SeenAt    time.Time `json:"seenAt" doc:"When it was last used, to the hour."`
	ExpiresAt time.Time `json:"expiresAt"`
	Current   bool      `json:"current" doc:"Whether it is the session of this call."`
}

// SessionPage lists all live sessions of the caller.
type SessionPage = op.List[Session]

type challengeBody struct {
	Email   string `json:"email" maxLength:"254" example:"rosa@example.com"`
	Channel string `json:"channel" enum:"email_code" doc:"Channel of the code."`
}

type verifyIn struct {
	Agent string `header:"User-Agent" hidden:"true"`
	Body  verifyBody
}

type verifyBody struct {
	ChallengeID uuid.UUID `json:"challengeId"`
	Code        string    `json:"code" maxLength:"32" doc:"Six digits. Spaces and hyphens between them are ignored." example:"042 117"`
}

type sessionIn struct {
	SessionID uuid.UUID `path:"sessionId" doc:"One of the caller's sessions."`
}

// auth declares /auth. Responses with a token are not stored for replay, so none of these operations accepts an
// Idempotency-Key.
func (a *surface) auth() {
	op.Declare(a.Ops, op.Spec{
		ID: "createChallenge", Method: "POST", Path: "/auth/challenges", Tag: "auth",
		Summary: "Send a sign-in code",
		Description: "Sends a six-digit code that works once, for ten minutes. The response is the same for known and " +
			"unknown addresses. At most 100 codes per visitor in 15 minutes, and 10 per address and network of the visitor; a " +
			"live session of the address's own person has a limit of 10 of its own.",
		Access: op.Public, Rate: op.RateChallenge, NoReplay: true, Errors: []int{400},
	}, a.createChallenge)
	op.Declare(a.Ops, op.Spec{
		ID: "verifyChallenge", Method: "POST", Path: "/auth/verify", Tag: "auth",
		Summary: "Sign in with a code",
		Description: "Exchanges the code for a session. Returns 401 for a wrong code, and for a challenge that is unknown, " +
			"used, older than ten minutes or has had five attempts.",
		Access: op.Public, NoReplay: true, Errors: []int{400, 401},
	}, a.verifyChallenge)
	op.Declare(a.Ops, op.Spec{
		ID: "logout", Method: "POST", Path: "/auth/logout", Tag: "auth",
		Summary: "Sign out", Description: "Ends the session of this call.",
		Access: op.Session, NoReplay: true, Errors: []int{401, 403},
	}, a.logout)
	op.Declare(a.Ops, op.Spec{
		ID: "listSessions", Method: "GET", Path: "/auth/sessions", Tag: "auth",
		Summary:     "List own sessions",
		Description: "Returns the caller's live sessions, newest first, in one page of at most 200.",
		Access:      op.Session, Errors: []int{401, 403},
	}, a.listSessions)
	op.Declare(a.Ops, op.Spec{
		ID: "deleteSession", Method: "DELETE", Path: "/auth/sessions/{sessionId}", Tag: "auth",
		Summary: "End a session", Description: "Ends one of the caller's own sessions. Its next use is refused.",
		Access: op.Session, NoReplay: true, Errors: []int{401, 403, 404},
	}, a.deleteSession)
}

func (a *surface) createChallenge(ctx context.Context, sc tenancy.Scope, in *wire.Body[challengeBody]) (Challenge, error) {
	id, err := a.Identity.Challenge(ctx, in.Body.Email, askedBy(sc))
	return Challenge{ChallengeID: id}, err
}

// askedBy returns the origin of a request, for the limits.
func askedBy(sc tenancy.Scope) identity.Origin {
	return identity.Origin{Visitor: sc.Visitor, SignedIn: sc.Email}
}

func (a *surface) verifyChallenge(ctx context.Context, sc tenancy.Scope, in *verifyIn) (SignIn, error) {
	s, err := a.Identity.Verify(ctx, identity.VerifyInput{
		Challenge: in.Body.ChallengeID, Code: in.Body.Code, Agent: in.Agent, By: askedBy(sc),
	})
	return SignIn{Token: s.Token, ExpiresAt: s.ExpiresAt}, err
}

func (a *surface) logout(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (op.NoContent, error) {
	return op.NoContent{}, a.Identity.Logout(ctx, sc.Principal)
}

func (a *surface) listSessions(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (SessionPage, error) {
	rows, err := a.Identity.Sessions(ctx, sc.Principal)
	return SessionPage{Items: wire.Show(rows, showSession)}, err
}

func showSession(s identity.Session) Session { return Session(s) }

func (a *surface) deleteSession(ctx context.Context, sc tenancy.Scope, in *sessionIn) (op.NoContent, error) {
	return op.NoContent{}, a.Identity.RevokeSession(ctx, sc.Principal, in.SessionID)
}
