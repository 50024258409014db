import { unavailable } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { floatKeyOf, type Sender } from '#contexts/networks/contract/sender.js';

/**
 * Payments of a held key may be on the chain but not in the database. Must not run in a unit of work, because it
 * calls RPC endpoints.
 * @throws state_conflict if the key is held; unavailable
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
    throw error instanceof ChainUnavailable ? networkUnavailable(network) : error;
  }
}

export function networkUnavailable(network: string) {
  return unavailable(`${network} does not respond. Try again shortly.`);
}
