import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** Reports the first failure of the export, and its recovery. */
export class ReportingExporter implements SpanExporter {
  private isFailing = false;

  /** @param report receives the error code, or null after a recovery */
  constructor(
    private readonly next: SpanExporter,
    private readonly report: (failure: string | null) => void,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.next.export(spans, (result) => {
      const isFailing = result.code !== 0;
      if (isFailing !== this.isFailing) {
        this.isFailing = isFailing;
        // The error message can contain the address, whose path can be a key.
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
