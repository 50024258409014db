import { isLoopbackName } from '#shared/kernel/ip-range.js';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  validateWebhookIpAddresses,
  ipAddressInUrl,
  parseWebhookUrl,
  type WebhookUrlProblem,
} from '../../domain/endpoints/webhook-url-rules.js';
import { WebhooksSettings } from '../webhooks-settings.js';

const MAX_LOOKUP_MS = 1_500;
/** Loopback addresses for `localhost` names (RFC 6761, section 6.3). */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

export abstract class HostResolver {
  /** In order of preference. Empty if the lookup fails. */
  abstract addresses(host: string): Promise<readonly string[]>;
}

/** All addresses may be connected to, in order of preference. */
export interface ValidatedWebhookUrl {
  readonly url: URL;
  readonly addresses: readonly string[];
}

/** Callers must connect to the returned addresses and not resolve the host again. */
@Injectable()
export class ValidateWebhookUrl {
  constructor(
    private readonly settings: WebhooksSettings,
    private readonly resolver: HostResolver,
  ) {}

  /** Resolves the host once, for at most 1.5 seconds. Never throws. */
  async validate(text: string): Promise<ValidatedWebhookUrl | WebhookUrlProblem> {
    const url = parseWebhookUrl(text, this.settings);
    if (!(url instanceof URL)) return url;
    const literal = ipAddressInUrl(url);
    const addresses = literal === null ? await this.lookup(url.hostname) : [literal];
    return validateWebhookIpAddresses(url, addresses, this.settings) ?? { url, addresses };
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
