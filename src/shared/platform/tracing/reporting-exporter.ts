import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { EventLogger } from '../logging/event-logger.js';

/** Logs once that traces do not arrive, and once that they do again. */
export class ReportingExporter implements SpanExporter {
  private readonly log = new EventLogger('tracing');
  private isFailing = false;

  constructor(private readonly next: SpanExporter) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.next.export(spans, (result) => {
      const isFailing = result.code !== 0;
      if (isFailing !== this.isFailing) {
        this.isFailing = isFailing;
        // The error's message may hold the address, whose path may be a key.
        if (isFailing) this.log.write('tracing.export_failed', { code: codeOf(result.error) });
        else this.log.write('tracing.export_recovered');
      }
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush?.() ?? Promise.resolve();
  }
}

function codeOf(error: (Error & { code?: unknown }) | undefined): string {
  return error?.code === undefined ? 'no_answer' : String(error.code);
}
