import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  isLoopbackName,
  judgeAddresses,
  literalAddress,
  readEndpoint,
  type EndpointProblem,
} from '#contexts/webhooks/domain/endpoints/webhook-url-rules.js';
import { Endpoints, type CheckedEndpoint } from '#contexts/webhooks/domain/endpoints/endpoints.js';
import { WebhooksSettings } from '../../webhooks-settings.js';

const LOOKUP_MS = 1_500;
/** What a loopback name means, whatever a name server says (RFC 6761, section 6.3). */
const LOOPBACK = ['127.0.0.1', '::1'];

/** Looks host names up. */
export abstract class HostResolver {
  /** All IPv4 and IPv6 addresses of a host, in order of preference; none when the lookup fails. */
  abstract addresses(host: string): Promise<readonly string[]>;
}

/** Looks a host up once and lets nobody ask again: what is judged here is what is connected to. */
@Injectable()
export class GuardedEndpoints extends Endpoints {
  constructor(
    private readonly settings: WebhooksSettings,
    private readonly resolver: HostResolver,
  ) {
    super();
  }

  override async check(text: string): Promise<CheckedEndpoint | EndpointProblem> {
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
