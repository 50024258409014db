import { Injectable } from '@nestjs/common';
import { unavailable } from '#shared/kernel/domain-error.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';
import type { NumberedAddresses } from '../../domain/requests/address-numbers.js';

/** Creations of one wallet that may wait in a process; each takes some milliseconds. */
const MAX_WAITING = 1_000;

/**
 * Has what takes numbers of one sequence wait for its turn without a connection: all waiters at the row of `AddressNumbers`
 * together would soon hold every connection of the process.
 */
@Injectable()
export class AddressTurns {
  private readonly turns = new KeyedSlots(1, MAX_WAITING);

  /**
   * @param addresses null where no number is taken: the work is run at once
   * @param work begins its unit of work itself, so that nothing is locked while it waits
   * @throws unavailable where too many wait
   */
  run<T>(addresses: NumberedAddresses | null, work: () => Promise<T>): Promise<T> {
    if (addresses === null) return work();
    const turn = this.turns.run(`${addresses.network} ${addresses.numbering}`, work);
    if (turn !== null) return turn;
    throw unavailable(
      `Too many payments on ${addresses.network} are being prepared for this merchant. Try again shortly.`,
    );
  }
}
