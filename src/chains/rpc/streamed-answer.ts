import { JSONParser } from '@streamparser/json';
import { withoutByteOrderMark } from '#shared/platform/http/outgoing/answer-encoding.js';
import { type JsonRpcResponse, toRpcRefusal } from './rpc-envelope.js';
import { MalformedAnswer, TransportFailure } from './rpc-failures.js';

/** The values passed to `take` count only after the complete answer was read. */
export interface StreamedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result: 'list' | 'object';
  /** Handlers by path, where `*` matches any list element. Values without a handler are discarded while reading. */
  readonly take: Readonly<Record<`result.${string}`, (value: unknown) => void>>;
  /** Reading pauses until the promise resolves. */
  readonly settle?: () => Promise<void>;
}

interface Place {
  readonly key: string | number | undefined;
}

const EMPTY_ANSWER_BYTES = 64 * 1024;
const STRING_BYTES = 64 * 1024;

export class StreamedAnswer {
  private readonly parser: JSONParser;
  private readonly handlers: ReadonlyMap<string, (value: unknown) => void>;
  private id: unknown;
  private error: JsonRpcResponse['error'] = null;
  private begin = Buffer.alloc(0);
  private length = 0;
  private taken = 0;
  private sinceTaken = 0;
  private fault: unknown = null;

  /** @param elementBytes maximum number of bytes between two values passed to handlers */
  constructor(
    private readonly call: StreamedCall,
    private readonly expectedId: number,
    private readonly elementBytes: number,
  ) {
    this.handlers = new Map(Object.entries(call.take));
    const paths = ['id', 'error', ...this.handlers.keys()].map((path) => `$.${path}`);
    this.parser = new JSONParser({ paths, keepStack: false, stringBufferSize: STRING_BYTES });
    this.parser.onValue = ({ value, key, stack }) => this.receive(pathOf(stack, key), value);
  }

  write(chunk: Buffer): void {
    this.length += chunk.length;
    this.sinceTaken += chunk.length;
    if (this.length <= EMPTY_ANSWER_BYTES) this.begin = Buffer.concat([this.begin, chunk]);
    try {
      this.parser.write(chunk);
    } catch {
      throw new MalformedAnswer('the answer is not JSON');
    }
    if (this.fault !== null) throw this.fault;
    if (this.sinceTaken > this.elementBytes)
      throw new TransportFailure(
        'too_large',
        `an element of the response exceeds ${this.elementBytes} bytes`,
      );
  }

  end(redact: (error: unknown) => void): void {
    // A gateway may truncate a long answer as if it were complete.
    if (!this.parser.isEnded) throw new TransportFailure('connection', 'the response was cut off');
    if (this.error !== null && this.error !== undefined) {
      redact(this.error);
      throw toRpcRefusal(this.error);
    }
    if (this.id !== this.expectedId) throw new MalformedAnswer('the answer is to another request');
    if (this.taken === 0 && !this.isEmpty()) throw this.otherShape();
  }

  private otherShape(): MalformedAnswer {
    return new MalformedAnswer(`the result is not ${this.call.result === 'list' ? 'a list' : 'an object'}`);
  }

  private receive(path: string, value: unknown): void {
    if (path === 'id') this.id = value;
    else if (path === 'error') this.error = value as JsonRpcResponse['error'];
    else {
      this.taken += 1;
      this.sinceTaken = 0;
      this.take(path, value);
    }
  }

  /** Stores a thrown error, because the parser would treat it as a parse error. */
  private take(path: string, value: unknown): void {
    if (this.fault !== null) return;
    try {
      const handler = this.handlers.get(path);
      if (handler === undefined) throw this.otherShape();
      handler(value);
    } catch (error) {
      this.fault = error;
    }
  }

  /** Checks for an empty list by size, because the parser does not distinguish an empty list from a missing one. */
  private isEmpty(): boolean {
    if (this.length > EMPTY_ANSWER_BYTES) return false;
    const { result } = JSON.parse(withoutByteOrderMark(this.begin.toString('utf8'))) as JsonRpcResponse;
    return this.call.result === 'list'
      ? Array.isArray(result)
      : typeof result === 'object' && result !== null && !Array.isArray(result);
  }
}

function pathOf(stack: readonly Place[], key: string | number | undefined): string {
  let path = '';
  // The first element of the stack is the answer itself.
  for (let i = 1; i < stack.length; i += 1) path += `${segment(stack[i]!.key)}.`;
  return path + segment(key);
}

function segment(key: string | number | undefined): string {
  return typeof key === 'number' ? '*' : String(key);
}
