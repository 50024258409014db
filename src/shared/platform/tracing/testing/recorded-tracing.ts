import { AsyncLocalStorage } from 'node:async_hooks';
import type { OpenSpan, SpanFields, SpanStart, Tracing } from '../tracing.js';

export interface RecordedSpan {
  name: string;
  readonly parent: SpanStart['parent'];
  fields: SpanFields;
  failed: boolean;
  readonly traceparent: string;
}

/** Keeps spans in memory, in the order in which they ended. */
export class RecordedTracing implements Tracing {
  readonly ended: RecordedSpan[] = [];
  private readonly open = new AsyncLocalStorage<OpenSpan>();
  private begun = 0;

  begin({ name, parent, fields = {} }: SpanStart): OpenSpan {
    const ids = { traceId: 'a'.repeat(32), spanId: String((this.begun += 1)).padStart(16, '0') };
    const recorded: RecordedSpan = {
      name,
      parent,
      fields,
      failed: false,
      traceparent: `00-${ids.traceId}-${ids.spanId}-01`,
    };
    const span: OpenSpan = {
      ids,
      traceparent: recorded.traceparent,
      rename: (other) => void (recorded.name = other),
      set: (more) => void (recorded.fields = { ...recorded.fields, ...more }),
      fail: () => void (recorded.failed = true),
      end: () => void this.ended.push(recorded),
      within: (work) => this.open.run(span, work),
    };
    return span;
  }

  current(): OpenSpan | undefined {
    return this.open.getStore();
  }

  async stop(): Promise<void> {
    // Nothing is sent anywhere.
  }
}
