import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { smallestPaymentFinality } from '#contexts/networks/contract/finality-depth.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { isEvm } from '../evm-network.js';
import type { Watched } from '../../rpc/reading/endpoint-reading.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { LogFilter } from './logs/bloom-filter.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivations.js';
import { SETTLED_TOPIC, TRANSFER_TOPIC, type LogSelection } from '../../ethereum-rpc/log-answers.js';

export interface WatchedAssets extends LogSelection, Watched {
  /** Symbol of the native coin if its transfers are read. Blocks are then requested with their transactions. */
  readonly native: string | null;
  readonly filter: { readonly address: readonly string[]; readonly topics: readonly unknown[] };
  readonly events: readonly string[];
  readonly bloom: LogFilter;
}

/** Throws until the identity of the chain is proven. */
@Injectable()
export class IdentifiedNetworks {
  private readonly byNetwork: ReadonlyMap<string, WatchedAssets>;

  constructor(
    { networks }: NetworksSettings,
    derivations: ForwarderDerivations,
    private readonly readiness: NetworkReadiness,
  ) {
    this.byNetwork = new Map(
      networks.filter(isEvm).map(({ network, assets, ...configured }) => {
        const native = assets.find(isNative)?.token ?? null;
        const tokens = new Set(assets.filter((asset) => !isNative(asset)).map(({ token }) => token));
        // Addresses derived by an earlier release are paid out by that release's factory.
        const factories = new Set(derivations.factoriesOf(network).map((factory) => factory.toLowerCase()));
        const address = [...tokens, ...factories];
        const events = [...(tokens.size > 0 ? [TRANSFER_TOPIC] : []), SETTLED_TOPIC];
        const filter = { address, topics: [events.length === 1 ? events[0] : events] };
        const transfers = { emitters: tokens, topics: [TRANSFER_TOPIC] };
        const bloom = new LogFilter(transfers, { emitters: factories, topics: [SETTLED_TOPIC] });
        const finality = smallestPaymentFinality(configured);
        const watched = { finality, native, tokens, factories, filter, events, bloom };
        return [network, watched];
      }),
    );
  }

  watchedAssets(network: string): WatchedAssets {
    const found = this.byNetwork.get(network);
    if (found === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    this.readiness.requireIdentified(network);
    return found;
  }
}
