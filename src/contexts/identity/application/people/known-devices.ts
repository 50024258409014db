import type { CollaboratorId } from '#shared/kernel/ids.js';

/** Devices that have passed a second factor of a person, by the digest of their cookie. */
export abstract class KnownDevices {
  abstract isKnown(person: CollaboratorId, tokenDigest: Buffer): Promise<boolean>;
  abstract remember(person: CollaboratorId, tokenDigest: Buffer): Promise<void>;
  /** All of a person's, but one where it is given. */
  abstract forgetAll(person: CollaboratorId, but?: Buffer): Promise<void>;
}
