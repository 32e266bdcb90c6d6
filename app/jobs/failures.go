package jobs

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// failures logs every try of a job that failed; River mentions them only among its notes about itself. What package pg
// failed at says verb and statement in its text.
type failures struct{ log *slog.Logger }

// HandleError implements river.ErrorHandler.
func (f failures) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	f.log.LogAttrs(ctx, slog.LevelError, "job failed", slog.String("kind", job.Kind), slog.Int64("job", job.ID),
		slog.Int("try", job.Attempt), slog.Bool("last", job.Attempt >= job.MaxAttempts), slog.Any("error", err))
	return nil
}

// HandlePanic implements river.ErrorHandler.
func (f failures) HandlePanic(ctx context.Context, job *rivertype.JobRow, panicked any, trace string) *river.ErrorHandlerResult {
	f.log.LogAttrs(ctx, slog.LevelError, "job panicked", slog.String("kind", job.Kind), slog.Int64("job", job.ID),
		slog.Int("try", job.Attempt), slog.Any("panic", panicked), slog.String("stack", trace))
	return nil
}
