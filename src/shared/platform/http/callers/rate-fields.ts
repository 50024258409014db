import type { ServerResponse } from 'node:http';
import type { RatePolicy } from '#shared/kernel/rate-limits.js';

/**
 * Response headers that describe rate limits and the remaining requests (draft-ietf-httpapi-ratelimit-headers-11).
 */
export const RATE_POLICY_FIELD = 'RateLimit-Policy';
export const RATE_FIELD = 'RateLimit';

export type RateFields = readonly [string, string, string, string];

/** The header of the limits is built only once, because every answer contains it. */
export class RateFieldBuilder {
  private readonly policies: string;

  constructor(...policies: readonly RatePolicy[]) {
    this.policies = policies
      .map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`)
      .join(', ');
  }

  fields(name: string, left: number, seconds: number): RateFields {
    return [RATE_POLICY_FIELD, this.policies, RATE_FIELD, `"${name}";r=${left};t=${seconds}`];
  }
}

export function setRateFields(response: ServerResponse | undefined, fields: RateFields): void {
  response?.setHeader(fields[0], fields[1]);
  response?.setHeader(fields[2], fields[3]);
}
