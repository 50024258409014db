import type {
  AccountId,
  CollaboratorId,
  CredentialId,
  OrganizationId,
  PointOfSaleId,
} from '#shared/kernel/ids.js';
import type { Actor } from './audit-log.js';

export interface PairedPointOfSale {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

/** A phone that can only create, read and end payment requests of one point of sale. */
export interface Device {
  readonly id: CredentialId;
  readonly name: string;
  /** The collaborator who created the device's pairing code. */
  readonly pairedBy: string;
  readonly pairedAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface PairingOffer {
  readonly code: string;
  readonly expiresAt: Date;
}

export abstract class Devices {
  /** Lists the devices of a point of sale, oldest first. */
  abstract list(point: PairedPointOfSale): Promise<Device[]>;
  /**
   * Creates a pairing code.
   * @param pointName displayed on the phone before pairing
   * @throws state_conflict if the point of sale has too many devices; organization_not_approved in production
   */
  abstract offerPairing(
    point: PairedPointOfSale,
    pointName: string,
    offeredBy: CollaboratorId,
  ): Promise<PairingOffer>;
  /** Revokes the device, starting with its next request. @throws not_found */
  abstract revoke(point: PairedPointOfSale, device: CredentialId, by: Actor): Promise<void>;
}
