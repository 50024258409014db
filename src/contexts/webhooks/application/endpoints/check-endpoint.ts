import { isLoopbackName } from '#shared/kernel/ip-range.js';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  validateAddresses,
  ipAddressInUrl,
  parseEndpointUrl,
  type EndpointProblem,
} from '../../domain/endpoints/webhook-url-rules.js';
import { WebhooksSettings } from '../webhooks-settings.js';

const MAX_LOOKUP_MS = 1_500;
/** Addresses used for `localhost` names instead of a DNS lookup (RFC 6761, section 6.3). */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

export abstract class HostResolver {
  /** Looks up all IPv4 and IPv6 addresses of a host, in order of preference. Empty if the lookup fails. */
  abstract addresses(host: string): Promise<readonly string[]>;
}

/** A validated webhook URL with the addresses of its host, in order of preference. All of them may be connected to. */
export interface CheckedEndpoint {
  readonly url: URL;
  readonly addresses: readonly string[];
}

/**
 * Decides which endpoints may receive deliveries. Callers must connect to the returned addresses and not resolve the
 * host again.
 */
@Injectable()
export class CheckEndpoint {
  constructor(
    private readonly settings: WebhooksSettings,
    private readonly resolver: HostResolver,
  ) {}

  /**
   * Resolves the host once, for at most 1.5 seconds, and validates every address. Never throws.
   * @returns the problem if the URL is not allowed or its host cannot be resolved
   */
  async check(text: string): Promise<CheckedEndpoint | EndpointProblem> {
    const url = parseEndpointUrl(text, this.settings);
    if (!(url instanceof URL)) return url;
    const literal = ipAddressInUrl(url);
    const addresses = literal === null ? await this.lookup(url.hostname) : [literal];
    return validateAddresses(url, addresses, this.settings) ?? { url, addresses };
  }

  private async lookup(host: string): Promise<readonly string[]> {
    if (isLoopbackName(host)) return LOOPBACK_ADDRESSES;
    const tooLate = new AbortController();
    try {
      const none = pause(MAX_LOOKUP_MS, [], { signal: tooLate.signal }).catch(() => []);
      return await Promise.race([this.resolver.addresses(host), none]);
    } catch {
      return [];
    } finally {
      tooLate.abort();
    }
  }
}
