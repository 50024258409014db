import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { PollSpanProcessor } from './poll-span-processor.js';
import { FailureReportingSpanExporter } from './failure-reporting-span-exporter.js';
import type { OpenSpan, SpanFields, SpanStart, Tracing, TracingSettings } from './tracing.js';

const SPAN_KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
const EXPORT_TIMEOUT_MS = 3_000;
/** The header `traceparent` of W3C Trace Context, version 00 and the compatible start of later versions. */
const TRACEPARENT_PATTERN =
  /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/**
 * Loaded only if tracing is configured, by the standard variables (OTEL_EXPORTER_OTLP_…). @param report called with
 * an error code, and with null after recovery
 */
export function openTelemetry(
  settings: TracingSettings,
  role: string,
  report: (failure: string | null) => void,
): Tracing {
  const polls = new PollSpanProcessor(
    new BatchSpanProcessor({
      exporter: new FailureReportingSpanExporter(new OTLPTraceExporter(), report),
      scheduledDelayMillis: settings.sentEveryMs,
    }),
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.role': role,
      'deployment.environment.name': settings.environment,
    }).merge(detectResources({ detectors: [resourceAttributesEnvDetector] })),
    sampler: new ParentBasedSampler({
      root: settings.ratio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(settings.ratio),
    }),
    spanProcessors: [polls],
  });
  const tracer = provider.getTracer('payment-collection-service');
  const open = new AsyncLocalStorage<OpenSpan & { readonly context: Context }>();

  return {
    begin({ name, kind, fields = {}, parent, isPoll }: SpanStart) {
      const around =
        parent === undefined ? (open.getStore()?.context ?? ROOT_CONTEXT) : contextOf(parent, settings.ratio);
      const attributes = isPoll ? { ...fields, [PollSpanProcessor.MARK]: true } : fields;
      const span = tracer.startSpan(name, { kind: SPAN_KINDS[kind], attributes }, around);
      const opened = { ...openSpan(span), context: trace.setSpan(around, span) };
      return { ...opened, within: (work) => open.run(opened as never, work) };
    },
    current: () => open.getStore(),
    stop: () =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        new Promise<void>((resolve) => setTimeout(resolve, EXPORT_TIMEOUT_MS).unref()),
      ]),
  };
}

function openSpan(span: Span): Omit<OpenSpan, 'within'> {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    ids: { traceId, spanId },
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    rename: (name) => void span.updateName(name),
    set: (fields: SpanFields) => void span.setAttributes(fields),
    fail(error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    },
    end: () => span.end(),
  };
}

function contextOf(parent: NonNullable<SpanStart['parent']>, ratio: number): Context {
  if (parent === 'none') return ROOT_CONTEXT;
  const [, traceId, spanId, flags] = TRACEPARENT_PATTERN.exec(parent.traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    // Decided at random, not from the trace id, because an untrusted client may have chosen the trace id.
    traceFlags: parent.decidesSampling ? Number.parseInt(flags!, 16) & 1 : Number(Math.random() < ratio),
  });
}
