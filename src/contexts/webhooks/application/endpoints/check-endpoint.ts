import { isLoopbackName } from '#shared/kernel/ip-range.js';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  judgeAddresses,
  literalAddress,
  readEndpoint,
  type EndpointProblem,
} from '../../domain/endpoints/webhook-url-rules.js';
import { WebhooksSettings } from '../webhooks-settings.js';

const LOOKUP_MS = 1_500;
/** A loopback name means these addresses, whatever a name server answers (RFC 6761, section 6.3). */
const LOOPBACK = ['127.0.0.1', '::1'];

/** Looks host names up. */
export abstract class HostResolver {
  /** All IPv4 and IPv6 addresses of a host, in order of preference; none when the lookup fails. */
  abstract addresses(host: string): Promise<readonly string[]>;
}

/** A URL whose host was just looked up, with all its addresses judged allowed, in order of preference. */
export interface CheckedEndpoint {
  readonly url: URL;
  readonly addresses: readonly string[];
}

/** Decides where deliveries may go. The addresses that it judges are the ones to connect to: nobody looks the host up again. */
@Injectable()
export class CheckEndpoint {
  constructor(
    private readonly settings: WebhooksSettings,
    private readonly resolver: HostResolver,
  ) {}

  /**
   * Looks the host up once (at most 1.5 seconds) and judges every answer.
   * @returns the problem where the URL is not allowed or its host cannot be looked up; never throws
   */
  async check(text: string): Promise<CheckedEndpoint | EndpointProblem> {
    const url = readEndpoint(text, this.settings);
    if (!(url instanceof URL)) return url;
    const literal = literalAddress(url);
    const addresses = literal === null ? await this.lookup(url.hostname) : [literal];
    return judgeAddresses(url, addresses, this.settings) ?? { url, addresses };
  }

  private async lookup(host: string): Promise<readonly string[]> {
    if (isLoopbackName(host)) return LOOPBACK;
    const tooLate = new AbortController();
    try {
      const none = pause(LOOKUP_MS, [], { signal: tooLate.signal }).catch(() => []);
      return await Promise.race([this.resolver.addresses(host), none]);
    } catch {
      return [];
    } finally {
      tooLate.abort();
    }
  }
}
