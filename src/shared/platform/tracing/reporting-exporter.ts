import { Logger } from '@nestjs/common';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** Logs once that traces do not arrive, and once that they do again. */
export class ReportingExporter implements SpanExporter {
  private readonly log = new Logger('tracing');
  private isFailing = false;

  constructor(private readonly next: SpanExporter) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.next.export(spans, (result) => {
      const isFailing = result.code !== 0;
      if (isFailing !== this.isFailing) {
        this.isFailing = isFailing;
        // The error's message may hold the address, whose path may be a key.
        if (isFailing) this.log.warn(`Traces do not reach their receiver (${codeOf(result.error)}).`);
        else this.log.log('Traces reach their receiver again.');
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
  return error?.code === undefined ? 'no answer' : String(error.code);
}
