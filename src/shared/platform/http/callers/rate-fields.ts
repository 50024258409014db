import type { ServerResponse } from 'node:http';
import type { RatePolicy } from '#shared/kernel/rate-limits.js';

/** Names of header fields (draft-ietf-httpapi-ratelimit-headers-11): what the limits are, and what is left of one. */
export const RATE_POLICY_FIELD = 'RateLimit-Policy';
export const RATE_FIELD = 'RateLimit';

/** Names and values in turn. */
export type RateFields = readonly [string, string, string, string];

/** Fields of the limits that callers share, one or several. Joined once: every answer carries them. */
export class RateNotice {
  private readonly policies: string;

  constructor(...policies: readonly RatePolicy[]) {
    this.policies = policies
      .map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`)
      .join(', ');
  }

  /**
   * @param name of the limit that is nearest to its end
   * @param left how many more may be asked for
   * @param seconds within which there are no more
   */
  fields(name: string, left: number, seconds: number): RateFields {
    return [RATE_POLICY_FIELD, this.policies, RATE_FIELD, `"${name}";r=${left};t=${seconds}`];
  }
}

/** Sets both fields of the answer. @param response none where a request came without one, as in tests of a guard alone */
export function setRateFields(response: ServerResponse | undefined, fields: RateFields): void {
  response?.setHeader(fields[0], fields[1]);
  response?.setHeader(fields[2], fields[3]);
}
