import type {
  AccountId,
  CollaboratorId,
  CredentialId,
  OrganizationId,
  PointOfSaleId,
} from '#shared/kernel/ids.js';
import type { Actor } from './audit-log.js';

/** A point of sale that devices are paired with. */
export interface PairedPoint {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

/** A phone that creates, reads and ends payment requests of one point of sale, and nothing else. */
export interface Device {
  readonly id: CredentialId;
  readonly name: string;
  /** The person who offered its pairing code. */
  readonly pairedBy: string;
  readonly pairedAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A code that pairs one device, shown once. */
export interface PairingOffer {
  readonly code: string;
  readonly expiresAt: Date;
}

export abstract class Devices {
  /** Oldest first. */
  abstract list(point: PairedPoint): Promise<Device[]>;
  /** @param pointName a phone shows it before it is paired @throws state_conflict where the point of sale has too many devices; organization_not_approved in production */
  abstract offerPairing(
    point: PairedPoint,
    pointName: string,
    offeredBy: CollaboratorId,
  ): Promise<PairingOffer>;
  /** Refuses the device's very next request. @throws not_found, also for another point of sale's */
  abstract revoke(point: PairedPoint, device: CredentialId, by: Actor): Promise<void>;
}
