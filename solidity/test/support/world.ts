import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
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

/** Anvil's first well-known development account. */
export const funded = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
);
export const arachnid: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A development chain of its own; every transaction is mined at once. */
export async function startWorld(chainId = 31337) {
  const port = await freePort();
  const anvil = await spawnAnvil(port, chainId);
  const chain = defineChain({
    id: chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [`http://127.0.0.1:${port}`] } },
  });
  const options = {
    chain,
    transport: http(undefined, { batch: true, retryCount: 0, timeout: 5_000 }),
    cacheTime: 0,
    pollingInterval: 5,
  };
  const client = createPublicClient(options);
  const wallet = createWalletClient({ ...options, account: funded });
  const node = createTestClient({ ...options, mode: 'anvil' });

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
    chainId,
    client,
    node,
    send,
    /** Whole native coins for anyone, out of nowhere. */
    fund: (address: Address, coins = '1000') => node.setBalance({ address, value: parseEther(coins) }),
    async deploy(
      artifact: { abi: object[]; bytecode: Hex },
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
    stop: () => stop(anvil),
  };
}

async function spawnAnvil(port: number, chainId: number): Promise<ChildProcess> {
  const os = process.platform === 'win32' ? 'win32' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`@foundry-rs/anvil-${os}-${arch}/package.json`);
  const binary = manifest.replace('package.json', `bin/anvil${os === 'win32' ? '.exe' : ''}`);
  const args = ['--port', `${port}`, '--chain-id', `${chainId}`, '--hardfork', 'cancun', '--accounts', '1'];
  const anvil = spawn(binary, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => anvil.kill('SIGKILL'));
  await new Promise<void>((listening, failed) => {
    anvil.once('exit', (code) => failed(new Error(`anvil ended with ${code}`)));
    anvil.stdout!.on('data', (text: Buffer) => {
      if (text.includes('Listening on')) listening();
    });
  });
  return anvil;
}

async function stop(anvil: ChildProcess): Promise<void> {
  anvil.removeAllListeners('exit');
  const gone = new Promise((resolve) => anvil.once('exit', resolve));
  anvil.kill('SIGKILL');
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
