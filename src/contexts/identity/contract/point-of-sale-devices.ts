import type {
  AccountId,
  CollaboratorId,
  CredentialId,
  OrganizationId,
  PointOfSaleId,
} from '#shared/kernel/ids.js';
import type { Actor } from './audit-log.js';

export interface PointOfSaleReference {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

/** Can only create, read and end payment requests of one point of sale. */
export interface PointOfSaleDevice {
  readonly id: CredentialId;
  readonly name: string;
  readonly pairedBy: string;
  readonly pairedAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface PairingCode {
  readonly code: string;
  readonly expiresAt: Date;
}

export abstract class PointOfSaleDevices {
  abstract list(point: PointOfSaleReference): Promise<PointOfSaleDevice[]>;
  /**
   * @param pointName displayed on the phone before pairing @throws state_conflict if there are too many devices;
   * organization_not_approved
   */
  abstract createPairingCode(
    point: PointOfSaleReference,
    pointName: string,
    offeredBy: CollaboratorId,
  ): Promise<PairingCode>;
  /** @throws not_found */
  abstract revoke(point: PointOfSaleReference, device: CredentialId, by: Actor): Promise<void>;
}
