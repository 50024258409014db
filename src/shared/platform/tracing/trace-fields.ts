import { tracing } from './tracing.js';

/** Of each log line: the span in which it is written, where traces are configured. */
export function currentTraceFields(): { trace_id?: string; span_id?: string } {
  const span = tracing()?.current();
  return span === undefined ? {} : { trace_id: span.ids.traceId, span_id: span.ids.spanId };
}
