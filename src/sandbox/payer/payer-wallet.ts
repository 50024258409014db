import {
  createClient,
  http,
  TransactionReceiptNotFoundError,
  type Account,
  type Address,
  type Client,
  type Hex,
  type Transport,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  getBlock,
  getTransactionReceipt,
  readContract,
  waitForTransactionReceipt,
  writeContract,
} from 'viem/actions';
import type { SandboxPayer } from '../folder/sandbox-folder.js';
import { TOKEN_ABI } from '../chain/test-tokens.js';

/** The sandbox's wallet on one network: it pays in tokens, as any wallet would. */
export class PayerWallet {
  private readonly client: Client<Transport, undefined, Account>;

  constructor(rpcUrl: string, payer: SandboxPayer) {
    this.client = createClient({
      account: privateKeyToAccount(payer.private_key),
      transport: http(rpcUrl),
      pollingInterval: 200,
      cacheTime: 0,
    });
  }

  get address(): Address {
    return this.client.account.address;
  }

  /** In smallest units. */
  balance(token: Address): Promise<bigint> {
    return readContract(this.client, {
      address: token,
      abi: TOKEN_ABI,
      functionName: 'balanceOf',
      args: [this.address],
    });
  }

  /** @returns the transaction's hash, before it is in a block */
  send(token: Address, to: Address, amount: bigint): Promise<Hex> {
    const call = { address: token, abi: TOKEN_ABI, functionName: 'transfer', args: [to, amount] } as const;
    return writeContract(this.client, { ...call, chain: null });
  }

  /** @returns the number of the block it is in @throws Error when it was reverted */
  async mined(hash: Hex): Promise<bigint> {
    const { status, blockNumber } = await waitForTransactionReceipt(this.client, { hash, timeout: 30_000 });
    if (status !== 'success') throw new Error(`Transaction ${hash} was reverted.`);
    return blockNumber;
  }

  /** Whether it is in a block at this moment. @throws Error when it was reverted */
  async isMined(hash: Hex): Promise<boolean> {
    try {
      const { status } = await getTransactionReceipt(this.client, { hash });
      if (status !== 'success') throw new Error(`Transaction ${hash} was reverted.`);
      return true;
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return false;
      throw error;
    }
  }

  /** The newest block's timestamp: the chain's own idea of the time. */
  async chainTime(): Promise<Date> {
    const { timestamp } = await getBlock(this.client, { blockTag: 'latest' });
    return new Date(Number(timestamp) * 1_000);
  }
}

/** The contract of `n{network}_t{token}`. */
export function tokenOf(uniqueAssetId: string): Address {
  return uniqueAssetId.slice(uniqueAssetId.lastIndexOf('_t') + 2) as Address;
}
