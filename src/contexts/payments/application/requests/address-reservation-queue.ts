import { Injectable } from '@nestjs/common';
import { unavailable } from '#shared/kernel/domain-error.js';
import { KeyedSemaphore } from '#shared/kernel/keyed-semaphore.js';
import type { AddressSequence } from '../../domain/requests/address-numbers.js';

const MAX_WAITING_PER_SEQUENCE = 1_000;

/**
 * Calls that reserve numbers of a sequence wait here without a database connection. Waiting for the row lock of
 * `AddressNumbers` instead would exhaust the connection pool.
 */
@Injectable()
export class AddressReservationQueue {
  private readonly slots = new KeyedSemaphore(1, MAX_WAITING_PER_SEQUENCE);

  /**
   * @param addresses null if `work` reserves no number
   * @param work must open its own unit of work, so that it holds no lock while it waits
   * @throws unavailable if too many calls wait
   */
  run<T>(addresses: AddressSequence | null, work: () => Promise<T>): Promise<T> {
    if (addresses === null) return work();
    const result = this.slots.run(`${addresses.network} ${addresses.numbering}`, work);
    if (result !== null) return result;
    throw unavailable(
      `Too many payments on ${addresses.network} are being prepared for this merchant. Try again shortly.`,
    );
  }
}
