import { HostResolver } from '../application/endpoints/validate-webhook-url.js';

/** A resolver that returns the addresses that a test sets. The lookup of any other host fails. */
export class FixedHostResolver extends HostResolver {
  readonly asked: string[] = [];
  private readonly answers = new Map<string, () => Promise<readonly string[]>>();

  setAddresses(host: string, ...addresses: string[]): void {
    this.answers.set(host, () => Promise.resolve(addresses));
  }

  hangLookupOf(host: string): void {
    this.answers.set(host, () => new Promise(() => undefined));
  }

  override addresses(host: string): Promise<readonly string[]> {
    this.asked.push(host);
    const answer = this.answers.get(host);
    if (answer === undefined)
      return Promise.reject(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }));
    return answer();
  }
}
