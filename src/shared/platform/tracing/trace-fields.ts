import { tracing } from './tracing.js';

/** The span in which a log line is written, where traces are configured. */
export function currentTraceFields(): { trace_id?: string; span_id?: string } {
  const span = tracing()?.current();
  return span === undefined ? {} : { trace_id: span.ids.traceId, span_id: span.ids.spanId };
}
