import type { SessionId } from '#shared/kernel/ids.js';

/** A secret on its way from the form that made it to the page that shows it. */
export abstract class ShownOnce {
  /**
   * Keeps a secret for five minutes, for one page of one session.
   * @returns what opens it; the database does not have it
   */
  abstract keep(session: SessionId, page: string, secret: string): Promise<string>;
  /** @returns the secret for the first caller, in whatever process; null for every other one, and once it has expired */
  abstract take(session: SessionId, page: string, token: string | undefined): Promise<string | null>;
}
