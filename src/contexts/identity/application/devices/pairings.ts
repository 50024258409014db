import type { CollaboratorId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Device, PairedPoint } from '../../contract/devices.js';

/** A point of sale for which somebody has offered a code. */
export interface PairingOffer extends PairedPoint {
  readonly offeredBy: CollaboratorId;
  /** The name of the point of sale when the code was offered. Null: a process of the release before has offered it. */
  readonly pointName: string | null;
}

/** A device, by the person who paired it. */
export interface PersonsDevice {
  readonly name: string;
  readonly pairedBy: CollaboratorId;
  readonly pointOfSaleId: PointOfSaleId;
}

/** The till that a code pairs with, as a phone shows it. */
export interface PairingSubject {
  readonly pointId: PointOfSaleId;
  readonly pointName: string | null;
  readonly accountName: string;
  readonly organizationName: string;
}

/** Pairing codes by their digests. A code that has expired, or whose account is deleted, is none. */
export abstract class Pairings {
  /** The code works for so many minutes of the database's clock. Refuses to run outside a unit of work. @returns its end */
  abstract offer(pairing: PairingOffer, codeDigest: Buffer, minutes: number): Promise<Date>;
  abstract find(codeDigest: Buffer): Promise<PairingOffer | null>;
  /** Removes nothing. @returns null for a code that is none */
  abstract subjectOf(codeDigest: Buffer): Promise<PairingSubject | null>;
  /** Removes and returns a code, so that it is used once. Refuses to run outside a unit of work. @returns null where it is gone */
  abstract take(codeDigest: Buffer): Promise<PairingOffer | null>;
  /** Removes all codes that the person has offered. Refuses to run outside a unit of work. */
  abstract withdrawOf(person: CollaboratorId): Promise<void>;
  /** Counts the devices of the point of sale, and the codes that still can make one. Refuses to run outside a unit of work. */
  abstract placesTaken(point: PairedPoint): Promise<number>;
  /** The devices that these people paired, oldest first. */
  abstract pairedBy(
    organization: OrganizationId,
    people: readonly CollaboratorId[],
  ): Promise<PersonsDevice[]>;
  /** The devices that were paired with the point of sale, oldest first. */
  abstract devicesOf(point: PairedPoint): Promise<Device[]>;
}
