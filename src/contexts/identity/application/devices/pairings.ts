import type { CollaboratorId } from '#shared/kernel/ids.js';
import type { Device, PairedPoint } from '../../contract/devices.js';

/** A point of sale for which somebody has offered a code. */
export interface Pairing extends PairedPoint {
  readonly offeredBy: CollaboratorId;
}

/** Pairing codes by their digests. A code that has expired, or whose account is deleted, is none. */
export abstract class Pairings {
  /** The code works for so many minutes of the database's clock. Refuses to run outside a unit of work. @returns its end */
  abstract offer(pairing: Pairing, codeDigest: Buffer, minutes: number): Promise<Date>;
  abstract find(codeDigest: Buffer): Promise<Pairing | null>;
  /** Removes and returns a code, so that it is used once. Refuses to run outside a unit of work. @returns null where it is gone */
  abstract take(codeDigest: Buffer): Promise<Pairing | null>;
  /** Removes all codes that the person has offered. Refuses to run outside a unit of work. */
  abstract withdrawOf(person: CollaboratorId): Promise<void>;
  /** Counts the devices of the point of sale, and the codes that still can make one. Refuses to run outside a unit of work. */
  abstract placesTaken(point: PairedPoint): Promise<number>;
  /** The devices that were paired with the point of sale, oldest first. */
  abstract devicesOf(point: PairedPoint): Promise<Device[]>;
}
