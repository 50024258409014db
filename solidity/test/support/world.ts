import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  getAddress,
  http,
  parseEther,
  type Abi,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { startTestChain, TEST_CHAIN_ID } from '#test/support/chain.js';

/** Anvil's first well-known development account. */
export const funded = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
);
export const arachnid: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A development chain of its own; every transaction is mined at once. */
export async function startWorld() {
  const node = await startTestChain();
  const chain = defineChain({
    id: TEST_CHAIN_ID,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [node.url] } },
  });
  const options = {
    chain,
    transport: http(undefined, { batch: true, retryCount: 0, timeout: 90_000 }),
    cacheTime: 0,
    pollingInterval: 5,
  };
  const client = createPublicClient(options);
  const wallet = createWalletClient({ ...options, account: funded });
  const control = createTestClient({ ...options, mode: 'anvil' });

  // Mined at once, so there is nothing to watch for; only the answer may come a moment before the block.
  const receiptOf = async (hash: Hex): Promise<TransactionReceipt> => {
    for (let tries = 0; ; tries++) {
      try {
        return await client.getTransactionReceipt({ hash });
      } catch (error) {
        if (tries === 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  };

  const send = async (request: {
    to?: Address;
    data?: Hex;
    value?: bigint;
    gas?: bigint;
    from?: Address;
  }) => {
    const { from, ...rest } = request;
    const gas = rest.gas ?? 15_000_000n;
    const hash = from
      ? await client.request({
          method: 'eth_sendTransaction' as never,
          params: [
            {
              from,
              to: rest.to,
              data: rest.data,
              gas: `0x${gas.toString(16)}`,
              value: `0x${(rest.value ?? 0n).toString(16)}`,
            },
          ] as never,
        })
      : await wallet.sendTransaction({ ...rest, gas, gasPrice: 10_000_000_000n, type: 'legacy' });
    return receiptOf(hash as Hex);
  };

  return {
    client,
    control,
    send,
    /** Whole native coins for anyone, out of nowhere. */
    fund: (address: Address, coins = '1000') => control.setBalance({ address, value: parseEther(coins) }),
    async deploy(
      artifact: { abi: readonly object[]; bytecode: Hex },
      args: unknown[] = [],
      value = 0n,
    ): Promise<Address> {
      const hash = await wallet.deployContract({
        abi: artifact.abi as Abi,
        bytecode: artifact.bytecode,
        args,
        value,
        gas: 10_000_000n,
      } as never);
      const receipt = await receiptOf(hash);
      if (receipt.status !== 'success') throw new Error('deployment failed');
      return getAddress(receipt.contractAddress!);
    },
    stop: () => node.stop(),
  };
}
