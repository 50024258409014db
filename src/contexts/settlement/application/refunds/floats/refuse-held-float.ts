import { unavailable } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { floatKeyOf, type Sender } from '#contexts/networks/contract/sender.js';

/**
 * While the key of a float is held, as after a restore of the database, what the float has paid may be on the chain and not
 * stored. Asks nodes, so it is not called inside a unit of work.
 * @throws state_conflict where the key of that address is held; unavailable
 */
export async function refuseHeldFloat(
  sender: Sender,
  network: string,
  organization: OrganizationId,
  address: string,
): Promise<void> {
  try {
    const hold = await sender.holdOf(network, floatKeyOf(organization), address);
    if (hold !== null) throw hold;
  } catch (error) {
    throw error instanceof ChainUnavailable ? notAnswering(network) : error;
  }
}

export function notAnswering(network: string) {
  return unavailable(`${network} does not respond. Try again shortly.`);
}
