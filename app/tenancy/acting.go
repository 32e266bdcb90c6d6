package tenancy

import "context"

type actingKey struct{}

type acting struct {
	actor   Actor
	surface Surface
}

// Acting returns a context that says who acts, through which door. A surface sets it as soon as it knows; package pg tells
// the database with every transaction, so that the audit log names somebody for each change.
func Acting(ctx context.Context, sc Scope) context.Context {
	return context.WithValue(ctx, actingKey{}, acting{sc.Actor, sc.Surface})
}

// ActingFrom is who acts in ctx. Where nobody was named it is the system, in a job.
func ActingFrom(ctx context.Context) (Actor, Surface) {
	a, ok := ctx.Value(actingKey{}).(acting)
	if !ok {
		return Actor{Kind: ActorSystem}, SurfaceJob
	}
	return a.actor, a.surface
}
