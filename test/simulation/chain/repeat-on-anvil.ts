import { startAnvil } from '#sandbox/chain/anvil.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { freePort } from '#sandbox/processes/free-port.js';
import type { RecordedBlock, RecordedChain } from './recorded-chain.js';

/** These fields differ between two chains that do the same. */
const NAMES_OF_BLOCKS = ['blockHash', 'blockNumber', 'blockTimestamp'];

type Rpc = <T>(method: string, ...params: unknown[]) => Promise<T>;

/**
 * Has anvil execute all that is in the blocks of a chain, block by block.
 * @returns how many transactions it executed
 * @throws where a receipt, or at the end an account, differs on anvil
 */
export async function repeatOnAnvil({ chainId, accounts, blocks, left }: RecordedChain): Promise<number> {
  const anvil = await startAnvil({ port: await freePort(), chainId, inSentOrder: true });
  const rpc: Rpc = (method, ...params) => chainRpc(anvil.url, method, params);
  try {
    await rpc('evm_setAutomine', false);
    for (const { address, balance, code } of accounts) {
      await rpc('anvil_setBalance', address, balance);
      await rpc('anvil_setCode', address, code);
    }
    for (const block of blocks) await repeatBlock(rpc, block);
    for (const { address, balance, nonce } of left)
      same(
        `account ${address}`,
        { balance, nonce },
        {
          balance: await rpc('eth_getBalance', address, 'latest'),
          nonce: await rpc('eth_getTransactionCount', address, 'latest'),
        },
      );
    return blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
  } finally {
    await anvil.stop();
  }
}

async function repeatBlock(rpc: Rpc, block: RecordedBlock): Promise<void> {
  await rpc('anvil_setCoinbase', block.miner);
  await rpc('evm_setBlockGasLimit', block.gasLimit);
  await rpc('anvil_setNextBlockBaseFeePerGas', block.baseFee);
  await rpc('evm_setNextBlockTimestamp', block.timestamp);
  const hashes: string[] = [];
  for (const { raw } of block.transactions) hashes.push(await rpc('eth_sendRawTransaction', raw));
  await rpc('evm_mine');
  for (const [at, { receipt }] of block.transactions.entries()) {
    const found = (await rpc<object | null>('eth_getTransactionReceipt', hashes[at])) ?? {};
    same(`transaction ${hashes[at]}`, essence(receipt), essence(found, receipt));
  }
}

/** @param like the fields to keep are those of this one @returns them in the order of their names */
function essence(receipt: object, like = receipt): object {
  const wanted = Object.entries(receipt).filter(([key]) => key in like && !NAMES_OF_BLOCKS.includes(key));
  return Object.fromEntries(
    wanted
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, value]) => [
        key,
        key === 'logs' ? (value as object[]).map((log) => essence(log)) : (value as unknown),
      ]),
  );
}

function same(what: string, here: object, found: object): void {
  const [expected, answered] = [here, found].map((one) => JSON.stringify(one));
  if (expected !== answered) throw new Error(`${what}: here ${expected}, on anvil ${answered}`);
}
