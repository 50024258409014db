import { Injectable } from '@nestjs/common';
import { unavailable } from '#shared/kernel/domain-error.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';
import type { AddressSequence } from '../../domain/requests/address-numbers.js';

/** Requests of one wallet that may wait in a process. Each takes a few milliseconds. */
const MAX_WAITING = 1_000;

/**
 * Serializes the transactions that reserve numbers of one sequence. They wait here without a connection; at the row lock of
 * `AddressNumbers` they would exhaust the pool.
 */
@Injectable()
export class AddressNumberQueue {
  private readonly slots = new KeyedSlots(1, MAX_WAITING);

  /**
   * @param addresses null if the work reserves no number; it then runs immediately
   * @param work opens its own unit of work, so that it holds no lock while it waits
   * @throws unavailable if too many wait
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
