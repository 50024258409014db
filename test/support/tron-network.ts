import { startAnvil } from '#sandbox/chain/anvil.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { createTronContracts, topUpTron, type TronContracts } from '#sandbox/tron/tron-contracts.js';
import { startTronFacade, type TronFacade } from '#sandbox/tron/tron-facade.js';
import { TronWallet } from '#sandbox/tron/tron-wallet.js';

export const TRON_CHAIN_ID = 3_448_148_188;
const PLENTY_SUN = 1_000_000_000_000;
const BETWEEN_BLOCKS_MS = 20;

export interface TestTron extends TronContracts {
  readonly facade: TronFacade;
  /** Has TRX and a million of the test token. */
  readonly wallet: TronWallet;
  stop(): Promise<void>;
}

/** Starts a TRON network that mines only when it is told to, with a token and a factory. */
export async function startTestTron(): Promise<TestTron> {
  const anvil = await startAnvil({ port: await freePort(), chainId: TRON_CHAIN_ID, inSentOrder: true });
  const facade = await startTronFacade({ anvilUrl: anvil.url, port: 0, clock: () => 0 });
  const wallet = new TronWallet(facade.url, '33'.repeat(32));
  await facade.chain.anvil.setBalance(wallet.address, PLENTY_SUN);
  const contracts = await minedDuring(facade, async () => {
    const created = await createTronContracts(wallet);
    await topUpTron(wallet, created.token);
    return created;
  });
  return {
    ...contracts,
    ...{ facade, wallet },
    async stop() {
      await facade.stop();
      await anvil.stop();
    },
  };
}

async function minedDuring<T>({ chain }: TronFacade, work: () => Promise<T>): Promise<T> {
  let isDone = false;
  const done = work().finally(() => (isDone = true));
  while (!isDone) {
    await chain.mine();
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, BETWEEN_BLOCKS_MS))]);
  }
  return done;
}
