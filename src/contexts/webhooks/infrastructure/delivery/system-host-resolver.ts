import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { HostResolver } from './host-resolver.js';

/**
 * The operating system's resolver. Callers that ask for the same host meanwhile share one lookup, because lookups
 * block one of libuv's few threads each and a host that is slow to look up must not take them all.
 */
@Injectable()
export class SystemHostResolver extends HostResolver {
  private readonly running = new Map<string, Promise<string[]>>();

  override addresses(host: string): Promise<readonly string[]> {
    let answer = this.running.get(host);
    if (answer === undefined) {
      answer = lookup(host, { all: true, order: 'ipv4first' })
        .then((entries) => entries.map(({ address }) => address))
        .finally(() => this.running.delete(host));
      this.running.set(host, answer);
    }
    return answer;
  }
}
