import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

export class FailureReportingSpanExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly next: SpanExporter,
    private readonly report: (failure: string | null) => void,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.next.export(spans, (result) => {
      const isFailing = result.code !== 0;
      if (isFailing !== this.isFailing) {
        this.isFailing = isFailing;
        // The message can contain the exporter's address, whose path may be a secret key.
        this.report(isFailing ? codeOf(result.error) : null);
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
