import type { CollaboratorId } from '../../../../shared/kernel/ids.js';

/** Devices that a person has signed in from, by the digest of their cookie. */
export abstract class KnownDevices {
  abstract isKnown(person: CollaboratorId, tokenDigest: Buffer): Promise<boolean>;
  abstract remember(person: CollaboratorId, tokenDigest: Buffer): Promise<void>;
  abstract forgetAll(person: CollaboratorId): Promise<void>;
}
