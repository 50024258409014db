import type { ServerResponse } from 'node:http';
import type { RateLimitPolicy } from '#shared/kernel/rate-limits.js';

/**
 * Response headers that describe rate limits and the remaining requests (draft-ietf-httpapi-ratelimit-headers-11).
 */
export const RATE_LIMIT_POLICY_HEADER = 'RateLimit-Policy';
export const RATE_LIMIT_HEADER = 'RateLimit';

export type RateLimitHeaders = readonly [string, string, string, string];

/** The header of the limits is built only once, because every answer contains it. */
export class RateLimitHeaderBuilder {
  private readonly policies: string;

  constructor(...policies: readonly RateLimitPolicy[]) {
    this.policies = policies
      .map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`)
      .join(', ');
  }

  headers(name: string, left: number, seconds: number): RateLimitHeaders {
    return [RATE_LIMIT_POLICY_HEADER, this.policies, RATE_LIMIT_HEADER, `"${name}";r=${left};t=${seconds}`];
  }
}

export function setRateLimitHeaders(response: ServerResponse | undefined, fields: RateLimitHeaders): void {
  response?.setHeader(fields[0], fields[1]);
  response?.setHeader(fields[2], fields[3]);
}
