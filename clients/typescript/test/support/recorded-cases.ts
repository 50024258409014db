import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Answer {
  readonly data?: unknown;
  readonly fails?: readonly [status: number, code: string];
  readonly errors?: readonly object[];
  readonly status?: number;
  readonly text?: string;
  readonly gzip?: boolean;
  readonly token?: string;
  readonly expires_in?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
type AnswerOrNone = Answer | 'hang_up' | 'break_off' | 'silence';

export interface Exchange {
  readonly request: string;
  readonly body?: unknown;
  readonly token?: string | null;
  readonly key?: string | { readonly fresh: string };
  readonly read_after?: string;
  readonly waited_ms?: number;
  readonly answer: AnswerOrNone;
  readonly times?: number;
  readonly any_times?: true;
}

export interface Step {
  readonly call: string;
  readonly pos?: string;
  readonly id?: string;
  readonly path?: string;
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly idempotency_key?: string;
  readonly page_size?: number;
  readonly take?: number;
  readonly interval_ms?: number;
  readonly timeout_ms?: number;
  readonly until?: readonly string[];
  readonly kept?: readonly string[];
  readonly result?: unknown;
  readonly refused?: string;
  readonly error?: object & { readonly message_has?: string };
}

export interface HttpCase {
  readonly name: string;
  readonly rules: readonly string[];
  readonly client?: {
    readonly attempts?: number;
    readonly first_delay_ms?: number;
    readonly max_delay_ms?: number;
    readonly timeout_ms?: number;
  };
  readonly tokens?: readonly AnswerOrNone[];
  readonly token_exchanges?: number;
  readonly exchanges: readonly Exchange[];
  readonly steps: readonly Step[];
}

export interface WebhookCase {
  readonly name: string;
  readonly rules: readonly string[];
  readonly body?: string;
  readonly body_base64?: string;
  readonly parsed_body?: unknown;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly secret: string | readonly string[];
  readonly now: string;
  readonly tolerance?: number;
  readonly event: { readonly id: string; readonly sent_at: string; readonly data: object };
  readonly refused?: string;
  readonly message_has?: string;
}

/** Reads the files of `clients/cases` (see format.md there). */
export class RecordedCases {
  constructor(private readonly folder: string) {}

  private read(name: string): unknown {
    return JSON.parse(readFileSync(join(this.folder, `${name}.json`), 'utf8'));
  }

  http(): HttpCase[] {
    const files = ['token', 'sending', 'reading', 'payments', 'errors', 'operations'];
    return files
      .flatMap((name) => this.read(name) as HttpCase[])
      .map((one) => ({ ...one, exchanges: complete(one.exchanges), steps: complete(one.steps) }));
  }

  baseUrls() {
    return this.read('base-urls') as { taken: string[]; refused: { url: string; fault: string }[] };
  }

  statuses() {
    return this.read('statuses') as { status: string; fulfilled?: boolean; final: boolean; paid: boolean }[];
  }

  nextSteps() {
    return this.read('next-steps') as Record<'codes' | 'statuses', Record<string, string>>;
  }

  webhooks(): WebhookCase[] {
    const { delivery, cases } = this.read('webhooks') as { delivery: WebhookCase; cases: WebhookCase[] };
    return cases.map((one) => ({ ...delivery, ...one, headers: { ...delivery.headers, ...one.headers } }));
  }
}

/** Fills entries with `as_before` from the previous entry, except for the outcome. */
function complete<Entry extends object>(entries: readonly Entry[]): Entry[] {
  const whole: Entry[] = [];
  for (const entry of entries) {
    const before = { ...whole.at(-1), result: undefined, error: undefined };
    whole.push('as_before' in entry ? { ...before, ...entry } : entry);
  }
  return whole;
}
