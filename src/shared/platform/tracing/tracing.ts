/** Fields of a span besides its name. Must not contain secrets, payer data, or caller-supplied paths or queries. */
export type SpanFields = Readonly<Record<string, string | number | boolean>>;

/** The span of another process, from its header `traceparent`. */
export interface RemoteParent {
  readonly traceparent: string;
  /**
   * False if an untrusted client may have written the header: the trace continues, but this service decides whether it is
   * recorded.
   */
  readonly decidesSampling: boolean;
}

export interface SpanStart {
  /** Low cardinality: a route pattern, a JSON-RPC method, a kind of work. */
  readonly name: string;
  /** `server` serves a request; `client` sends one to another process. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly fields?: SpanFields;
  /** `none` starts a trace. A header: W3C Trace Context, as received. Default: the current span. */
  readonly parent?: 'none' | RemoteParent;
  /** Exports the span only if the poll did more than run statements, or failed. */
  readonly isPoll?: true;
}

export interface SpanIds {
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
}

export interface OpenSpan {
  readonly ids: SpanIds;
  /** Value of the header `traceparent`. */
  readonly traceparent: string;
  rename(name: string): void;
  set(fields: SpanFields): void;
  /** Records only the error's class, because messages may contain sent data. */
  fail(error: unknown): void;
  end(): void;
  /** Makes spans started in `work` children of this span. */
  within<T>(work: () => T): T;
}

export interface Tracing {
  begin(start: SpanStart): OpenSpan;
  current(): OpenSpan | undefined;
  /** Exports the remaining spans, for a few seconds at most. */
  stop(): Promise<void>;
}

/** Undefined if tracing is not configured; a span then costs only this check. */
let configured: Tracing | undefined;

/** Sets the tracing of this process. */
export function traceBy(tracing: Tracing | undefined): void {
  configured = tracing;
}

export function tracing(): Tracing | undefined {
  return configured;
}

/** Runs `work` in a span. @returns the result of `work` @throws errors of `work` */
export function traced<T>(start: SpanStart, work: (span?: OpenSpan) => Promise<T>): Promise<T> {
  if (configured === undefined) return work();
  return runIn(configured.begin(start), work);
}

/** Traces like `traced` if a span is open; otherwise only runs `work`. For work that is uninteresting as a trace root. */
export function tracedPart<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
  if (configured?.current() === undefined) return work();
  return runIn(configured.begin(start), work);
}

async function runIn<T>(span: OpenSpan, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  try {
    return await span.within(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Returns the current span's fields for a log line, if tracing is configured. */
export function currentTraceFields(): { trace_id?: string; span_id?: string } {
  const span = tracing()?.current();
  return span === undefined ? {} : { trace_id: span.ids.traceId, span_id: span.ids.spanId };
}

export interface TracingSettings {
  readonly serviceName: string;
  readonly environment: string;
  /** Recorded share of the traces that start here: above 0, at most 1. */
  readonly ratio: number;
  readonly sentEveryMs: number;
}
