import { unavailable } from '#shared/kernel/domain-error.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';
import {
  AuthorizationRefused,
  type AuthorizedTransfers,
  type PlannedAuthorization,
  type SignedAuthorization,
} from '#contexts/networks/contract/authorized-transfers.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { authorizationRefused } from '../../domain/authorizations/authorization-rule.js';
import { NotSponsored } from '../../domain/authorizations/sponsoring-rule.js';

const AT_ONCE = 8;
const MAX_RUNNING_OR_WAITING = 40;

/** Simulates signed authorizations. The watcher uses the same nodes, so few simulations run concurrently per network. */
export class BoundedSimulations {
  private readonly slots = new KeyedSlots(AT_ONCE, MAX_RUNNING_OR_WAITING);

  constructor(private readonly transfers: AuthorizedTransfers) {}

  /** @throws not_sponsored, authorization_refused, unavailable */
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
      if ((await this.transfers.domainOf(signed.network, signed.token)) === null)
        throw new NotSponsored('asset');
      return await this.transfers.plan(signed);
    } catch (error) {
      if (error instanceof AuthorizationRefused) throw authorizationRefused(error.reason, error.message);
      if (!(error instanceof ChainUnavailable)) throw error;
      throw unavailable('The network does not respond. Send the same request again shortly.');
    }
  }
}
