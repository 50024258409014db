import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { apiHeaders } from '#shared/platform/http/browsers/security-headers.js';
import { CorsPolicy } from '#shared/platform/http/browsers/cors-policy.js';
import { EarlyResponder, sendEarlyAnswer } from '#shared/platform/http/server/early-responder.js';
import { matchesEntityTag } from '#shared/platform/http/answers/prepared-answer.js';
import { CheckoutSettings } from '../../requests/checkout-settings.js';
import { CachedCheckoutReader } from './cached-checkout-reader.js';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';

const POLL_PATH = '/public/checkout/';
const SESSION_ID_LENGTH = 32;
const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];

/** Responds before Express and Nest, without SQL. */
@Injectable()
export class EarlyCheckoutResponder extends EarlyResponder {
  private readonly origin: CorsPolicy;
  private readonly common: readonly string[];

  constructor(
    private readonly live: CachedCheckoutReader,
    private readonly callers: PublicRateLimiter,
    private readonly addresses: CallerAddressResolver,
    settings: CheckoutSettings,
    http: HttpSettings,
  ) {
    super();
    this.origin = new CorsPolicy(settings.otherOrigin);
    this.common = apiHeaders(http.hstsIncludesSubdomains).flat();
  }

  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method } = request;
    // The controller responds to a query string, another path or a malformed id.
    if (method !== 'GET' || url.length !== POLL_PATH.length + SESSION_ID_LENGTH || !url.startsWith(POLL_PATH))
      return false;
    const sessionId = url.slice(POLL_PATH.length);
    const known = this.live.findCached(sessionId);
    if (known === undefined || this.addresses.isFromRefusedProxy(request)) return false;
    const turn = this.callers.countRequest(request, sessionId);
    if ('wait' in turn) return false;

    const headers = ['ETag', known.etag, ...turn.fields, ...this.origin.headersFor(request)];
    if (matchesEntityTag(request.headers['if-none-match'], known.etag))
      sendEarlyAnswer(request, response, 304, headers, undefined, this.common);
    else sendEarlyAnswer(request, response, 200, [...headers, ...JSON_TYPE], known.body, this.common);
    return true;
  }
}
