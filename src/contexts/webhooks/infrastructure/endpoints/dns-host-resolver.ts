import { promises as dns } from 'node:dns';
import { Injectable } from '@nestjs/common';
import PQueue from 'p-queue';
import { HostResolver } from '../../application/endpoints/check-endpoint.js';

/** Timeout of one DNS query in milliseconds. The query is then repeated once. */
const TIMEOUT_MS = 500;
const TRIES = 2;
/** Time after which a lookup uses the responses received so far. Shorter than the limit of `CheckEndpoint`. */
const GIVE_UP_AFTER_MS = 1_200;
/** Maximum number of concurrent lookups. Equals the default number of concurrent deliveries per process. */
const MAX_AT_A_TIME = 256;

/**
 * Queries the name servers of the system with its own resolver. `dns.lookup` would block one of the four libuv
 * threads, which cryptography and files also need, until a name server responds. Concurrent calls for the same host
 * share one lookup.
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

  /** One resolver per lookup, because `cancel` cancels all queries of a resolver. */
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
