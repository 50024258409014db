import { SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';

/** Maximum number of spans of a poll to hold back. A poll with more is exported before it ends. */
const MAX_HELD_SPANS = 500;

interface HeldPoll {
  readonly rootId: string;
  held: ReadableSpan[];
  isWorth: boolean;
}

/** Workers poll many times a second, and most polls find nothing. */
export class PollSpanProcessor implements SpanProcessor {
  static readonly MARK = 'poll';

  private readonly polls = new Map<string, HeldPoll>();

  constructor(private readonly next: SpanProcessor) {}

  onStart(span: ReadableSpan & Parameters<SpanProcessor['onStart']>[0]): void {
    if (span.attributes[PollSpanProcessor.MARK] !== undefined) {
      const { traceId, spanId } = span.spanContext();
      this.polls.set(traceId, { rootId: spanId, held: [], isWorth: false });
    }
  }

  onEnd(span: ReadableSpan): void {
    const { traceId, spanId } = span.spanContext();
    const poll = this.polls.get(traceId);
    if (poll === undefined) return this.next.onEnd(span);
    poll.isWorth ||= span.status.code === SpanStatusCode.ERROR || poll.held.length >= MAX_HELD_SPANS;
    if (spanId !== poll.rootId) {
      poll.isWorth ||= span.attributes['db.system.name'] === undefined;
      poll.held.push(span);
      if (poll.isWorth) this.exportSpans(poll);
      return;
    }
    this.polls.delete(traceId);
    delete span.attributes[PollSpanProcessor.MARK];
    if (!poll.isWorth) return;
    poll.held.push(span);
    this.exportSpans(poll);
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }

  private exportSpans(poll: HeldPoll): void {
    for (const span of poll.held) this.next.onEnd(span);
    poll.held = [];
  }
}
