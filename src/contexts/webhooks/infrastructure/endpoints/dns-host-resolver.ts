import { promises as dns } from 'node:dns';
import { Injectable } from '@nestjs/common';
import PQueue from 'p-queue';
import { HostResolver } from '../../application/endpoints/validate-webhook-url.js';

const QUERY_TIMEOUT_MS = 500;
const MAX_TRIES_PER_QUERY = 2;
/** Then uses the responses received so far. Shorter than the limit of `ValidateWebhookUrl`. */
const LOOKUP_DEADLINE_MS = 1_200;
const MAX_CONCURRENT_LOOKUPS = 256;

/**
 * `dns.lookup` would block one of the four libuv threads, which cryptography and files also need. Concurrent calls
 * for a host share one lookup.
 */
@Injectable()
export class DnsHostResolver extends HostResolver {
  private readonly running = new Map<string, Promise<string[]>>();
  private readonly lookups = new PQueue({ concurrency: MAX_CONCURRENT_LOOKUPS });

  override addresses(host: string): Promise<readonly string[]> {
    let answer = this.running.get(host);
    if (answer === undefined) {
      answer = this.lookups.add(() => this.queryAddresses(host)).finally(() => this.running.delete(host));
      this.running.set(host, answer);
    }
    return answer;
  }

  /** `cancel` cancels all queries of a resolver. */
  protected createResolver(): dns.Resolver {
    return new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: MAX_TRIES_PER_QUERY });
  }

  private async queryAddresses(host: string): Promise<string[]> {
    const resolver = this.createResolver();
    const tooLate = setTimeout(() => resolver.cancel(), LOOKUP_DEADLINE_MS);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    clearTimeout(tooLate);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}
