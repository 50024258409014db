import { unavailable } from '#shared/kernel/domain-error.js';
import { KeyedSemaphore } from '#shared/kernel/keyed-semaphore.js';
import {
  TransferAuthorizationRefused,
  type PlannedAuthorizedTransfer,
  type SignedTransferAuthorization,
} from '#contexts/networks/contract/authorized-transfers.js';
import type { Chains } from '#contexts/networks/contract/chains.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { transferAuthorizationRefusedError } from '../../domain/authorizations/authorization-rule.js';
import { NotSponsoredError } from '../../domain/authorizations/sponsoring-rule.js';

const CONCURRENT_SIMULATIONS_PER_NETWORK = 8;
const MAX_RUNNING_OR_WAITING_SIMULATIONS = 40;

/** Runs only a few concurrent simulations per network, because the watcher uses the same nodes. */
export class AuthorizationSimulator {
  private readonly slots = new KeyedSemaphore(
    CONCURRENT_SIMULATIONS_PER_NETWORK,
    MAX_RUNNING_OR_WAITING_SIMULATIONS,
  );

  constructor(private readonly chains: Chains) {}

  async plan(signed: SignedTransferAuthorization): Promise<PlannedAuthorizedTransfer> {
    const simulated = this.slots.run(signed.network, () => this.simulate(signed));
    if (simulated === null)
      throw unavailable(
        'Too many payments by signature are in progress. Send the same request again shortly.',
      );
    return simulated;
  }

  private async simulate(signed: SignedTransferAuthorization): Promise<PlannedAuthorizedTransfer> {
    try {
      const transfers = this.chains.of(signed.network).authorizedTransfers;
      const domain = await transfers?.eip712Domain(signed.token);
      if (transfers === undefined || domain === null) throw new NotSponsoredError('asset');
      return await transfers.plan(signed);
    } catch (error) {
      if (error instanceof TransferAuthorizationRefused)
        throw transferAuthorizationRefusedError(error.reason, error.message);
      if (!(error instanceof ChainUnavailable)) throw error;
      throw unavailable('The network does not respond. Send the same request again shortly.');
    }
  }
}
