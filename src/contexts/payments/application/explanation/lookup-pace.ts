import type { CredentialId } from '../../../../shared/kernel/ids.js';

/** How often a credential may have nodes asked: each question costs as many calls as there are networks. */
export abstract class LookupPace {
  /** @throws RateLimited */
  abstract take(credential: CredentialId): void;
}
