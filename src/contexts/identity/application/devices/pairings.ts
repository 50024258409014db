import type { CollaboratorId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Device, PairedPoint } from '../../contract/devices.js';

export interface PairingOffer extends PairedPoint {
  readonly offeredBy: CollaboratorId;
  /** Name of the point of sale when the code was created. Null if a process of the previous release created the code. */
  readonly pointName: string | null;
}

export interface PersonsDevice {
  readonly name: string;
  readonly pairedBy: CollaboratorId;
  readonly pointOfSaleId: PointOfSaleId;
}

/** Displayed on the phone before pairing. */
export interface PairingSubject {
  readonly pointId: PointOfSaleId;
  readonly pointName: string | null;
  readonly accountName: string;
  readonly organizationName: string;
}

/** Identified by digest. A code that is expired, or whose account is deleted, counts as not found. */
export abstract class Pairings {
  /** Requires a unit of work. @returns the expiry time, by the database clock */
  abstract offer(pairing: PairingOffer, codeDigest: Buffer, minutes: number): Promise<Date>;
  abstract find(codeDigest: Buffer): Promise<PairingOffer | null>;
  /** Does not consume the code. @returns null if the code is not valid */
  abstract subjectOf(codeDigest: Buffer): Promise<PairingSubject | null>;
  /** Consumes the code. Requires a unit of work. @returns null if the code is not valid */
  abstract take(codeDigest: Buffer): Promise<PairingOffer | null>;
  /** Removes the codes that the person created. Requires a unit of work. */
  abstract withdrawOf(person: CollaboratorId): Promise<void>;
  /** Counts the devices and unused valid codes of the point of sale. Requires a unit of work. */
  abstract placesTaken(point: PairedPoint): Promise<number>;
  /** Oldest first. */
  abstract pairedBy(
    organization: OrganizationId,
    people: readonly CollaboratorId[],
  ): Promise<PersonsDevice[]>;
  /** Oldest first. */
  abstract devicesOf(point: PairedPoint): Promise<Device[]>;
}
