import type { ServerResponse } from 'node:http';
import type { RatePolicy } from '#shared/kernel/rate-limits.js';

/** Header fields for the limits and the remainder of one limit (draft-ietf-httpapi-ratelimit-headers-11). */
export const RATE_POLICY_FIELD = 'RateLimit-Policy';
export const RATE_FIELD = 'RateLimit';

/** Alternating names and values. */
export type RateFields = readonly [string, string, string, string];

/** Builds the fields of limits that callers share. The policies are joined once, because every answer carries them. */
export class RateNotice {
  private readonly policies: string;

  constructor(...policies: readonly RatePolicy[]) {
    this.policies = policies
      .map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`)
      .join(', ');
  }

  /** @param name the limit closest to exhaustion @param left remaining calls @param seconds until the limit resets */
  fields(name: string, left: number, seconds: number): RateFields {
    return [RATE_POLICY_FIELD, this.policies, RATE_FIELD, `"${name}";r=${left};t=${seconds}`];
  }
}

/** Sets both fields. @param response undefined only in tests that run a guard alone */
export function setRateFields(response: ServerResponse | undefined, fields: RateFields): void {
  response?.setHeader(fields[0], fields[1]);
  response?.setHeader(fields[2], fields[3]);
}
