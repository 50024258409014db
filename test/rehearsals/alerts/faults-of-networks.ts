import type { Misbehaviour } from '../../support/rpc/rpc-wire.js';
import { pause, repeat, type Fault } from './fault.js';

/** The service fires these where a network is refused, beside the network's own alert. */
const REFUSED = ['PaymentCollectionNotReady', 'PaymentCollectionServerErrors'];

export const nodeHeld: Fault = {
  what: 'The chain node is held by SIGSTOP.',
  fires: ['PaymentCollectionNetworkLagging', 'PaymentCollectionNetworkNotWatched'],
  mayFire: [...REFUSED, 'PaymentCollectionBackgroundWorkFailing'],
  async begin({ chain }) {
    process.kill(chain.pid, 'SIGSTOP');
    return async () => process.kill(chain.pid, 'SIGCONT');
  },
};

export const endpointOnAnotherChain: Fault = {
  what: 'One of two endpoints answers from a fork of the chain.',
  fires: ['PaymentCollectionEndpointsDisagree'],
  mayFire: [
    ...REFUSED,
    'PaymentCollectionNetworkNotWatched',
    'PaymentCollectionNetworkLagging',
    'PaymentCollectionBackgroundWorkFailing',
  ],
  begin: (world) => world.forkSecondEndpoint(),
};

export const gasKeyEmptied: Fault = {
  what: 'The gas key loses all its coin (anvil_setBalance).',
  fires: ['PaymentCollectionGasKeyLow'],
  async begin(world) {
    const balance = await world.rpc<string>('eth_getBalance', world.gasAddress, 'latest');
    await world.rpc('anvil_setBalance', world.gasAddress, '0x0');
    return () => world.rpc('anvil_setBalance', world.gasAddress, balance);
  },
};

export const gasKeyUsedElsewhere: Fault = {
  what: 'The gas key has sent a transaction that is not stored (anvil_setNonce).',
  fires: ['PaymentCollectionSenderHeld'],
  async begin(world) {
    const count = await world.rpc<string>('eth_getTransactionCount', world.gasAddress, 'latest');
    await world.rpc('anvil_setNonce', world.gasAddress, `0x${(Number(count) + 1).toString(16)}`);
    return () => world.rpc('anvil_setNonce', world.gasAddress, count);
  },
};

const BLOCKS_AT_ONCE = 1_000;
/** A turn of the watcher asks several times, one after another, and reads 200 blocks at most. */
const LATE_MS = 500;
const late: Misbehaviour = {
  name: 'late',
  async answer(call, ask) {
    await pause(LATE_MS);
    return ask(call);
  },
};
/** The node's time for one call grows faster than the number of blocks, and a call has 30 seconds. */
const BLOCKS_OF_A_CALL = 100;

export const blocksByTheThousand: Fault = {
  what: `Endpoints answer ${LATE_MS} ms late, and ${BLOCKS_AT_ONCE} blocks are mined at once, again and again.`,
  fires: ['PaymentCollectionWatcherBehind'],
  mayFire: ['PaymentCollectionNetworkLagging'],
  async begin(world) {
    const ends = world.endpoints.map((endpoint) => endpoint.misbehave(late));
    const end = repeat(async () => {
      // All of one second, so that the chain does not come to be ahead of the clock.
      for (let mined = 0; mined < BLOCKS_AT_ONCE; mined += BLOCKS_OF_A_CALL)
        await world.rpc('anvil_mine', `0x${BLOCKS_OF_A_CALL.toString(16)}`, '0x0');
      await pause(1_000);
    });
    return () => {
      for (const endOfOne of ends) endOfOne();
      return end();
    };
  },
};
