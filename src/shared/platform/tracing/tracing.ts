/**
 * The fields of a span besides its name. No secret, no payer's data, and no path or query that a caller has written.
 */
export type SpanFields = Readonly<Record<string, string | number | boolean>>;

/** The span of another process, by its header `traceparent`. */
export interface RemoteParent {
  readonly traceparent: string;
  /** False where a stranger may have written the header: the trace continues, and this service decides whether it is recorded. */
  readonly decidesSampling: boolean;
}

export interface SpanStart {
  /** One of few different values: a route's pattern, a method of JSON-RPC, a kind of work. */
  readonly name: string;
  /** Who asks whom: `server` is asked, `client` asks another process. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly fields?: SpanFields;
  /** `none`: it begins a trace. A header: W3C Trace Context, as received. Absent: the span that is open here. */
  readonly parent?: 'none' | RemoteParent;
  /** Exported only if something came of it: anything but statements happened in it, or something failed. */
  readonly isPoll?: true;
}

export interface SpanIds {
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
}

export interface OpenSpan {
  readonly ids: SpanIds;
  /** The value of the header `traceparent`. */
  readonly traceparent: string;
  rename(name: string): void;
  set(fields: SpanFields): void;
  /** The class of the error alone: messages may hold what was sent. */
  fail(error: unknown): void;
  end(): void;
  /** Spans that begin in `work` are parts of this span. */
  within<T>(work: () => T): T;
}

/** The spans of this process. */
export interface Tracing {
  begin(start: SpanStart): OpenSpan;
  /** The span that is open here. */
  current(): OpenSpan | undefined;
  /** Sends the remaining spans, for some seconds at most. */
  stop(): Promise<void>;
}

/** Undefined where tracing is not configured: then a span costs this one look. */
let configured: Tracing | undefined;

/** Traces by this from now on, in this process. */
export function traceBy(tracing: Tracing | undefined): void {
  configured = tracing;
}

export function tracing(): Tracing | undefined {
  return configured;
}

/** Runs `work` as a span. @returns and throws as it does */
export function traced<T>(start: SpanStart, work: (span?: OpenSpan) => Promise<T>): Promise<T> {
  if (configured === undefined) return work();
  return runIn(configured.begin(start), work);
}

/** Traces like `traced` where a span is open, and not at all elsewhere: for what is of no interest by itself. */
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

/** The span in which a log line is written, where traces are configured. */
export function currentTraceFields(): { trace_id?: string; span_id?: string } {
  const span = tracing()?.current();
  return span === undefined ? {} : { trace_id: span.ids.traceId, span_id: span.ids.spanId };
}

export interface TracingSettings {
  readonly serviceName: string;
  readonly environment: string;
  /** The share of the traces that begin here that is recorded: above 0, at most 1. */
  readonly ratio: number;
  readonly sentEveryMs: number;
}
