import { unavailable } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import {
  floatKeyName,
  type OutboundTransactionSender,
} from '#contexts/networks/contract/outbound-transaction-sender.js';

/**
 * Payments of a held key may be on the chain but not in the database. Must not run in a unit of work, because it
 * calls RPC endpoints.
 * @throws state_conflict if the key is held; unavailable
 */
export async function refuseFloatWithHeldKey(
  sender: OutboundTransactionSender,
  network: string,
  organization: OrganizationId,
  address: string,
): Promise<void> {
  try {
    const hold = await sender.findHold(network, floatKeyName(organization), address);
    if (hold !== null) throw hold;
  } catch (error) {
    throw error instanceof ChainUnavailable ? floatNetworkUnavailableError(network) : error;
  }
}

export function floatNetworkUnavailableError(network: string) {
  return unavailable(`${network} does not respond. Try again shortly.`);
}
