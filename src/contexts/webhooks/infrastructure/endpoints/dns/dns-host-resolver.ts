import { promises as dns } from 'node:dns';
import { Injectable } from '@nestjs/common';
import PQueue from 'p-queue';
import { HostResolver } from '#contexts/webhooks/application/endpoints/check-endpoint.js';

/** Per question, before it is asked once more. */
const TIMEOUT_MS = 500;
const TRIES = 2;
/** Then whatever has been answered counts: within the time that a lookup may take in all (see `CheckEndpoint`). */
const GIVE_UP_AFTER_MS = 1_200;
/** Equal to the deliveries that a process holds by default; further lookups wait. */
const MAX_AT_A_TIME = 256;

/**
 * Asks the name servers of the system by a resolver of its own: not `dns.lookup`, which blocks one of libuv's four
 * threads per lookup, and with them cryptography and files, for as long as a name server is silent. Callers that ask
 * for the same host meanwhile share one lookup.
 */
@Injectable()
export class DnsHostResolver extends HostResolver {
  private readonly running = new Map<string, Promise<string[]>>();
  private readonly lookups = new PQueue({ concurrency: MAX_AT_A_TIME });

  override addresses(host: string): Promise<readonly string[]> {
    let answer = this.running.get(host);
    if (answer === undefined) {
      answer = this.lookups.add(() => this.ask(host)).finally(() => this.running.delete(host));
      this.running.set(host, answer);
    }
    return answer;
  }

  /** One per lookup, because to cancel cancels all that a resolver was asked. */
  protected resolver(): dns.Resolver {
    return new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  }

  private async ask(host: string): Promise<string[]> {
    const resolver = this.resolver();
    const tooLate = setTimeout(() => resolver.cancel(), GIVE_UP_AFTER_MS);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    clearTimeout(tooLate);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}
