import type { EndpointProblem } from './webhook-url-rules.js';

/** A URL whose host was just looked up, with all its addresses judged allowed, in order of preference. */
export interface CheckedEndpoint {
  readonly url: URL;
  readonly addresses: readonly string[];
}

/** Decides where deliveries may go. */
export abstract class Endpoints {
  /**
   * Looks the host up once (at most 1.5 seconds) and judges every answer.
   * @returns the problem where the URL is not allowed or its host cannot be looked up; never throws
   */
  abstract check(url: string): Promise<CheckedEndpoint | EndpointProblem>;
}
