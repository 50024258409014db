import { unavailable } from '#shared/kernel/domain-error.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';
import {
  AuthorizationRefused,
  type PlannedAuthorization,
  type SignedAuthorization,
} from '#contexts/networks/contract/authorized-transfers.js';
import type { Chains } from '#contexts/networks/contract/chains.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { authorizationRefused } from '../../domain/authorizations/authorization-rule.js';
import { NotSponsored } from '../../domain/authorizations/sponsoring-rule.js';

const CONCURRENT_SIMULATIONS_PER_NETWORK = 8;
const MAX_RUNNING_OR_WAITING_SIMULATIONS = 40;

/** Runs only a few concurrent simulations per network, because the watcher uses the same nodes. */
export class BoundedSimulations {
  private readonly slots = new KeyedSlots(
    CONCURRENT_SIMULATIONS_PER_NETWORK,
    MAX_RUNNING_OR_WAITING_SIMULATIONS,
  );

  constructor(private readonly chains: Chains) {}

  async plan(signed: SignedAuthorization): Promise<PlannedAuthorization> {
    const simulated = this.slots.run(signed.network, () => this.simulate(signed));
    if (simulated === null)
      throw unavailable(
        'Too many payments by signature are in progress. Send the same request again shortly.',
      );
    return simulated;
  }

  private async simulate(signed: SignedAuthorization): Promise<PlannedAuthorization> {
    try {
      const transfers = this.chains.of(signed.network).authorizedTransfers;
      const domain = await transfers?.domainOf(signed.token);
      if (transfers === undefined || domain === null) throw new NotSponsored('asset');
      return await transfers.plan(signed);
    } catch (error) {
      if (error instanceof AuthorizationRefused) throw authorizationRefused(error.reason, error.message);
      if (!(error instanceof ChainUnavailable)) throw error;
      throw unavailable('The network does not respond. Send the same request again shortly.');
    }
  }
}
