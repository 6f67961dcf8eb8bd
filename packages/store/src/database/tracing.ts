import { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type TimeInput, trace } from '@opentelemetry/api';
import type { LogEvent } from 'kysely';
import { StoreError } from '../errors.ts';

/** Tracer from the global OpenTelemetry API, which does nothing unless the process registers an SDK. */
const tracer = trace.getTracer('@compliance/store');

/** Name of the database system in OpenTelemetry's semantic conventions. */
export type DatabaseSystem = 'sqlite' | 'postgresql';

/** Pattern for a statement's operation. */
const OPERATION = /\b(select|insert|update|delete|begin|commit|rollback)\b/is;

/** Pattern for the first table in a statement. */
const TABLE = /\b(?:from|into|update)\s+"(\w+)"/i;

const summaries = new Map<string, string>();

/** Maximum number of cached summaries. The store uses far fewer distinct statements. */
const MAX_SUMMARIES = 500;

/** Returns a statement's operation and table, such as `INSERT certificates`. The result never contains values. */
function summaryOf(sql: string): string {
  const known = summaries.get(sql);
  if (known !== undefined) return known;
  const outer = withoutParentheses(sql);
  const verb = (OPERATION.exec(outer)?.[1] ?? 'query').toUpperCase();
  const table = TABLE.exec(outer)?.[1];
  const summary = table ? `${verb} ${table}` : verb;
  if (summaries.size >= MAX_SUMMARIES) summaries.clear();
  summaries.set(sql, summary);
  return summary;
}

/** Removes everything in parentheses, such as subqueries. */
function withoutParentheses(sql: string): string {
  const without = sql.replace(/\([^()]*\)/g, ' ');
  return without === sql ? sql : withoutParentheses(without);
}

/** Returns the active span if it's recorded. */
export function recordedSpan(): Span | undefined {
  const span = trace.getSpan(context.active());
  return span?.isRecording() ? span : undefined;
}

/**
 * Starts a span for statements that are sent together.
 *
 * @param parent span of the first traced request in the batch
 * @param statements the statements' SQL
 */
export function startBatchSpan(system: DatabaseSystem, parent: Span, statements: readonly string[]): Span {
  const [first = ''] = statements;
  const summary = summaryOf(first);
  const isUniform = statements.every(sql => sql === first);
  const name = statements.length === 1 ? summary : isUniform ? `BATCH ${summary}` : 'BATCH';
  const span = tracer.startSpan(
    name,
    { kind: SpanKind.CLIENT, attributes: { 'db.system.name': system } },
    trace.setSpan(ROOT_CONTEXT, parent),
  );
  if (statements.length > 1) span.setAttribute('db.operation.batch.size', statements.length);
  return span;
}

/** Ends a span. Records the error's class or code, but not its message, which can contain values. */
export function endDatabaseSpan(span: Span, error?: unknown, endTime?: TimeInput): void {
  if (error !== undefined) {
    span.setAttribute('error.type', error instanceof StoreError ? error.code : (error as Error).name);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(endTime);
}

/** Creates a Kysely logger that records a span for each statement of a request. */
export function traceStatements(system: DatabaseSystem): (event: LogEvent) => void {
  return event => {
    const parent = recordedSpan();
    if (!parent) return;
    const endTime = Date.now();
    const span = tracer.startSpan(
      summaryOf(event.query.sql),
      {
        kind: SpanKind.CLIENT,
        attributes: { 'db.system.name': system },
        startTime: endTime - event.queryDurationMillis,
      },
      trace.setSpan(ROOT_CONTEXT, parent),
    );
    endDatabaseSpan(span, event.level === 'error' ? event.error : undefined, endTime);
  };
}
