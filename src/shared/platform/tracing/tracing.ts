export type SpanFields = Readonly<Record<string, string | number | boolean>>;

/** The trace span of another process that called this one, from its header `traceparent`. */
export interface RemoteParent {
  readonly traceparent: string;
  /** False if an untrusted client may have written the header: this service then decides what is recorded. */
  readonly decidesSampling: boolean;
}

export interface SpanStart {
  /** Must have few different values, such as a route pattern, a JSON-RPC method or a kind of work. */
  readonly name: string;
  /** `server`: handles a request. `client`: sends a request to another process. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly fields?: SpanFields;
  /** `none`: a new trace. `RemoteParent`: the trace of another process. Default: child of the current span. */
  readonly parent?: 'none' | RemoteParent;
  /** Marks a poll: its spans are exported only if it found work or failed. */
  readonly isPoll?: true;
}

export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

export interface OpenSpan {
  readonly ids: SpanIds;
  readonly traceparent: string;
  rename(name: string): void;
  set(fields: SpanFields): void;
  /** Records only the class of the error, because its message may contain personal data. */
  fail(error: unknown): void;
  end(): void;
  /** Makes spans that start during `work` children of this span. */
  within<T>(work: () => T): T;
}

export interface Tracing {
  begin(start: SpanStart): OpenSpan;
  current(): OpenSpan | undefined;
  stop(): Promise<void>;
}

/** Undefined if tracing is not configured. A span then costs only this check. */
let configuredTracing: Tracing | undefined;

export function setTracing(tracing: Tracing | undefined): void {
  configuredTracing = tracing;
}

export function tracing(): Tracing | undefined {
  return configuredTracing;
}

export function runTraced<T>(start: SpanStart, work: (span?: OpenSpan) => Promise<T>): Promise<T> {
  if (configuredTracing === undefined) return work();
  return runInSpan(configuredTracing.begin(start), work);
}

/** Runs `work` in a trace span only if another span is open. */
export function runTracedInOpenSpan<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
  if (configuredTracing?.current() === undefined) return work();
  return runInSpan(configuredTracing.begin(start), work);
}

async function runInSpan<T>(span: OpenSpan, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  try {
    return await span.within(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

export function currentTraceFields(): { trace_id?: string; span_id?: string } {
  const span = tracing()?.current();
  return span === undefined ? {} : { trace_id: span.ids.traceId, span_id: span.ids.spanId };
}

export interface TracingSettings {
  readonly serviceName: string;
  readonly environment: string;
  readonly ratio: number;
  readonly sentEveryMs: number;
}
