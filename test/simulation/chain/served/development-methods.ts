import { type Hex, bytesToHex, hexToBytes, keccak256, numberToHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { estimate, nextBlock } from '../node/calls.js';
import { NodeRefusal } from '../node/node-head.js';
import { quantity } from '../node/answers.js';
import { PoolRefusal } from '../pool.js';
import { type SignedTransaction, signTransaction } from '../signed-transaction.js';
import type { BlockClock } from './block-clock.js';

type Method = (clock: BlockClock, params: readonly unknown[]) => unknown;
type Asked = Record<'from' | 'to' | 'data' | 'input' | 'value' | 'gas' | 'nonce', Hex | undefined>;

const MNEMONIC = 'test test test test test test test test test test test junk';
/** The base fee up to which what it signs itself always offers the same. */
const FEE = 10n ** 10n;
export const UNLOCKED = Array.from({ length: 10 }, (_, addressIndex) => {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex });
  return { address: account.address, key: account.getHdKey().privateKey! };
});

/** The methods by which tests order anvil about. */
export const DEVELOPMENT_METHODS: Readonly<Record<string, Method>> = {
  eth_accounts: () => UNLOCKED.map(({ address }) => address.toLowerCase()),
  async eth_sendTransaction(clock, [asked]) {
    const { raw, hash } = await signedFor(clock, asked as Asked);
    await send(clock, raw);
    return hash;
  },
  async eth_sendRawTransaction(clock, [raw]) {
    await send(clock, String(raw));
    return keccak256(raw as Hex);
  },
  async evm_mine(clock) {
    await clock.mine();
    return '0x0';
  },
  async anvil_mine(clock, [count = '0x1', interval]) {
    for (let left = Number(count), first = true; left > 0; left -= 1, first = false)
      await clock.mine(first || interval === undefined ? undefined : Number(interval));
    return null;
  },
  evm_setAutomine: (clock, [on]) => {
    clock.minesAtOnce = on === true;
    return null;
  },
  evm_setIntervalMining: () => null,
  evm_increaseTime: (clock, [seconds]) => {
    clock.offset += Number(seconds);
    return quantity(clock.offset);
  },
  evm_setNextBlockTimestamp: (clock, [time]) => {
    if (Number(time) <= clock.chain.head.time)
      throw new NodeRefusal(-32602, 'Timestamp error: lower than before');
    clock.offset += Number(time) - clock.next();
    clock.exactly = Number(time);
    return null;
  },
  evm_setBlockGasLimit: ({ chain }, [limit]) => {
    chain.gasLimit = BigInt(String(limit));
    return true;
  },
  anvil_setNextBlockBaseFeePerGas: ({ chain }, [fee]) => {
    chain.setNextBaseFee(BigInt(String(fee)));
    return null;
  },
  anvil_setCoinbase: ({ chain }, [miner]) => {
    chain.miner = String(miner).toLowerCase();
    return null;
  },
  anvil_setBalance: ({ chain }, [address, balance]) => {
    chain.endow(String(address), { balance: BigInt(String(balance)) });
    return null;
  },
  anvil_setNonce: ({ chain }, [address, nonce]) => {
    chain.endow(String(address), { nonce: BigInt(String(nonce)) });
    return null;
  },
  anvil_setCode: ({ chain }, [address, code]) => {
    const bytes = hexToBytes(code as Hex);
    chain.endow(String(address), { code: bytes, codeHash: keccak256(bytes, 'bytes') });
    return null;
  },
  anvil_setStorageAt: ({ chain }, [address, slot, value]) => {
    const { storage } = chain.head.state.account(String(address).toLowerCase());
    const key = numberToHex(BigInt(String(slot)), { size: 32 });
    chain.endow(String(address), { storage: storage.with(key, hexToBytes(value as Hex)) });
    return true;
  },
  anvil_dropAllTransactions: ({ chain }) => {
    for (const waiting of chain.pool.all()) chain.pool.remove(waiting);
    return null;
  },
  anvil_rollback: ({ chain }, [depth = 1]) => {
    chain.unwind(chain.head.number - Number(depth), 'drop');
    return null;
  },
  async anvil_reorg(clock, [depth, pairs]) {
    await clock.replace(
      Number(depth),
      await Promise.all(
        (pairs as [Asked | Hex, number][]).map(async ([each, at]) => ({
          raw: typeof each === 'string' ? each : (await signedFor(clock, each, true)).raw,
          at,
        })),
      ),
    );
    return null;
  },
  evm_snapshot: (clock) => quantity(clock.keep()),
  evm_revert: (clock, [id]) => clock.goBackTo(Number(id)),
  txpool_status: ({ chain }) => ({ pending: quantity(chain.pool.size), queued: '0x0' }),
  txpool_content: ({ chain }) => {
    const pending: Record<string, Record<string, object>> = {};
    for (const { from, nonce, hash } of chain.pool.all()) (pending[from] ??= {})[nonce] = { hash, from };
    return { pending, queued: {} };
  },
};

async function send(clock: BlockClock, raw: string): Promise<void> {
  try {
    clock.chain.send(raw);
  } catch (error) {
    if (error instanceof PoolRefusal) throw new NodeRefusal(-32000, error.message);
    throw new NodeRefusal(-32000, `rlp: ${(error as Error).message}`);
  }
  if (clock.minesAtOnce) await clock.mine();
}

async function signedFor({ chain }: BlockClock, asked: Asked, isSure = false): Promise<SignedTransaction> {
  const from = (asked.from ?? UNLOCKED[0]!.address).toLowerCase();
  const unlocked = UNLOCKED.find(({ address }) => address.toLowerCase() === from);
  if (unlocked === undefined) throw new NodeRefusal(-32602, 'No Signer available');
  const around = nextBlock(chain, chain.head);
  const needed =
    isSure || asked.gas !== undefined
      ? '0x7a120'
      : await estimate(chain, { ...asked, from }, around, chain.head.state);
  const fees = {
    maxTip: chain.suggestedTip,
    maxFee: around.baseFee < FEE ? 2n * FEE : 2n * around.baseFee + FEE,
  };
  const nonce =
    asked.nonce === undefined ? chain.pool.nextNonce(chain.head.state, from) : Number(asked.nonce);
  const [value, data] = [BigInt(asked.value ?? 0), asked.input ?? asked.data ?? bytesToHex(new Uint8Array())];
  const call = { to: asked.to ?? null, value, data, gasLimit: BigInt(asked.gas ?? needed) };
  const { chainId } = chain;
  return signTransaction({ chainId, nonce, ...call, ...fees }, { address: from, key: unlocked.key });
}
