import type { CollaboratorId } from '#shared/kernel/ids.js';
import type { Collaborator } from '../../domain/people/collaborator.js';

/** One-time links, by their digest. One that has expired, was used or is out of date by a changed password is none. */
export abstract class PasswordResets {
  /**
   * Beside earlier ones, which stay valid. Refuses to run outside a unit of work.
   * @returns false where the person has had too many lately, used ones too
   */
  abstract put(person: CollaboratorId, tokenDigest: Buffer): Promise<boolean>;
  /** Whose it is, where they are enabled. */
  abstract find(tokenDigest: Buffer): Promise<(Collaborator & { organizationName: string }) | null>;
  /** Of the person whose password changes. Refuses to run outside a unit of work. */
  abstract endAll(person: CollaboratorId): Promise<void>;
}
