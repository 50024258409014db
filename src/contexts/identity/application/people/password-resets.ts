import type { CollaboratorId } from '../../../../shared/kernel/ids.js';
import type { Collaborator } from '../../domain/people/collaborator.js';

/** One-time links, by their digest. An expired one is none. */
export abstract class PasswordResets {
  /** In place of an earlier one. Refuses to run outside a unit of work. @returns false within a minute of the last one */
  abstract put(person: CollaboratorId, tokenDigest: Buffer): Promise<boolean>;
  /** Whose it is, where they are enabled. */
  abstract find(tokenDigest: Buffer): Promise<(Collaborator & { organizationName: string }) | null>;
  /** Takes it: it is used once. Refuses to run outside a unit of work. @returns false where it is gone */
  abstract take(tokenDigest: Buffer): Promise<boolean>;
}
