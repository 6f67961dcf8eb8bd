import {
  type Attributes,
  context,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Tracer from the global OpenTelemetry API, which does nothing unless the process registers an SDK. */
const tracer = trace.getTracer('@compliance/crawler');

/** A span that records nothing. */
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Runs work in a span that's a child of the active span. Without an active span, the work isn't traced. The span
 * records an error's reason, but not its message, which can contain data from a scanned site.
 *
 * @example await inSpan('job scanCapture', { 'compliance.pool.lane': 'keyed' }, async () => await run())
 */
export async function inSpan<Result>(
  name: string,
  attributes: Attributes | undefined,
  work: (span: Span) => Promise<Result>,
  kind: SpanKind = SpanKind.INTERNAL,
): Promise<Result> {
  if (!trace.getActiveSpan()?.isRecording()) return await work(NO_SPAN);
  const span = tracer.startSpan(name, { kind, ...(attributes && { attributes }) });
  try {
    return await context.with(trace.setSpan(context.active(), span), work, undefined, span);
  } catch (error) {
    const { reason, name: className } = error as Error & { reason?: unknown };
    span.setAttribute('error.type', typeof reason === 'string' ? reason : className);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
